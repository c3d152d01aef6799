import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OperationId, present } from '../base/index.ts';
import type { EventRecord } from '../events/index.ts';
import { openRegistry, type Registry } from '../registry/index.ts';
import { openStore, type Store } from '../store/index.ts';
import { createWorld, type World } from '../world/index.ts';
import { redact } from './redact.ts';
import type { Progress, SettledCommon } from './use-cases.ts';

/** One command that may change the world: it holds the lock from its start to its end. */
export interface Session {
  readonly world: World;
  readonly registry: Registry;
  /** Records to save with the world, by operation. */
  readonly records: { [operation: OperationId]: EventRecord };
  /** Texts that must not be seen outside this process. */
  readonly secrets: Set<string>;
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

function openSession(store: Store<World>): Session {
  const world = store.readWorld() ?? createWorld();
  const records: Session['records'] = {};
  const secrets = new Set<string>();
  return {
    world,
    registry: sharedRegistry(),
    records,
    secrets,
    commit() {
      forgetDeleted(world);
      const stacks = Object.values(world.engine.stacks);
      const kept = stacks.flatMap(({ operations }) => operations.map(({ id }) => id));
      store.commit(redact(world, secrets), redact(records, secrets), kept);
    },
  };
}

/** Deleted stacks stay readable by their id, the newest of them. */
const DELETED_KEPT_MAX = 20;

function forgetDeleted({ engine, settings }: World): void {
  const deleted = Object.values(engine.stacks).filter(({ deletedAtMs }) => deletedAtMs !== null);
  for (const { stackId } of deleted.slice(0, -DELETED_KEPT_MAX)) {
    delete engine.stacks[stackId];
    delete settings[stackId];
  }
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
