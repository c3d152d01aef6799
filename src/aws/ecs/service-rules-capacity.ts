import type { JsonObject, Path } from '../../base/index.ts';
import { parseCpuUnits } from './fargate-sizes.ts';
import { faultIf, type RequestFault } from './request-fault.ts';
import { isGiven, isUnresolved, knownText, list, number } from './request-values.ts';

const STRATEGY = 'capacityProviderStrategy';
const FARGATE_PROVIDERS: readonly string[] = ['FARGATE', 'FARGATE_SPOT'];
const PLATFORM_VERSIONS = ['LATEST', '1.4.0', '1.3.0', '1.2.0', '1.1.0', '1.0.0'];
const LARGE_CPU_UNITS = 8192; // from here on Fargate wants 1.4.0 (7.35 to 7.37)

/** Whether tasks are known to run on Fargate: a strategy counts before a launch type. */
export function runsOnFargate(request: JsonObject): boolean {
  if (!isGiven(request[STRATEGY])) return request['launchType'] === 'FARGATE';
  return list(request[STRATEGY]).some(({ capacityProvider }) => isFargate(capacityProvider));
}

/** Where the request says what its tasks run on. */
export function launchPath(request: JsonObject): Path {
  return [isGiven(request[STRATEGY]) ? STRATEGY : 'launchType'];
}

function isFargate(provider: JsonObject[string] | undefined): boolean {
  return FARGATE_PROVIDERS.includes(knownText(provider) ?? '');
}

/** 1.30: of a new service; an update that names a strategy goes over to it (1.59). */
export function launchFaults(request: JsonObject): readonly RequestFault[] {
  const both = list(request[STRATEGY]).length > 0 && isGiven(request['launchType']);
  const message = 'Specifying both a launch type and capacity provider strategy is not supported';
  return faultIf(both, message, [STRATEGY]);
}

/** 1.61, 1.62, 7.12, 7.14: a strategy for itself. */
export function capacityFaults(request: JsonObject): readonly RequestFault[] {
  const items = list(request[STRATEGY]);
  const withBase = items.filter(({ base }) => (number(base) ?? 0) > 0).length;
  return [
    ...items.flatMap(itemFaults),
    ...faultIf(
      withBase > 1,
      'There are multiple capacity providers in the specified capacity provider strategy with a base value defined',
      [STRATEGY],
    ),
    ...faultIf(
      haveNoWeight(items),
      'There are no capacity providers in the capacity provider strategy with a weight value greater than zero',
      [STRATEGY],
    ),
    ...faultIf(
      isMixed(items), // 7.14: the wording was not seen
      'A capacity provider strategy cannot contain both Fargate and Auto Scaling group capacity providers.',
      [STRATEGY],
    ),
  ];
}

/** 7.12; how AWS words it was not seen. */
function itemFaults({ weight, base }: JsonObject, index: number): readonly RequestFault[] {
  const isOutside = (value: JsonObject[string] | undefined, max: number) =>
    typeof value === 'number' && (value < 0 || value > max);
  return [
    ...faultIf(isOutside(weight, 1000), 'weight must be between 0 and 1000', [
      ...[STRATEGY, index, 'weight'],
    ]),
    ...faultIf(isOutside(base, 100_000), 'base must be between 0 and 100000', [
      ...[STRATEGY, index, 'base'],
    ]),
  ];
}

/** 1.62. A single provider for which no weight is given is let pass: that AWS refuses it was not seen. */
function haveNoWeight(items: readonly JsonObject[]): boolean {
  const [first] = items;
  if (first === undefined || !items.every(({ weight = 0 }) => weight === 0)) return false;
  return items.length > 1 || first['weight'] === 0;
}

function isMixed(items: readonly JsonObject[]): boolean {
  const names = items.map(({ capacityProvider }) => knownText(capacityProvider));
  if (names.includes(undefined)) return false;
  return names.some(isFargate) && !names.every(isFargate);
}

/** 1.45, 1.81: of 1.81 the exception is known, the wording is not. */
export function platformFaults(request: JsonObject): readonly RequestFault[] {
  const { platformVersion, launchType } = request;
  const path = ['platformVersion'];
  const version = knownText(platformVersion);
  if (version === undefined || version === '') return [];
  if (launchType === 'EC2' && !isGiven(request[STRATEGY])) {
    const message = 'The platform version must be null when specifying an EC2 launch type.';
    return [{ message, path }];
  }
  if (!runsOnFargate(request) || PLATFORM_VERSIONS.includes(version.toUpperCase())) return [];
  const message = 'The specified platform version does not exist.';
  return [{ message, path, code: 'PlatformUnknownException' }];
}

/** 1.81 with 7.35 to 7.37: a size that the platform version does not know; the wording was not seen. */
export function platformForDefinitionFaults(
  request: JsonObject,
  cpu: string | undefined,
): readonly RequestFault[] {
  const isOld = /^1\.[0-3]\./.test(knownText(request['platformVersion']) ?? '');
  if (!isOld || !runsOnFargate(request) || cpu === undefined || isUnresolved(cpu)) return [];
  if ((parseCpuUnits(cpu) ?? 0) < LARGE_CPU_UNITS) return [];
  const message = `Task definitions of ${LARGE_CPU_UNITS} CPU units and more need platform version 1.4.0 or later.`;
  return [
    { message, path: ['platformVersion'], code: 'PlatformTaskDefinitionIncompatibilityException' },
  ];
}
