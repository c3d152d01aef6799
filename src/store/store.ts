import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { assert, isObject, UserError } from '../base/index.ts';
import { errnoOf, readIfThere, removeTemporaries, syncFolder, writeAtomically } from './files.ts';
import { type Journal, openJournal } from './journal.ts';
import { type HeldLock, isHeld, type LockRequest, takeLock, type Unlock } from './lock.ts';

/** Raised with every change that an older or newer version could not read. */
const FORMAT_VERSION = 4;

/** Which of the worlds of a state folder: each has a file of its own. */
export type WorldName = 'simulation' | 'docker';
const FILES: Readonly<Record<WorldName, string>> = {
  simulation: 'world.json',
  docker: 'docker.json',
};

/** Worlds and their records in a folder. `W` is plain data: what JSON gives back as it was. */
export interface Store<W> {
  /**
   * A world as of its last commit; undefined where it was never committed. Makes no files.
   *
   * @throws UserError `StateUnreadable` for a file of another format version, or no JSON
   */
  readWorld(name: WorldName): W | undefined;
  /**
   * Saves a world and the records of the operations that led to it, keyed by operation id. The
   * records are on disk before the world that knows of them, and the world changes in one step: a
   * kill at any moment leaves the former world or the new one.
   *
   * @param keepRecords - if given, every other record is removed; those just written always stay
   * @throws UserError `StateLocked` when the lock was taken away; a defect when it was never held
   */
  commit(
    name: WorldName,
    world: W,
    records: { readonly [operationId: string]: unknown },
    keepRecords?: readonly string[],
  ): void;
  /**
   * What was begun outside the folder since the last commit of the world of containers, which ends it.
   */
  readonly journal: Journal;
  /** The record of an operation, or undefined when there is none of that id. Makes no files. */
  readRecord(operationId: string): unknown;
  /** Becomes the one writer, until the answer is called: @see takeLock. */
  lock(request: LockRequest): Promise<Unlock>;
}

/** Opens a state folder, which need not exist: the first `lock` makes it. */
export function openStore<W extends object>(dir: string): Store<W> {
  let held: HeldLock | undefined;
  const journal = openJournal(join(dir, 'docker.journal'));
  return {
    readWorld: (name) => orUnusable(dir, () => readWorld<W>(join(dir, FILES[name]))),
    journal,
    readRecord: (operationId) => orUnusable(dir, () => readRecord(dir, operationId)),
    commit(name, world, records, keepRecords) {
      assert(held !== undefined, 'a commit is made under the lock');
      if (!isHeld(dir, held.token)) throw lockLost(dir);
      orUnusable(dir, () => commit(dir, FILES[name], world, records, keepRecords));
      if (name === 'docker') orUnusable(dir, () => journal.clear());
    },
    async lock(request) {
      const taken = await takeLock(dir, request).catch((error: unknown) => {
        throw unusable(dir, error);
      });
      held = taken;
      return () => {
        if (held === taken) held = undefined;
        taken.unlock();
      };
    },
  };
}

function commit(
  dir: string,
  file: string,
  world: object,
  records: { readonly [operationId: string]: unknown },
  keepRecords: readonly string[] | undefined,
): void {
  const folder = join(dir, 'records');
  mkdirSync(folder, { recursive: true });
  for (const [operationId, record] of Object.entries(records)) {
    writeAtomically(recordPath(dir, operationId), JSON.stringify(record));
  }
  syncFolder(folder);
  writeAtomically(join(dir, file), JSON.stringify({ formatVersion: FORMAT_VERSION, world }));
  syncFolder(dir);

  // From here on nothing needs to outlast a power cut: what is left over goes with the next commit.
  removeTemporaries(dir, /^(world\.json|docker\.json|lock)\./);
  removeTemporaries(folder, /./);
  if (keepRecords === undefined) return;
  const keep = new Set([...keepRecords, ...Object.keys(records)].map((id) => `${id}.json`));
  for (const name of readdirSync(folder)) if (!keep.has(name)) rmSync(join(folder, name));
}

function readWorld<W>(path: string): W | undefined {
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  const content = parse(text, path);
  const version = isObject(content) ? content['formatVersion'] : undefined;
  if (version !== undefined && version !== FORMAT_VERSION) {
    const known = `this version reads ${FORMAT_VERSION}`;
    throw unreadable(`${path} has format version ${JSON.stringify(version)}; ${known}`);
  }
  if (version === undefined || !isObject(content) || !isObject(content['world'])) {
    throw unreadable(`${path} holds no saved world`);
  }
  // Not checked member by member: of this format version nobody but `commit` writes.
  return content['world'] as W;
}

function readRecord(dir: string, operationId: string): unknown {
  if (!isFileName(operationId)) return undefined;
  const path = recordPath(dir, operationId);
  const text = readIfThere(path);
  return text === undefined ? undefined : parse(text, path);
}

function recordPath(dir: string, operationId: string): string {
  assert(isFileName(operationId), 'an operation id can name a file');
  return join(dir, 'records', `${operationId}.json`);
}

function isFileName(operationId: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(operationId);
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable(`${path} is not readable as JSON`, cause);
  }
}

function unreadable(message: string, cause?: unknown): UserError {
  const otherwise = 'name another folder with --state-dir, or delete this one to start empty';
  return new UserError('StateUnreadable', message, {
    hint: `use the version of overcast-cfn that wrote it, ${otherwise}`,
    cause,
  });
}

function orUnusable<T>(dir: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw unusable(dir, error);
  }
}

const OUT_OF_OUR_HANDS = [
  ...['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'],
  ...['ENOTDIR', 'EISDIR', 'EEXIST', 'ENOENT', 'ENAMETOOLONG'],
];

/** What a full disk or a folder without rights causes is the user's to mend; the rest is not. */
function unusable(dir: string, error: unknown): unknown {
  const errno = errnoOf(error);
  if (errno === undefined || !OUT_OF_OUR_HANDS.includes(errno)) return error;
  const why = error instanceof Error ? error.message : errno;
  return new UserError('StateUnreadable', `the state folder ${dir} cannot be used: ${why}`, {
    hint: 'make room or give access to it, or name another folder with --state-dir',
    cause: error,
  });
}

function lockLost(dir: string): UserError {
  return new UserError('StateLocked', `the lock of ${dir} was taken away while this command ran`, {
    hint: 'nothing was saved; run it again, and leave the file "lock" alone while a command runs',
  });
}
