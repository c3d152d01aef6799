import { isObject, type JsonObject } from '../../base/index.ts';
import {
  FARGATE_WINDOWS_CPU,
  fargateMemorySizes,
  parseCpuUnits,
  parseMemoryMebibytes,
} from './fargate-sizes.ts';
import { faultIf, type RequestFault } from './request-fault.ts';
import { isGiven, isUnresolved, knownText, number, text, textList } from './request-values.ts';

const NO_SUCH_SIZE = 'No Fargate configuration exists for given values.';
const CPU_UNITS_ELSEWHERE = { min: 128, max: 196_608 }; // 7.21

/** 7.20, 7.21: the CPU and memory that a task definition asks for as a whole. */
export function taskSizeFaults(request: JsonObject): readonly RequestFault[] {
  return isForFargate(request) ? fargateFaults(request) : cpuFaults(request);
}

export function isForFargate(request: JsonObject): boolean {
  return textList(request['requiresCompatibilities']).includes('FARGATE');
}

/** 7.20: a CPU size that is none, or memory that does not go with it. */
function fargateFaults(request: JsonObject): readonly RequestFault[] {
  const mode = request['networkMode'];
  if (typeof mode === 'string' && !isUnresolved(mode) && mode !== 'awsvpc') {
    return [{ message: 'Fargate only supports network mode ‘awsvpc’.', path: ['networkMode'] }];
  }
  const unset = ['cpu', 'memory'].find((member) => !isGiven(request[member]));
  if (unset !== undefined) return [{ message: NO_SUCH_SIZE, path: [unset] }];
  const [cpu, memory] = [knownText(request['cpu']), knownText(request['memory'])];
  if (cpu === undefined || memory === undefined) return [];
  const cpuUnits = parseCpuUnits(cpu) ?? Number.NaN;
  const sizes = fargateMemorySizes(cpuUnits);
  if (sizes.length === 0) {
    const message =
      "Invalid 'cpu' setting for task. For more information, see the Troubleshooting section of the Amazon ECS Developer Guide.";
    return [{ message, path: ['cpu'] }];
  }
  if (isForWindows(request) && !FARGATE_WINDOWS_CPU.includes(cpuUnits)) {
    return [{ message: NO_SUCH_SIZE, path: ['cpu'] }];
  }
  const isOffered = sizes.includes(parseMemoryMebibytes(memory) ?? Number.NaN);
  return faultIf(!isOffered, NO_SUCH_SIZE, ['memory']);
}

function isForWindows({ runtimePlatform }: JsonObject): boolean {
  const family = isObject(runtimePlatform) ? runtimePlatform['operatingSystemFamily'] : undefined;
  return text(family)?.startsWith('WINDOWS') === true;
}

/** 7.21: CPU units of a task that runs on instances; how AWS words it was not seen. */
function cpuFaults({ cpu }: JsonObject): readonly RequestFault[] {
  const units = parseCpuUnits(knownText(cpu) ?? '');
  if (units === undefined) return [];
  const { min, max } = CPU_UNITS_ELSEWHERE;
  const message = `Invalid 'cpu' setting for task: on instances it is between ${min} and ${max} CPU units.`;
  return faultIf(units < min || units > max, message, ['cpu']);
}

/** What containers ask for beside what the task has. The texts are fragments that others quote (B, F). */
export function memoryFaults(
  request: JsonObject,
  containers: readonly JsonObject[],
): readonly RequestFault[] {
  const taskMebibytes = parseMemoryMebibytes(knownText(request['memory']) ?? '');
  return containers.flatMap((container, index) => {
    const at = ['containerDefinitions', index];
    return [
      ...aboveTaskFaults(container, taskMebibytes, at),
      ...reservationFaults(container, at),
      ...(isGiven(request['memory']) || isForFargate(request) ? [] : noMemoryFaults(container, at)),
    ];
  });
}

function aboveTaskFaults(
  container: JsonObject,
  taskMebibytes: number | undefined,
  at: readonly (string | number)[],
): readonly RequestFault[] {
  if (taskMebibytes === undefined) return [];
  return ['memory', 'memoryReservation'].flatMap((member) => {
    const mebibytes = number(container[member]) ?? 0;
    const message = `The '${member}' setting for container '${nameOf(container)}' is greater than for the task`;
    return faultIf(mebibytes > taskMebibytes, message, [...at, member]);
  });
}

function reservationFaults(
  container: JsonObject,
  at: readonly (string | number)[],
): readonly RequestFault[] {
  const [memory, reserved] = [number(container['memory']), number(container['memoryReservation'])];
  const message = `Invalid setting for container '${nameOf(container)}'. 'memory' must be greater than or equal to 'memoryReservation'.`;
  const isBelow = memory !== undefined && reserved !== undefined && memory < reserved;
  return faultIf(isBelow, message, [...at, 'memoryReservation']);
}

function noMemoryFaults(
  container: JsonObject,
  at: readonly (string | number)[],
): readonly RequestFault[] {
  const isSet = isGiven(container['memory']) || isGiven(container['memoryReservation']);
  const message = `Invalid setting for container '${nameOf(container)}'. At least one of 'memory' or 'memoryReservation' must be specified.`;
  return faultIf(!isSet, message, at);
}

function nameOf({ name }: JsonObject): string {
  return text(name) ?? '';
}
