import { isObject, type JsonObject } from '../../../base/index.ts';
import { parseCpuUnits, parseMemoryMebibytes } from '../fargate-sizes.ts';
import type { ContainerDefinition, PortMapping, TaskDefinition } from '../model.ts';
import { isUnresolved, list, text } from '../request-values.ts';
import { constraintsOf, type MemberOf } from './constraints.ts';
import { volumeDriverAttribute } from './instance.ts';

/**
 * What an instance must have for a task of a task definition. It follows from the definition alone
 * and is made anew where it is needed; the world does not hold it.
 *
 * Where a taken host port is the runtime's matter (`docs/decisions.md` 14a), lay `ports: []` over it.
 */
export interface TaskRequirements {
  readonly cpuUnits: number;
  readonly memoryMebibytes: number;
  /** Host ports, each once: `8080/tcp`. */
  readonly ports: readonly string[];
  readonly enis: 0 | 1;
  readonly attributes: readonly RequiredAttribute[];
  readonly constraints: readonly MemberOf[];
}

/** An attribute that must be there, with a value where one is given. */
export interface RequiredAttribute {
  readonly name: string;
  readonly value?: string;
}

/**
 * The requirements of a task definition on container instances.
 *
 * Only attributes that a described instance can lack are asked for: system, architecture and volume
 * drivers. Every agent is taken to know the log drivers and the network modes.
 */
export function requirementsOf(definition: TaskDefinition): TaskRequirements {
  const { cpu, memory, networkMode, containerDefinitions: containers, request } = definition;
  const taskCpu = cpu === undefined ? undefined : parseCpuUnits(cpu);
  const taskMemory = memory === undefined ? undefined : parseMemoryMebibytes(memory);
  return {
    cpuUnits: taskCpu ?? sum(containers.map(({ cpuUnits }) => cpuUnits ?? 0)),
    memoryMebibytes: taskMemory ?? sum(containers.map(reservedMebibytes)),
    ports: hostPorts(definition),
    enis: networkMode === 'awsvpc' ? 1 : 0,
    attributes: [...platformAttributes(request), ...volumeAttributes(request)],
    constraints: constraintsOf(request['placementConstraints']).filter(
      (constraint) => constraint.type === 'memberOf',
    ),
  };
}

/**
 * What a container takes of its instance's memory in MiB: the reservation where there is one, else
 * the hard limit. A container with both may grow above what was set aside for it.
 *
 * Source: API reference, ContainerDefinition, `memoryReservation`.
 */
function reservedMebibytes(container: ContainerDefinition): number {
  return container.memoryReservationMebibytes ?? container.memoryMebibytes ?? 0;
}

/** 7.10: fixed host ports in bridge mode, every port in host mode, none with an interface of its own. */
function hostPorts({ networkMode, containerDefinitions }: TaskDefinition): readonly string[] {
  if (networkMode !== 'bridge' && networkMode !== 'host') return [];
  const mappings = containerDefinitions.flatMap(({ portMappings }) => portMappings);
  const portOf = ({ hostPort, containerPort }: PortMapping) =>
    networkMode === 'host' ? containerPort : (hostPort ?? 0);
  const fixed = mappings.filter((mapping) => portOf(mapping) !== 0);
  return [...new Set(fixed.map((mapping) => `${portOf(mapping)}/${mapping.protocol}`))];
}

/** A task definition that names no platform runs on whatever the instance is. */
function platformAttributes(request: JsonObject): readonly RequiredAttribute[] {
  const platform = request['runtimePlatform'];
  if (!isObject(platform)) return [];
  const family = known(platform['operatingSystemFamily']);
  const architecture = known(platform['cpuArchitecture']);
  const system = family?.startsWith('WINDOWS') ? 'windows' : 'linux';
  return [
    ...(family === undefined ? [] : [{ name: 'ecs.os-type', value: system }]),
    ...(architecture === undefined
      ? []
      : [{ name: 'ecs.cpu-architecture', value: architecture.toLowerCase() }]),
  ];
}

function volumeAttributes(request: JsonObject): readonly RequiredAttribute[] {
  const drivers = list(request['volumes']).flatMap(({ dockerVolumeConfiguration: docker }) => {
    const driver = isObject(docker) ? known(docker['driver']) : undefined;
    return driver === undefined ? [] : [driver];
  });
  return [...new Set(drivers)].map((driver) => ({ name: volumeDriverAttribute(driver) }));
}

function known(value: JsonObject[string] | undefined): string | undefined {
  const given = text(value);
  return given === undefined || given === '' || isUnresolved(given) ? undefined : given;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
