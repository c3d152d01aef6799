import { addMs, assertNever, popDue, pushDue, type TaskId } from '../../base/index.ts';
import { append, type ContainerView, type RecordedEvent } from '../../events/index.ts';
import { countFailedTask } from './failed-tasks.ts';
import { say, stoppedReason } from './messages.ts';
import type { DeploymentState, ServiceState, TaskState, TaskStop } from './model.ts';
import type { SchedulerRules } from './rules.ts';
import { deploymentOf, markDirty, moveTask, sayOnce, serviceOf } from './state.ts';
import { causeOf, finishTask } from './stopped-tasks.ts';
import { forgetTargets } from './target-registration.ts';
import { judge, startCounting, takeContainerHealth } from './task-health.ts';
import type { OnlyHere, StoppedBecause, TaskObservation } from './task-runtime.ts';
import { placesTasks } from './task-set.ts';
import type { Turn } from './turn.ts';
import { viewTask } from './views.ts';

/** What a runtime saw becomes a change of the account. */
export function takeIn(turn: Turn, observation: TaskObservation): void {
  if (observation.type === 'assumed') {
    append(turn.record, { type: 'assumption', atMs: turn.nowMs, text: observation.text });
    return;
  }
  const task = turn.state.tasks[observation.task];
  if (task === undefined) return; // it was stopped while the news was under way
  task.containers = observation.containers.map(withCutReason);
  switch (observation.type) {
    case 'changed':
      return;
    case 'status':
      task.lastStatus = observation.lastStatus;
      return;
    case 'health':
      return takeContainerHealth(turn, task, observation.health);
    case 'running':
      return taskRuns(turn, task);
    case 'ending':
      return taskEnding(turn, task, observation.because);
    case 'stopped':
      return taskStopped(turn, task, observation.because);
    default:
      assertNever(observation);
  }
}

/** 6.12: AWS keeps no more of a reason. */
const REASON_LENGTH_MAX = 1_024;

function withCutReason(container: ContainerView): ContainerView {
  const { reason } = container;
  if (reason === null || reason.length <= REASON_LENGTH_MAX) return container;
  return { ...container, reason: reason.slice(0, REASON_LENGTH_MAX) };
}

function taskRuns(turn: Turn, task: TaskState): void {
  task.startedAtMs = turn.nowMs;
  if (task.phase !== 'starting') return; // asked to stop before it ran
  task.lastStatus = 'RUNNING';
  moveTask(turn.state, task, 'running');
  const service = serviceOf(turn.state, task);
  if (service === undefined || task.deployment === null) return;
  const deployment = deploymentOf(service, task.deployment);
  deployment.refused = false;
  if (task.health === null) return scheduleSettling(turn, task, service, deployment);
  if (Object.keys(task.health.targets).length > 0) service.toRegister.push(task.id);
  judge(turn, task);
}

/** Its containers have ended: what follows for the service follows now, not when it is STOPPED. */
function taskEnding(turn: Turn, task: TaskState, because: StoppedBecause): void {
  const service = serviceOf(turn.state, task);
  const asked = askedToStop(task);
  task.stop = asked ?? stopBy(turn, task, because);
  task.stoppingAtMs ??= turn.nowMs;
  task.lastStatus = 'DEPROVISIONING';
  task.hasEnded = true;
  if (task.phase !== 'stopping') moveTask(turn.state, task, 'stopping');
  if (service !== undefined) takeEnd(turn, service, task, { asked, because });
}

function taskStopped(turn: Turn, task: TaskState, because: StoppedBecause): void {
  const service = serviceOf(turn.state, task);
  const asked = task.hasEnded ? task.stop : askedToStop(task);
  task.stop = asked ?? stopBy(turn, task, because);
  finishTask(turn, task, task.stop);
  if (service !== undefined && !task.hasEnded) takeEnd(turn, service, task, { asked, because });
}

/** A task whose checks fail may end by itself before it is asked to. */
function askedToStop({ phase, stop }: TaskState): TaskStop | null {
  return phase === 'unhealthy' ? null : stop;
}

interface End {
  /** Why it was asked to stop, if it was. */
  readonly asked: TaskStop | null;
  readonly because: StoppedBecause;
}

