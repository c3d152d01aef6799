import { addMs, HOUR_MS } from '../../base/index.ts';
import { append, type TaskView, withoutNumbers } from '../../events/index.ts';
import type { EcsContext } from './context.ts';
import type { ServiceState, TaskState, TaskStop } from './model.ts';
import { leavePlace } from './placing.ts';
import { removeTask, serviceOf } from './state.ts';
import { viewTask } from './views.ts';

const KEPT_AT_EACH_END = 3;
const RETENTION_MS = HOUR_MS; // 6.5

/** A task is STOPPED: it leaves the counts, is told, and is kept among the few of its kind. */
export function finishTask(context: EcsContext, task: TaskState, stop: TaskStop): void {
  const { state, nowMs, record, place } = context;
  const service = serviceOf(state, task);
  leavePlace(context, task);
  removeTask(state, task);
  append(record, {
    type: 'ecs-task-stopped',
    atMs: nowMs,
    service: task.service,
    deployment: task.deployment,
    task: task.id,
    stopCode: stop.code,
    stoppedReason: stop.reason,
    ...(stop.essentialExit === undefined ? {} : { essentialExit: stop.essentialExit }),
  });
  forgetLongStopped(context);
  const isOfNobody = service === undefined && task.service !== null; // its service is gone
  if (isOfNobody) return;
  state.stoppedTasks[task.id] = { ...task, lastStatus: 'STOPPED', stop, stoppedAtMs: nowMs };
  if (service === undefined) return;
  const view: TaskView = { ...viewTask(task, place), lastStatus: 'STOPPED', stoppedAtMs: nowMs };
  const dropped = keep(service, causeOf(view), view);
  if (dropped !== undefined) delete state.stoppedTasks[dropped.taskId];
}

/** 6.5: they are in the order in which they stopped. */
function forgetLongStopped({ state, nowMs }: EcsContext): void {
  for (const { id, stoppedAtMs } of Object.values(state.stoppedTasks)) {
    if (addMs(stoppedAtMs, RETENTION_MS) >= nowMs) return;
    delete state.stoppedTasks[id];
  }
}

/** 6.5: stopped tasks older than an hour go, once another deployment begins. */
export function forgetOldStops(context: EcsContext, service: ServiceState): void {
  for (const [cause, group] of Object.entries(service.stopped)) {
    const newest = (group.last.at(-1) ?? group.first.at(-1))?.stoppedAtMs ?? 0;
    if (newest + RETENTION_MS < context.nowMs) delete service.stopped[cause];
  }
}

/** Answers the one that has to go for it. */
function keep(service: ServiceState, cause: string, task: TaskView): TaskView | undefined {
  const group = service.stopped[cause] ?? { count: 0, first: [], last: [] };
  service.stopped[cause] = group;
  group.count += 1;
  const end = group.first.length < KEPT_AT_EACH_END ? group.first : group.last;
  end.push(task);
  return group.last.length > KEPT_AT_EACH_END ? group.last.shift() : undefined;
}

/** Tasks are alike with the same deployment, stop code, exit codes, and reason apart from numbers. */
export function causeOf({ deployment, stopCode, stoppedReason, containers }: TaskView): string {
  const exits = containers.map(({ name, exitCode }) => `${name}:${exitCode}`).join(',');
  return [deployment, stopCode, exits, withoutNumbers(stoppedReason ?? '')].join(' ');
}
