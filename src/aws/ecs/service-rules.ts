import { isObject, type JsonObject, type JsonValue } from '../../base/index.ts';
import type { RequestFault } from './request-rules.ts';
import { list, text } from './request-values.ts';

/** What a service's rules ask of the task definition it names. */
export interface DefinitionFacts {
  readonly networkMode: string;
  readonly cpu?: string | undefined;
  readonly memory?: string | undefined;
  readonly containers: readonly JsonObject[];
}

/** Everything wrong with a CreateService request against its task definition, in the API's order. */
export function serviceFaults(
  request: JsonObject,
  definition: DefinitionFacts,
): readonly RequestFault[] {
  return [
    ...networkFaults(request, definition.networkMode),
    ...fargateFaults(request, definition),
    ...balancerFaults(request, definition.containers),
  ];
}

/** Everything wrong with a CreateService request whatever its task definition. */
export function requestFaults(request: JsonObject): readonly RequestFault[] {
  return [
    ...countFaults(request),
    ...percentFaults(request),
    ...daemonFaults(request),
    ...controllerFaults(request),
  ];
}

/** The desired count is no negative number; how AWS words it was not seen. */
function countFaults({ desiredCount }: JsonObject): readonly RequestFault[] {
  if (typeof desiredCount !== 'number' || desiredCount >= 0) return [];
  return [{ message: 'desiredCount must be at least 0', path: ['desiredCount'] }];
}

/** A definition that cannot run on Fargate, asked to; one that names no compatibility may. */
function fargateFaults(
  request: JsonObject,
  { networkMode, cpu, memory }: DefinitionFacts,
): readonly RequestFault[] {
  if (request['launchType'] !== 'FARGATE') return [];
  if (networkMode === 'awsvpc' && cpu !== undefined && memory !== undefined) return [];
  const message = 'Task definition does not support launch_type FARGATE.';
  return [{ message, path: ['launchType'] }];
}

/** 1.38, 1.40 to 1.43: what a service that runs once on every instance cannot have. */
function daemonFaults(request: JsonObject): readonly RequestFault[] {
  if (request['schedulingStrategy'] !== 'DAEMON') return [];
  const { desiredCount, launchType, deploymentConfiguration } = request;
  const faults: RequestFault[] = [];
  if (desiredCount !== undefined) {
    const message = 'The daemon scheduling strategy does not support a desired count for services.';
    faults.push({ message, path: ['desiredCount'] });
  }
  const maximum = isObject(deploymentConfiguration) ? deploymentConfiguration['maximumPercent'] : 0;
  if (typeof maximum === 'number' && maximum > 100) {
    const message =
      'The daemon scheduling strategy does not support values above 100 for maximumPercent';
    faults.push({ message, path: ['deploymentConfiguration', 'maximumPercent'] });
  }
  if (launchType === 'FARGATE') {
    const message = 'The daemon scheduling strategy does not support the FARGATE launch type.';
    faults.push({ message, path: ['launchType'] });
  }
  const type = controllerTypeOf(request);
  if (type === 'CODE_DEPLOY' || type === 'EXTERNAL') {
    const message = `The ${type} deployment controller type is not supported for services using the DAEMON scheduling strategy.`;
    faults.push({ message, path: ['deploymentController', 'type'] });
  }
  return faults;
}

/** 1.46, 1.48 to 1.51: what goes with one deployment controller only. */
function controllerFaults(request: JsonObject): readonly RequestFault[] {
  const type = controllerTypeOf(request);
  if (type === 'ECS') return [];
  const { deploymentConfiguration, serviceConnectConfiguration } = request;
  const { deploymentCircuitBreaker, alarms } = isObject(deploymentConfiguration)
    ? deploymentConfiguration
    : {};
  const faults: RequestFault[] = [];
  const only = (feature: string, controller: string, path: readonly string[]) =>
    faults.push({
      message: `${feature} feature is only supported with ${controller} deployment controller. Update to ECS deployment controller and try again.`,
      path,
    });
  if (isEnabled(deploymentCircuitBreaker, 'enable')) {
    only('Deployment circuit breaker', 'ECS', ['deploymentConfiguration']);
  }
  if (isEnabled(alarms, 'enable')) only('Alarm based rollback', 'ECS', ['deploymentConfiguration']);
  if (isEnabled(serviceConnectConfiguration, 'enabled')) {
    only('Service Connect', 'ECS (rolling update)', ['serviceConnectConfiguration']);
  }
  if (type === 'EXTERNAL' && request['taskDefinition'] !== undefined) {
    faults.push({ message: 'TaskDefinition must be blank', path: ['taskDefinition'] });
  }
  if (type === 'CODE_DEPLOY' && list(request['loadBalancers']).length === 0) {
    const message = 'the service requires an Application Load Balancer or Network Load Balancer';
    faults.push({ message, path: ['loadBalancers'] });
  }
  return faults;
}

function isEnabled(value: JsonValue | undefined, member: string): boolean {
  return isObject(value) && value[member] === true;
}

function controllerTypeOf(request: JsonObject): string {
  const controller = request['deploymentController'];
  return (isObject(controller) ? text(controller['type']) : undefined) ?? 'ECS';
}

/** 1.27, 1.28. */
function networkFaults(request: JsonObject, networkMode: string): readonly RequestFault[] {
  const given = isObject(request['networkConfiguration']);
  if (networkMode === 'awsvpc' && !given) {
    const message =
      "Network Configuration must be provided when networkMode 'awsvpc' is specified.";
    return [{ message, path: ['networkConfiguration'] }];
  }
  if (networkMode === 'awsvpc' || !given) return [];
  const message =
    'Network Configuration is not valid for the given networkMode of this task definition.';
  return [{ message, path: ['networkConfiguration'] }];
}

/** 1.31, 1.32. */
function balancerFaults(
  request: JsonObject,
  containers: readonly JsonObject[],
): readonly RequestFault[] {
  return list(request['loadBalancers']).flatMap(({ containerName, containerPort }, index) => {
    if (typeof containerName !== 'string') return [];
    const container = containers.find(({ name }) => name === containerName);
    const path = ['loadBalancers', index];
    if (container === undefined) {
      const message = `The container ${containerName} does not exist in the task definition.`;
      return [{ message, path: [...path, 'containerName'] }];
    }
    const ports = list(container['portMappings']).map((mapping) => mapping['containerPort']);
    if (containerPort === undefined || ports.includes(containerPort)) return [];
    const message = `The container ${containerName} did not have a container port ${String(containerPort)} defined.`;
    return [{ message, path: [...path, 'containerPort'] }];
  });
}

/** 1.37. */
function percentFaults(request: JsonObject): readonly RequestFault[] {
  const configuration = request['deploymentConfiguration'];
  const percent = isObject(configuration) ? configuration['minimumHealthyPercent'] : undefined;
  if (typeof percent !== 'number' || percent <= 100) return [];
  const path = ['deploymentConfiguration', 'minimumHealthyPercent'];
  return [{ message: 'minimumHealthyPercent must be at most 100', path }];
}
