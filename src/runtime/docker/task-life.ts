import type { ContainerDefinition, StoppedBecause, TaskOrder } from '../../aws/ecs/index.ts';
import {
  addMs,
  assertNever,
  type EpochMs,
  enqueue,
  present,
  pushDue,
  type ServiceArn,
  type TaskId,
} from '../../base/index.ts';
import type { ContainerView, NetworkBinding } from '../../events/index.ts';
import { dependenciesOf, dependencyError, OUT_OF_MEMORY, type Standing } from '../task/index.ts';
import type {
  ContainerEnd,
  DockerContainer,
  DockerRuntimeState,
  DockerTask,
  Effect,
  StartFault,
  TaskNews,
  TaskOwner,
} from './state.ts';

const SIGTERM_EXIT_CODE = 143;
const STATUS = {
  waiting: 'PENDING',
  starting: 'PENDING',
  running: 'RUNNING',
  stopped: 'STOPPED',
} as const;

/** What the runtime works with in one round. */
export interface DockerTurn {
  readonly state: DockerRuntimeState;
  readonly nowMs: EpochMs;
  ownerOf(service: ServiceArn | null): TaskOwner;
  /** Asks for work outside, which begins once the round is over. */
  ask(effect: Effect): void;
}

/** A task is ordered: what it needs is fetched first. */
export function begin(turn: DockerTurn, order: TaskOrder): void {
  turn.state.tasks[order.task] = {
    order,
    owner: turn.ownerOf(order.service),
    phase: 'preparing',
    containers: Object.fromEntries(order.containers.map(({ name }) => [name, waiting()])),
    isRunning: false,
    because: null,
  };
  for (const text of takenForGranted(order)) assume(turn, text);
  turn.ask({ type: 'prepare', task: order.task, anew: false });
}

/**
 * The world was saved by a command that ended, or was killed: what it had asked for is asked again.
 * A task that was starting then starts anew; one that ran is looked at by the driver.
 */
export function resumeTasks(turn: DockerTurn): void {
  for (const task of Object.values(turn.state.tasks)) {
    const id = task.order.task;
    if (task.phase === 'ending') {
      turn.ask({ type: 'end', task: id });
    } else if (task.phase === 'preparing' || isStarting(task)) {
      task.phase = 'preparing';
      for (const container of Object.values(task.containers)) Object.assign(container, waiting());
      turn.ask({ type: 'prepare', task: id, anew: true });
    }
  }
}

function isStarting({ containers }: DockerTask): boolean {
  return Object.values(containers).some(({ status }) => status === 'starting');
}

function waiting(): DockerContainer {
  return {
    ...{ status: 'waiting', exitCode: null, reason: null, startedAtMs: null },
    ...{ logTail: [], bindings: [] },
  };
}

/** The task is asked to stop. */
export function stop(turn: DockerTurn, id: TaskId): void {
  const task = turn.state.tasks[id];
  if (task !== undefined) end(turn, task, { kind: 'asked-to-stop' });
}

/** What came of the work outside, or happened there. */
export function takeNews(turn: DockerTurn, news: TaskNews) {
  const task = turn.state.tasks[news.task];
  if (task === undefined) return;
  switch (news.type) {
    case 'prepared':
      for (const text of news.assumed) assume(turn, text);
      if (task.phase !== 'preparing') return;
      task.phase = 'up';
      return startWhatMay(turn, task);
    case 'container-started':
      return started(turn, task, news.container, news.bindings);
    case 'start-failed':
      return failToStart(turn, task, news);
    case 'container-ended':
      return ended(turn, task, news.container, news);
    case 'task-gone':
      return gone(turn, task, news.stopped);
    default:
      return assertNever(news);
  }
}

/** 6.20: what still waits for a container to complete or become healthy does so no longer. */
export function giveUpWaiting(turn: DockerTurn, id: TaskId, dependency: string): void {
  const task = turn.state.tasks[id];
  if (task?.phase !== 'up' || !hasTimedOut(turn, task, dependency)) return;
  let gaveUp = false;
  for (const container of task.order.containers) {
    if (containerOf(task, container.name).status !== 'waiting') continue;
    const waits = container.dependsOn.some(
      ({ containerName, condition }) => containerName === dependency && condition !== 'START',
    );
    const error = dependencyError(dependency, container.name, 'timed-out');
    if (!waits) continue;
    if (!giveUp(turn, task, container, error)) return;
    gaveUp = true;
  }
  if (!gaveUp) return;
  startWhatMay(turn, task);
  if (task.because === null) tellStanding(turn, task);
}

/** Not one that a killed command had started, and that was started anew since. */
function hasTimedOut({ nowMs }: DockerTurn, task: DockerTask, name: string): boolean {
  const { status, startedAtMs } = containerOf(task, name);
  if (status !== 'running' || startedAtMs === null) return false;
  const { startTimeoutSeconds = 0 } = definitionOf(task, name);
  return nowMs >= addMs(startedAtMs, startTimeoutSeconds * 1000);
}

/** What this runtime leaves out, in the words of `assumptions`. */
function takenForGranted({ unread, containers }: TaskOrder): readonly string[] {
  return [
    ...unread.map((field) => `${field} of a task definition is not followed with Docker yet`),
    ...containers.flatMap(({ name, unread: fields, healthCheck, restartPolicy }) => [
      ...fields.map((field) => `${field} of container ${name} is not followed with Docker yet`),
      ...(restartPolicy === undefined
        ? []
        : [`restartPolicy of container ${name} is not followed with Docker yet`]),
      ...(healthCheck !== undefined
        ? [`health check of container ${name} is not run with Docker yet: staying up stands for it`]
        : []),
    ]),
  ];
}

