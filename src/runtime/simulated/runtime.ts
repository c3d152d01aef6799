import type { TaskObservation, TaskOrder, TaskRuntime } from '../../aws/ecs/index.ts';
import {
  assertNever,
  dequeue,
  type EpochMs,
  nextDueMs,
  popDue,
  pushDue,
  type TaskId,
} from '../../base/index.ts';
import type { RuntimeDue, SimulatedRuntimeState, TaskInFlight } from './state.ts';
import { begin, exit, finish, giveUpWaiting } from './task-life.ts';
import type { SimulatedTurn } from './turn.ts';

/**
 * Tasks in virtual time: images behave as the scenario says. RUNNING in the instant of the start,
 * STOPPED in the instant of the stop (`docs/decisions.md`, fine print m).
 */
export function createSimulatedRuntime(turn: SimulatedTurn): TaskRuntime {
  const { state } = turn;
  return {
    start: (order) => accept(turn, order),
    stop: (task) => stopOnRequest(turn, task),
    observations: () => takeSeen(state),
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
  { seen, due }: SimulatedRuntimeState,
  nowMs: EpochMs,
): EpochMs | undefined {
  return seen.head < seen.items.length ? nowMs : nextDueMs(due);
}

function takeSeen(state: SimulatedRuntimeState): TaskObservation[] {
  const seen: TaskObservation[] = [];
  for (let one = dequeue(state.seen); one !== undefined; one = dequeue(state.seen)) seen.push(one);
  return seen;
}

function accept({ state, nowMs }: SimulatedTurn, order: TaskOrder): void {
  state.definitions[order.taskDefinition] ??= order.containers;
  state.tasks[order.task] = {
    id: order.task,
    service: order.service,
    taskDefinition: order.taskDefinition,
    cluster: order.cluster,
    sharesHostPorts: order.sharesHostPorts,
    networkMode: order.networkMode,
    platform: order.platform,
    memoryMebibytes: order.memoryMebibytes ?? null,
    containers: Object.fromEntries(
      order.containers.map(({ name }) => [
        name,
        { status: 'waiting' as const, exitCode: null, reason: null, startedAtMs: null },
      ]),
    ),
    isRunning: false,
  };
  pushDue(state.due, nowMs, { type: 'begin', task: order.task });
}

function happen(turn: SimulatedTurn, task: TaskInFlight, due: RuntimeDue): void {
  switch (due.type) {
    case 'begin':
      return begin(turn, task);
    case 'exit':
      return exit(turn, task, due);
    case 'dependency-timeout':
      return giveUpWaiting(turn, task, due.container);
    default:
      return assertNever(due);
  }
}

function stopOnRequest(turn: SimulatedTurn, id: TaskId): void {
  const task = turn.state.tasks[id];
  if (task !== undefined) finish(turn, task, { kind: 'asked-to-stop' });
}
