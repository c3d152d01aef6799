import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forgetEnded } from '../aws/ecs/index.ts';
import { type OperationId, present, UserError } from '../base/index.ts';
import type { EventRecord } from '../events/index.ts';
import { openRegistry, type Registry } from '../registry/index.ts';
import { forgetUnused } from '../runtime/simulated/index.ts';
import { openStore, type Store } from '../store/index.ts';
import { createWorld, isWorld, type World } from '../world/index.ts';
import type { Progress, SettledCommon } from './use-cases.ts';

/** One command that may change the world: it holds the lock from its start to its end. */
export interface Session {
  readonly world: World;
  readonly registry: Registry;
  /** Records to save with the world, by operation. */
  readonly records: { [operation: OperationId]: EventRecord };
  /** Saves the world and the records, atomically. Without it nothing of the session remains. */
  commit(): void;
}

/** Runs `work` as the one writer of the state folder; the lock is let go whatever happens. */
export async function withSession<T>(
  { stateDir, lockTimeoutMs, note }: SettledCommon & Progress,
  command: string,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const store = openStore<World>(stateDir);
  const unlock = await store.lock({
    command,
    timeoutMs: lockTimeoutMs,
    onWait: (holder) => note?.(`waiting for ${holder.command} (process ${holder.pid}) to finish`),
  });
  try {
    const session = openSession(store);
    return await work(session);
  } finally {
    unlock();
  }
}

/** The world of the last commit, or a new one. @throws UserError `StateUnreadable` */
export function savedWorld(store: Store<World>): World {
  const world = store.readWorld() ?? createWorld();
  if (isWorld(world)) return world;
  throw new UserError(
    'StateUnreadable',
    'the state folder holds something that is no saved world',
    {
      hint: 'name another folder with --state-dir, or delete this one to start empty',
    },
  );
}

function openSession(store: Store<World>): Session {
  const world = savedWorld(store);
  const records: Session['records'] = {};
  return {
    world,
    registry: sharedRegistry(),
    records,
    commit() {
      forgetDeleted(world);
      const stacks = Object.values(world.engine.stacks);
      const kept = stacks.flatMap(({ operations }) => operations.map(({ id }) => id));
      store.commit(world, records, kept);
    },
  };
}

/** Deleted stacks stay readable by their id, the newest of them. */
const DELETED_KEPT_MAX = 5;

function forgetDeleted({ engine, settings, accounts, runtimes }: World): void {
  const deleted = Object.values(engine.stacks).filter(({ deletedAtMs }) => deletedAtMs !== null);
  for (const { stackId } of deleted.slice(0, -DELETED_KEPT_MAX)) {
    delete engine.stacks[stackId];
    delete settings[stackId];
  }
  for (const { ecs } of Object.values(accounts)) forgetEnded(ecs);
  for (const runtime of Object.values(runtimes)) forgetUnused(runtime);
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
