import { addMs, assertNever, popDue, pushDue, type TaskId } from '../../base/index.ts';
import { append, type RecordedEvent } from '../../events/index.ts';
import { countFailedTask } from './failed-tasks.ts';
import { say, stoppedReason } from './messages.ts';
import type { DeploymentState, ServiceState, TaskState } from './model.ts';
import type { SchedulerRules } from './rules.ts';
import { deploymentOf, markDirty, moveTask, serviceOf, tell } from './state.ts';
import { finishTask } from './stopped-tasks.ts';
import type { OnlyHere, StoppedBecause, TaskObservation } from './task-runtime.ts';
import type { Turn } from './turn.ts';

/** What a runtime saw becomes a change of the account. */
export function takeIn(turn: Turn, observation: TaskObservation): void {
  if (observation.type === 'assumed') {
    append(turn.record, { type: 'assumption', atMs: turn.nowMs, text: observation.text });
    return;
  }
  const task = turn.state.tasks[observation.task];
  if (task === undefined) return; // it was stopped while the news was under way
  task.containers = observation.containers;
  if (observation.type === 'running') taskRuns(turn, task);
  else if (observation.type === 'stopped') taskStopped(turn, task, observation.because);
}

function taskRuns(turn: Turn, task: TaskState): void {
  task.startedAtMs = turn.nowMs;
  if (task.phase !== 'starting') return; // asked to stop before it ran
  moveTask(turn.state, task, 'running');
  const service = serviceOf(turn.state, task);
  if (service === undefined || task.deployment === null) return;
  const deployment = deploymentOf(service, task.deployment);
  deployment.portRefused = false;
  scheduleSettling(turn, task, deployment);
}

function taskStopped(turn: Turn, task: TaskState, because: StoppedBecause): void {
  const service = serviceOf(turn.state, task);
  const deliberate = task.stop;
  const cause = finishTask(turn, task, {
    code: deliberate?.code ?? stopCodeOf(because),
    reason: deliberate?.reason ?? reasonOf(because),
    containers: task.containers,
    ...(because.kind === 'essential-exited'
      ? { essentialExit: { container: because.container, exitCode: because.exitCode } }
      : {}),
  });
  // 4.13: what somebody asked for is no failure.
  if (because.kind === 'asked-to-stop' || deliberate !== null) return;
  if (service === undefined || task.deployment === null) return;
  const deployment = deploymentOf(service, task.deployment);
  if (because.kind === 'failed-to-start') {
    deployment.portRefused = because.portTaken;
    if (deployment.status === 'PRIMARY') sayCannotPlace(turn, service, deployment, because.reason);
    if (because.onlyHere !== undefined) {
      tellOnlyHere(turn, service, because.onlyHere, because.reason);
    }
  }
  countFailedTask(turn, service, deployment, { rules: turn.rules, cause });
}

/** Once in an operation for each service. */
function tellOnlyHere(
  { record, nowMs }: Turn,
  { arn }: ServiceState,
  { text, hint }: OnlyHere,
  reason: string,
): void {
  const isKnown = (event: RecordedEvent) =>
    event.type === 'only-here' && event.service === arn && event.text === text;
  if (record.entries.some(isKnown)) return;
  append(record, { type: 'only-here', atMs: nowMs, service: arn, reason, text, hint });
}

/** 5.41 and fine print e: an equal message is not repeated until the next steady state. */
function sayCannotPlace(
  turn: Turn,
  service: ServiceState,
  deployment: DeploymentState,
  reason: string,
): void {
  const saying = say.cannotPlace(service.name, reason);
  if (service.said.placements.includes(saying.message)) return;
  service.said.placements.push(saying.message);
  tell(turn, service, saying, deployment);
}

function stopCodeOf(because: StoppedBecause) {
  switch (because.kind) {
    case 'failed-to-start':
      return 'TaskFailedToStart' as const;
    case 'essential-exited':
      return 'EssentialContainerExited' as const;
    case 'asked-to-stop':
      return 'ServiceSchedulerInitiated' as const;
    default:
      return assertNever(because);
  }
}

function reasonOf(because: StoppedBecause): string {
  return because.kind === 'failed-to-start' ? because.reason : stoppedReason.essentialExited;
}

/** What is due at this instant: windows that end, services to look at again. */
export function takeDue(turn: Turn): void {
  for (;;) {
    const due = popDue(turn.state.due, turn.nowMs);
    if (due === undefined) return;
    if (due.type === 'visit-service') {
      const service = turn.state.services[due.service];
      if (service !== undefined) markDirty(turn.state, service);
    } else {
      settle(turn, due.task);
    }
  }
}

/** A task counts once it has stayed RUNNING for its window, which a failure meanwhile lengthens (2.10). */
function settle(turn: Turn, id: TaskId): void {
  const task = turn.state.tasks[id];
  if (task?.phase !== 'running' || task.service === null || task.deployment === null) return;
  const service = turn.state.services[task.service];
  if (service === undefined) return;
  const deployment = deploymentOf(service, task.deployment);
  if (settlesAtMs(task, deployment, turn.rules) > turn.nowMs) {
    scheduleSettling(turn, task, deployment);
  } else {
    moveTask(turn.state, task, 'counting');
  }
}

function scheduleSettling(turn: Turn, task: TaskState, deployment: DeploymentState): void {
  const at = settlesAtMs(task, deployment, turn.rules);
  pushDue(turn.state.due, at, { type: 'settle-task', task: task.id });
}

function settlesAtMs(task: TaskState, { failedTasks }: DeploymentState, rules: SchedulerRules) {
  const windowMs = failedTasks > 0 ? rules.settleAfterFailureMs : rules.settleMs;
  return addMs(task.startedAtMs ?? task.createdAtMs, windowMs);
}
