import { assertNever, type PlaceKey, type TaskId } from '../../base/index.ts';
import type { Bench, TaskAtWork } from './bench.ts';
import { inspectContainer, listContainers, removeContainer } from './engine-containers.ts';
import { type SeenEnd, watchEnds } from './engine-events.ts';
import { faultOf, isUnusable } from './faults.ts';
import { everyOf } from './insist.ts';
import { containerName, LABEL, pauseName } from './labels.ts';
import { networkGone, StartFailed } from './start-failed.ts';
import type { DockerTask, Effect } from './state.ts';
import { endNews, endTask } from './task-end.ts';
import { followOutput, prepare, startContainer } from './task-work.ts';

/** Carries out effects at the engine, and tells what comes of them and what happens by itself. */
export interface Driver {
  perform(place: PlaceKey, effect: Effect, task: DockerTask): void;
  /** Watches tasks that an earlier command left; ends that nobody saw are told. */
  adopt(place: PlaceKey, tasks: readonly DockerTask[]): Promise<void>;
  /** Removes containers of this state folder whose task is not among these, those begun included. */
  removeUnknown(tasks: ReadonlySet<TaskId>, begun: readonly string[]): Promise<void>;
  /** Whether work is under way outside. */
  isBusy(): boolean;
  /** The engine is left as it is; nothing more is told. */
  close(): void;
}

/** Nothing is told any more of an engine that is lost, or left as it is. */
export async function createDriver(given: Bench): Promise<Driver> {
  let state: 'open' | 'lost' | 'closed' = 'open';
  const bench: Bench = {
    ...given,
    tell(place, news) {
      if (state === 'open') given.tell(place, news);
    },
  };
  const works = new Map<TaskId, TaskAtWork>();
  const closing = new AbortController();
  let stopWatching: () => void = () => undefined;
  await watch();

  return {
    perform(place, effect, task) {
      const work = workOn(place, task);
      track(work, carryOut(work, effect));
    },
    async adopt(place, tasks) {
      for (const task of tasks) {
        const work = workOn(place, task);
        await seeEnds(work);
        for (const [container, { status }] of Object.entries(task.containers)) {
          if (status === 'running') await followOutput(bench, work, container, false);
        }
      }
    },
    async removeUnknown(tasks, begun) {
      const found = await listContainers(bench.engine, bench.home.id);
      const known = found.filter(({ labels }) => tasks.has(labels[LABEL.task] as TaskId));
      const names = new Set([...found.map(({ name }) => name), ...begun]);
      for (const { name } of known) names.delete(name);
      const { signal } = closing;
      await everyOf([...names].map((name) => removeContainer(bench.engine, name, signal)));
    },
    isBusy: () => [...works.values()].some(({ pending }) => pending.size > 0),
    close() {
      state = 'closed';
      closing.abort();
      stopWatching();
    },
  };

  function workOn(place: PlaceKey, task: DockerTask): TaskAtWork {
    const id = task.order.task;
    const known = works.get(id);
    if (known !== undefined) return known;
    const work: TaskAtWork = {
      ...{ place, task, pending: new Set(), starts: new Map(), ending: new AbortController() },
      ...{ closing: closing.signal, refused: [] },
      others: () => [...works.values()].filter((one) => one !== work),
    };
    works.set(id, work);
    return work;
  }

  function carryOut(work: TaskAtWork, effect: Effect): Promise<void> {
    switch (effect.type) {
      case 'prepare':
        return prepare(bench, work, effect.anew);
      case 'start-container': {
        const start = startContainer(bench, work, effect.container);
        const succeeds = start.then(
          () => true,
          () => false, // told where it is tracked
        );
        work.starts.set(effect.container, succeeds);
        return start;
      }
      case 'end':
        return end(work);
      default:
        return assertNever(effect);
    }
  }

  /** What is under way for the task comes to its end first, so that nothing is made behind it. */
  async function end(work: TaskAtWork): Promise<void> {
    const others = [...work.pending];
    work.ending.abort();
    await Promise.all(others); // none of them fails: that is told where it is tracked
    await endTask(bench, work);
    works.delete(work.task.order.task);
  }

  function track(work: TaskAtWork, doing: Promise<void>): void {
    const { place, task, pending } = work;
    const tracked = doing
      .catch((error: unknown) => {
        if (error instanceof StartFailed) {
          bench.tell(place, { type: 'start-failed', task: task.order.task, ...error.fault });
        } else fail(error);
      })
      .finally(() => pending.delete(tracked));
    pending.add(tracked);
  }

  function fail(error: unknown): void {
    if (state !== 'open') return; // what was cut off is no news
    if (!isUnusable(error)) return bench.onDefect(error);
    state = 'lost';
    bench.onLost(faultOf(error).message);
  }

  async function watch(): Promise<void> {
    stopWatching = await watchEnds(bench.engine, bench.home.id, {
      onEnd(labels, end) {
        const work = works.get(labels[LABEL.task] as TaskId);
        const container = labels[LABEL.container] ?? '';
        if (work === undefined) return;
        track(work, container === '' ? tellNetwork(work) : tellEnd(work, container, end));
      },
      onClosed: () => void watchAgain().catch(fail),
    });
    if (closing.signal.aborted) stopWatching(); // it closed while the engine was asked
  }

  /** The stream of events broke: the engine is gone, or ends between two streams were missed. */
  async function watchAgain(): Promise<void> {
    if (state !== 'open') return;
    await bench.engine.docker.ping();
    await watch();
    for (const work of works.values()) await seeEnds(work);
  }

  /**
   * Tells the ends of containers that are thought to run, or were started and do not. Where one has
   * ended, its end is the news, and not that of the interface it had.
   */
  async function seeEnds(work: TaskAtWork): Promise<void> {
    let hasEnded = false;
    for (const [container, { status }] of Object.entries(work.task.containers)) {
      const isStarting = status === 'starting' && work.starts.has(container);
      if (isStarting) track(work, tellEnd(work, container)); // its start is awaited there
      if (status !== 'running') continue;
      const own = containerName(bench.home, work.task.order.task, container);
      const now = await inspectContainer(bench.engine, own);
      if (now?.isRunning === true) continue;
      hasEnded = true;
      track(work, tellEnd(work, container));
    }
    if (!hasEnded) track(work, tellNetwork(work));
  }

  /** The interface of a task that is up has nobody to hold it any more. */
  async function tellNetwork(work: TaskAtWork): Promise<void> {
    const { order, phase } = work.task;
    const [first] = order.containers;
    if (order.networkMode !== 'awsvpc' || phase !== 'up' || first === undefined) return;
    const holder = await inspectContainer(bench.engine, pauseName(bench.home, order.task));
    if (holder?.isRunning === true || work.ending.signal.aborted) return;
    bench.tell(work.place, { type: 'start-failed', task: order.task, ...networkGone(first.name) });
  }

  /** An end is told after its start; a task that is ending tells of all its containers itself. */
  async function tellEnd(work: TaskAtWork, container: string, seen?: SeenEnd): Promise<void> {
    const hasStarted = await work.starts.get(container); // undefined: by an earlier command
    if (hasStarted === false || work.ending.signal.aborted) return;
    const own = containerName(bench.home, work.task.order.task, container);
    const now = await inspectContainer(bench.engine, own);
    // What ended may be one that was removed to make room for this one.
    const isAnother = now !== undefined && (now.isRunning || (seen?.id ?? now.id) !== now.id);
    if (isAnother) return;
    bench.tell(work.place, await endNews(bench, work.task, container, seen?.exitCode));
  }
}
