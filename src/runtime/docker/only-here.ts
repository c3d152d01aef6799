import type { OnlyHere } from '../../aws/ecs/index.ts';
import type { EngineFault } from './faults.ts';

const OWN_REGISTRY = /^\d{12}\.dkr\.ecr(-fips)?\.[a-z0-9-]+\.amazonaws\.com(\.cn)?\//;
const NO_SUCH_IMAGE = /manifest unknown|manifest for .* not found|name unknown|not found/i;
/** The registry was not reached, or holds the image for other platforms than this machine's. */
const NOT_FROM_HERE =
  /\bdial tcp\b|connect: |proxyconnect|proxy authentication required|no match(ing manifest)? for /i;
/** What the engine keeps is full, not its own to write, or damaged. A name of an image has no blank. */
const STORE =
  /no space left on device|permission denied|failed to (register|extract) layer|snapshot \S+ does not exist|content digest sha256:/i;
const NO_LOGIN =
  /access (to the resource is )?denied|requested access|(^|: )denied(:|$)|unauthorized|authentication required|no basic auth credentials/i;

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
  if (STORE.test(message)) return machineFault(message);
  if (!NOT_FROM_HERE.test(message)) {
    if (NO_LOGIN.test(message)) return asAnyone ? undefined : loginOnlyHere(image);
    if (NO_SUCH_IMAGE.test(message)) return undefined;
    if (status === 400) return undefined; // the reference itself is wrong
  }
  const text = `image ${image} cannot be pulled from this machine: ${message}`;
  return { text, hint: `connect to its registry, or run another image: --image ${image}=<image>` };
}

function loginOnlyHere(image: string): OnlyHere {
  const text = `image ${image} cannot be pulled with the logins of this machine`;
  const hint = `log in to its registry, pull it, or run another one: --image ${image}=<image>`;
  return { text, hint };
}

/** A pull came to its end, and there is no image of the name after it. */
export function absentOnlyHere(image: string): OnlyHere {
  const text = `image ${image} was pulled and is not at the Docker engine of this machine`;
  return { text, hint: `pull it with docker, or run another one: --image ${image}=<image>` };
}

/** Without such a file system, network or limit nothing of the kind runs on this machine. */
const MACHINE =
  /no space left on device|iptables failed|non-overlapping|no available IPv4|cgroup|is already in use by container/i;
/** The second is of an engine without the rights of root, the third of Windows. */
const ADDRESS =
  /cannot assign requested address|cannot expose privileged port|forbidden by its access permissions/i;

/** Whether a container that could not be made or started failed by this machine alone. */
export function startOnlyHere({ message }: EngineFault): OnlyHere | undefined {
  if (ADDRESS.test(message)) {
    const text = `a port cannot be published on this machine: ${message}`;
    const hint =
      'publish at an address that this machine has (--publish), at a port that its users may have';
    return { text, hint };
  }
  return MACHINE.test(message) ? machineFault(message) : undefined;
}

/** Whatever goes wrong with it, ECS has no such container. */
export function networkOnlyHere(fault: EngineFault): OnlyHere {
  return startOnlyHere(fault) ?? machineFault(fault.message);
}

function machineFault(message: string): OnlyHere {
  const text = `the Docker engine of this machine cannot run it: ${message}`;
  return { text, hint: 'make room for it; "docker info" and the log of the engine say more' };
}
