import { arnOf, type DeploymentId, type JsonObject, type Place } from '../../base/index.ts';
import { inSeconds, type Reader, type TimeSpelling } from './answers.ts';
import { type FailureReason, failureReason } from './failure-reason.ts';
import { live, type ServiceState, serving } from './model.ts';
import { textList } from './request-values.ts';
import { alikeHang, type Hang } from './rollout.ts';
import { findService } from './services.ts';
import { computedDesiredCount, type TaskSet, taskSetsOf } from './task-set.ts';
import { findTaskSet } from './task-sets.ts';

/** How a task set stands: what a handler that waits for it asks, again and again. */
export interface TaskSetStanding {
  readonly state: 'in-progress' | 'steady' | 'failed'; // failed: it is gone, or goes
  reason(): FailureReason;
  hang(): Hang | undefined;
}

/** DescribeTaskSets: all of a service, or those that are named; unknown ones are `failures`. */
export function describeTaskSets(reader: Reader, request: JsonObject): JsonObject {
  const service = findService(reader, request);
  const asked = textList(request['taskSets']);
  if (service === undefined || service.status === 'INACTIVE') {
    return { taskSets: [], failures: missing(asked) };
  }
  const sets = asked.map((name) => ({ name, set: findTaskSet(service, name) }));
  const named = sets.flatMap(({ set }) => (set === undefined ? [] : [set]));
  const chosen = asked.length === 0 ? taskSetsOf(service) : named;
  return {
    taskSets: chosen.map((set) => viewTaskSet(service, set, reader.place)),
    failures: missing(sets.filter(({ set }) => set === undefined).map(({ name }) => name)),
  };
}

function missing(names: readonly string[]): JsonObject[] {
  return names.map((arn) => ({ arn, reason: 'MISSING' }));
}

/** What DescribeServices tells of a service that has task sets: those, and what the PRIMARY one runs. */
export function viewTaskSets(
  service: ServiceState,
  place: Place,
  time: TimeSpelling = inSeconds,
): JsonObject {
  if (service.controller === 'ECS') return {};
  const sets = taskSetsOf(service);
  const primary = sets.find(({ status }) => status === 'PRIMARY');
  return {
    taskDefinition: primary?.revision.taskDefinition ?? null,
    taskSets: sets.map((set) => viewTaskSet(service, set, place, time)),
  };
}

export function viewTaskSet(
  service: ServiceState,
  set: TaskSet,
  place: Place,
  time: TimeSpelling = inSeconds,
): JsonObject {
  const { counts, taskSet } = set;
  return {
    id: set.id,
    taskSetArn: taskSet.arn,
    serviceArn: service.arn,
    clusterArn: arnOf('ecs', place, `cluster/${service.cluster}`),
    ...(taskSet.externalId === null ? {} : { externalId: taskSet.externalId }),
    status: set.status,
    taskDefinition: set.revision.taskDefinition,
    computedDesiredCount: computedDesiredCount(service, set),
    pendingCount: counts.starting,
    runningCount: serving(counts) + counts.unhealthy,
    createdAt: time(set.createdAtMs),
    updatedAt: time(taskSet.updatedAtMs),
    launchType: taskSet.launchType,
    ...{ loadBalancers: [], serviceRegistries: [] },
    ...set.revision.settings,
    scale: { value: taskSet.scalePercent, unit: 'PERCENT' },
    stabilityStatus: taskSet.stability,
    stabilityStatusAt: time(taskSet.stabilityAtMs),
  };
}

/** Task sets have no rollout: the counts say when one is there (8.33). */
export function taskSetStanding(
  service: ServiceState | undefined,
  id: DeploymentId,
): TaskSetStanding {
  const set = service && findTaskSet(service, id);
  if (service === undefined || set === undefined || set.status === 'DRAINING') {
    const reason = `task set ${id} is not there any more`;
    const none = () => undefined;
    return { state: 'failed', reason: () => ({ reason, source: 'handler' }), hang: none };
  }
  return {
    state: set.taskSet.stability === 'STEADY_STATE' ? 'steady' : 'in-progress',
    reason: () => reasonOf(service, set),
    hang: () => alikeHang(set),
  };
}

function reasonOf(service: ServiceState, set: TaskSet): FailureReason {
  const said = failureReason({ service, deployment: set });
  if (said.source !== 'handler') return said;
  const { counts, failedTasks } = set;
  const desired = computedDesiredCount(service, set);
  const reason =
    `task set ${set.id} has ${live(counts) - counts.starting} of ${desired} tasks ` +
    `running, ${counts.starting} pending and ${failedTasks} failed`;
  return { reason, source: 'handler' };
}
