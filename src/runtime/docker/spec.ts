import type { ContainerCreateOptions, HostConfig, PortMap } from 'dockerode';
import type { ContainerDefinition, PortMapping } from '../../aws/ecs/index.ts';
import { LABEL } from './labels.ts';
import { PAUSE_COMMAND, PAUSE_IMAGE } from './pause-image.ts';
import type { DockerTask } from './state.ts';

/** What a container is made with, beside its task. */
export interface Surroundings {
  readonly name: string;
  readonly labels: { readonly [label: string]: string };
  /** CPUs that the engine has: it refuses a limit above them. */
  readonly cpus: number;
  /** Of a task with an interface of its own: the container that holds it. */
  readonly pause: string;
}

/** A container's values, with nothing left to look up. */
export interface Values {
  readonly image: string;
  readonly environment: readonly string[]; // NAME=value
  readonly entryPoint: readonly string[];
  readonly command: readonly string[];
}

const MEBIBYTE = 1024 * 1024;
const CPU_SHARES_MIN = 2; // the kernel's
const LOG = { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '2' } };

/** What the engine is asked to make. */
export type Spec = ContainerCreateOptions & { readonly name: string };

/** Holds the network of a task that has an interface of its own: its name, its ports. */
export function pauseSpec(task: DockerTask, around: Surroundings): Spec {
  const mappings = task.order.containers.flatMap(({ portMappings }) => portMappings);
  return {
    name: around.name,
    Image: PAUSE_IMAGE,
    Cmd: [PAUSE_COMMAND],
    Hostname: task.order.task.slice(0, 12),
    Labels: { ...around.labels, [LABEL.container]: '' },
    ExposedPorts: exposed(mappings),
    HostConfig: {
      NetworkMode: 'bridge',
      LogConfig: LOG,
      // Nobody else meets the ports of a task with an interface of its own: the engine picks free ones.
      PortBindings: published(mappings, task.owner.publish, () => ''),
    },
  };
}

/** A container of a task, as its definition and the task's own limits say. */
export function containerSpec(
  task: DockerTask,
  definition: ContainerDefinition,
  values: Values,
  around: Surroundings,
): Spec {
  const { user, workingDirectory, portMappings } = definition;
  const { networkMode } = task.order;
  const ownPorts = networkMode === 'bridge' ? portMappings : [];
  return {
    name: around.name,
    Image: values.image,
    Env: [...values.environment],
    Labels: { ...around.labels, [LABEL.container]: definition.name },
    ...(values.entryPoint.length === 0 ? {} : { Entrypoint: [...values.entryPoint] }),
    ...(values.command.length === 0 ? {} : { Cmd: [...values.command] }),
    ...(user === undefined ? {} : { User: user }),
    ...(workingDirectory === undefined ? {} : { WorkingDir: workingDirectory }),
    ExposedPorts: exposed(ownPorts),
    HostConfig: {
      NetworkMode: networkMode === 'awsvpc' ? `container:${around.pause}` : networkMode,
      LogConfig: LOG,
      PortBindings: published(ownPorts, task.owner.publish, ({ hostPort }) =>
        hostPort === undefined || hostPort === 0 ? '' : String(hostPort),
      ),
      ...limits(task, definition, around.cpus),
    },
  };
}

/**
 * The task's CPU is a ceiling, a container's its share. The container's memory is the limit,
 * else the task's; without swap, as ECS has none.
 */
function limits(
  { order }: DockerTask,
  { cpuUnits, memoryMebibytes, memoryReservationMebibytes }: ContainerDefinition,
  cpus: number,
): Partial<HostConfig> {
  const memory = memoryMebibytes ?? order.memoryMebibytes;
  return {
    ...(memory === undefined ? {} : { Memory: memory * MEBIBYTE, MemorySwap: memory * MEBIBYTE }),
    ...(memoryReservationMebibytes === undefined
      ? {}
      : { MemoryReservation: memoryReservationMebibytes * MEBIBYTE }),
    ...(cpuUnits === undefined || cpuUnits === 0
      ? {}
      : { CpuShares: Math.max(CPU_SHARES_MIN, cpuUnits) }),
    ...(order.cpuUnits === undefined
      ? {}
      : { NanoCpus: Math.round(Math.min(order.cpuUnits / 1024, cpus) * 1e9) }),
  };
}

function exposed(mappings: readonly PortMapping[]): { [port: string]: object } {
  return Object.fromEntries(mappings.map((mapping) => [portKey(mapping), {}]));
}

function published(
  mappings: readonly PortMapping[],
  address: string,
  hostPortOf: (mapping: PortMapping) => string,
): PortMap {
  const map: { [port: string]: { HostIp: string; HostPort: string }[] } = {};
  for (const mapping of mappings) {
    const of = map[portKey(mapping)] ?? [];
    of.push({ HostIp: address, HostPort: hostPortOf(mapping) });
    map[portKey(mapping)] = of;
  }
  return map;
}

function portKey({ containerPort, protocol }: PortMapping): string {
  return `${containerPort}/${protocol}`;
}
