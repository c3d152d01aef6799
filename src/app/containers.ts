import { resolve } from 'node:path';
import { isObject, type PlaceKey, present, type TaskId } from '../base/index.ts';
import {
  type Bench,
  connect,
  createDriver,
  type DockerRuntimeState,
  type DockerTask,
  type DockerTurn,
  type Driver,
  engineUnavailable,
  type Home,
  isUnusable,
  type JournalEntry,
  resumeTasks,
  type ValueSource,
} from '../runtime/docker/index.ts';
import type { World } from '../world/index.ts';
import type { Inbox } from './inbox.ts';
import { dockerTurn } from './parts.ts';
import { sayPulls } from './pull-notes.ts';
import type { Desk, Session } from './session.ts';
import type { Progress } from './use-cases.ts';

type Effect = Parameters<DockerTurn['ask']>[0];

/** The engine's side of a world of containers, in one command. */
export interface Containers {
  readonly driver: Driver;
  /** Why the engine is not there any more; undefined while it is. */
  lost: string | undefined;
  /** Work outside, to begin once the round is over. */
  ask(place: PlaceKey, effect: Effect): void;
  hasAsked(): boolean;
  begin(place: PlaceKey, state: DockerRuntimeState): void;
}

/**
 * Connects to the engine and takes up what an earlier command left: its tasks are watched again, and
 * what no task knows is removed, such as containers of a command that was killed.
 *
 * @throws UserError `EngineUnavailable`
 */
export async function openContainers(
  desk: Desk,
  session: Session,
  inbox: Inbox,
  values: ValueSource,
  progress: Progress,
): Promise<Containers> {
  const { world } = session;
  const engine = await connect(process.env);
  const bench: Bench = {
    engine,
    home: homeOf(world, desk.stateDir),
    values,
    journal: (entry) => desk.journal.append(entry),
    tell: (place, news) => inbox.write({ type: 'task', place, news }),
    onLost: (why) => inbox.write({ type: 'engine-lost', why }),
    onDefect: (error) => inbox.write({ type: 'defect', error }),
    onPull: sayPulls(progress),
    ...(progress.output === undefined ? {} : { onOutput: progress.output }),
  };
  const begun = tasksInJournal(desk);
  let driver: Driver | undefined;
  try {
    driver = await createDriver(bench);
    const containers = withDriver(driver);
    await takeUp(world, containers, begun);
    session.save(); // from here on the journal tells of this command alone
    return containers;
  } catch (error) {
    driver?.close(); // what it watches would keep the command from its end
    throw isUnusable(error) ? engineUnavailable(engine.address, error) : error;
  }
}

/** What the containers of a world carry, to be told apart. */
export function homeOf({ home }: World, stateDir: string): Home {
  return { id: present(home, 'a world of containers has a home'), folder: resolve(stateDir) };
}

function withDriver(driver: Driver): Containers {
  let asked: { readonly place: PlaceKey; readonly effect: Effect }[] = [];
  return {
    driver,
    lost: undefined,
    ask: (place, effect) => asked.push({ place, effect }),
    hasAsked: () => asked.length > 0,
    begin(place, { tasks }) {
      const mine = asked.filter((one) => one.place === place);
      asked = asked.filter((one) => one.place !== place);
      for (const { effect } of mine) {
        driver.perform(place, effect, present(tasks[effect.task], 'work is for a task in flight'));
      }
    },
  };
}

async function takeUp(world: World, containers: Containers, begun: readonly string[]) {
  const { driver } = containers;
  await driver.removeUnknown(tasksIn(world), begun);
  for (const [key, state] of Object.entries(world.docker) as [PlaceKey, DockerRuntimeState][]) {
    const turn = dockerTurn(world, key, (effect) => containers.ask(key, effect));
    resumeTasks(turn);
    await driver.adopt(key, Object.values(state.tasks).filter(isUp));
  }
}

function isUp({ phase }: DockerTask): boolean {
  return phase === 'up';
}

/** Every task that a world of containers knows. */
export function tasksIn({ docker }: World): ReadonlySet<TaskId> {
  return new Set(Object.values(docker).flatMap(({ tasks }) => Object.keys(tasks) as TaskId[]));
}

/** Containers that a command which did not come to its end was about to make. */
function tasksInJournal({ journal }: Desk): readonly string[] {
  return journal.entries().flatMap((entry) => {
    const { container } = isObject(entry) ? (entry as Partial<JournalEntry>) : {};
    return typeof container === 'string' ? [container] : [];
  });
}
