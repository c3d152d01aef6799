import { HOUR_MS } from '../../base/index.ts';
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
  if (service === undefined) return;
  const view: TaskView = { ...viewTask(task, place), lastStatus: 'STOPPED', stoppedAtMs: nowMs };
  keep(service, causeOf(view), view);
}

/** 6.5: stopped tasks older than an hour go, once another deployment begins. */
export function forgetOldStops(context: EcsContext, service: ServiceState): void {
  for (const [cause, group] of Object.entries(service.stopped)) {
    const newest = (group.last.at(-1) ?? group.first.at(-1))?.stoppedAtMs ?? 0;
    if (newest + RETENTION_MS < context.nowMs) delete service.stopped[cause];
  }
}

function keep(service: ServiceState, cause: string, task: TaskView): void {
  const group = service.stopped[cause] ?? { count: 0, first: [], last: [] };
  service.stopped[cause] = group;
  group.count += 1;
  const end = group.first.length < KEPT_AT_EACH_END ? group.first : group.last;
  end.push(task);
  if (group.last.length > KEPT_AT_EACH_END) group.last.shift();
}

/** Tasks are alike with the same deployment, stop code, exit codes, and reason apart from numbers. */
export function causeOf({ deployment, stopCode, stoppedReason, containers }: TaskView): string {
  const exits = containers.map(({ name, exitCode }) => `${name}:${exitCode}`).join(',');
  return [deployment, stopCode, exits, withoutNumbers(stoppedReason ?? '')].join(' ');
}
