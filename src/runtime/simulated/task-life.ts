import type { ContainerDefinition, StoppedBecause } from '../../aws/ecs/index.ts';
import { addMs, enqueue, present, pushDue } from '../../base/index.ts';
import type { ContainerView } from '../../events/index.ts';
import type { ImageBehaviour } from '../../scenario/index.ts';
import { dependenciesOf, dependencyError, OUT_OF_MEMORY, type Standing } from '../task/index.ts';
import { scheduleHealth } from './container-health.ts';
import { releaseHostPorts, takeHostPorts } from './host-ports.ts';
import { behaviourFor, isForeign, outputOf, pull } from './images.ts';
import type { ContainerInFlight, RuntimeDue, TaskInFlight } from './state.ts';
import { noSuchProgramError, portTakenError, pullError } from './texts.ts';
import { definitionsOf, type SimulatedTurn } from './turn.ts';

const SIGTERM_EXIT_CODE = 143;
const SIGKILL_EXIT_CODE = 137;
const STATUS = { waiting: 'PENDING', running: 'RUNNING', stopped: 'STOPPED' } as const;

/** Every image is pulled, the host's ports are taken, and what depends on nothing starts. */
export function begin(turn: SimulatedTurn, task: TaskInFlight): void {
  for (const container of definitionsOf(turn, task)) {
    const answer = pull(turn, task, container);
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

/** Starts every container whose dependencies are met; one start may meet another's. */
export function startWhatMay(turn: SimulatedTurn, task: TaskInFlight): void {
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
  const image = behaviourFor(turn, task, container);
  const program = [...container.entryPoint, ...container.command][0];
  if (program !== undefined && image.executables?.includes(program) === false) {
    failToStart(turn, task, container.name, noSuchProgramError(program), false);
    return false;
  }
  const inFlight = present(task.containers[container.name], 'a defined container is in flight');
  inFlight.status = 'running';
  inFlight.startedAtMs ??= turn.nowMs;
  inFlight.restartedAtMs = turn.nowMs;
  inFlight.starts += 1;
  inFlight.healthStatus = 'UNKNOWN';
  scheduleEnd(turn, task, container, image);
  scheduleHealth(turn, task, container, inFlight);
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
  const { name: named } = container;
  const start = task.containers[named]?.starts ?? 0;
  const end = (afterMs: number, code: number, outOfMemory: boolean) => {
    const due = { type: 'exit', task: task.id, container: named, start, code, outOfMemory };
    pushDue(turn.state.due, addMs(turn.nowMs, afterMs), due as RuntimeDue);
  };
  if (isForeign(image, task)) return end(0, 1, false);
  if (image.exits !== undefined) end(image.exits.afterMs, image.exits.code, false);
  const limit = container.memoryMebibytes ?? task.memoryMebibytes;
  if (image.memory === undefined || limit === null || image.memory.mebibytes <= limit) return;
  end(image.memory.afterMs, SIGKILL_EXIT_CODE, true);
}

export function exit(
  turn: SimulatedTurn,
  task: TaskInFlight,
  { container: name, start, code, outOfMemory }: Extract<RuntimeDue, { type: 'exit' }>,
): void {
  const container = task.containers[name];
  if (container?.status !== 'running' || container.starts !== start) return; // it ended before
  const definition = definitionsOf(turn, task).find((one) => one.name === name);
  if (definition !== undefined && restarts(turn, definition, container, code)) {
    if (!startContainer(turn, task, definition)) return;
    enqueue(turn.state.seen, { type: 'changed', task: task.id, containers: viewOf(turn, task) });
    return;
  }
  container.status = 'stopped';
  container.exitCode = code;
  container.reason = outOfMemory ? OUT_OF_MEMORY : null;
  if (definition?.essential === true) {
    finish(turn, task, { kind: 'essential-exited', container: name, exitCode: code });
  } else {
    startWhatMay(turn, task);
  }
}

/** 6.41: a restart policy starts it again, but not twice within its period. */
function restarts(
  { nowMs }: SimulatedTurn,
  { restartPolicy }: ContainerDefinition,
  { restartedAtMs }: ContainerInFlight,
  code: number,
): boolean {
  if (restartPolicy === undefined || restartedAtMs === null) return false;
  const { ignoredExitCodes, attemptPeriodMs } = restartPolicy;
  return !ignoredExitCodes.includes(code) && nowMs - restartedAtMs >= attemptPeriodMs;
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
export function giveUpWaiting(turn: SimulatedTurn, task: TaskInFlight, dependency: string): void {
  if (task.containers[dependency]?.status !== 'running') return;
  const waiting = definitionsOf(turn, task).filter(
    ({ name, dependsOn }) =>
      task.containers[name]?.status === 'waiting' &&
      dependsOn.some((one) => one.containerName === dependency && one.condition !== 'START'),
  );
  if (waiting.length === 0) return;
  for (const container of waiting) {
    const error = dependencyError(dependency, container.name, 'timed-out');
    if (!giveUp(turn, task, container, error)) return;
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

/** The task ends: what still ran gets SIGTERM, and its ports are free. STOPPED once its interface is gone. */
export function finish(turn: SimulatedTurn, task: TaskInFlight, because: StoppedBecause): void {
  task.because = because;
  for (const container of Object.values(task.containers)) {
    if (container.status === 'running') container.exitCode = SIGTERM_EXIT_CODE;
    container.status = 'stopped';
  }
  releaseHostPorts(turn, task);
  const { deprovisioningMs } = task.times;
  if (deprovisioningMs === 0) return gone(turn, task);
  const containers = viewOf(turn, task);
  enqueue(turn.state.seen, { type: 'ending', task: task.id, because, containers });
  pushDue(turn.state.due, addMs(turn.nowMs, deprovisioningMs), { type: 'gone', task: task.id });
}

/** The task is STOPPED. */
export function gone(turn: SimulatedTurn, task: TaskInFlight): void {
  const because = present(task.because, 'a task that is gone has ended');
  delete turn.state.tasks[task.id];
  const containers = viewOf(turn, task);
  enqueue(turn.state.seen, { type: 'stopped', task: task.id, because, containers });
}

export function viewOf(turn: SimulatedTurn, task: TaskInFlight) {
  return definitionsOf(turn, task).map((definition) => {
    const { name, image } = definition;
    const container = present(task.containers[name], 'a defined container is in flight');
    return {
      name,
      image,
      lastStatus: STATUS[container.status],
      exitCode: container.exitCode,
      reason: container.reason,
      logTail: container.startedAtMs === null ? [] : outputOf(turn, task, definition),
      ...healthView(turn, task, definition),
    };
  });
}

/** What its check says; what that printed is shown once it has failed. */
function healthView(
  turn: SimulatedTurn,
  task: TaskInFlight,
  definition: ContainerDefinition,
): Pick<ContainerView, 'healthStatus' | 'healthOutput'> {
  const healthStatus = task.containers[definition.name]?.healthStatus;
  if (definition.healthCheck === undefined || healthStatus === undefined) return {};
  if (healthStatus !== 'UNHEALTHY') return { healthStatus };
  const { healthcheckOutput: healthOutput } = behaviourFor(turn, task, definition);
  return { healthStatus, ...(healthOutput === undefined ? {} : { healthOutput }) };
}
