import type { OnlyHere } from '../../aws/ecs/index.ts';
import { UserError } from '../../base/index.ts';

/** What the engine answered instead of doing what it was asked. */
export interface EngineFault {
  readonly status: number | undefined; // undefined: it did not answer
  readonly message: string;
}

const NOT_REACHED = /ECONNREFUSED|ENOENT|EACCES|EPIPE|ECONNRESET|socket hang up|ETIMEDOUT/;

/** Reads a rejection of the client; `err.reason` is a fixed word for each endpoint and misleads. */
export function faultOf(error: unknown): EngineFault {
  if (!(error instanceof Error)) return { status: undefined, message: String(error) };
  const { statusCode, json } = error as { statusCode?: number; json?: { message?: string } | null };
  const plain = error.message.replace(/^\(HTTP code \d+\) [^-]* - /, '').trim();
  return { status: statusCode, message: json?.message?.trim() ?? plain };
}

/** Whether the engine is not there any more, as against having refused something. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  return statusCode === undefined && NOT_REACHED.test(`${code ?? ''} ${error.message}`);
}

/** The engine does not answer: what happened, and what to do about it. */
export function engineUnavailable(address: string, error: unknown): UserError {
  const code = error instanceof Error ? ((error as { code?: string }).code ?? '') : '';
  const { message } = faultOf(error);
  const refused = {
    message: `the Docker engine at ${address} may not be used by this user`,
    hint: 'add yourself to the group of the socket (often "docker"), or name another engine in DOCKER_HOST',
  };
  const start =
    'start it, or name another one in DOCKER_HOST; new stacks can run with --runtime simulation';
  const absent = { message: `there is no Docker engine at ${address}`, hint: start };
  const silent = {
    message: `the Docker engine at ${address} does not answer: ${message}`,
    hint: start,
  };
  const fault = code === 'EACCES' ? refused : code === 'ENOENT' ? absent : silent;
  return new UserError('EngineUnavailable', fault.message, { hint: fault.hint, cause: error });
}

const OWN_REGISTRY = /^\d{12}\.dkr\.ecr(-fips)?\.[a-z0-9-]+\.amazonaws\.com(\.cn)?\//;
const NO_SUCH_IMAGE = /manifest unknown|manifest for .* not found|name unknown|not found/i;
/** The registry was not reached, or holds the image for other platforms than this machine's. */
const NOT_FROM_HERE = /\bdial tcp\b|connect: |no match(ing manifest)? for /;
const NO_ROOM = /no space left on device/i;
const NO_LOGIN = /denied|unauthorized|authentication required|no basic auth credentials/i;

/**
 * Whether a pull that failed says something about AWS: an image that a public registry does not hold,
 * or does not give to whoever has no login, is not there for ECS either. Anything else is about this
 * machine: its route, its disk, its logins.
 *
 * @param asAnyone - whether the pull was asked for without a login, as ECS will ask for it
 */
export function pullOnlyHere(
  image: string,
  { status, message }: EngineFault,
  asAnyone: boolean,
): OnlyHere | undefined {
  if (OWN_REGISTRY.test(image)) {
    const text = `image ${image} is in a private registry of AWS, which is not asked from here`;
    return { text, hint: `build or pull it, or run another one: --image ${image}=<image>` };
  }
  if (NO_LOGIN.test(message)) {
    if (asAnyone) return undefined;
    const text = `image ${image} cannot be pulled with the logins of this machine`;
    const hint = `log in to its registry, pull it, or run another one: --image ${image}=<image>`;
    return { text, hint };
  }
  if (NO_ROOM.test(message)) return machineFault(message);
  if (NO_SUCH_IMAGE.test(message) && !NOT_FROM_HERE.test(message)) return undefined;
  if (status === 400) return undefined; // the reference itself is wrong
  const text = `image ${image} cannot be pulled from this machine: ${message}`;
  return { text, hint: `connect to its registry, or run another image: --image ${image}=<image>` };
}

/** The second form is that of newer engines. */
const PORT = /:(\d+)(?= failed: port is| ?: bind:)|host port (?:for )?(?:\[[^\]]*\]|[\d.]+):(\d+)/g;
const PORT_TAKEN = /port is already allocated|address already in use/;
const MACHINE = /no space left on device|iptables failed|non-overlapping|no available IPv4|cgroup/i;

/** The port of this machine that somebody else has; undefined for other faults. */
export function takenPort({ message }: EngineFault): number | undefined {
  if (!PORT_TAKEN.test(message)) return undefined;
  const found = [...message.matchAll(PORT)].at(-1);
  return Number(found?.[1] ?? found?.[2] ?? 0);
}

/** A port that no task of ours holds is taken by this machine's own doing. */
export function portOnlyHere(port: number, holder: string | undefined): OnlyHere {
  const who = holder === undefined ? 'a process that is no task' : `container ${holder}`;
  return {
    text: `port ${port} of this machine is taken by ${who}`,
    hint: 'free the port, or publish at another address: --publish 127.0.0.2',
  };
}

/** Whether a container that could not be made or started failed by this machine alone. */
export function startOnlyHere(fault: EngineFault): OnlyHere | undefined {
  return MACHINE.test(fault.message) ? machineFault(fault.message) : undefined;
}

function machineFault(message: string): OnlyHere {
  const text = `the Docker engine of this machine cannot run it: ${message}`;
  return { text, hint: 'make room for it; "docker info" and the log of the engine say more' };
}
