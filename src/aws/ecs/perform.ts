import { addMs, assertNever, type DeploymentId, nextHex32, type TaskId } from '../../base/index.ts';
import { append } from '../../events/index.ts';
import { beginBaking } from './alarms.ts';
import { boundsOf } from './bounds.ts';
import { dropDrained } from './deployments.ts';
import { countFailedTask, forgetFailures } from './failed-tasks.ts';
import { rolloutReason, say, stoppedReason } from './messages.ts';
import {
  type DeploymentState,
  type ServiceState,
  type TaskPhase,
  type TaskPlacement,
  type TaskState,
  unstopped,
} from './model.ts';
import type { PlacementFailure } from './placement/index.ts';
import { groupOf, instancesOf, isRefused, refusePlace, takePlace, tasksToStop } from './placing.ts';
import type { Action } from './reconcile.ts';
import {
  addTask,
  definitionOf,
  deploymentOf,
  forgetSayings,
  moves,
  moveTask,
  takeOldest,
  tell,
  visitLater,
} from './state.ts';
import { causeOf } from './stopped-tasks.ts';
import { taskTags } from './tags.ts';
import { deregisterTargets, stopWhenDrained } from './target-registration.ts';
import { checksOf, targetsOf } from './task-health.ts';
import { hostOf, orderFor } from './task-order.ts';
import type { Turn } from './turn.ts';
import { viewTask } from './views.ts';

type StoppablePhase = Exclude<TaskPhase, 'stopping'>;

