import {
  defaultPercents,
  type Ecs,
  type Rollout,
  type RolloutStanding,
} from '../../aws/ecs/index.ts';
import {
  type DeploymentId,
  type JsonObject,
  type JsonValue,
  nameIn,
  type RandomState,
  SECOND_MS,
  type ServiceArn,
} from '../../base/index.ts';
import type { HandlerRequest, ProgressEvent, ResourceProvider } from '../../registry/index.ts';
import { generatedName } from '../names.ts';
import { alreadyExists, changesAny, notFound, notUpdatable } from './answers.ts';
import { orRefused } from './refusals.ts';
import { toApi } from './spelling.ts';
import { endedBy, hangToGiveUpOn, type Stabilizing } from './stabilizing.ts';
import { retag } from './tags.ts';

const TYPE = 'AWS::ECS::Service';
const CREATE_ONLY = ['Cluster', 'Role', 'SchedulingStrategy', 'ServiceName']; // 8.13
const DESIRED_COUNT = 1; // 1.14

/**
 * Creates and updates wait until the deployment they started is steady or FAILED, or until the limit
 * (8.14, `docs/decisions.md` 3, 4). A failed task alone ends nothing.
 */
export function serviceProvider(
  ecs: Ecs,
  random: RandomState,
  waiting: Stabilizing,
): ResourceProvider {
  return {
    typeName: TYPE,
    create(request) {
      const watched = watchedBy(request);
      if (watched !== undefined) return stabilize(ecs, request, watched, waiting);
      const asked = createRequest(ecs, request, random);
      return orRefused(
        'Create Service',
        () => begun(request.desired, ecs.createService(asked), waiting),
        alreadyExists(TYPE, String(asked['serviceName'])),
      );
    },
    read(request) {
      const arn = arnOf(request);
      if (!ecs.isListed(arn)) return notFound(TYPE, arn);
      return { status: 'SUCCESS', model: modelOf(request.previous ?? {}, arn) };
    },
    update(request) {
      const watched = watchedBy(request);
      if (watched !== undefined) return stabilize(ecs, request, watched, waiting);
      const service = arnOf(request);
      const { desired, previous = {} } = request;
      if (!ecs.isListed(service)) return notFound(TYPE, service);
      if (changesAny(CREATE_ONLY, desired, previous)) return notUpdatable(TYPE, service);
      return orRefused('Update Service', () => {
        const rollout = ecs.updateService(updateRequest(desired, previous, service));
        retag(ecs, service, desired);
        return begun(desired, rollout, waiting);
      });
    },
    delete: (request) => remove(ecs, request, waiting),
    defaultOf: (property, desired) => defaultsOf(desired)[property],
    list: () => ecs.listServices().map((arn) => `${arn}|${clusterOf(arn)}`),
  };
}

/** What decides a run where the template says nothing of it (1.14, 3.5, 3.6). */
function defaultsOf(desired: JsonObject): { readonly [property: string]: JsonValue } {
  const daemon = desired['SchedulingStrategy'] === 'DAEMON';
  const { maximumPercent, minimumHealthyPercent } = defaultPercents(daemon);
  return {
    DesiredCount: DESIRED_COUNT,
    'DeploymentConfiguration.MaximumPercent': maximumPercent,
    'DeploymentConfiguration.MinimumHealthyPercent': minimumHealthyPercent,
    'DeploymentConfiguration.DeploymentCircuitBreaker.Enable': false,
    'DeploymentConfiguration.DeploymentCircuitBreaker.Rollback': false,
  };
}

/** CloudFormation names the service and asks for one task where the template says nothing (1.14). */
function createRequest(ecs: Ecs, request: HandlerRequest, random: RandomState): JsonObject {
  const { desired, clientRequestToken } = request;
  const made = ecs.madeWith(clientRequestToken);
  const given = made === undefined ? desired['ServiceName'] : nameIn(made);
  const daemon = desired['SchedulingStrategy'] === 'DAEMON';
  return {
    ...(daemon ? {} : { desiredCount: DESIRED_COUNT }),
    ...toApi(desired),
    serviceName: typeof given === 'string' ? given : generatedName(request, random, 255),
    clientToken: clientRequestToken,
  };
}

/** CloudFormation forces the deployment that a new capacity provider strategy needs (2.33, 1.59). */
function updateRequest(desired: JsonObject, previous: JsonObject, service: ServiceArn): JsonObject {
  const forces = changesAny(['CapacityProviderStrategy'], desired, previous);
  return { ...toApi(desired), ...(forces ? { forceNewDeployment: true } : {}), service };
}

