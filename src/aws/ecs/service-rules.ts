import type { JsonObject, JsonValue } from '../../base/index.ts';
import { faultIf, type RequestFault } from './request-fault.ts';
import { isGiven, isUnresolved, knownText, list, memberOf, text } from './request-values.ts';
import {
  balancedContainerFaults,
  balancerFaults,
  gracePeriodFaults,
  registeredContainerFaults,
  registryFaults,
  roleFaults,
  roleWithoutBalancerFaults,
} from './service-rules-balancers.ts';
import {
  capacityFaults,
  launchFaults,
  platformFaults,
  platformForDefinitionFaults,
} from './service-rules-capacity.ts';
import { connectedPortFaults, connectFaults } from './service-rules-connect.ts';
import { controllerFaults, controllerTypeOf, daemonFaults } from './service-rules-controllers.ts';
import { placementFaults } from './service-rules-placement.ts';
import { rebalancingFaults } from './service-rules-rebalancing.ts';
import { networkModeOf } from './task-definitions.ts';

/** What a service's rules ask of the task definition it names; undefined is what is not known yet. */
export interface DefinitionFacts {
  readonly networkMode: string | undefined;
  readonly cpu: JsonValue | undefined;
  readonly memory: JsonValue | undefined;
  readonly containers: readonly JsonObject[];
  readonly volumes: JsonValue | undefined;
}

/** The facts of a task definition, from the request that registers it. */
export function definitionFacts(request: JsonObject): DefinitionFacts {
  const { networkMode, cpu, memory, volumes } = request;
  const isKnown = !isGiven(networkMode) || knownText(networkMode) !== undefined;
  return {
    ...{ cpu, memory, volumes },
    networkMode: isKnown ? networkModeOf(request) : undefined,
    containers: list(request['containerDefinitions']),
  };
}

/**
 * Everything wrong with a CreateService request that can be said without an account.
 *
 * @param definition - the request that registers its task definition, where that is known
 */
export function createServiceFaults(
  request: JsonObject,
  definition?: JsonObject,
): readonly RequestFault[] {
  const faults = requestFaults(request);
  if (definition === undefined || controllerTypeOf(request) === 'EXTERNAL') return faults;
  return [...faults, ...serviceFaults(request, definitionFacts(definition))];
}

/** Everything wrong with a request against the task definition of its service, in the API's order. */
export function serviceFaults(
  request: JsonObject,
  definition: DefinitionFacts,
): readonly RequestFault[] {
  const { networkMode, containers, volumes } = definition;
  return [
    ...networkFaults(request, networkMode),
    ...fargateFaults(request, definition),
    ...platformForDefinitionFaults(request, text(definition.cpu)),
    ...balancedContainerFaults(request, containers),
    ...registeredContainerFaults(request, containers),
    ...gracePeriodFaults(request, containers),
    ...roleFaults(request, networkMode),
    ...connectedPortFaults(request, containers),
    ...volumeFaults(request, volumes),
  ];
}

/** Everything wrong with a CreateService request whatever its task definition. */
export function requestFaults(request: JsonObject): readonly RequestFault[] {
  return [
    ...nameFaults(request),
    ...launchFaults(request),
    ...settingFaults(request),
    ...roleWithoutBalancerFaults(request),
    ...rebalancingFaults(request),
  ];
}

/** Everything wrong with the settings a service has, after its creation as well as after an update. */
export function settingFaults(request: JsonObject): readonly RequestFault[] {
  return [
    ...countFaults(request),
    ...percentFaults(request),
    ...daemonFaults(request),
    ...controllerFaults(request),
    ...capacityFaults(request),
    ...platformFaults(request),
    ...placementFaults(request),
    ...balancerFaults(request),
    ...registryFaults(request),
    ...connectFaults(request),
  ];
}

/** 1.14: CloudFormation supplies it; how AWS words it was not seen. */
export function requiredCountFaults(request: JsonObject): readonly RequestFault[] {
  const isNeeded =
    request['schedulingStrategy'] !== 'DAEMON' && controllerTypeOf(request) !== 'EXTERNAL';
  const message = 'desiredCount is required for services with the REPLICA scheduling strategy.';
  return faultIf(isNeeded && !isGiven(request['desiredCount']), message, ['desiredCount']);
}

/** 1.11; how AWS words it was not seen. */
function nameFaults({ serviceName }: JsonObject): readonly RequestFault[] {
  const name = knownText(serviceName) ?? '';
  const isRight = name === '' || /^[A-Za-z0-9_-]{1,255}$/.test(name);
  const message =
    'A service name has at most 255 characters: letters, digits, underscores and hyphens.';
  return faultIf(!isRight, message, ['serviceName']);
}

/** The desired count is no negative number; how AWS words it was not seen. */
function countFaults({ desiredCount }: JsonObject): readonly RequestFault[] {
  const isNegative = typeof desiredCount === 'number' && desiredCount < 0;
  return faultIf(isNegative, 'desiredCount must be at least 0', ['desiredCount']);
}

/** 1.37. */
function percentFaults({ deploymentConfiguration }: JsonObject): readonly RequestFault[] {
  const percent = memberOf(deploymentConfiguration, 'minimumHealthyPercent');
  const isAbove = typeof percent === 'number' && percent > 100;
  const path = ['deploymentConfiguration', 'minimumHealthyPercent'];
  return faultIf(isAbove, 'minimumHealthyPercent must be at most 100', path);
}

/** A definition that cannot run on Fargate, asked to; one that names no compatibility may. */
function fargateFaults(
  request: JsonObject,
  { networkMode, cpu, memory }: DefinitionFacts,
): readonly RequestFault[] {
  const isAsked =
    request['launchType'] === 'FARGATE' && !isGiven(request['capacityProviderStrategy']);
  if (!isAsked || networkMode === undefined) return [];
  const mayRun = networkMode === 'awsvpc' && isGiven(cpu) && isGiven(memory);
  const message = 'Task definition does not support launch_type FARGATE.';
  return faultIf(!mayRun, message, ['launchType']);
}

/** 1.27, 1.28. */
function networkFaults(
  { networkConfiguration }: JsonObject,
  networkMode: string | undefined,
): readonly RequestFault[] {
  const unresolved = typeof networkConfiguration === 'string' && isUnresolved(networkConfiguration);
  if (networkMode === undefined || unresolved) return [];
  const given = isGiven(networkConfiguration);
  if ((networkMode === 'awsvpc') === given) return [];
  const message = given
    ? 'Network Configuration is not valid for the given networkMode of this task definition.'
    : "Network Configuration must be provided when networkMode 'awsvpc' is specified.";
  return [{ message, path: ['networkConfiguration'] }];
}

/** 1.74. */
function volumeFaults(
  { volumeConfigurations }: JsonObject,
  volumes: JsonValue | undefined,
): readonly RequestFault[] {
  if (isGiven(volumes) && !Array.isArray(volumes)) return [];
  const names = list(volumes).map(({ name }) => knownText(name));
  if (names.includes(undefined)) return [];
  return list(volumeConfigurations).flatMap(({ name }, index) => {
    const volume = knownText(name);
    const isUnknown = volume !== undefined && !names.includes(volume);
    const message = `The volume name '${volume ?? ''}' in your request does not have a matching volume in your Task Definition`;
    return faultIf(isUnknown, message, ['volumeConfigurations', index, 'name']);
  });
}
