import { dequeue, type EpochMs, nextDueMs, type Queue } from '../../base/index.ts';
import { boundsOf } from './bounds.ts';
import type { DeploymentState, EcsState, ServiceState, TaskCounts, TaskPhase } from './model.ts';
import { takeDue, takeIn } from './observations.ts';
import { drain, perform } from './perform.ts';
import { reconcile, type ServiceSnapshot } from './reconcile.ts';
import { isDrained, markDirty, primaryOf } from './state.ts';
import type { Turn } from './turn.ts';

/**
 * One turn of the service scheduler: take in what was seen, decide what is due, act. It visits the
 * services that something happened to and those whose time has come, never all of them.
 */
export function stepScheduler(turn: Turn): void {
  const { state, runtime } = turn;
  observeTasks(turn);
  takeDue(turn);
  for (let id = dequeue(state.toStop); id !== undefined; id = dequeue(state.toStop)) {
    runtime.stop(id);
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
}

/** When the scheduler next needs a turn; undefined when only others can wake it. */
export function schedulerDueMs(state: EcsState, nowMs: EpochMs): EpochMs | undefined {
  const busy = waiting(state.dirty) + waiting(state.toStop) > 0;
  return busy ? nowMs : nextDueMs(state.due);
}

function waiting<Item>({ items, head }: Queue<Item>): number {
  return items.length - head;
}

function visit(turn: Turn, service: ServiceState): void {
  service.isDirty = false;
  dropDrained(turn, service);
  const primary = primaryOf(service);
  if (service.status !== 'ACTIVE') return drain(turn, service);
  if (primary === undefined) return;
  for (const action of reconcile(snapshotOf(turn, service, primary), turn.rules)) {
    perform(turn, service, primary, action);
  }
}

/** 2.11: a deployment that is being replaced leaves the list when it holds no tasks. */
function dropDrained(turn: Turn, service: ServiceState): void {
  const isLeft = (deployment: DeploymentState) =>
    deployment.status === 'PRIMARY' || !isDrained(deployment);
  const gone = service.deployments.filter((deployment) => !isLeft(deployment));
  if (gone.length === 0) return;
  const failed = gone.find(({ rolloutState }) => rolloutState === 'FAILED');
  if (failed !== undefined) service.lastFailed = failed;
  service.deployments.splice(0, service.deployments.length, ...service.deployments.filter(isLeft));
  markDirty(turn.state, service);
}

function snapshotOf(turn: Turn, service: ServiceState, primary: DeploymentState): ServiceSnapshot {
  const { blockedUntilMs } = primary;
  return {
    desiredCount: service.desiredCount,
    bounds: boundsOf(service.desiredCount, service.configuration),
    current: primary.counts,
    outdated: outdatedCounts(service),
    deployments: service.deployments.length,
    rolloutState: primary.rolloutState,
    backingOff: blockedUntilMs !== null && blockedUntilMs > turn.nowMs,
    portRefused: primary.portRefused,
    userStopped: primary.userStopped,
    steady: service.steady,
  };
}

function outdatedCounts({ deployments }: ServiceState): TaskCounts {
  const total = { starting: 0, running: 0, counting: 0, stopping: 0 };
  for (const { status, counts } of deployments) {
    if (status === 'PRIMARY') continue;
    for (const phase of Object.keys(total) as TaskPhase[]) total[phase] += counts[phase];
  }
  return total;
}
