import type { JsonObject } from '../../base/index.ts';
import { isUnresolved, list, text, textList } from './request-values.ts';

/** What is wrong with a request, in the API's words. Rules are pure: an operation throws what they find. */
export interface RequestFault {
  readonly message: string;
  /** Members that the fault is about, from the request's root, to point a reader at them. */
  readonly path: readonly (string | number)[];
}

/** Fargate's sizes: CPU units → memory in MiB (7.30 to 7.37). */
const FARGATE_SIZES: { readonly [cpu: number]: readonly number[] } = {
  256: [512, 1024, 2048],
  512: range(1024, 4096, 1024),
  1024: range(2048, 8192, 1024),
  2048: range(4096, 16384, 1024),
  4096: range(8192, 30720, 1024),
  8192: range(16384, 61440, 4096),
  16384: range(32768, 122880, 8192),
  32768: [61440, 122880, 249856],
};

function range(from: number, to: number, step: number): readonly number[] {
  return Array.from({ length: (to - from) / step + 1 }, (_, index) => from + index * step);
}

/** `256`, `.25 vCPU`, `1 vcpu` → CPU units; undefined when it is none of these. */
export function parseCpuUnits(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const [, amount] = /^(\d*\.?\d+)\s*vcpu$/i.exec(text.trim()) ?? [];
  return amount === undefined ? undefined : Number(amount) * 1024;
}

/** `512`, `0.5 GB`, `1gb` → MiB; undefined when it is none of these. */
export function parseMemoryMebibytes(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const [, amount] = /^(\d*\.?\d+)\s*gb$/i.exec(text.trim()) ?? [];
  return amount === undefined ? undefined : Number(amount) * 1024;
}

/** The memory sizes in MiB that Fargate offers with so many CPU units; none: no such CPU size. */
export function fargateMemorySizes(cpuUnits: number): readonly number[] {
  return FARGATE_SIZES[cpuUnits] ?? [];
}

/** Everything wrong with a RegisterTaskDefinition request; a ClientException each. */
export function taskDefinitionFaults(request: JsonObject): readonly RequestFault[] {
  const containers = list(request['containerDefinitions']);
  return [
    ...containerFaults(containers),
    ...fargateSizeFaults(request),
    ...containers.flatMap((container, index) => [
      ...hostPortFaults(request, container, index),
      ...dependencyFaults(containers, container, index),
    ]),
  ];
}

/**
 * 6.7: there is a container, one of them essential, and no two of one name. That these are refused is
 * documented; how AWS words it was not seen.
 */
function containerFaults(containers: readonly JsonObject[]): readonly RequestFault[] {
  const path = ['containerDefinitions'];
  if (containers.length === 0) {
    return [{ message: 'Container definitions should not be null or empty.', path }];
  }
  const names = containers.map(({ name }) => name);
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (twice >= 0) {
    const message = `Container names must be unique: ${String(names[twice])} is used twice.`;
    return [{ message, path: [...path, twice, 'name'] }];
  }
  if (containers.some(({ essential }) => essential !== false)) return [];
  return [{ message: 'At least one container must be essential.', path }];
}

/** 7.20: a CPU size that is none, or memory that does not go with it. */
function fargateSizeFaults(request: JsonObject): readonly RequestFault[] {
  if (!textList(request['requiresCompatibilities']).includes('FARGATE')) return [];
  const mode = request['networkMode'];
  if (mode !== undefined && mode !== 'awsvpc') {
    return [{ message: 'Fargate only supports network mode ‘awsvpc’.', path: ['networkMode'] }];
  }
  const [cpu, memory] = [text(request['cpu']), text(request['memory'])];
  if (cpu === undefined || memory === undefined) {
    const path = [cpu === undefined ? 'cpu' : 'memory'];
    return [{ message: 'No Fargate configuration exists for given values.', path }];
  }
  if (isUnresolved(cpu) || isUnresolved(memory)) return [];
  const sizes = fargateMemorySizes(parseCpuUnits(cpu) ?? Number.NaN);
  if (sizes.length === 0) {
    const message =
      "Invalid 'cpu' setting for task. For more information, see the Troubleshooting section of the Amazon ECS Developer Guide.";
    return [{ message, path: ['cpu'] }];
  }
  if (sizes.includes(parseMemoryMebibytes(memory) ?? Number.NaN)) return [];
  return [{ message: 'No Fargate configuration exists for given values.', path: ['memory'] }];
}

/** 7.9: with an interface of its own a container has no other port on the host. */
function hostPortFaults(
  request: JsonObject,
  container: JsonObject,
  index: number,
): readonly RequestFault[] {
  if (request['networkMode'] !== 'awsvpc') return [];
  return list(container['portMappings']).flatMap((mapping, at) => {
    const { hostPort, containerPort } = mapping;
    if (hostPort === undefined || hostPort === 0 || hostPort === containerPort) return [];
    const message =
      'When networkMode=awsvpc, the host ports and container ports in port mappings must match.';
    return [{ message, path: ['containerDefinitions', index, 'portMappings', at, 'hostPort'] }];
  });
}

/** 6.21: what others wait for to end cannot be a container whose end ends the task. */
function dependencyFaults(
  containers: readonly JsonObject[],
  container: JsonObject,
  index: number,
): readonly RequestFault[] {
  return list(container['dependsOn']).flatMap(({ containerName, condition }, at) => {
    if (condition !== 'SUCCESS' && condition !== 'COMPLETE') return [];
    const target = containers.find(({ name }) => name === containerName);
    if (target === undefined || target['essential'] === false) return [];
    const message =
      'A dependency container with SUCCESS or COMPLETE condition cannot be an essential container';
    return [{ message, path: ['containerDefinitions', index, 'dependsOn', at] }];
  });
}
