import { isObject, type JsonObject, type JsonValue, nameIn } from '../../base/index.ts';
import type { EcsContext } from './context.ts';
import { createDeployment, newDeploymentId } from './deployments.ts';
import { EcsException } from './exception.ts';
import type { ServiceState } from './model.ts';
import { number, text } from './request-values.ts';
import { launchTypeOf, revisionOf } from './service-request.ts';
import { definitionFor, serviceNamed } from './services.ts';
import { markDirty, noteMade } from './state.ts';
import { forgetOldStops } from './stopped-tasks.ts';
import { newTaskSet, type TaskSet, taskSetsOf } from './task-set.ts';

const SCALE_DEFAULT = 0; // what the API answers a request without one

/**
 * CreateTaskSet: ACTIVE at once, and its tasks are placed by the scheduler (3.14). How AWS words
 * refusals of these operations was not seen.
 *
 * @throws EcsException as CreateService, and InvalidParameterException under another controller than
 *   EXTERNAL
 */
export function createTaskSet(context: EcsContext, request: JsonObject): TaskSet {
  const service = serviceOfSets(context, request);
  if (service.controller !== 'EXTERNAL') {
    throw invalid('Task sets are made for services with the EXTERNAL deployment controller only.');
  }
  const made = context.state.madeWith[text(request['clientToken']) ?? ''];
  const known = taskSetsOf(service).find(({ taskSet }) => taskSet.arn === made);
  if (known !== undefined) return known;
  const scalePercent = scaleOf(request['scale']) ?? SCALE_DEFAULT;
  const isPlain = request['capacityProviderStrategy'] === undefined;
  const asked = { ...(isPlain ? { launchType: service.launchType } : {}), ...request };
  const definition = definitionFor(context, asked);
  const id = newDeploymentId(context.random);
  const { nowMs, place, state } = context;
  const set: TaskSet = {
    ...createDeployment(id, revisionOf(definition, request), context),
    status: 'ACTIVE',
    rolloutState: null, // 2.6
    rolloutStateReason: null,
    taskSet: newTaskSet(service, id, place, nowMs, {
      externalId: text(request['externalId']) ?? null,
      launchType: launchTypeOf(asked),
      scalePercent,
    }),
  };
  forgetOldStops(context, service);
  service.deployments.unshift(set);
  service.steady = false;
  noteMade(state, request['clientToken'], set.taskSet.arn);
  markDirty(state, service);
  return set;
}

/** UpdateTaskSet: another share of the desired count. */
export function updateTaskSet(context: EcsContext, request: JsonObject): TaskSet {
  const service = serviceOfSets(context, request);
  const set = taskSetNamed(service, request['taskSet']);
  const percent = scaleOf(request['scale']);
  if (percent === undefined) throw invalid('Scale can not be blank.');
  if (set.status === 'DRAINING') throw invalid('The task set is being deleted.');
  set.taskSet.scalePercent = percent;
  set.userStopped = 0; // a deploy repairs what StopTask left (4.13)
  changed(context, service, set);
  return set;
}

/** DeleteTaskSet: DRAINING until its last task has stopped. Above a scale of 0 it takes `force`. */
export function deleteTaskSet(context: EcsContext, request: JsonObject): TaskSet {
  const service = serviceOfSets(context, request);
  const set = taskSetNamed(service, request['taskSet']);
  if (set.taskSet.scalePercent > 0 && request['force'] !== true) {
    throw invalid('The task set cannot be deleted while it is scaled above 0.');
  }
  set.status = 'DRAINING';
  set.taskSet.scalePercent = 0;
  changed(context, service, set);
  return set;
}

/** UpdateServicePrimaryTaskSet: this one is PRIMARY, and the one that was is ACTIVE. */
export function updatePrimaryTaskSet(context: EcsContext, request: JsonObject): TaskSet {
  const service = serviceOfSets(context, request);
  const set = taskSetNamed(service, request['primaryTaskSet']);
  if (set.status === 'DRAINING') throw invalid('The task set is being deleted.');
  for (const one of taskSetsOf(service)) if (one.status === 'PRIMARY') one.status = 'ACTIVE';
  set.status = 'PRIMARY';
  set.taskSet.updatedAtMs = context.nowMs;
  markDirty(context.state, service);
  return set;
}

function changed({ nowMs, state }: EcsContext, service: ServiceState, set: TaskSet): void {
  set.taskSet.updatedAtMs = nowMs;
  service.steady = false;
  markDirty(state, service);
}

function serviceOfSets(context: EcsContext, request: JsonObject): ServiceState {
  const service = serviceNamed(context, request);
  if (service.status === 'ACTIVE') return service;
  throw new EcsException('ServiceNotActiveException', 'Service was not ACTIVE.');
}

/** By its id, with or without `ecs-svc/`, or by its ARN. */
export function findTaskSet(
  service: ServiceState,
  name: JsonValue | undefined,
): TaskSet | undefined {
  const digits = nameIn(text(name) ?? '');
  return taskSetsOf(service).find(({ id }) => nameIn(id) === digits);
}

function taskSetNamed(service: ServiceState, name: JsonValue | undefined): TaskSet {
  const found = findTaskSet(service, name);
  if (found !== undefined) return found;
  throw new EcsException('TaskSetNotFoundException', "The specified task set wasn't found.");
}

/** Percent of the desired count, 0 to 100. */
function scaleOf(scale: JsonValue | undefined): number | undefined {
  const percent = isObject(scale) ? number(scale['value']) : undefined;
  if (percent === undefined || (percent >= 0 && percent <= 100)) return percent;
  throw invalid('Scale must be a percentage between 0 and 100.');
}

function invalid(message: string): EcsException {
  return new EcsException('InvalidParameterException', message);
}