/** What the end of a task means for its service: its targets, its deployment's failures. */
function takeEnd(turn: Turn, service: ServiceState, task: TaskState, { asked, because }: End) {
  if (task.deployment === null) return;
  const deployment = deploymentOf(service, task.deployment);
  if (asked === null) forgetTargets(turn, service, task);
  const kind = failureKind(task, because, asked, turn.rulesOf(service));
  if (kind === undefined) return;
  if (because.kind === 'failed-to-start') {
    deployment.refused = because.portTaken;
    const saying = say.cannotPlace(service.name, because.reason.slice(0, REASON_LENGTH_MAX));
    if (deployment.status === 'PRIMARY' || placesTasks(deployment)) {
      sayOnce(turn, service, deployment, saying);
    }
    if (because.onlyHere !== undefined) {
      tellOnlyHere(turn, service, because.onlyHere, because.reason);
    }
  }
  const cause = causeOf(viewTask(task, turn.place));
  countFailedTask(turn, service, deployment, { kind, cause });
}

/**
 * How the task failed; undefined: it did not, since somebody asked for it (4.13) or it had counted
 * (4.11), or that was taken in when it was asked to stop (4.25).
 */
function failureKind(
  { hasCounted }: TaskState,
  because: StoppedBecause,
  asked: TaskStop | null,
  rules: SchedulerRules,
) {
  if (asked !== null) return undefined;
  if (because.kind === 'failed-to-start') return 'never-ran' as const;
  if (because.kind === 'asked-to-stop') return undefined;
  return hasCounted && !rules.countsLateExits ? undefined : ('exit' as const);
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

/** How a task that nobody asked to stop has ended, in the ECS API's words. */
function stopBy(turn: Turn, task: TaskState, because: StoppedBecause): TaskStop {
  const reason = reasonOf(turn, task, because);
  const { kind } = because;
  return {
    ...{ code: stopCodeOf(because), reason, isFailure: false },
    ...(kind === 'essential-exited'
      ? { essentialExit: { container: because.container, exitCode: because.exitCode } }
      : {}),
  };
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

/** 6.50, 6.61: where the reason of a failed start stands. */
function reasonOf(turn: Turn, task: TaskState, because: StoppedBecause): string {
  if (because.kind !== 'failed-to-start') return stoppedReason.essentialExited;
  const service = serviceOf(turn.state, task);
  const rules = service && turn.rulesOf(service);
  const onContainer = task.launchType === 'EC2' && rules?.ec2TellsContainerOnly === true;
  return onContainer ? stoppedReason.failedToStart : because.reason.slice(0, REASON_LENGTH_MAX);
}

/** What is due at this instant: windows that end, services to look at again. */
export function takeDue(turn: Turn): void {
  for (;;) {
    const due = popDue(turn.state.due, turn.nowMs);
    if (due === undefined) return;
    if (due.type === 'visit-service') {
      const service = turn.state.services[due.service];
      if (service !== undefined) markDirty(turn.state, service);
      continue;
    }
    const task = turn.state.tasks[due.task];
    if (task === undefined) continue;
    if (due.type === 'settle-task') settle(turn, task);
    else if (due.type === 'judge-task') judge(turn, task);
    else stopDrained(turn, due.task);
  }
}

function stopDrained(turn: Turn, id: TaskId): void {
  const task = turn.state.tasks[id];
  if (task !== undefined) task.lastStatus = 'STOPPING';
  turn.runtime.stop(id);
}

/** A task without checks counts once it has stayed RUNNING for its window, which a failure lengthens (2.10). */
function settle(turn: Turn, task: TaskState): void {
  const service = serviceOf(turn.state, task);
  if (task.phase !== 'running' || service === undefined || task.deployment === null) return;
  const deployment = deploymentOf(service, task.deployment);
  if (settlesAtMs(task, deployment, turn.rulesOf(service)) > turn.nowMs) {
    scheduleSettling(turn, task, service, deployment);
  } else {
    startCounting(turn, task);
  }
}

function scheduleSettling(
  turn: Turn,
  task: TaskState,
  service: ServiceState,
  deployment: DeploymentState,
): void {
  const at = settlesAtMs(task, deployment, turn.rulesOf(service));
  pushDue(turn.state.due, at, { type: 'settle-task', task: task.id });
}

function settlesAtMs(task: TaskState, { failedTasks }: DeploymentState, rules: SchedulerRules) {
  const windowMs = failedTasks > 0 ? rules.settleAfterFailureMs : rules.settleMs;
  return addMs(task.startedAtMs ?? task.createdAtMs, windowMs);
}
