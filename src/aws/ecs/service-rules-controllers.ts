import type { JsonObject } from '../../base/index.ts';
import { faultIf, type RequestFault } from './request-fault.ts';
import { isGiven, list, memberOf, text } from './request-values.ts';
import { launchPath, runsOnFargate } from './service-rules-capacity.ts';

/** 1.38 to 1.43: what a service that runs once on every instance cannot have. */
export function daemonFaults(request: JsonObject): readonly RequestFault[] {
  if (request['schedulingStrategy'] !== 'DAEMON') return [];
  const { desiredCount, deploymentConfiguration, placementStrategy } = request;
  const maximum = memberOf(deploymentConfiguration, 'maximumPercent');
  const type = controllerTypeOf(request);
  const unsupported = (what: string) => `The daemon scheduling strategy does not support ${what}`;
  return [
    ...faultIf(isGiven(desiredCount), unsupported('a desired count for services.'), [
      'desiredCount',
    ]),
    ...faultIf(list(placementStrategy).length > 0, unsupported('placement strategies'), [
      'placementStrategy',
    ]),
    ...faultIf(
      typeof maximum === 'number' && maximum > 100,
      unsupported('values above 100 for maximumPercent'),
      ['deploymentConfiguration', 'maximumPercent'],
    ),
    ...faultIf(
      runsOnFargate(request), // 1.41: the wording was not seen
      unsupported('the FARGATE launch type.'),
      launchPath(request),
    ),
    ...faultIf(
      type === 'CODE_DEPLOY' || type === 'EXTERNAL',
      `The ${type} deployment controller type is not supported for services using the DAEMON scheduling strategy.`,
      ['deploymentController', 'type'],
    ),
  ];
}

/** 1.46 to 1.52: what goes with one deployment controller only. */
export function controllerFaults(request: JsonObject): readonly RequestFault[] {
  const type = controllerTypeOf(request);
  if (type === 'EXTERNAL') return [...rollingOnlyFaults(request), ...externalFaults(request)];
  return type === 'CODE_DEPLOY'
    ? [...rollingOnlyFaults(request), ...codeDeployFaults(request)]
    : [];
}

/** 1.49, 1.50. */
function rollingOnlyFaults({ deploymentConfiguration }: JsonObject): readonly RequestFault[] {
  const isOn = (member: string) =>
    memberOf(memberOf(deploymentConfiguration, member), 'enable') === true;
  const breaker = ['deploymentConfiguration', 'deploymentCircuitBreaker'];
  const alarms = ['deploymentConfiguration', 'alarms'];
  return [
    ...faultIf(
      isOn('deploymentCircuitBreaker'),
      onlyWith('Deployment circuit breaker', 'ECS'),
      breaker,
    ),
    ...faultIf(isOn('alarms'), onlyWith('Alarm based rollback', 'ECS'), alarms),
  ];
}

function onlyWith(feature: string, controller: string): string {
  return `${feature} feature is only supported with ${controller} deployment controller. Update to ECS deployment controller and try again.`;
}

/** 1.46, 1.47, 1.52. */
function externalFaults(request: JsonObject): readonly RequestFault[] {
  const { taskDefinition, loadBalancers } = request;
  return [
    ...faultIf(isGiven(taskDefinition), 'TaskDefinition must be blank', ['taskDefinition']),
    ...faultIf(list(loadBalancers).length > 0, 'LoadBalancers must be empty or null', [
      'loadBalancers',
    ]),
    ...faultIf(
      usesServiceConnect(request),
      'The EXTERNAL deployment controller type is not supported for services using Service Connect.',
      ['serviceConnectConfiguration'],
    ),
  ];
}

/** 1.48, 1.51. */
function codeDeployFaults(request: JsonObject): readonly RequestFault[] {
  return [
    ...faultIf(usesServiceConnect(request), onlyWith('Service Connect', 'ECS (rolling update)'), [
      'serviceConnectConfiguration',
    ]),
    ...faultIf(
      !isGiven(request['loadBalancers']),
      'the service requires an Application Load Balancer or Network Load Balancer',
      ['loadBalancers'],
    ),
  ];
}

function usesServiceConnect({ serviceConnectConfiguration }: JsonObject): boolean {
  return memberOf(serviceConnectConfiguration, 'enabled') === true;
}

/** ECS unless the request says otherwise (1.12). */
export function controllerTypeOf({ deploymentController }: JsonObject): string {
  return text(memberOf(deploymentController, 'type')) ?? 'ECS';
}
