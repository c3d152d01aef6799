import {
  arnOf,
  type DeploymentId,
  type EpochMs,
  isObject,
  type JsonObject,
  type JsonValue,
  type Place,
} from '../../base/index.ts';
import { inSeconds, type Reader } from './answers.ts';
import type { RevisionRecord, ServiceDeployment } from './history.ts';
import { type DeploymentState, live, type ServiceState, serving } from './model.ts';
import { number, text, textList } from './request-values.ts';
import { revisionArn } from './service-deployments.ts';
import { findService } from './services.ts';

const LISTED_MAX = 100;

/** DescribeServiceDeployments: what is not known stands under `failures`. */
export function describeServiceDeployments(reader: Reader, request: JsonObject): JsonObject {
  const asked = textList(request['serviceDeploymentArns']);
  const found = new Map(
    servicesOf(reader).flatMap((service) =>
      service.serviceDeployments.map((one) => [one.arn, { service, one }] as const),
    ),
  );
  const serviceDeployments = asked.flatMap((arn) => {
    const known = found.get(arn);
    return known === undefined ? [] : [viewOf(known.service, known.one, reader.place)];
  });
  return { serviceDeployments, failures: missing(asked.filter((arn) => !found.has(arn))) };
}

/** ListServiceDeployments of one service, newest first; `status` and `createdAt` narrow it down. */
export function listServiceDeployments(reader: Reader, request: JsonObject): JsonObject {
  const service = findService(reader, request);
  const isThere = service !== undefined && service.status !== 'INACTIVE';
  const statuses = new Set(textList(request['status']));
  const max = Math.min(number(request['maxResults']) ?? LISTED_MAX, LISTED_MAX);
  const chosen = [...(isThere ? service.serviceDeployments : [])]
    .reverse()
    .filter(({ status }) => statuses.size === 0 || statuses.has(status))
    .filter(({ createdAtMs }) => isWithin(createdAtMs, request['createdAt']));
  const start = Number(text(request['nextToken']) ?? 0) || 0;
  const page = chosen.slice(start, start + max);
  const next = start + page.length;
  return {
    serviceDeployments: page.map((one) => briefOf(service as ServiceState, one, reader.place)),
    ...(next < chosen.length ? { nextToken: String(next) } : {}),
  };
}

/** DescribeServiceRevisions: what is not known stands under `failures`. */
export function describeServiceRevisions(reader: Reader, request: JsonObject): JsonObject {
  const asked = textList(request['serviceRevisionArns']);
  const found = new Map(
    servicesOf(reader).flatMap((service) =>
      Object.values(service.revisions).map(
        (one) => [revisionArn(service, one.deployment, reader.place), { service, one }] as const,
      ),
    ),
  );
  const serviceRevisions = asked.flatMap((arn) => {
    const known = found.get(arn);
    return known === undefined ? [] : [revisionView(known.service, known.one, reader.place)];
  });
  return { serviceRevisions, failures: missing(asked.filter((arn) => !found.has(arn))) };
}

function servicesOf({ state }: Reader): readonly ServiceState[] {
  return Object.values(state.services).filter(({ status }) => status !== 'INACTIVE');
}

function missing(arns: readonly string[]): JsonObject[] {
  return arns.map((arn) => ({ arn, reason: 'MISSING' }));
}

function isWithin(atMs: EpochMs, range: JsonValue | undefined): boolean {
  if (!isObject(range)) return true;
  const bound = (name: 'after' | 'before') => Date.parse(text(range[name]) ?? '');
  return !(atMs < bound('after')) && !(atMs > bound('before'));
}

/** The fields that both operations tell, without those that are not set yet. */
function briefOf(service: ServiceState, one: ServiceDeployment, place: Place): JsonObject {
  return {
    serviceDeploymentArn: one.arn,
    serviceArn: service.arn,
    clusterArn: arnOf('ecs', place, `cluster/${service.cluster}`),
    targetServiceRevisionArn: revisionArn(service, one.deployment, place),
    status: one.status,
    ...(one.statusReason === null ? {} : { statusReason: one.statusReason }),
    createdAt: inSeconds(one.createdAtMs),
    ...time('startedAt', one.startedAtMs),
    ...time('finishedAt', one.finishedAtMs),
  };
}

