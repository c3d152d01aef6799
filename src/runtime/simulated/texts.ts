import type { PullAnswer } from '../../scenario/index.ts';

/** What a registry's refusal reads like on Fargate (6.110 to 6.113). */
export function pullError(image: string, answer: Exclude<PullAnswer, 'ok'>): string {
  const ref = resolveReference(image);
  const failed = `CannotPullContainerError: pull image manifest has been retried 1 time(s): failed to resolve ref ${ref}:`;
  switch (answer) {
    case 'not-found':
      return `${failed} ${ref}: not found`;
    case 'denied':
      return `${failed} pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed`;
    case 'timeout':
      return `${failed} failed to do request: Head "${manifestUrl(ref)}": dial tcp 192.0.2.1:443: i/o timeout`;
  }
}

/** 5.29: the engine's words for a port of the host that is taken. */
export function portTakenError(container: string, port: number): string {
  return `CannotStartContainerError: Error response from daemon: driver failed programming external connectivity on endpoint ${container}: Bind for 0.0.0.0:${port} failed: port is already allocated`;
}

/** The engine's words for a program that the image does not hold. */
export function noSuchProgramError(program: string): string {
  const why = program.startsWith('/')
    ? `stat ${program}: no such file or directory`
    : 'executable file not found in $PATH';
  return `CannotStartContainerError: Error response from daemon: failed to create task for container: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "${program}": ${why}: unknown`;
}

/** `web:1` → `docker.io/library/web:1`, as the pulling engine spells it; `latest` where no tag stands. */
function resolveReference(image: string): string {
  const [first = ''] = image.split('/');
  const hasHost = image.includes('/') && (/[.:]/.test(first) || first === 'localhost');
  const withHost = hasHost
    ? image
    : `docker.io/${image.includes('/') ? image : `library/${image}`}`;
  const last = withHost.split('/').at(-1) ?? '';
  return last.includes(':') || last.includes('@') ? withHost : `${withHost}:latest`;
}

function manifestUrl(ref: string): string {
  const [host = '', ...path] = ref.split('/');
  const [repository = '', tag = 'latest'] = path.join('/').split(/[@:](?=[^/]*$)/);
  return `https://${host}/v2/${repository}/manifests/${tag}`;
}