function stabilize(
  ecs: Ecs,
  { desired, startedAtMs, nowMs }: HandlerRequest,
  watched: Rollout,
  waiting: Stabilizing,
): ProgressEvent {
  const standing = ecs.rollout(watched);
  const { state } = standing;
  const leftMs = startedAtMs + waiting.limitMs - nowMs;
  const waits = state === 'in-progress' || state === 'rolling-back';
  const hang = waits ? hangToGiveUpOn(standing, waiting) : undefined;
  if (waits && leftMs > 0 && hang === undefined) return lookAgain(watched, leftMs, waiting);
  // Under EXTERNAL nothing runs yet: how the service ends is told by its task sets.
  if (watched.deployment !== null) ecs.recordEnd(watched.service);
  const model = modelOf(desired, watched.service);
  if (state === 'steady') return { status: 'SUCCESS', model };
  // One that has FAILED is no hang, however long its rollback takes (fine print h).
  const timedOut = state === 'in-progress';
  const { reason, source } = standing.reason();
  const own = `service ${nameIn(watched.service)} did not stabilize: ${reason}`;
  return {
    status: 'FAILED',
    ...(waiting.tellsOwnReason ? { errorCode: 'NotStabilized', message: own } : awsReason(state)),
    model,
    cause: { reason, source, ...(timedOut ? endedBy(waiting, hang) : {}) },
  };
}

/** 8.20, 8.21: what CloudFormation says whatever the service's own reason is. */
function awsReason(state: RolloutStanding['state']) {
  const what = "'ECS Deployment Circuit Breaker was triggered'";
  return state === 'in-progress'
    ? ({ errorCode: 'NotStabilized', message: 'Exceeded attempts to wait' } as const)
    : ({
        errorCode: 'GeneralServiceException',
        message: `Error occurred during operation ${what}.`,
      } as const);
}

/** The configuration is applied as soon as ECS has taken the call (L16). */
function begun(desired: JsonObject, watched: Rollout, waiting: Stabilizing): ProgressEvent {
  const model = modelOf(desired, watched.service);
  return { ...lookAgain(watched, waiting.limitMs, waiting), model, configurationComplete: true };
}

function lookAgain(watched: Rollout, leftMs: number, { lookEverySeconds }: Stabilizing) {
  return {
    status: 'IN_PROGRESS' as const,
    callbackContext: { ...watched },
    callbackDelaySeconds: Math.min(lookEverySeconds, leftMs / SECOND_MS),
  };
}

function watchedBy({ callbackContext }: HandlerRequest): Rollout | undefined {
  if (callbackContext === undefined) return undefined;
  const { service, deployment, awaitedEdge } = callbackContext;
  return {
    service: String(service) as ServiceArn,
    deployment: deployment === null ? null : (String(deployment) as DeploymentId),
    awaitedEdge: Number(awaitedEdge),
  };
}

/**
 * DeleteService with force, then a look until the service is drained and its last task has stopped:
 * what the stack deletes next may be in its way.
 */
function remove(ecs: Ecs, request: HandlerRequest, waiting: Stabilizing): ProgressEvent {
  const service = arnOf(request);
  const isThere = ecs.isListed(service);
  if (request.callbackContext === undefined) {
    if (!isThere) return notFound(TYPE, service);
    ecs.recordEnd(service);
    return orRefused('Delete Service', () => {
      ecs.deleteService({ service, force: true });
      return draining(waiting);
    });
  }
  if (!ecs.isGone(service)) return draining(waiting);
  ecs.recordEnd(service);
  return { status: 'SUCCESS' };
}

function draining({ lookEverySeconds }: Stabilizing): ProgressEvent {
  return {
    status: 'IN_PROGRESS',
    callbackContext: { draining: true },
    callbackDelaySeconds: lookEverySeconds,
  };
}

/** What the service set itself stands beside what was asked for (R9). */
function modelOf(properties: JsonObject, arn: string): JsonObject {
  return { Cluster: clusterOf(arn), ...properties, ServiceArn: arn, Name: nameIn(arn) };
}

/** `arn:…:service/<cluster>/<name>` */
function clusterOf(arn: string): string {
  return arn.split('/').at(-2) ?? '';
}

function arnOf({ previous }: HandlerRequest): ServiceArn {
  return String(previous?.['ServiceArn'] ?? '') as ServiceArn;
}
