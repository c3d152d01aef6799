import { observeTasks, PRESETS } from '../aws/ecs/index.ts';
import { type EpochMs, type PlaceKey, type TaskId, UserError } from '../base/index.ts';
import {
  connect,
  containerName,
  createDockerRuntime,
  type DockerTask,
  type Engine,
  endNews,
  engineUnavailable,
  type Home,
  inspectContainer,
  isUnusable,
  lastLines,
  stepDockerRuntime,
  type TaskNews,
} from '../runtime/docker/index.ts';
import type { World } from '../world/index.ts';
import { homeOf, tasksIn } from './containers.ts';
import { dockerTurn, ecsContext } from './parts.ts';

/** Lines shown of a container that runs; of one that has ended, what was kept. */
const LOG_LINES_SHOWN = 1_000;

export interface LiveOptions {
  readonly stateDir: string;
  /** Whether to fetch what containers print. */
  readonly withOutput: boolean;
  note?(text: string): void;
}

/**
 * Brings a world of containers that was read, not to be saved again, up to what the engine says: tasks
 * whose containers ended since are STOPPED. Nothing is started, stopped or removed.
 */
export async function seeContainers(world: World, options: LiveOptions): Promise<void> {
  if (tasksIn(world).size === 0) return;
  const engine = await connectOrSay(options);
  if (engine === undefined) return;
  world.nowMs = Math.max(world.nowMs, Date.now()) as EpochMs;
  try {
    await bringUpToNow(world, engine, options);
  } catch (error) {
    if (!isUnusable(error)) throw error;
    sayStale(options, engineUnavailable(engine.address, error));
  }
}

async function bringUpToNow(world: World, engine: Engine, options: LiveOptions): Promise<void> {
  const home = homeOf(world, options.stateDir);
  for (const key of Object.keys(world.docker) as PlaceKey[]) {
    const tasks = Object.values(world.docker[key]?.tasks ?? {});
    const news = await Promise.all(tasks.map((task) => endsOf(engine, home, task)));
    takeIn(world, key, news.flat());
    if (options.withOutput) await fetchOutput(world, key, engine, home);
  }
}

async function connectOrSay(options: LiveOptions): Promise<Engine | undefined> {
  try {
    return await connect(process.env);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    sayStale(options, error);
    return undefined;
  }
}

function sayStale({ note }: LiveOptions, { message }: UserError): void {
  note?.(`${message}: tasks are shown as the last command left them`);
}

/** Ends that nobody saw, of containers that are thought to run. */
async function endsOf(engine: Engine, home: Home, task: DockerTask): Promise<TaskNews[]> {
  const id = task.order.task;
  const running = Object.entries(task.containers).filter(([, { status }]) => status === 'running');
  const news = await Promise.all(
    running.map(async ([container]): Promise<TaskNews[]> => {
      const name = containerName(home, id, container);
      if ((await inspectContainer(engine, name))?.isRunning === true) return [];
      return [await endNews({ engine, home }, task, container)];
    }),
  );
  return news.flat();
}

function takeIn(world: World, key: PlaceKey, news: readonly TaskNews[]): void {
  const over = new Set<TaskId>();
  const turn = dockerTurn(world, key, (effect) => {
    if (effect.type === 'end') over.add(effect.task);
  });
  stepDockerRuntime(turn, news);
  const gone = [...over].map((task) => ({ type: 'task-gone' as const, task, stopped: {} }));
  stepDockerRuntime(turn, gone);
  const ecs = ecsContext(world, key);
  const runtime = createDockerRuntime(turn);
  observeTasks({ ...ecs, runtime, targets: undefined, rulesOf: ({ timing }) => PRESETS[timing] });
}

async function fetchOutput(world: World, key: PlaceKey, engine: Engine, home: Home) {
  const { tasks } = ecsContext(world, key).state;
  await Promise.all(
    Object.values(tasks).map(async (task) => {
      task.containers = await Promise.all(
        task.containers.map(async (container) => {
          if (container.lastStatus !== 'RUNNING') return container;
          const name = containerName(home, task.id, container.name);
          return { ...container, logTail: await lastLines(engine, name, LOG_LINES_SHOWN) };
        }),
      );
    }),
  );
}
