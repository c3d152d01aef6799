import { assertNever, type DeploymentId, nextHex32, type TaskId } from '../../base/index.ts';
import { boundsOf } from './bounds.ts';
import { rolloutReason, say, stoppedReason } from './messages.ts';
import {
  type DeploymentState,
  live,
  type ServiceState,
  type TaskPhase,
  type TaskState,
} from './model.ts';
import type { Action } from './reconcile.ts';
import { addTask, deploymentOf, forgetSayings, moveTask, takeOldest, tell } from './state.ts';
import { orderFor } from './task-order.ts';
import type { Turn } from './turn.ts';

/** Carries out one action of a decision. */
export function perform(
  turn: Turn,
  service: ServiceState,
  primary: DeploymentState,
  action: Action,
): void {
  switch (action.type) {
    case 'start-tasks':
      return startTasks(turn, service, primary, action.count);
    case 'stop-tasks':
      return stopTasks(turn, service, action);
    case 'reach-steady-state':
      return reachSteadyState(turn, service, primary);
    case 'leave-steady-state':
      service.steady = false;
      return;
    case 'hold':
      return hold(turn, service);
    default:
      return assertNever(action);
  }
}

function startTasks(
  turn: Turn,
  service: ServiceState,
  deployment: DeploymentState,
  count: number,
): void {
  service.said.holding = false;
  const started: TaskId[] = [];
  for (let i = 0; i < count; i += 1) {
    const task = newTask(turn, service, deployment.id);
    addTask(turn.state, task);
    turn.runtime.start(orderFor(turn.state, service, task));
    started.push(task.id);
  }
  tell(turn, service, say.startedTasks(service.name, started), deployment);
}

function newTask(turn: Turn, service: ServiceState, deployment: DeploymentId): TaskState {
  return {
    id: nextHex32(turn.random) as TaskId,
    service: service.arn,
    deployment,
    cluster: service.cluster,
    taskDefinition: deploymentOf(service, deployment).revision.taskDefinition,
    phase: 'starting',
    createdAtMs: turn.nowMs,
    startedAtMs: null,
    stoppingAtMs: null,
    stop: null,
    containers: [],
  };
}

/** Old tasks go oldest deployment first, and within one the oldest task first. */
function stopTasks(
  turn: Turn,
  service: ServiceState,
  { of, phase, count }: Extract<Action, { type: 'stop-tasks' }>,
): void {
  service.said.holding = false;
  const stopped: TaskId[] = [];
  for (const deployment of [...service.deployments].reverse()) {
    if ((deployment.status === 'PRIMARY') !== (of === 'current')) continue;
    stopped.push(...stopOldest(turn, deployment, phase, count - stopped.length));
  }
  if (stopped.length > 0) tell(turn, service, say.stoppedTasks(service.name, stopped));
}

function stopOldest(
  turn: Turn,
  deployment: DeploymentState,
  phase: Exclude<TaskPhase, 'stopping'>,
  count: number,
): TaskId[] {
  const tasks = takeOldest(turn.state, deployment, phase, count);
  for (const task of tasks) {
    const reason = stoppedReason.scaling(deployment.id);
    task.stop = { code: 'ServiceSchedulerInitiated', reason };
    task.stoppingAtMs = turn.nowMs;
    moveTask(turn.state, task, 'stopping');
    turn.runtime.stop(task.id);
  }
  return tasks.map(({ id }) => id);
}

/** 2.9, 2.40: the edge into a steady state completes the deployment and clears its failures. */
function reachSteadyState(turn: Turn, service: ServiceState, primary: DeploymentState): void {
  service.steady = true;
  service.steadyEdges += 1;
  primary.failedTasks = 0;
  primary.blockedUntilMs = null;
  primary.alikeFailures = { cause: '', count: 0 };
  primary.portRefused = false;
  forgetSayings(service);
  if (primary.rolloutState === 'IN_PROGRESS') {
    primary.rolloutState = 'COMPLETED';
    primary.rolloutStateReason = rolloutReason.completed(primary.id);
    service.lastCompleted = { id: primary.id, revision: primary.revision };
    tell(turn, service, say.deploymentCompleted(service.name, primary.id), primary);
  }
  tell(turn, service, say.steadyState(service.name), primary);
}

/** 5.30: once per episode. */
function hold(turn: Turn, service: ServiceState): void {
  if (service.said.holding) return;
  service.said.holding = true;
  const { activeMax, healthyMin } = boundsOf(service.desiredCount, service.configuration);
  const tasks = service.deployments.reduce(
    (n, { counts }) => n + live(counts) + counts.stopping,
    0,
  );
  tell(turn, service, say.holding(service.name, tasks, activeMax, healthyMin));
}

/** A service that is being deleted stops what it has; INACTIVE once all of it is stopping (1.4). */
export function drain(turn: Turn, service: ServiceState): void {
  if (service.status !== 'DRAINING') return;
  const stopped: TaskId[] = [];
  for (const deployment of service.deployments) {
    for (const phase of ['starting', 'running', 'counting'] as const) {
      stopped.push(...stopOldest(turn, deployment, phase, deployment.counts[phase]));
    }
  }
  if (stopped.length > 0) tell(turn, service, say.stoppedTasks(service.name, stopped));
  service.status = 'INACTIVE';
  service.steady = false;
}