function viewOf(service: ServiceState, one: ServiceDeployment, place: Place): JsonObject {
  const { targetServiceRevisionArn: _, ...brief } = briefOf(service, one, place);
  const { alarmNames } = service.configuration.alarms;
  return {
    ...brief,
    ...time('stoppedAt', one.stoppedAtMs),
    updatedAt: inSeconds(one.updatedAtMs),
    ...(one.lifecycleStage === null ? {} : { lifecycleStage: one.lifecycleStage }),
    sourceServiceRevisions: one.sources.map((id) => summaryOf(service, one, id, place)),
    targetServiceRevision: summaryOf(service, one, one.deployment, place),
    ...waitingHooks(deploymentIn(service, one.deployment)),
    deploymentCircuitBreaker: {
      status: one.breaker,
      failureCount: one.failureCount,
      threshold: one.threshold,
    },
    alarms: {
      status: one.alarms,
      alarmNames: [...alarmNames],
      triggeredAlarmNames: [...one.triggeredAlarms],
    },
    ...(one.rollback === null
      ? {}
      : {
          rollback: {
            ...(one.statusReason === null ? {} : { reason: one.statusReason }),
            startedAt: inSeconds(one.rollback.startedAtMs),
            serviceRevisionArn: revisionArn(service, one.rollback.to, place),
          },
        }),
  };
}

/** A revision with the tasks that its deployment has now; none once that has left the list. */
function summaryOf(
  service: ServiceState,
  { deployment: target }: ServiceDeployment,
  id: DeploymentId,
  place: Place,
): JsonObject {
  const deployment = deploymentIn(service, id);
  const arn = revisionArn(service, id, place);
  const weights = trafficOf(deploymentIn(service, target), id);
  if (deployment === undefined) {
    return { arn, requestedTaskCount: 0, runningTaskCount: 0, pendingTaskCount: 0, ...weights };
  }
  const { status, counts } = deployment;
  return {
    arn,
    requestedTaskCount: status === 'PRIMARY' ? service.desiredCount : live(counts),
    runningTaskCount: serving(counts) + counts.unhealthy,
    pendingTaskCount: counts.starting,
    ...weights,
  };
}

function deploymentIn(service: ServiceState, id: DeploymentId): DeploymentState | undefined {
  return service.deployments.find((one) => one.id === id);
}

/** What green and blue have of the traffic, where a deployment moves it. */
function trafficOf(green: DeploymentState | undefined, id: DeploymentId): JsonObject {
  const lifecycle = green?.lifecycle ?? null;
  if (green === undefined || lifecycle === null) return {};
  const { productionPercent, testPercent, blue } = lifecycle;
  const weights = (production: number, test: number) => ({
    requestedProductionTrafficWeight: production,
    requestedTestTrafficWeight: test,
  });
  if (id === green.id) return weights(productionPercent, testPercent);
  return id === blue ? weights(100 - productionPercent, 100 - testPercent) : {};
}

/** Hooks that the deployment waits for: a PAUSE awaits ContinueServiceDeployment (4.47). */
function waitingHooks(green: DeploymentState | undefined): JsonObject {
  const pending = green?.lifecycle?.pending ?? [];
  if (pending.length === 0) return {};
  const details = pending.map(({ id, targetType, targetArn, untilMs, onTimeout }) => ({
    hookId: id,
    targetType,
    ...(targetArn === '' ? {} : { targetArn }),
    status: targetType === 'PAUSE' ? 'AWAITING_ACTION' : 'IN_PROGRESS',
    expiresAt: inSeconds(untilMs),
    timeoutAction: onTimeout,
  }));
  return { lifecycleHookDetails: details };
}

function revisionView(service: ServiceState, one: RevisionRecord, place: Place): JsonObject {
  return {
    serviceRevisionArn: revisionArn(service, one.deployment, place),
    serviceArn: service.arn,
    clusterArn: arnOf('ecs', place, `cluster/${service.cluster}`),
    taskDefinition: one.revision.taskDefinition,
    launchType: one.launchType,
    ...one.revision.settings,
    createdAt: inSeconds(one.createdAtMs),
  };
}

function time(name: string, atMs: EpochMs | null): JsonObject {
  return atMs === null ? {} : { [name]: inSeconds(atMs) };
}