/** Starts every container whose dependencies are met. */
function startWhatMay(turn: DockerTurn, task: DockerTask): void {
  const { containers } = task.order;
  let moved = true;
  while (moved) {
    moved = false;
    for (const container of containers) {
      const inFlight = containerOf(task, container.name);
      if (inFlight.status !== 'waiting') continue;
      const standing = dependenciesOf(container, task.containers, containers);
      if (standing.state === 'unmet') continue;
      moved = true;
      if (standing.state === 'met') {
        inFlight.status = 'starting';
        turn.ask({ type: 'start-container', task: task.order.task, container: container.name });
      } else if (!cannotStart(turn, task, container, standing)) return;
    }
  }
}

function started(
  turn: DockerTurn,
  task: DockerTask,
  name: string,
  bindings: readonly NetworkBinding[],
): void {
  const container = containerOf(task, name);
  if (container.status !== 'starting') return;
  container.status = 'running';
  container.startedAtMs = turn.nowMs;
  container.bindings = bindings;
  if (task.phase !== 'up') return;
  const definition = definitionOf(task, name);
  if (definition.startTimeoutSeconds !== undefined) {
    const at = addMs(turn.nowMs, definition.startTimeoutSeconds * 1000);
    pushDue(turn.state.due, at, { task: task.order.task, container: name });
  }
  startWhatMay(turn, task);
  if (task.because === null) tellStanding(turn, task);
}

function ended(turn: DockerTurn, task: DockerTask, name: string, how: ContainerEnd): void {
  const container = containerOf(task, name);
  if (container.status !== 'running') return;
  stopContainer(task, name, how);
  if (task.phase !== 'up') return;
  if (definitionOf(task, name).essential) {
    return end(turn, task, { kind: 'essential-exited', container: name, exitCode: how.exitCode });
  }
  startWhatMay(turn, task);
  if (task.because === null) tellStanding(turn, task);
}

function stopContainer(task: DockerTask, name: string, how: ContainerEnd): void {
  const container = containerOf(task, name);
  container.status = 'stopped';
  container.exitCode = how.exitCode;
  container.reason ??= how.outOfMemory ? OUT_OF_MEMORY : null;
  container.logTail = how.logTail;
}

/** 6.14: the reason stands on the one container it belongs to; the others are STOPPED without one. */
function failToStart(turn: DockerTurn, task: DockerTask, fault: StartFault): void {
  if (task.phase === 'ending') return;
  containerOf(task, fault.container).reason = fault.reason;
  const { reason, portTaken, onlyHere } = fault;
  end(turn, task, {
    kind: 'failed-to-start',
    ...{ reason, portTaken },
    ...(onlyHere === undefined ? {} : { onlyHere }),
  });
}

/**
 * A dependency that can never be met (6.23): the dependent is STOPPED with the reason; the task goes
 * on without it unless it is essential. Answers false when the task is over.
 */
function cannotStart(
  turn: DockerTurn,
  task: DockerTask,
  container: ContainerDefinition,
  { dependency, why }: Extract<Standing, { state: 'never' }>,
): boolean {
  return giveUp(turn, task, container, dependencyError(dependency, container.name, why));
}

function giveUp(
  turn: DockerTurn,
  task: DockerTask,
  { name, essential }: ContainerDefinition,
  error: string,
): boolean {
  const container = containerOf(task, name);
  container.exitCode = SIGTERM_EXIT_CODE;
  if (essential) {
    failToStart(turn, task, { container: name, reason: error, portTaken: false });
    return false;
  }
  container.status = 'stopped';
  container.reason = error;
  return true;
}

/** The task is over: what still runs of it is stopped, and STOPPED is told when all of it is gone. */
function end(turn: DockerTurn, task: DockerTask, because: StoppedBecause): void {
  if (task.phase === 'ending') return;
  task.phase = 'ending';
  task.because = because;
  turn.ask({ type: 'end', task: task.order.task });
}

function gone(
  turn: DockerTurn,
  task: DockerTask,
  stopped: { readonly [container: string]: ContainerEnd },
): void {
  for (const [name, how] of Object.entries(stopped)) stopContainer(task, name, how);
  for (const container of Object.values(task.containers)) container.status = 'stopped';
  const id = task.order.task;
  delete turn.state.tasks[id];
  const because = present(task.because, 'a task that is removed ends for a reason');
  enqueue(turn.state.seen, { type: 'stopped', task: id, because, containers: viewOf(task) });
}

/** One more of its containers started or ended. */
function tellStanding(turn: DockerTurn, task: DockerTask): void {
  const waits = Object.values(task.containers).some(
    ({ status }) => status === 'waiting' || status === 'starting',
  );
  const type = task.isRunning || waits ? 'changed' : 'running';
  if (type === 'running') task.isRunning = true;
  enqueue(turn.state.seen, { type, task: task.order.task, containers: viewOf(task) });
}

export function viewOf({ order, containers }: DockerTask): readonly ContainerView[] {
  return order.containers.map(({ name, image }) => {
    const { status, exitCode, reason, logTail, bindings } = present(
      containers[name],
      'a defined container is in flight',
    );
    return {
      ...{ name, image, lastStatus: STATUS[status], exitCode, reason, logTail },
      ...(bindings.length === 0 ? {} : { networkBindings: bindings }),
    };
  });
}

export function containerOf(task: DockerTask, name: string) {
  return present(task.containers[name], 'a defined container is in flight');
}

export function definitionOf({ order }: DockerTask, name: string): ContainerDefinition {
  const found = order.containers.find((container) => container.name === name);
  return present(found, 'a container in flight is defined');
}

/** Says once in an operation what is taken for granted in the user's favour. */
function assume({ state }: DockerTurn, text: string): void {
  if (state.assumed[text] === true) return;
  state.assumed[text] = true;
  enqueue(state.seen, { type: 'assumed', text });
}
