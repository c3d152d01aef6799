import { isObject, type JsonObject, type JsonValue, sameJson } from '../../base/index.ts';
import type { EcsContext } from './context.ts';
import type {
  CircuitBreaker,
  DeploymentAlarms,
  DeploymentConfiguration,
  DeploymentState,
  ServiceRevision,
  ServiceState,
  TaskDefinition,
} from './model.ts';
import { list, number, text, textList } from './request-values.ts';
import { shiftingOf } from './shifting.ts';

/** Fields of a service whose change starts a deployment, besides the task definition (2.50). */
const REVISION_FIELDS = [
  'networkConfiguration',
  'platformVersion',
  'loadBalancers',
  'serviceRegistries',
  'serviceConnectConfiguration',
  'volumeConfigurations',
  'vpcLatticeConfigurations',
] as const;
const IN_REVISION: ReadonlySet<string> = new Set(REVISION_FIELDS);

export function serviceFrom(
  request: JsonObject,
  named: Pick<ServiceState, 'arn' | 'name' | 'cluster' | 'controller'>,
  { nowMs, timing }: EcsContext,
): ServiceState {
  const daemon = request['schedulingStrategy'] === 'DAEMON';
  return {
    ...named,
    status: 'ACTIVE',
    // A DAEMON runs once on every instance: one, until the cluster has instances of its own.
    desiredCount: daemon ? 1 : (number(request['desiredCount']) ?? 1),
    launchType: launchTypeOf(request),
    schedulingStrategy: daemon ? 'DAEMON' : 'REPLICA',
    timing,
    configuration: configurationOf(request['deploymentConfiguration'], daemon),
    request,
    clientToken: text(request['clientToken']) ?? null,
    createdAtMs: nowMs,
    deployments: [],
    lastFailed: null,
    lastCompleted: null,
    serviceDeployments: [],
    revisions: {},
    steady: false,
    steadyEdges: 0,
    steadySaidAtMs: null,
    said: { placements: {}, consistently: false, holdingSinceMs: null, percentages: false },
    taskIds: {},
    shares: { providers: {}, subnets: {} },
    awaitsRoom: false,
    toRegister: [],
    stopped: {},
    events: [],
    isDirty: false,
  };
}

export function controllerOf(request: JsonObject): ServiceState['controller'] {
  const controller = request['deploymentController'];
  const type = isObject(controller) ? controller['type'] : undefined;
  return type === 'CODE_DEPLOY' || type === 'EXTERNAL' ? type : 'ECS';
}

/** EC2 unless the request says otherwise; a strategy of Fargate's providers runs on Fargate. */
export function launchTypeOf(request: JsonObject): ServiceState['launchType'] {
  const given = request['launchType'];
  if (given === 'FARGATE' || given === 'EXTERNAL' || given === 'EC2') return given;
  const providers = list(request['capacityProviderStrategy']).map((item) =>
    String(item['capacityProvider']),
  );
  const onFargate = providers.some((name) => name === 'FARGATE' || name === 'FARGATE_SPOT');
  return onFargate ? 'FARGATE' : 'EC2';
}

/** 3.5, 3.6: the percentages of a service that names none. */
export function defaultPercents(daemon: boolean) {
  return daemon
    ? { maximumPercent: 100, minimumHealthyPercent: 0 }
    : { maximumPercent: 200, minimumHealthyPercent: 100 };
}

/** What is absent stays as it was before, or is what counts by default. */
export function configurationOf(
  given: JsonValue | undefined,
  daemon: boolean,
  before?: DeploymentConfiguration,
): DeploymentConfiguration {
  const asked = isObject(given) ? given : {};
  const { maximumPercent, minimumHealthyPercent, deploymentCircuitBreaker, alarms } = asked;
  const percents = before ?? defaultPercents(daemon);
  return {
    maximumPercent: number(maximumPercent) ?? percents.maximumPercent,
    minimumHealthyPercent: number(minimumHealthyPercent) ?? percents.minimumHealthyPercent,
    circuitBreaker: isObject(deploymentCircuitBreaker)
      ? breakerOf(deploymentCircuitBreaker)
      : (before?.circuitBreaker ?? { enable: false, rollback: false }),
    alarms: isObject(alarms) ? alarmsOf(alarms) : (before?.alarms ?? NO_ALARMS),
    shifting: daemon ? null : shiftingOf(asked, before?.shifting ?? null),
  };
}

/** 4.4, 4.6: the threshold and what clears the failures are of newer date and mostly absent. */
function breakerOf(given: JsonObject): CircuitBreaker {
  const { enable, rollback, thresholdConfiguration, resetOnHealthyTask } = given;
  const { type, value } = isObject(thresholdConfiguration) ? thresholdConfiguration : {};
  const known = type === 'COUNT' || type === 'UNBOUNDED_PERCENT' || type === 'BOUNDED_PERCENT';
  const threshold = number(value);
  return {
    enable: enable === true,
    rollback: rollback === true,
    ...(known && threshold !== undefined ? { threshold: { type, value: threshold } } : {}),
    ...(typeof resetOnHealthyTask === 'boolean' ? { resetOnHealthyTask } : {}),
  };
}

const NO_ALARMS: DeploymentAlarms = { alarmNames: [], enable: false, rollback: false };

/** 4.40; 4.43: CDK writes an empty list that is not enabled. */
function alarmsOf({ alarmNames, enable, rollback }: JsonObject): DeploymentAlarms {
  return {
    alarmNames: textList(alarmNames),
    enable: enable === true,
    rollback: rollback === true,
  };
}

export function revisionOf(definition: TaskDefinition, request: JsonObject): ServiceRevision {
  const settings: JsonObject = {};
  for (const field of REVISION_FIELDS) {
    const value = request[field];
    if (value !== undefined) settings[field] = value;
  }
  return { taskDefinition: definition.arn, settings };
}

/**
 * The service's request with the revision that its PRIMARY deployment runs: after a rollback by the
 * breaker that is not the one that was asked for last, and what an update leaves out stays as it is.
 */
export function asItStands(
  { request }: ServiceState,
  primary: DeploymentState | undefined,
): JsonObject {
  if (primary === undefined) return request;
  const { taskDefinition, settings } = primary.revision;
  const others = Object.entries(request).filter(([key]) => !IN_REVISION.has(key));
  return { ...Object.fromEntries(others), taskDefinition, ...settings };
}

export function sameRevision(a: ServiceRevision, b: ServiceRevision): boolean {
  return a.taskDefinition === b.taskDefinition && sameJson(a.settings, b.settings);
}
