import { assert, type EpochMs } from '../../../base/index.ts';
import { countIn } from './counts.ts';
import type { TaskRequirements } from './requirements.ts';

/** What an instance has, or has left. `enis`: task network interfaces; null: as many as are asked for. */
export interface InstanceResources {
  cpuUnits: number; // 1,024 are one CPU
  memoryMebibytes: number;
  enis: number | null;
}

/**
 * A container instance as the scheduler sees it: plain data, changed by `reserve` and `release`.
 *
 * A list of instances is always that of one cluster, in order of registration, which settles ties.
 */
export interface ContainerInstance {
  readonly id: string; // 32 hex digits, the tail of the ARN
  readonly arn: string;
  readonly cluster: string;
  readonly ec2InstanceId: string | null; // null: not an EC2 instance
  status: 'ACTIVE' | 'DRAINING';
  agentConnected: boolean;
  readonly agentVersion: string | null;
  readonly registeredAtMs: EpochMs;
  /** `ecs.availability-zone`, `ecs.instance-type`, … and custom ones; a name without a value has ''. */
  readonly attributes: { readonly [name: string]: string };
  /** The Auto Scaling group or capacity provider it belongs to. */
  readonly group: string | null;
  readonly registered: Readonly<InstanceResources>;
  readonly remaining: InstanceResources;
  /** `8080/tcp`: held by a task or reserved for good (7.10). */
  readonly usedPorts: { [port: string]: true };
  /** Tasks on it by task group (`service:web`); a group without any is not listed. */
  readonly tasksByGroup: { [group: string]: number };
  taskCount: number;
}

export interface InstanceRegistration {
  readonly id: string;
  readonly arn: string;
  readonly cluster: string;
  readonly registeredAtMs: EpochMs;
  readonly cpuUnits: number;
  readonly memoryMebibytes: number;
  readonly enis?: number; // absent: unlimited
  readonly ec2InstanceId?: string;
  readonly agentVersion?: string;
  readonly group?: string;
  readonly attributes?: { readonly [name: string]: string };
  /** Docker volume drivers besides `local`: `rexray/ebs`. */
  readonly volumePlugins?: readonly string[];
}

/** SSH, the Docker daemon and the agent (7.10); all of them TCP. */
const RESERVED_PORTS = [22, 2375, 2376, 51678, 51679, 51680];
/** Host ports that an instance may have in use, the reserved ones included (7.10). */
export const PORTS_MAX = 100;

/**
 * RegisterContainerInstance: an ACTIVE instance with a connected agent and nothing on it. Where the
 * attributes do not say otherwise it runs Linux on x86_64.
 */
export function registerInstance(registration: InstanceRegistration): ContainerInstance {
  const { id, arn, cluster, registeredAtMs, cpuUnits, memoryMebibytes } = registration;
  const resources = { cpuUnits, memoryMebibytes, enis: registration.enis ?? null };
  const drivers = ['local', ...(registration.volumePlugins ?? [])].map(volumeDriverAttribute);
  return {
    id,
    arn,
    cluster,
    ec2InstanceId: registration.ec2InstanceId ?? null,
    status: 'ACTIVE',
    agentConnected: true,
    agentVersion: registration.agentVersion ?? null,
    registeredAtMs,
    attributes: {
      'ecs.os-type': 'linux',
      'ecs.cpu-architecture': 'x86_64',
      ...Object.fromEntries(drivers.map((name) => [name, ''])),
      ...registration.attributes,
    },
    group: registration.group ?? null,
    registered: resources,
    remaining: { ...resources },
    usedPorts: Object.fromEntries(RESERVED_PORTS.map((port) => [`${port}/tcp`, true] as const)),
    tasksByGroup: {},
    taskCount: 0,
  };
}

/** The attribute by which an agent tells of a Docker volume driver: `:` stands as `.` in it. */
export function volumeDriverAttribute(driver: string): string {
  return `ecs.capability.docker-plugin.${driver.replaceAll(':', '.')}`;
}

/** Whether an instance has an attribute, and its value; `undefined`: it has not. */
export function attributeOf({ attributes }: ContainerInstance, name: string): string | undefined {
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined;
}

/** Tasks of one task group on an instance. */
export function tasksOf({ tasksByGroup }: ContainerInstance, group: string): number {
  return countIn(tasksByGroup, group);
}

/**
 * Takes what a task needs from an instance, until `release` with the same requirements and group.
 *
 * @throws when there is too little of something, which is a defect of the caller
 */
export function reserve(
  instance: ContainerInstance,
  requirements: TaskRequirements,
  group: string,
): void {
  const { remaining, usedPorts, tasksByGroup } = instance;
  remaining.cpuUnits -= requirements.cpuUnits;
  remaining.memoryMebibytes -= requirements.memoryMebibytes;
  if (remaining.enis !== null) remaining.enis -= requirements.enis;
  const least = Math.min(remaining.cpuUnits, remaining.memoryMebibytes, remaining.enis ?? 0);
  assert(least >= 0, 'a task is placed where it fits');
  for (const port of requirements.ports) {
    assert(!Object.hasOwn(usedPorts, port), 'a task is placed where its ports are free');
    usedPorts[port] = true;
  }
  tasksByGroup[group] = tasksOf(instance, group) + 1;
  instance.taskCount += 1;
}

/** Gives back what `reserve` took, once the task is STOPPED. */
export function release(
  instance: ContainerInstance,
  requirements: TaskRequirements,
  group: string,
): void {
  const { remaining, usedPorts, tasksByGroup } = instance;
  const left = tasksOf(instance, group) - 1;
  assert(left >= 0, 'a task that is released was reserved for');
  remaining.cpuUnits += requirements.cpuUnits;
  remaining.memoryMebibytes += requirements.memoryMebibytes;
  if (remaining.enis !== null) remaining.enis += requirements.enis;
  for (const port of requirements.ports) delete usedPorts[port];
  if (left === 0) delete tasksByGroup[group];
  else tasksByGroup[group] = left;
  instance.taskCount -= 1;
}
