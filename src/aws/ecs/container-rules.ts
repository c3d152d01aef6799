import { isObject, type JsonObject, type Path } from '../../base/index.ts';
import { faultIf, type RequestFault } from './request-fault.ts';
import { isGiven, knownText, list, memberOf, number, text } from './request-values.ts';
import { isForFargate } from './task-size-rules.ts';

/** What is wrong with the containers of a RegisterTaskDefinition request, one by one. */
export function definedContainerFaults(
  request: JsonObject,
  containers: readonly JsonObject[],
): readonly RequestFault[] {
  return containers.flatMap((container, index) => {
    const at = ['containerDefinitions', index];
    return [
      ...portFaults(request, container, at),
      ...mountFaults(request, container, at),
      ...volumesFromFaults(containers, container, at),
      ...healthCheckFaults(container, at),
      ...restartFaults(container, at),
      ...(isForFargate(request) ? timeoutFaults(container, at) : []),
    ];
  });
}

/**
 * 7.9, 7.10: the network modes in which a container has no other port on the host, or none at all
 * (that text was not seen). Ports that an instance reserves (22, 2375 …) are refused where a task is
 * placed, not here: an agent can be told to reserve others.
 */
function portFaults(
  { networkMode: mode }: JsonObject,
  { portMappings }: JsonObject,
  at: Path,
): readonly RequestFault[] {
  if (mode === 'none') {
    const message = 'Port mappings are not supported when networkMode=none.';
    return faultIf(isGiven(portMappings), message, [...at, 'portMappings']);
  }
  if (mode !== 'awsvpc' && mode !== 'host') return [];
  return list(portMappings).flatMap(({ hostPort, containerPort }, index) => {
    const [host, inside] = [number(hostPort) ?? 0, number(containerPort)];
    const message = `When networkMode=${mode}, the host ports and container ports in port mappings must match.`;
    const differs = host !== 0 && inside !== undefined && host !== inside;
    return faultIf(differs, message, [...at, 'portMappings', index, 'hostPort']);
  });
}

/** A volume is mounted that the task definition does not have: a fragment that others quote (B). */
function mountFaults(
  { volumes }: JsonObject,
  { mountPoints }: JsonObject,
  at: Path,
): readonly RequestFault[] {
  const known = namesIn(volumes, 'name');
  if (known === undefined) return [];
  return list(mountPoints).flatMap(({ sourceVolume }, index) => {
    const volume = knownText(sourceVolume) ?? '';
    const isKnown = volume === '' || known.includes(volume);
    const message = `Unknown volume '${volume}'.`;
    return faultIf(!isKnown, message, [...at, 'mountPoints', index, 'sourceVolume']);
  });
}

/** How AWS words it was not seen. */
function volumesFromFaults(
  containers: readonly JsonObject[],
  { volumesFrom }: JsonObject,
  at: Path,
): readonly RequestFault[] {
  const known = namesIn([...containers], 'name');
  if (known === undefined) return [];
  return list(volumesFrom).flatMap(({ sourceContainer }, index) => {
    const container = knownText(sourceContainer) ?? '';
    const isKnown = container === '' || known.includes(container);
    const message = `Unknown container '${container}' in volumesFrom.`;
    return faultIf(!isKnown, message, [...at, 'volumesFrom', index, 'sourceContainer']);
  });
}

/** The names of a list's items; undefined when one of them is not known. */
export function namesIn(
  items: JsonObject[string] | undefined,
  member: string,
): readonly string[] | undefined {
  if (isGiven(items) && !Array.isArray(items)) return undefined;
  const names: string[] = [];
  for (const item of Array.isArray(items) ? items : []) {
    const name = knownText(memberOf(item, member));
    if (name === undefined) return undefined;
    names.push(name);
  }
  return names;
}

/** 6.70 to 6.73. */
const HEALTH_CHECK_RANGES = [
  ['interval', 5, 300],
  ['timeout', 2, 60],
  ['retries', 1, 10],
  ['startPeriod', 0, 300],
] as const;

/**
 * 6.70 to 6.73; how AWS words it was not seen. A command without `CMD` (6.30) is let pass: templates
 * that AWS publishes have such.
 */
function healthCheckFaults(container: JsonObject, at: Path): readonly RequestFault[] {
  const { healthCheck } = container;
  if (!isObject(healthCheck)) return [];
  return HEALTH_CHECK_RANGES.flatMap(([setting, min, max]) =>
    rangeFaults(healthCheck[setting], { setting, min, max, of: container }, [
      ...[...at, 'healthCheck', setting],
    ]),
  );
}

/** 6.40; for the exit codes AWS's wording was not seen. */
function restartFaults(container: JsonObject, at: Path): readonly RequestFault[] {
  const { restartPolicy } = container;
  if (!isObject(restartPolicy)) return [];
  const { restartAttemptPeriod, ignoredExitCodes } = restartPolicy;
  const path = [...at, 'restartPolicy'];
  const setting = 'restartAttemptPeriod';
  const codes = Array.isArray(ignoredExitCodes) ? ignoredExitCodes.length : 0;
  const message = `The 'ignoredExitCodes' setting for container '${nameOf(container)}' can have at most 50 items`;
  return [
    ...rangeFaults(restartAttemptPeriod, { setting, min: 60, max: 1800, of: container }, [
      ...path,
      setting,
    ]),
    ...faultIf(codes > 50, message, [...path, 'ignoredExitCodes']),
  ];
}

/** 6.10, 6.11: on Fargate; how AWS words it was not seen. */
function timeoutFaults(container: JsonObject, at: Path): readonly RequestFault[] {
  return ['startTimeout', 'stopTimeout'].flatMap((setting) =>
    rangeFaults(container[setting], { setting, min: 2, max: 120, of: container }, [...at, setting]),
  );
}

/** Worded as AWS words it for `restartAttemptPeriod` (B). */
function rangeFaults(
  value: JsonObject[string] | undefined,
  range: { setting: string; min: number; max: number; of: JsonObject },
  path: Path,
): readonly RequestFault[] {
  const { setting, min, max, of } = range;
  if (typeof value !== 'number' || (value >= min && value <= max)) return [];
  const message = `the '${setting}' setting for container '${nameOf(of)}' must be between ${min} and ${max}`;
  return [{ message, path }];
}

function nameOf({ name }: JsonObject): string {
  return text(name) ?? '';
}
