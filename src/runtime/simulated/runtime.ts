import type {
  ContainerDefinition,
  StoppedBecause,
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
  present,
  pushDue,
  type ServiceArn,
  type TaskId,
} from '../../base/index.ts';
import { behaviourOf, type ImageBehaviour, type Scenario } from '../../scenario/index.ts';
import { dependenciesOf, type Standing } from './dependencies.ts';
import type { RuntimeDue, SimulatedRuntimeState, TaskInFlight } from './state.ts';
import {
  dependencyError,
  noSuchProgramError,
  OUT_OF_MEMORY,
  portTakenError,
  pullError,
} from './texts.ts';

const SIGTERM_EXIT_CODE = 143;
const SIGKILL_EXIT_CODE = 137;

/** What the runtime works with in one round. */
export interface SimulatedTurn {
  readonly state: SimulatedRuntimeState;
  readonly nowMs: EpochMs;
  /** The scenario of the stack that a service belongs to. */
  scenarioOf(service: ServiceArn | null): Scenario | undefined;
}

/**
 * Tasks in virtual time: images behave as the scenario says. RUNNING in the instant of the start,
 * STOPPED in the instant of the stop (`docs/decisions.md`, fine print m).
 */
export function createSimulatedRuntime(turn: SimulatedTurn): TaskRuntime {
  const { state, nowMs } = turn;
  return {
    start: (order) => accept(state, order, nowMs),
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

function accept(state: SimulatedRuntimeState, order: TaskOrder, nowMs: EpochMs): void {
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

function definitionsOf({ state }: SimulatedTurn, task: TaskInFlight) {
  const definitions = state.definitions[task.taskDefinition];
  return present(definitions, 'a task in flight has its containers defined');
}

/** Every image is pulled, the host's ports are taken, and what depends on nothing starts. */
function begin(turn: SimulatedTurn, task: TaskInFlight): void {
  for (const container of definitionsOf(turn, task)) {
    const answer = pull(turn, task, container.image);
    if (answer !== 'ok') {
      return failToStart(turn, task, container.name, pullError(container.image, answer), false);
    }
  }
  const taken = takeHostPorts(turn, task);
  if (taken !== undefined) {
    const error = portTakenError(taken.container, taken.port);
    return failToStart(turn, task, taken.container, error, true);
  }
  startWhatMay(turn, task);
}

function behaviour(turn: SimulatedTurn, task: TaskInFlight, image: string): ImageBehaviour {
  const { behaviour: found, named } = behaviourOf(turn.scenarioOf(task.service), image);
  if (!named) assume(turn.state, `image ${image} starts and stays up (no scenario names it)`);
  return found;
}

function assume(state: SimulatedRuntimeState, text: string): void {
  if (state.assumed[text] === true) return;
  state.assumed[text] = true;
  enqueue(state.seen, { type: 'assumed', text });
}

function pull(turn: SimulatedTurn, task: TaskInFlight, image: string) {
  const answers = behaviour(turn, task, image).pull ?? ['ok'];
  const attempt = turn.state.pulls[image] ?? 0;
  turn.state.pulls[image] = attempt + 1;
  return answers[Math.min(attempt, answers.length - 1)] ?? 'ok';
}

/** Ports of a cluster's one host; nothing is taken when one of them is held by another task. */
function takeHostPorts(turn: SimulatedTurn, task: TaskInFlight) {
  if (!task.sharesHostPorts) return undefined;
  const held = turn.state.hostPorts[task.cluster] ?? {};
  turn.state.hostPorts[task.cluster] = held;
  const asked = definitionsOf(turn, task).flatMap((container) =>
    container.portMappings.map(({ hostPort, containerPort, protocol }) => {
      const port = task.networkMode === 'host' ? containerPort : (hostPort ?? 0);
      return { container: container.name, port, key: `${port}/${protocol}` };
    }),
  );
  const fixed = asked.filter(({ port }) => port !== 0);
  const taken = fixed.find(({ key }) => held[key] !== undefined);
  if (taken === undefined) for (const { key } of fixed) held[key] = task.id;
  return taken;
}

function releaseHostPorts({ state }: SimulatedTurn, task: TaskInFlight): void {
  if (!task.sharesHostPorts) return;
  const held = state.hostPorts[task.cluster] ?? {};
  for (const [key, holder] of Object.entries(held)) if (holder === task.id) delete held[key];
}

/** Starts every container whose dependencies are met; one start may meet another's. */
function startWhatMay(turn: SimulatedTurn, task: TaskInFlight): void {
  const definitions = definitionsOf(turn, task);
  let moved = true;
  while (moved) {
    moved = false;
    for (const container of definitions) {
      if (task.containers[container.name]?.status !== 'waiting') continue;
      const standing = dependenciesOf(container, task.containers, definitions);
      if (standing.state === 'unmet') continue;
      moved = true;
      if (standing.state === 'never') {
        if (!cannotStart(turn, task, container, standing)) return;
      } else if (!startContainer(turn, task, container)) return;
    }
  }
  const waits = Object.values(task.containers).some(({ status }) => status === 'waiting');
  const type = task.isRunning || waits ? 'changed' : 'running';
  if (type === 'running') task.isRunning = true;
  enqueue(turn.state.seen, { type, task: task.id, containers: viewOf(turn, task) });
}

/** Answers false when the task is over. */
function startContainer(
  turn: SimulatedTurn,
  task: TaskInFlight,
  container: ContainerDefinition,
): boolean {
  const image = behaviour(turn, task, container.image);
  const program = [...container.entryPoint, ...container.command][0];
  if (program !== undefined && image.executables?.includes(program) === false) {
    failToStart(turn, task, container.name, noSuchProgramError(program), false);
    return false;
  }
  const inFlight = present(task.containers[container.name], 'a defined container is in flight');
  inFlight.status = 'running';
  inFlight.startedAtMs = turn.nowMs;
  if (container.hasHealthCheck) {
    assume(turn.state, `health check of container ${container.name} passes (not simulated yet)`);
  }
  scheduleEnd(turn, task, container, image);
  if (container.startTimeoutSeconds !== undefined) {
    const at = addMs(turn.nowMs, container.startTimeoutSeconds * 1000);
    const { name } = container;
    pushDue(turn.state.due, at, { type: 'dependency-timeout', task: task.id, container: name });
  }
  return true;
}

/** How the process will end, if it does: of several ends the earliest comes first. */
function scheduleEnd(
  turn: SimulatedTurn,
  task: TaskInFlight,
  container: ContainerDefinition,
  image: ImageBehaviour,
): void {
  const end = (afterMs: number, code: number, outOfMemory: boolean) => {
    const due = { type: 'exit', task: task.id, container: container.name, code, outOfMemory };
    pushDue(turn.state.due, addMs(turn.nowMs, afterMs), due as RuntimeDue);
  };
  if (isForeign(image, task)) return end(0, 1, false);
  if (image.exits !== undefined) end(image.exits.afterMs, image.exits.code, false);
  const limit = container.memoryMebibytes ?? task.memoryMebibytes;
  if (image.memory === undefined || limit === null || image.memory.mebibytes <= limit) return;
  end(image.memory.afterMs, SIGKILL_EXIT_CODE, true);
}

function isForeign({ platforms }: ImageBehaviour, { platform }: TaskInFlight): boolean {
  return platforms !== undefined && !platforms.includes(platform);
}

function exit(
  turn: SimulatedTurn,
  task: TaskInFlight,
  { container: name, code, outOfMemory }: Extract<RuntimeDue, { type: 'exit' }>,
): void {
  const container = task.containers[name];
  if (container?.status !== 'running') return; // it ended otherwise before
  container.status = 'stopped';
  container.exitCode = code;
  container.reason = outOfMemory ? OUT_OF_MEMORY : null;
  const definition = definitionsOf(turn, task).find((one) => one.name === name);
  if (definition?.essential === true) {
    finish(turn, task, { kind: 'essential-exited', container: name, exitCode: code });
  } else {
    startWhatMay(turn, task);
  }
}

/**
 * A dependency that can never be met (6.23): the dependent is STOPPED with the reason; the task
 * goes on without it unless it is essential. Answers false when the task is over.
 */
function cannotStart(
  turn: SimulatedTurn,
  task: TaskInFlight,
  container: ContainerDefinition,
  { dependency, why }: Extract<Standing, { state: 'never' }>,
): boolean {
  return giveUp(turn, task, container, dependencyError(dependency, container.name, why));
}

function giveUp(
  turn: SimulatedTurn,
  task: TaskInFlight,
  { name, essential }: ContainerDefinition,
  error: string,
): boolean {
  const inFlight = present(task.containers[name], 'a defined container is in flight');
  inFlight.exitCode = SIGTERM_EXIT_CODE;
  if (essential) {
    failToStart(turn, task, name, error, false);
    return false;
  }
  inFlight.status = 'stopped';
  inFlight.reason = error;
  return true;
}

/** 6.20: what still waits for a container to complete or become healthy does so no longer. */
function giveUpWaiting(turn: SimulatedTurn, task: TaskInFlight, dependency: string): void {
  if (task.containers[dependency]?.status !== 'running') return;
  for (const container of definitionsOf(turn, task)) {
    if (task.containers[container.name]?.status !== 'waiting') continue;
    const waits = container.dependsOn.some(
      ({ containerName, condition }) => containerName === dependency && condition !== 'START',
    );
    const error = dependencyError(dependency, container.name, 'timed-out');
    if (waits && !giveUp(turn, task, container, error)) return;
  }
  startWhatMay(turn, task);
}

/** 6.14: the reason stands on the one container it belongs to; the others are STOPPED without one. */
function failToStart(
  turn: SimulatedTurn,
  task: TaskInFlight,
  container: string,
  reason: string,
  portTaken: boolean,
): void {
  const inFlight = present(task.containers[container], 'a defined container is in flight');
  inFlight.reason = reason;
  finish(turn, task, { kind: 'failed-to-start', reason, portTaken });
}

function stopOnRequest(turn: SimulatedTurn, id: TaskId): void {
  const task = turn.state.tasks[id];
  if (task !== undefined) finish(turn, task, { kind: 'asked-to-stop' });
}

/** The task is STOPPED: what still ran gets SIGTERM, and its ports are free. */
function finish(turn: SimulatedTurn, task: TaskInFlight, because: StoppedBecause): void {
  for (const container of Object.values(task.containers)) {
    if (container.status === 'running') container.exitCode = SIGTERM_EXIT_CODE;
    container.status = 'stopped';
  }
  releaseHostPorts(turn, task);
  delete turn.state.tasks[task.id];
  const containers = viewOf(turn, task);
  enqueue(turn.state.seen, { type: 'stopped', task: task.id, because, containers });
}

const STATUS = { waiting: 'PENDING', running: 'RUNNING', stopped: 'STOPPED' } as const;

function viewOf(turn: SimulatedTurn, task: TaskInFlight) {
  return definitionsOf(turn, task).map(({ name, image }) => {
    const container = present(task.containers[name], 'a defined container is in flight');
    return {
      name,
      image,
      lastStatus: STATUS[container.status],
      exitCode: container.exitCode,
      reason: container.reason,
      logTail: container.startedAtMs === null ? [] : outputOf(turn, task, image),
    };
  });
}

function outputOf(turn: SimulatedTurn, task: TaskInFlight, image: string): readonly string[] {
  const found = behaviour(turn, task, image);
  return isForeign(found, task) ? ['exec format error'] : found.output;
}
