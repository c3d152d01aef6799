import {
  arnOf,
  isObject,
  type JsonObject,
  type JsonValue,
  type ServiceArn,
} from '../../base/index.ts';
import {
  clusterArn,
  failure,
  includes,
  inSeconds,
  known,
  namesIn,
  nameWithin,
  pageOf,
  type Reader,
  type TimeSpelling,
} from './answers.ts';
import { clusterIn } from './clusters.ts';
import type { DeploymentConfiguration, DeploymentState, ServiceState } from './model.ts';
import { list, number, text } from './request-values.ts';
import { asItStands } from './service-request.ts';
import { primaryOf } from './state.ts';
import { tagsAnswer, tagsOf } from './tags.ts';
import { viewTaskSets } from './task-set-views.ts';
import { viewService } from './views.ts';

const AT_ONCE_MAX = 10;

/** DescribeServices: what is unknown is listed under `failures` (1.8); INACTIVE ones can be described (1.5). */
export function describeServices(reader: Reader, request: JsonObject): JsonObject {
  const cluster = clusterIn(reader, request);
  const found = namesIn(request, 'services', AT_ONCE_MAX).map((given) => {
    const name = nameWithin(cluster, given);
    const arn = arnOf('ecs', reader.place, `service/${cluster}/${name}`) as ServiceArn;
    return { arn, service: reader.state.services[arn] };
  });
  return {
    services: found.flatMap(({ service }) =>
      service === undefined
        ? []
        : [describeService(reader, service, { withTags: includes(request, 'TAGS') })],
    ),
    failures: found
      .filter(({ service }) => service === undefined)
      .map(({ arn }) => failure(arn, 'MISSING')),
  };
}

/** ListServices: those that are ACTIVE (1.3). Ten to a page. */
export function listServices(reader: Reader, request: JsonObject): JsonObject {
  const cluster = clusterIn(reader, request);
  const { launchType, schedulingStrategy } = request;
  const arns = Object.values(reader.state.services)
    .filter((service) => service.cluster === cluster && service.status === 'ACTIVE')
    .filter((service) => launchType === undefined || service.launchType === launchType)
    .filter(
      (service) =>
        schedulingStrategy === undefined || service.schedulingStrategy === schedulingStrategy,
    )
    .map(({ arn }) => arn);
  return pageOf(arns, request, { field: 'serviceArns', size: 10 });
}

export interface HowToDescribe {
  readonly withTags?: boolean;
  readonly time?: TimeSpelling;
}

/** A service as the API describes it. Newest event first (1.10). */
export function describeService(
  reader: Reader,
  service: ServiceState,
  { withTags = false, time = inSeconds }: HowToDescribe = {},
): JsonObject {
  const { state, place } = reader;
  const view = viewService(state, service, place, reader.nowMs);
  const request = asItStands(service, primaryOf(service));
  return known({
    ...{ serviceArn: service.arn, serviceName: service.name },
    ...{ clusterArn: clusterArn(reader, service.cluster), status: service.status },
    ...{ desiredCount: view.desiredCount, runningCount: view.runningCount },
    pendingCount: view.pendingCount,
    taskDefinition: primaryOf(service)?.revision.taskDefinition,
    ...capacityOf(service),
    ...settingsOf(request),
    schedulingStrategy: service.schedulingStrategy,
    deploymentController: { type: service.controller },
    deploymentConfiguration: configurationAnswer(service.configuration, request),
    healthCheckGracePeriodSeconds: number(request['healthCheckGracePeriodSeconds']) ?? 0,
    ...placementOf(request),
    ...{ roleArn: request['role'], enableECSManagedTags: request['enableECSManagedTags'] === true },
    propagateTags: text(request['propagateTags']) ?? 'NONE', // 1.12
    enableExecuteCommand: request['enableExecuteCommand'] === true,
    availabilityZoneRebalancing: request['availabilityZoneRebalancing'],
    ...viewTaskSets(service, place, time),
    createdAt: time(service.createdAtMs),
    deployments: view.deployments.map(({ createdAtMs, ...deployment }) =>
      known({
        ...deployment,
        createdAt: time(createdAtMs),
        ...capacityOf(service),
        ...settingsOf(revisionSettings(service, deployment.id)),
      }),
    ),
    events: service.events
      .map(({ id, createdAtMs, message }) => ({ id, createdAt: time(createdAtMs), message }))
      .reverse(),
    tags: withTags ? tagsAnswer(tagsOf(state, service.arn)) : undefined,
  });
}

function revisionSettings({ deployments }: ServiceState, id: DeploymentState['id']): JsonObject {
  return deployments.find((one) => one.id === id)?.revision.settings ?? {};
}

/** What it runs on: a strategy, or a launch type, never both (1.30). */
function capacityOf({ request, launchType }: ServiceState): JsonObject {
  const strategy = list(request['capacityProviderStrategy']);
  const platform = launchType === 'FARGATE' ? { platformFamily: 'Linux' } : {};
  if (strategy.length === 0) return { launchType, ...platform };
  const items = strategy.map(({ capacityProvider, weight, base }) =>
    known({ capacityProvider, weight: number(weight) ?? 0, base: number(base) ?? 0 }),
  );
  return { capacityProviderStrategy: items, ...platform };
}

/** The fields that belong to the revision: a service has those of its PRIMARY deployment. */
function settingsOf(settings: JsonObject): JsonObject {
  return known({
    platformVersion: settings['platformVersion'],
    networkConfiguration: networkOf(settings['networkConfiguration']),
    loadBalancers: [...list(settings['loadBalancers'])],
    serviceRegistries: [...list(settings['serviceRegistries'])],
    serviceConnectConfiguration: settings['serviceConnectConfiguration'],
    volumeConfigurations: settings['volumeConfigurations'],
    vpcLatticeConfigurations: settings['vpcLatticeConfigurations'],
  });
}

/** 1.15: no public address unless it is asked for. */
export function networkOf(given: JsonValue | undefined): JsonValue | undefined {
  const awsvpc = isObject(given) ? given['awsvpcConfiguration'] : undefined;
  if (!isObject(awsvpc)) return undefined;
  return { awsvpcConfiguration: { securityGroups: [], assignPublicIp: 'DISABLED', ...awsvpc } };
}

function placementOf(request: JsonObject): JsonObject {
  return {
    placementConstraints: [...list(request['placementConstraints'])],
    // CloudFormation calls them PlacementStrategies.
    placementStrategy: [...list(request['placementStrategy'] ?? request['placementStrategies'])],
  };
}

function configurationAnswer(
  { maximumPercent, minimumHealthyPercent, circuitBreaker, alarms }: DeploymentConfiguration,
  request: JsonObject,
): JsonObject {
  const given = request['deploymentConfiguration'];
  const { threshold, ...breaker } = circuitBreaker;
  return {
    ...(isObject(given) ? given : {}), // what is kept and followed by nobody here
    ...{ maximumPercent, minimumHealthyPercent },
    deploymentCircuitBreaker: {
      ...breaker,
      ...(threshold === undefined ? {} : { thresholdConfiguration: { ...threshold } }),
    },
    alarms: { ...alarms, alarmNames: [...alarms.alarmNames] },
    strategy: (isObject(given) ? given['strategy'] : undefined) ?? 'ROLLING',
  };
}
