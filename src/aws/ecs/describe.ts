import { type JsonObject, nameIn, type Place, toRfc3339 } from '../../base/index.ts';
import type { TaskView } from '../../events/index.ts';
import { describeService } from './describe-services.ts';
import { describeContainer, describeTask } from './describe-tasks.ts';
import type { EcsState, ServiceState } from './model.ts';
import { viewService, viewTask } from './views.ts';

/** What the reading commands look at: the account as it stands. */
export interface AccountReader {
  readonly state: EcsState;
  readonly place: Place;
}

const AS_DATES = { time: toRfc3339 };

/** Every service that is not INACTIVE, as DescribeServices answers it, with dates for instants. */
export function everyService({ state, place }: AccountReader): JsonObject[] {
  return Object.values(state.services)
    .filter(({ status }) => status !== 'INACTIVE')
    .map((service) => {
      const reader = { state, place, nowMs: service.createdAtMs };
      return describeService(reader, service, AS_DATES);
    });
}

/**
 * The tasks of a service by name or ARN, as DescribeTasks answers, with dates for instants: those
 * that run, and the stopped ones that are kept, however long ago that was.
 */
export function tasksOfService(reader: AccountReader, service: string): JsonObject[] | undefined {
  const { state, place } = reader;
  const found = serviceByName(state, service);
  if (found === undefined) return undefined;
  const { tasks } = viewService(state, found, place, found.createdAtMs);
  const describer = { ...reader, nowMs: found.createdAtMs };
  return tasks.map((view) => {
    const task = state.tasks[view.taskId] ?? state.stoppedTasks[view.taskId];
    const described = task === undefined ? {} : describeTask(describer, task, AS_DATES);
    if (described['healthStatus'] === 'UNKNOWN') delete described['healthStatus'];
    return { ...described, ...taskOf(view) };
  });
}

/** What is said of every task, be it that there is nothing to say. */
function taskOf(task: TaskView): JsonObject {
  return {
    taskArn: task.taskArn,
    startedBy: task.deployment,
    lastStatus: task.lastStatus,
    stopCode: task.stopCode,
    stoppedReason: task.stoppedReason,
    createdAt: toRfc3339(task.createdAtMs),
    startedAt: task.startedAtMs === null ? null : toRfc3339(task.startedAtMs),
    stoppedAt: task.stoppedAtMs === null ? null : toRfc3339(task.stoppedAtMs),
    containers: task.containers.map((container) => {
      const { exitCode, reason } = container;
      return { ...describeContainer(container), exitCode, reason };
    }),
  };
}

/** What the containers of a service or of one task printed last; undefined: there is no such target. */
export function taskLogs(
  { state, place }: AccountReader,
  target: string,
  container?: string,
): JsonObject[] | undefined {
  const service = serviceByName(state, target);
  const tasks =
    service === undefined ? tasksNamed(state, target, place) : allTasks(state, service, place);
  if (service === undefined && tasks.length === 0) return undefined;
  return tasks.flatMap((task) =>
    task.containers
      .filter(({ name }) => container === undefined || name === container)
      .flatMap(({ name, logTail }) =>
        logTail.map((text) => ({ taskArn: task.taskArn, container: name, text })),
      ),
  );
}

function allTasks(state: EcsState, service: ServiceState, place: Place): readonly TaskView[] {
  return [...viewService(state, service, place, service.createdAtMs).tasks].reverse();
}

function tasksNamed(state: EcsState, target: string, place: Place): TaskView[] {
  const id = nameIn(target);
  const standalone = [...Object.values(state.tasks), ...Object.values(state.stoppedTasks)]
    .filter((task) => task.standalone !== undefined)
    .map((task) => viewTask(task, place));
  return Object.values(state.services)
    .flatMap((service) => allTasks(state, service, place))
    .concat(standalone)
    .filter((task) => task.taskId === id || (id.length >= 8 && task.taskId.startsWith(id)));
}

function serviceByName(state: EcsState, name: string): ServiceState | undefined {
  return Object.values(state.services).find(
    (service) => service.status !== 'INACTIVE' && (service.name === name || service.arn === name),
  );
}
