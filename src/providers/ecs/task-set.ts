import type { Ecs } from '../../aws/ecs/index.ts';
import {
  arnOf,
  type DeploymentId,
  isObject,
  type JsonObject,
  nameIn,
  type Place,
  SECOND_MS,
  type ServiceArn,
} from '../../base/index.ts';
import type { HandlerRequest, ProgressEvent, ResourceProvider } from '../../registry/index.ts';
import { changesAny, notFound, notUpdatable } from './answers.ts';
import { orRefused } from './refusals.ts';
import { toApi } from './spelling.ts';
import { endedBy, hangToGiveUpOn, lookIn, type Stabilizing } from './stabilizing.ts';

const TYPE = 'AWS::ECS::TaskSet';
const CREATE_ONLY = [
  ...['Cluster', 'Service', 'TaskDefinition', 'ExternalId', 'LaunchType', 'PlatformVersion'],
  ...['CapacityProviderStrategy', 'NetworkConfiguration', 'LoadBalancers', 'ServiceRegistries'],
];

/** Creates and updates wait until the task set is in its steady state (8.33), or until the limit. */
export function taskSetProvider(ecs: Ecs, place: Place, waiting: Stabilizing): ResourceProvider {
  return {
    typeName: TYPE,
    create(request) {
      if (request.callbackContext !== undefined) return stabilize(ecs, place, request, waiting);
      const { desired, clientRequestToken: clientToken } = request;
      return orRefused('Create TaskSet', () => {
        const { taskSet } = ecs.api.createTaskSet({ ...requestOf(desired), clientToken });
        const id = isObject(taskSet) ? taskSet['id'] : undefined;
        return begun({ ...desired, Id: String(id) }, waiting);
      });
    },
    read(request) {
      const model = request.previous ?? {};
      return isThere(ecs, model) ? { status: 'SUCCESS', model } : notFound(TYPE, nameOf(model));
    },
    update(request) {
      if (request.callbackContext !== undefined) return stabilize(ecs, place, request, waiting);
      const { desired, previous = {} } = request;
      if (!isThere(ecs, previous)) return notFound(TYPE, nameOf(previous));
      if (changesAny(CREATE_ONLY, desired, previous)) return notUpdatable(TYPE, nameOf(previous));
      const model = { ...desired, Id: previous['Id'] ?? '' };
      return orRefused('Update TaskSet', () => {
        const scale = desired['Scale'] ?? { Value: 0 };
        ecs.api.updateTaskSet({ ...keyOf(model), scale: toApi(isObject(scale) ? scale : {}) });
        return begun(model, waiting);
      });
    },
    delete(request) {
      const model = request.previous ?? {};
      if (!isThere(ecs, model)) {
        const isOver = request.callbackContext !== undefined;
        return isOver ? { status: 'SUCCESS' } : notFound(TYPE, nameOf(model));
      }
      return orRefused('Delete TaskSet', () => {
        ecs.api.deleteTaskSet({ ...keyOf(model), force: true });
        return lookIn(waiting.lookEverySeconds, { draining: true });
      });
    },
    list: () =>
      ecs.listServices().flatMap((service) => {
        const { taskSets } = ecs.api.describeTaskSets({ service });
        const cluster = service.split('/').at(-2);
        return idsIn(taskSets).map((id) => `${cluster}|${nameIn(service)}|${id}`);
      }),
  };
}

/** The API spells this one member in its own way: `awsvpcConfiguration`. */
function requestOf(desired: JsonObject): JsonObject {
  const request = toApi(desired);
  const network = request['networkConfiguration'];
  if (!isObject(network)) return request;
  const { awsVpcConfiguration, ...others } = network;
  const spelt =
    awsVpcConfiguration === undefined ? {} : { awsvpcConfiguration: awsVpcConfiguration };
  return { ...request, networkConfiguration: { ...others, ...spelt } };
}

function begun(model: JsonObject, { lookEverySeconds }: Stabilizing): ProgressEvent {
  return { ...lookIn(lookEverySeconds, { taskSet: model['Id'] ?? '' }), model };
}

function stabilize(
  ecs: Ecs,
  place: Place,
  { desired, callbackContext, startedAtMs, nowMs }: HandlerRequest,
  waiting: Stabilizing,
): ProgressEvent {
  const id = String(callbackContext?.['taskSet'] ?? '') as DeploymentId;
  const model = { ...desired, Id: id };
  const service = serviceArnOf(model, place);
  const standing = ecs.taskSetStanding(service, id);
  if (standing.state === 'steady') return { status: 'SUCCESS', model };
  const leftMs = startedAtMs + waiting.limitMs - nowMs;
  const waits = standing.state === 'in-progress';
  const hang = waits ? hangToGiveUpOn(standing, waiting) : undefined;
  if (waits && leftMs > 0 && hang === undefined) {
    const seconds = Math.min(waiting.lookEverySeconds, leftMs / SECOND_MS);
    return lookIn(seconds, { taskSet: id });
  }
  ecs.recordEnd(service);
  const { reason, source } = standing.reason();
  const own = `task set ${id} of service ${nameIn(service)} did not stabilize: ${reason}`;
  return {
    status: 'FAILED',
    errorCode: 'NotStabilized',
    message: waiting.tellsOwnReason ? own : 'Exceeded attempts to wait', // 8.21
    model,
    cause: { reason, source, ...(waits ? endedBy(waiting, hang) : {}) },
  };
}

/** The service of a task set, which names it and its cluster by name or by ARN. */
export function serviceArnOf(model: JsonObject, place: Place): ServiceArn {
  const service = String(model['Service'] ?? '');
  if (service.startsWith('arn:')) return service as ServiceArn;
  const cluster = nameIn(String(model['Cluster'] ?? ''));
  return arnOf('ecs', place, `service/${cluster}/${service}`) as ServiceArn;
}

function isThere(ecs: Ecs, model: JsonObject): boolean {
  const { taskSets } = ecs.api.describeTaskSets({ ...keyOf(model), taskSets: [model['Id'] ?? ''] });
  return idsIn(taskSets).length > 0;
}

function keyOf({ Cluster, Service, Id }: JsonObject): JsonObject {
  return { cluster: Cluster ?? '', service: Service ?? '', taskSet: Id ?? '' };
}

function idsIn(taskSets: unknown): readonly string[] {
  return Array.isArray(taskSets) ? taskSets.filter(isObject).map(({ id }) => String(id)) : [];
}

function nameOf({ Cluster, Service, Id }: JsonObject): string {
  return [Cluster, Service, Id].map(String).join('|');
}
