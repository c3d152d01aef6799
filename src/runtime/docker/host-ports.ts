import type { OnlyHere } from '../../aws/ecs/index.ts';
import type { EngineFault } from './faults.ts';
import type { DockerTask } from './state.ts';

/** A port of this machine; what is absent is not known, or any. */
export interface HostPort {
  readonly port: number;
  readonly protocol?: 'tcp' | 'udp';
  readonly address?: string;
}

/** Whether two cannot be had at once. */
export function collide(one: HostPort, other: HostPort): boolean {
  return (
    one.port === other.port &&
    isShared(one.protocol, other.protocol, () => false) &&
    isShared(one.address, other.address, isEveryAddress)
  );
}

function isShared<T>(one: T | undefined, other: T | undefined, isEvery: (value: T) => boolean) {
  if (one === undefined || other === undefined) return true;
  return one === other || isEvery(one) || isEvery(other);
}

function isEveryAddress(address: string): boolean {
  return address === '0.0.0.0' || address === '::';
}

/** Ports that a task asks for by number: its engine picks the others among those that are free. */
export function hostPortsOf({ order, owner }: DockerTask): readonly HostPort[] {
  const { networkMode, containers } = order;
  const mappings = containers.flatMap(({ portMappings }) => portMappings);
  switch (networkMode) {
    case 'bridge':
      return mappings.flatMap(({ hostPort = 0, protocol }) =>
        hostPort === 0 ? [] : [{ port: hostPort, protocol, address: owner.publish }],
      );
    case 'host':
      return mappings.map(({ containerPort: port, protocol }) => ({ port, protocol }));
    default:
      return [];
  }
}

/** The second form is that of newer engines. */
const PORT =
  /(\[[^\]]*\]|[\d.]*):(\d+)(?= failed: port is| ?: bind:)|host port (?:for )?(\[[^\]]*\]|[\d.]+):(\d+)/g;
const PORT_TAKEN =
  /port is already allocated|address already in use|only one usage of each socket address/i;
const PROTOCOL = /\blisten (tcp|udp)|:\d+\/(tcp|udp)\b/;

/** The port of this machine that somebody else has; undefined for other faults. */
export function takenPort({ message }: EngineFault): HostPort | undefined {
  if (!PORT_TAKEN.test(message)) return undefined;
  const [, before = '', first, after = '', second] = [...message.matchAll(PORT)].at(-1) ?? [];
  const address = (before || after).replace(/[[\]]/g, '');
  const [, listened, published] = PROTOCOL.exec(message) ?? [];
  const protocol = (listened ?? published) as HostPort['protocol'];
  return {
    port: Number(first ?? second ?? 0),
    ...(protocol === undefined ? {} : { protocol }),
    ...(address === '' ? {} : { address }),
  };
}

/** What is taken, with what the order says of it that the engine does not. */
export function asOrdered(task: DockerTask, taken: HostPort): HostPort {
  const [asked, ...more] = hostPortsOf(task).filter((one) => collide(one, taken));
  return more.length === 0 ? { ...asked, ...taken } : taken;
}

/** A task that may have a port, and those that it was refused. */
interface Rival {
  readonly task: DockerTask;
  readonly refused: readonly HostPort[];
}

/**
 * Whether a task of ours is the one that has a port: it asks for it by number and was not refused it
 * itself. The engine lists no container before it has started, which is long after it has its ports.
 */
export function isOurs(taken: HostPort, others: readonly Rival[]): boolean {
  return others.some(
    ({ task, refused }) =>
      hostPortsOf(task).some((one) => collide(one, taken)) &&
      !refused.some((one) => collide(one, taken)),
  );
}

/** A port that no task of ours holds is taken by this machine's own doing. */
export function portOnlyHere(port: number, holder: string | undefined): OnlyHere {
  const who = holder === undefined ? 'a process that is no task' : `container ${holder}`;
  return {
    text: `port ${port} of this machine is taken by ${who}`,
    hint: 'free the port, or publish at another address: --publish 127.0.0.2',
  };
}