/** Carries out one action of a decision. */
export function perform(
  turn: Turn,
  service: ServiceState,
  primary: DeploymentState,
  action: Action,
): void {
  switch (action.type) {
    case 'start-tasks':
      return startTasks(turn, service, primary, action);
    case 'stop-tasks':
      return stopTasks(turn, service, primary, action);
    case 'begin-baking':
      return beginBaking(turn, service, primary);
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
  { count, replacing }: Extract<Action, { type: 'start-tasks' }>,
): void {
  assumeHealthyTargets(turn, service, deployment);
  const rules = turn.rulesOf(service);
  const definition = definitionOf(turn.state, deployment.revision.taskDefinition);
  const started: TaskId[] = [];
  let failure: PlacementFailure | undefined;
  while (started.length < count) {
    const place = takePlace(turn, service, definition, launchTypeOf(service, deployment));
    if (isRefused(place)) {
      failure = place;
      break;
    }
    const task = newTask(turn, service, deployment.id, place);
    addTask(turn.state, task);
    turn.runtime.start(orderFor(turn.state, task, rules));
    started.push(task.id);
  }
  if (started.length > 0) {
    moves(service);
    tell(turn, service, say.startedTasks(service.name, started, replacing), deployment);
  }
  if (failure === undefined) deployment.refused = false;
  else refusePlace(turn, service, deployment, failure);
}

/** Where nobody checks targets, the settle window stands in for them. */
function assumeHealthyTargets(
  { targets, record, nowMs }: Turn,
  service: ServiceState,
  deployment: DeploymentState,
): void {
  if (targets !== undefined || Object.keys(targetsOf(deployment)).length === 0) return;
  const text = `targets of service ${service.name} are healthy once its tasks have settled`;
  const isSaid = record.entries.some((event) => event.type === 'assumption' && event.text === text);
  if (!isSaid) append(record, { type: 'assumption', atMs: nowMs, text });
}

function launchTypeOf({ launchType }: ServiceState, { taskSet }: DeploymentState) {
  return taskSet?.launchType ?? launchType;
}

function newTask(
  turn: Turn,
  service: ServiceState,
  deployment: DeploymentId,
  placement: TaskPlacement,
): TaskState {
  const owner = deploymentOf(service, deployment);
  const { taskDefinition } = owner.revision;
  const launchType = launchTypeOf(service, owner);
  const definition = definitionOf(turn.state, taskDefinition);
  const { provisioningMs } = turn.rulesOf(service).taskTimes[hostOf({ launchType }, definition)];
  return {
    id: nextHex32(turn.random) as TaskId,
    service: service.arn,
    deployment,
    cluster: service.cluster,
    launchType,
    group: groupOf(service),
    placement,
    taskDefinition,
    phase: 'starting',
    lastStatus: provisioningMs > 0 ? 'PROVISIONING' : 'PENDING',
    createdAtMs: turn.nowMs,
    startedAtMs: null,
    stoppingAtMs: null,
    stop: null,
    hasCounted: false,
    hasEnded: false,
    health: checksOf(turn, owner, definition),
    containers: [],
    ...taskTags(turn.state, service, definition),
  };
}

/** Old tasks go oldest deployment first, and within one the oldest task first. */
function stopTasks(
  turn: Turn,
  service: ServiceState,
  primary: DeploymentState,
  { of, phase, count }: Extract<Action, { type: 'stop-tasks' }>,
): void {
  moves(service);
  const stopped: TaskState[] = [];
  for (const deployment of [...service.deployments].reverse()) {
    if ((deployment === primary) !== (of === 'current')) continue;
    const tasks = chooseTasks(turn, service, deployment, phase, count - stopped.length);
    stopped.push(...tasks);
    for (const task of tasks) sayWhyUnhealthy(turn, service, deployment, task);
  }
  stopThem(turn, service, stopped);
}

/** Those that go of one phase: on known instances as strategies have it (7.8), else the oldest. */
function chooseTasks(
  turn: Turn,
  service: ServiceState,
  deployment: DeploymentState,
  phase: StoppablePhase,
  count: number,
): readonly TaskState[] {
  const isChoice = deployment.status === 'PRIMARY' && count < deployment.counts[phase];
  const instances = isChoice ? instancesOf(turn.state, service.cluster) : undefined;
  if (instances === undefined || service.launchType !== 'EC2') {
    return takeOldest(turn.state, deployment, phase, count);
  }
  const candidates = tasksOf(turn, service).filter(
    (task) => task.deployment === deployment.id && task.phase === phase,
  );
  return tasksToStop(turn, service, candidates, count);
}

/** A DAEMON leaves instances that are not for it any more. */
export function leaveInstances(
  turn: Turn,
  service: ServiceState,
  instances: ReadonlySet<string>,
): void {
  if (instances.size === 0) return;
  const tasks = tasksOf(turn, service).filter(
    ({ phase, placement }) => phase !== 'stopping' && instances.has(placement.instance ?? ''),
  );
  stopThem(turn, service, tasks);
}

function tasksOf({ state }: Turn, { taskIds }: ServiceState): readonly TaskState[] {
  return (Object.keys(taskIds) as TaskId[]).flatMap((id) => state.tasks[id] ?? []);
}

/** 2.42: each failed check is said right before the stop that it leads to. */
function sayWhyUnhealthy(
  turn: Turn,
  service: ServiceState,
  deployment: DeploymentState,
  { id, phase, health }: TaskState,
): void {
  const inSet = deployment.taskSet === null ? undefined : deployment.id;
  if (phase !== 'unhealthy' || health === null) return;
  if (health.containers === 'UNHEALTHY') {
    tell(turn, service, say.failedContainerChecks(service.name, id), deployment);
  }
  for (const [targetGroup, { status, port, reason }] of Object.entries(health.targets)) {
    if (status !== 'UNHEALTHY') continue;
    const target = { targetGroup, port, reason: reason ?? 'Health checks failed' };
    tell(turn, service, say.unhealthyTarget(service.name, id, target, inSet), deployment);
  }
}

/** Asks tasks to stop, and says so; one whose checks failed has its own reason already. */
function stopThem(turn: Turn, service: ServiceState, tasks: readonly TaskState[]): void {
  if (tasks.length === 0) return;
  for (const task of tasks) {
    const deployment = task.deployment;
    if (deployment === null) continue; // no task of a service is without
    task.stop ??= {
      code: 'ServiceSchedulerInitiated',
      reason: stoppedReason.scaling(deployment),
      isFailure: false,
    };
    task.stoppingAtMs = turn.nowMs;
    moveTask(turn.state, task, 'stopping');
    stopWhenDrained(turn, service, task);
  }
  const ids = tasks.map(({ id }) => id);
  tell(turn, service, say.stoppedTasks(service.name, ids));
  // A failure may roll back, which changes the list.
  for (const deployment of [...service.deployments]) {
    const own = tasks.filter((task) => task.deployment === deployment.id);
    deregisterTargets(turn, service, deployment, own);
    for (const task of own) if (task.stop?.isFailure) failByChecks(turn, service, deployment, task);
  }
}

/** 4.25: it is a failed task from when it is asked to stop, however long that takes. */
function failByChecks(
  turn: Turn,
  service: ServiceState,
  deployment: DeploymentState,
  task: TaskState,
): void {
  const cause = causeOf(viewTask(task, turn.place));
  countFailedTask(turn, service, deployment, { kind: 'failed-checks', cause });
}

/** 2.9, 2.40: the edge into a steady state completes the deployment and clears its failures. */
function reachSteadyState(turn: Turn, service: ServiceState, primary: DeploymentState): void {
  service.steady = true;
  service.steadyEdges += 1;
  forgetFailures(service, primary);
  primary.refused = false;
  forgetSayings(service);
  if (primary.rolloutState === 'IN_PROGRESS') {
    primary.rolloutState = 'COMPLETED';
    primary.rolloutStateReason = rolloutReason.completed(primary.id);
    service.lastCompleted = { id: primary.id, revision: primary.revision };
    tell(turn, service, say.deploymentCompleted(service.name, primary.id), primary);
    dropDrained(turn, service);
  }
  saySteadyState(turn, service, primary);
}

export function saySteadyState(turn: Turn, service: ServiceState, primary: DeploymentState): void {
  const { steadyStateRepeatMs } = turn.rulesOf(service);
  service.steadySaidAtMs = turn.nowMs;
  tell(turn, service, say.steadyState(service.name), primary);
  if (steadyStateRepeatMs !== null) visitLater(turn, service, steadyStateRepeatMs);
}

/** 10.16: AWS says again and again that a service is steady. */
export function repeatSteadyState(
  turn: Turn,
  service: ServiceState,
  primary: DeploymentState,
): void {
  const { steadyStateRepeatMs } = turn.rulesOf(service);
  const { steady, steadySaidAtMs } = service;
  if (!steady || steadyStateRepeatMs === null || steadySaidAtMs === null) return;
  if (addMs(steadySaidAtMs, steadyStateRepeatMs) <= turn.nowMs) {
    saySteadyState(turn, service, primary);
  }
}

/** 5.30: once per episode; 5.10 follows where the rules have it and nothing has moved since. */
function hold(turn: Turn, service: ServiceState): void {
  const { said } = service;
  const { holdingComplaintMs } = turn.rulesOf(service);
  if (said.holdingSinceMs === null) {
    said.holdingSinceMs = turn.nowMs;
    const { activeMax, healthyMin } = boundsOf(service.desiredCount, service.configuration);
    const tasks = service.deployments.reduce((n, { counts }) => n + unstopped(counts), 0);
    tell(turn, service, say.holding(service.name, tasks, activeMax, healthyMin));
    if (holdingComplaintMs !== null) visitLater(turn, service, holdingComplaintMs);
  } else if (holdingComplaintMs !== null && !said.percentages) {
    if (addMs(said.holdingSinceMs, holdingComplaintMs) > turn.nowMs) return;
    said.percentages = true;
    tell(turn, service, say.percentagesLeaveNoRoom(service.name));
  }
}

/** A service that is being deleted stops what it has; INACTIVE once all of it is stopping (1.4). */
export function drain(turn: Turn, service: ServiceState): void {
  if (service.status !== 'DRAINING') return;
  const tasks = service.deployments.flatMap((deployment) =>
    (['starting', 'running', 'counting', 'unhealthy'] as const).flatMap((phase: StoppablePhase) =>
      takeOldest(turn.state, deployment, phase, deployment.counts[phase]),
    ),
  );
  stopThem(turn, service, tasks);
  service.status = 'INACTIVE';
  service.steady = false;
}
