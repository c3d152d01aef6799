import type {
  TargetHealth,
  TargetObservation,
  TaskObservation,
  TaskOrder,
  TaskRuntime,
} from '../../aws/ecs/index.ts';
import {
  addMs,
  assertNever,
  dequeue,
  type EpochMs,
  enqueue,
  nextDueMs,
  popDue,
  pushDue,
  type Queue,
  type TaskId,
} from '../../base/index.ts';
import { takeHealth } from './container-health.ts';
import type {
  ContainerInFlight,
  RuntimeDue,
  SimulatedRuntimeState,
  TaskInFlight,
} from './state.ts';
import { checkTarget } from './targets.ts';
import { begin, exit, finish, giveUpWaiting, gone, viewOf } from './task-life.ts';
import type { SimulatedTurn } from './turn.ts';

/**
 * Tasks in virtual time: images behave as the scenario says, and a task takes as long from one status
 * to the next as its order says (`docs/decisions.md`, fine print m).
 */
export function createSimulatedRuntime(turn: SimulatedTurn): TaskRuntime {
  const { state } = turn;
  return {
    feedsHealth: true,
    start: (order) => accept(turn, order),
    stop: (task) => stopOnRequest(turn, task),
    observations: () => takeAll<TaskObservation>(state.seen),
  };
}

/** The checks of balancers, fed by when containers listen. */
export function createSimulatedTargets(turn: SimulatedTurn): TargetHealth {
  const { state } = turn;
  return {
    register: (target) => checkTarget(turn, target),
    deregister(task, group) {
      delete state.tasks[task]?.targetGroups[group];
    },
    deregistrationDelayMs: (group) => turn.targetGroup(group).deregistrationDelayMs,
    observations: () => takeAll<TargetObservation>(state.seenTargets),
  };
}

/** The runtime's turn: what is due at this instant happens, and is there to be observed. */
export function stepSimulatedRuntime(turn: SimulatedTurn): void {
  for (;;) {
    const due = popDue(turn.state.due, turn.nowMs);
    if (due === undefined) return;
    const task = turn.state.tasks[due.task];
    if (task !== undefined) happen(turn, task, due);
  }
}

/** When the runtime, or whoever takes what it saw, next needs a turn. */
export function simulatedRuntimeDueMs(
  { seen, seenTargets, due }: SimulatedRuntimeState,
  nowMs: EpochMs,
): EpochMs | undefined {
  const isNews = seen.head < seen.items.length || seenTargets.head < seenTargets.items.length;
  return isNews ? nowMs : nextDueMs(due);
}

function takeAll<Item>(queue: Queue<Item>): Item[] {
  const taken: Item[] = [];
  for (let one = dequeue(queue); one !== undefined; one = dequeue(queue)) taken.push(one);
  return taken;
}

function accept({ state, nowMs }: SimulatedTurn, order: TaskOrder): void {
  state.definitions[order.taskDefinition] ??= order.containers;
  state.tasks[order.task] = {
    id: order.task,
    service: order.service,
    taskDefinition: order.taskDefinition,
    host: order.host,
    sharesHostPorts: order.sharesHostPorts,
    networkMode: order.networkMode,
    platform: order.platform,
    memoryMebibytes: order.memoryMebibytes ?? null,
    times: order.times,
    containers: Object.fromEntries(order.containers.map(({ name }) => [name, waiting()])),
    targetGroups: {},
    isRunning: false,
    because: null,
  };
  const { provisioningMs, activatingMs } = order.times;
  const activates = addMs(nowMs, provisioningMs);
  if (activatingMs > 0) pushDue(state.due, activates, { type: 'activate', task: order.task });
  pushDue(state.due, addMs(activates, activatingMs), { type: 'begin', task: order.task });
}

function waiting(): ContainerInFlight {
  return {
    ...{ status: 'waiting', exitCode: null, reason: null, healthStatus: 'UNKNOWN' },
    ...{ startedAtMs: null, restartedAtMs: null, starts: 0 },
  };
}

function happen(turn: SimulatedTurn, task: TaskInFlight, due: RuntimeDue): void {
  if (due.type === 'gone') return gone(turn, task);
  if (task.because !== null) return;
  switch (due.type) {
    case 'activate':
      return activate(turn, task);
    case 'begin':
      return begin(turn, task);
    case 'exit':
      return exit(turn, task, due);
    case 'health':
      return takeHealth(turn, task, due);
    case 'dependency-timeout':
      return giveUpWaiting(turn, task, due.container);
    case 'target':
      return tellTarget(turn, task, due);
    default:
      return assertNever(due);
  }
}

/** 6.2: images are pulled and containers made in ACTIVATING. */
function activate(turn: SimulatedTurn, task: TaskInFlight): void {
  enqueue(turn.state.seen, {
    type: 'status',
    task: task.id,
    lastStatus: 'ACTIVATING',
    containers: viewOf(turn, task),
  });
}

function tellTarget(
  { state }: SimulatedTurn,
  { targetGroups }: TaskInFlight,
  { task, targetGroup, status, reason }: TargetObservation,
): void {
  if (targetGroups[targetGroup] !== true) return;
  enqueue(state.seenTargets, { task, targetGroup, status, reason });
}

function stopOnRequest(turn: SimulatedTurn, id: TaskId): void {
  const task = turn.state.tasks[id];
  if (task !== undefined && task.because === null) finish(turn, task, { kind: 'asked-to-stop' });
}
