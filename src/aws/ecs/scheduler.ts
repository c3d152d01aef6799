import { dequeue, type EpochMs, nextDueMs, type Queue, type TaskId } from '../../base/index.ts';
import { bakes, watchesAlarms } from './alarms.ts';
import { boundsOf } from './bounds.ts';
import { dropDrained } from './deployments.ts';
import { failByAlarm } from './failed-deployments.ts';
import { isShifting } from './lifecycle.ts';
import { stepLifecycle } from './lifecycle-steps.ts';
import type { DeploymentState, EcsState, ServiceState, TaskCounts, TaskPhase } from './model.ts';
import { takeDue, takeIn } from './observations.ts';
import { drain, leaveInstances, perform, repeatSteadyState } from './perform.ts';
import { followCluster } from './placing.ts';
import { reconcile, type ServiceSnapshot } from './reconcile.ts';
import { followServiceDeployment } from './service-deployments.ts';
import { definitionOf, deploymentOf, isDrained, primaryOf, serviceOf } from './state.ts';
import { stopAsRequested } from './stop-deployment.ts';
import { deregisterTargets, registerTargets, stopWhenDrained } from './target-registration.ts';
import { takeTargetHealth } from './task-health.ts';
import { orderFor } from './task-order.ts';
import { visitTaskSets } from './task-set-scheduling.ts';
import type { Turn } from './turn.ts';

/**
 * One turn of the service scheduler: take in what was seen, decide what is due, act. It visits the
 * services that something happened to and those whose time has come, never all of them.
 */
export function stepScheduler(turn: Turn): void {
  const { state } = turn;
  observeTasks(turn);
  takeDue(turn);
  for (let id = dequeue(state.toStart); id !== undefined; id = dequeue(state.toStart)) {
    startOnRequest(turn, id);
  }
  for (let id = dequeue(state.toStop); id !== undefined; id = dequeue(state.toStop)) {
    stopOnRequest(turn, id);
  }
  // Only what was dirty at the start: an effect is seen in the next round, not in this one.
  for (let visits = waiting(state.dirty); visits > 0; visits -= 1) {
    const arn = dequeue(state.dirty);
    const service = arn === undefined ? undefined : state.services[arn];
    if (service !== undefined) visit(turn, service);
  }
}

/** Takes in what was seen and decides nothing: for those who only read the account. */
export function observeTasks(turn: Turn): void {
  for (const observation of turn.runtime.observations()) takeIn(turn, observation);
  for (const observation of turn.targets?.observations() ?? []) takeTargetHealth(turn, observation);
}

/** When the scheduler next needs a turn; undefined when only others can wake it. */
export function schedulerDueMs(state: EcsState, nowMs: EpochMs): EpochMs | undefined {
  const busy = waiting(state.dirty) + waiting(state.toStart) + waiting(state.toStop) > 0;
  return busy ? nowMs : nextDueMs(state.due);
}

/** What RunTask and StartTask made: it is placed already. */
function startOnRequest(turn: Turn, id: TaskId): void {
  const task = turn.state.tasks[id];
  if (task?.standalone === undefined) return;
  turn.runtime.start(orderFor(turn.state, task, turn.rulesOf(task.standalone)));
}

/** What StopTask asked for: targets drain first. */
function stopOnRequest(turn: Turn, id: TaskId): void {
  const task = turn.state.tasks[id];
  if (task === undefined) return;
  const service = serviceOf(turn.state, task);
  if (service === undefined || task.deployment === null) {
    task.lastStatus = 'STOPPING';
    return turn.runtime.stop(id);
  }
  stopWhenDrained(turn, service, task);
  deregisterTargets(turn, service, deploymentOf(service, task.deployment), [task]);
}

function waiting<Item>({ items, head }: Queue<Item>): number {
  return items.length - head;
}

function visit(turn: Turn, service: ServiceState): void {
  service.isDirty = false;
  registerTargets(turn, service);
  if (service.status !== 'ACTIVE') {
    dropDrained(turn, service);
    return drain(turn, service);
  }
  if (service.controller !== 'ECS') return visitTaskSets(turn, service);
  const watched = primaryOf(service);
  if (watched === undefined) return;
  failByAlarm(turn, service, watched);
  stopAsRequested(turn, service);
  const shifting = primaryOf(service);
  if (shifting !== undefined && isShifting(shifting)) stepLifecycle(turn, service, shifting);
  // While alarms are watched what was replaced stays on the list (4.42).
  const primary = primaryOf(service) ?? watched;
  if (!watchesAlarms(service, primary)) dropDrained(turn, service);
  const definition = definitionOf(turn.state, primary.revision.taskDefinition);
  leaveInstances(turn, service, followCluster(turn, service, definition));
  if (!isShifting(primary)) {
    for (const action of reconcile(snapshotOf(turn, service, primary), turn.rulesOf(service))) {
      perform(turn, service, primary, action);
    }
  }
  followServiceDeployment(turn, service);
  repeatSteadyState(turn, service, primary);
}

function snapshotOf(turn: Turn, service: ServiceState, primary: DeploymentState): ServiceSnapshot {
  const { blockedUntilMs } = primary;
  const others = service.deployments.filter((one) => one !== primary && !isDrained(one));
  return {
    desiredCount: service.desiredCount,
    bounds: boundsOf(service.desiredCount, service.configuration),
    current: primary.counts,
    outdated: outdatedCounts(service),
    deployments: others.length + 1,
    rolloutState: primary.rolloutState,
    backingOff: blockedUntilMs !== null && blockedUntilMs > turn.nowMs,
    refused: primary.refused,
    userStopped: primary.userStopped,
    baking: bakes(service, primary, turn.nowMs),
    steady: service.steady,
  };
}

function outdatedCounts({ deployments }: ServiceState): TaskCounts {
  const total = { starting: 0, running: 0, counting: 0, unhealthy: 0, stopping: 0 };
  for (const { status, counts } of deployments) {
    if (status === 'PRIMARY') continue;
    for (const phase of Object.keys(total) as TaskPhase[]) total[phase] += counts[phase];
  }
  return total;
}
