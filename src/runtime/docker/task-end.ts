import { setTimeout as sleep } from 'node:timers/promises';
import type { ContainerDefinition } from '../../aws/ecs/index.ts';
import type { Bench, TaskAtWork } from './bench.ts';
import type { Engine } from './engine.ts';
import { inspectContainer, removeContainer, stopContainer } from './engine-containers.ts';
import { findImage } from './engine-images.ts';
import { lastLines } from './engine-output.ts';
import { everyOf } from './insist.ts';
import { containerName, pauseName } from './labels.ts';
import { notExecutable } from './start-failed.ts';
import type { ContainerEnd, DockerTask, StartFault, TaskNews } from './state.ts';
import { stopWaves } from './stop-waves.ts';
import { isEmulated } from './task-images.ts';
import { definitionOf } from './task-life.ts';

/** Lines of a container's output that are kept when it ends. */
const LOG_LINES_KEPT = 25;
const STOP_TIMEOUT_SECONDS = 30; // 6.9
const KILLED_EXIT_CODE = 137;

/**
 * How a container ended.
 *
 * @param exitCode - what it ended with, as far as known; one that somebody removed was killed
 */
async function endOf(
  engine: Engine,
  name: string,
  exitCode = KILLED_EXIT_CODE,
): Promise<ContainerEnd> {
  const inspected = await inspectContainer(engine, name);
  if (inspected === undefined) return { exitCode, outOfMemory: false, logTail: [] };
  const logTail = await lastLines(engine, name, LOG_LINES_KEPT);
  return { exitCode: inspected.exitCode, outOfMemory: inspected.outOfMemory, logTail };
}

const EXEC_FORMAT = /exec format error/i;

/**
 * The start fault that an end or a refusal really is: its program is for another machine than this
 * one, as the task asks and as it would run in AWS.
 *
 * @param said - what the container printed, or what the engine refused its start with
 */
export async function formatFault(
  { engine, home }: Pick<Bench, 'engine' | 'home'>,
  task: DockerTask,
  container: string,
  said: readonly string[],
): Promise<StartFault | undefined> {
  if (!said.some((text) => EXEC_FORMAT.test(text))) return undefined;
  const made = await inspectContainer(engine, containerName(home, task.order.task, container));
  const platform = made && (await findImage(engine, made.image));
  if (platform === undefined || !isEmulated(task.order, platform, engine.facts)) return undefined;
  return notExecutable(container, definitionOf(task, container).image, platform);
}

/** What is told of a container that ended by itself. @param exitCode - @see endOf */
export async function endNews(
  at: Pick<Bench, 'engine' | 'home'>,
  task: DockerTask,
  container: string,
  exitCode?: number,
): Promise<TaskNews> {
  const id = task.order.task;
  const name = containerName(at.home, id, container);
  const end = await endOf(at.engine, name, exitCode);
  const how = hasLimit(task, container) ? await withCause(at.engine, name, end) : end;
  const fault = await formatFault(at, task, container, how.logTail);
  if (fault !== undefined) return { type: 'start-failed', task: id, ...fault };
  return { type: 'container-ended', task: id, container, ...how };
}

function hasLimit(task: DockerTask, container: string): boolean {
  const { memoryMebibytes = task.order.memoryMebibytes } = definitionOf(task, container);
  return memoryMebibytes !== undefined;
}

/** The engine may say that memory ran out a moment after it has said that the container ended. */
const CAUSE_WAITS_MS = [50, 150, 300];

async function withCause(engine: Engine, name: string, end: ContainerEnd): Promise<ContainerEnd> {
  for (const waitMs of CAUSE_WAITS_MS) {
    if (end.outOfMemory || end.exitCode !== KILLED_EXIT_CODE) return end;
    await sleep(waitMs);
    const outOfMemory = (await inspectContainer(engine, name))?.outOfMemory === true;
    if (outOfMemory) return { ...end, outOfMemory };
  }
  return end;
}

/** Whatever of it still runs is stopped, and all of it is removed. */
export async function endTask(bench: Bench, work: TaskAtWork): Promise<void> {
  const { task, containers } = work.task.order;
  const stopped = await stopAll(bench, work, containers);
  await removeAll(bench, work);
  bench.tell(work.place, { type: 'task-gone', task, stopped });
}

/** 6.22: a container is asked to stop once those that depend on it have stopped. */
async function stopAll(
  bench: Bench,
  work: TaskAtWork,
  containers: readonly ContainerDefinition[],
): Promise<{ readonly [container: string]: ContainerEnd }> {
  const ended: [string, ContainerEnd][] = [];
  for (const wave of stopWaves(containers)) {
    const stops = wave.map(async (definition) => {
      const how = await stopOne(bench, work, definition);
      if (how !== undefined) ended.push([definition.name, how]);
    });
    await everyOf(stops);
  }
  return Object.fromEntries(ended);
}

/** Answers how it ended, if it ran until now. Its start may not have been taken in yet. */
async function stopOne(
  bench: Bench,
  { task, starts, closing }: TaskAtWork,
  { name, stopTimeoutSeconds }: ContainerDefinition,
): Promise<ContainerEnd | undefined> {
  const status = task.containers[name]?.status;
  const isUp = status === 'running' || (status === 'starting' && (await starts.get(name)) === true);
  if (!isUp) return undefined;
  const own = containerName(bench.home, task.order.task, name);
  await stopContainer(bench.engine, own, stopTimeoutSeconds ?? STOP_TIMEOUT_SECONDS, closing);
  return endOf(bench.engine, own);
}

/** The container that holds the network goes last: the others are in it. */
export async function removeAll(
  { engine, home }: Bench,
  { task: { order }, closing }: TaskAtWork,
): Promise<void> {
  const names = order.containers.map(({ name }) => containerName(home, order.task, name));
  await everyOf(names.map((name) => removeContainer(engine, name, closing)));
  if (order.networkMode !== 'awsvpc') return;
  await removeContainer(engine, pauseName(home, order.task), closing);
}
