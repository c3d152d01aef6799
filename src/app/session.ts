import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forgetEnded } from '../aws/ecs/index.ts';
import { type EpochMs, type OperationId, type Place, present, UserError } from '../base/index.ts';
import { findStack } from '../engine/index.ts';
import type { EventRecord } from '../events/index.ts';
import { openRegistry, type Registry } from '../registry/index.ts';
import { forgetUnused } from '../runtime/simulated/index.ts';
import { openStore, type Store, type Unlock } from '../store/index.ts';
import {
  createDockerWorld,
  createWorld,
  isWorld,
  type RuntimeKind,
  type World,
} from '../world/index.ts';
import type { Progress, SettledCommon } from './use-cases.ts';

/** One world, at work in a command that holds the lock from its start to its end. */
export interface Session {
  readonly world: World;
  readonly registry: Registry;
  /** Records to save with the world, by operation. */
  readonly records: { [operation: OperationId]: EventRecord };
  /** Saves the world and the records, atomically. Without it nothing of the session remains. */
  commit(): void;
  /** Saves the world as it stands in the middle of a command, and records that it has not saved yet. */
  save(): void;
}

/** The worlds of a state folder, for one command. */
export interface Desk {
  readonly stateDir: string;
  readonly journal: Store<World>['journal'];
  session(kind: RuntimeKind): Session;
  /** The world that has a stack of this name; undefined: there is none. */
  sessionOf(place: Place, stackName: string): Session | undefined;
  /** Every world that is there. */
  readonly worlds: readonly World[];
}

const KINDS: readonly RuntimeKind[] = ['simulation', 'docker'];

/** Runs `work` as the one writer of the state folder; the lock is let go whatever happens. */
export async function withDesk<T>(
  options: SettledCommon & Progress,
  command: string,
  work: (desk: Desk) => Promise<T>,
): Promise<T> {
  const { stateDir } = options;
  const store = openStore<World>(stateDir);
  const unlock = await takeLock(store, command, options);
  try {
    return await work(openDesk(store, stateDir));
  } finally {
    unlock();
  }
}

/** Takes the lock of a state folder, and says so where it has to wait. */
export function takeLock(
  store: Store<World>,
  command: string,
  { lockTimeoutMs, note }: Pick<SettledCommon, 'lockTimeoutMs'> & Pick<Progress, 'note'>,
): Promise<Unlock> {
  return store.lock({
    command,
    timeoutMs: lockTimeoutMs,
    onWait: ({ command, pid }) => note?.(`waiting for ${command} (process ${pid}) to finish`),
  });
}

/** The worlds of the last commits that are there. @throws UserError `StateUnreadable` */
export function savedWorlds(store: Store<World>): readonly World[] {
  return KINDS.flatMap((kind) => savedWorld(store, kind) ?? []);
}

function savedWorld(store: Store<World>, kind: RuntimeKind): World | undefined {
  const world = store.readWorld(kind);
  if (world === undefined || isWorld(world)) return world;
  throw new UserError(
    'StateUnreadable',
    'the state folder holds something that is no saved world',
    {
      hint: 'name another folder with --state-dir, or delete this one to start empty',
    },
  );
}

function openDesk(store: Store<World>, stateDir: string): Desk {
  const worlds = [...savedWorlds(store)];
  const sessions = new Map<RuntimeKind, Session>();
  const session = (kind: RuntimeKind): Session => {
    const known = sessions.get(kind);
    if (known !== undefined) return known;
    let world = worlds.find((one) => one.kind === kind);
    if (world === undefined) {
      world = newWorld(kind);
      worlds.push(world);
    }
    const opened = openSession(store, world, worlds);
    sessions.set(kind, opened);
    return opened;
  };
  return {
    stateDir,
    journal: store.journal,
    session,
    worlds,
    sessionOf(place, stackName) {
      const holds = ({ engine }: World) => findStack(engine, place, stackName) !== undefined;
      const world = worlds.find(holds);
      return world === undefined ? undefined : session(world.kind);
    },
  };
}

function newWorld(kind: RuntimeKind): World {
  if (kind === 'simulation') return createWorld();
  return createDockerWorld(randomUUID(), Date.now() as EpochMs);
}

function openSession(store: Store<World>, world: World, worlds: readonly World[]): Session {
  const records: Session['records'] = {};
  const saved = new Set<string>();
  const unsaved = () => Object.entries(records).filter(([id]) => !saved.has(id));
  return {
    world,
    registry: sharedRegistry(),
    records,
    commit() {
      forgetDeleted(world);
      const stacks = worlds.flatMap(({ engine }) => Object.values(engine.stacks));
      const kept = stacks.flatMap(({ operations }) => operations.map(({ id }) => id));
      store.commit(world.kind, world, records, kept);
    },
    save() {
      const now = unsaved();
      store.commit(world.kind, world, Object.fromEntries(now));
      for (const [id] of now) saved.add(id);
    },
  };
}

/** Deleted stacks stay readable by their id, the newest of them. */
const DELETED_KEPT_MAX = 5;

function forgetDeleted({ engine, settings, accounts, simulated }: World): void {
  const deleted = Object.values(engine.stacks).filter(({ deletedAtMs }) => deletedAtMs !== null);
  for (const { stackId } of deleted.slice(0, -DELETED_KEPT_MAX)) {
    delete engine.stacks[stackId];
    delete settings[stackId];
  }
  for (const { ecs } of Object.values(accounts)) forgetEnded(ecs);
  for (const runtime of Object.values(simulated)) forgetUnused(runtime);
}

let registry: Registry | undefined;

/** The schema pack is a read-only file: one reader serves the whole process. */
export function sharedRegistry(): Registry {
  registry ??= openRegistry(packageRoot());
  return registry;
}

/** The nearest folder upwards that holds `package.json`; bundled or not, it is this package's. */
function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    folder = present(parent === folder ? undefined : parent, 'the package holds package.json');
  }
  return folder;
}
