import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, UserError } from '../base/index.ts';
import { isErrno, makeStateFolder, readIfThere, temporaryBeside } from './files.ts';
import { hasEnded, type ProcessIdentity, thisProcess } from './process-identity.ts';

/** Who works on a state folder, as its file `lock` says. */
export interface LockHolder extends ProcessIdentity {
  readonly command: string; // `deploy stack.yml`
  readonly since: string; // RFC 3339, of the system's clock
  /** Told apart from every other lock ever taken. */
  readonly token: string;
}

export interface LockRequest {
  /** What is to be shown to those who have to wait. */
  readonly command: string;
  /** Wall time; 0 takes the lock now or not at all. */
  readonly timeoutMs: number;
  /** Called once, when there is somebody to wait for. */
  onWait?(holder: LockHolder): void;
}

/** Gives the lock back. Calling it again does nothing. */
export type Unlock = () => void;

/** A lock as it is held by this process. */
export interface HeldLock {
  readonly token: string;
  readonly unlock: Unlock;
}

const POLL_MS = 50;
/** A file without a readable holder this old was left by a writer that was killed at once. */
const ABANDONED_MS = 2_000;

/**
 * Takes the lock of a state folder, which is made if need be. A lock whose owner has ended is taken
 * over; behind a living owner the call waits.
 *
 * @throws UserError `StateLocked` when the owner still holds it after `timeoutMs`
 */
export async function takeLock(dir: string, request: LockRequest): Promise<HeldLock> {
  makeStateFolder(dir);
  const path = join(dir, 'lock');
  const startedMs = performance.now();
  let told = false;
  for (;;) {
    const mine = newHolder(request.command);
    if (createExclusively(path, mine) || takeOver(path, mine)) return heldLock(path, mine.token);
    const holder = readHolder(path);
    const leftMs = startedMs + request.timeoutMs - performance.now();
    if (leftMs <= 0) throw stillLocked(path, holder);
    if (holder !== undefined && !told) {
      request.onWait?.(holder);
      told = true;
    }
    await sleep(Math.min(POLL_MS, leftMs));
  }
}

/** Whether the lock with this token is still there; somebody may have removed the file by hand. */
export function isHeld(dir: string, token: string): boolean {
  return readHolder(join(dir, 'lock'))?.token === token;
}

function newHolder(command: string): LockHolder {
  const since = new Date().toISOString();
  return { ...thisProcess(), command, since, token: randomUUID() };
}

function heldLock(path: string, token: string): HeldLock {
  const unlock = () => {
    if (readHolder(path)?.token === token) rmSync(path, { force: true });
  };
  return { token, unlock };
}

function createExclusively(path: string, content: LockHolder): boolean {
  try {
    writeFileSync(path, JSON.stringify(content), { flag: 'wx' });
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    throw error;
  }
}

/**
 * Replaces the lock of an owner that has ended.
 *
 * Two commands may find the same dead owner; if both renamed, the second would take away the lock
 * of the first. So a lock is only ever replaced under `lock.claim`, by a command that finds the
 * owner still the dead one after it got the claim: nobody else removes such a lock.
 */
function takeOver(path: string, mine: LockHolder): boolean {
  if (!isAbandoned(path)) return false;
  const claim = `${path}.claim`;
  if (isAbandoned(claim)) rmSync(claim, { force: true });
  if (!createExclusively(claim, mine)) return false;
  try {
    if (!isAbandoned(path)) return false;
    const temporary = temporaryBeside(path);
    writeFileSync(temporary, JSON.stringify(mine));
    renameSync(temporary, path);
    return true;
  } finally {
    rmSync(claim, { force: true });
  }
}

function isAbandoned(path: string): boolean {
  const holder = readHolder(path);
  if (holder !== undefined) return hasEnded(holder);
  // No file at all, or one whose writer is between creating and filling it, or was killed there.
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > ABANDONED_MS;
}

function readHolder(path: string): LockHolder | undefined {
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  try {
    const content: unknown = JSON.parse(text);
    return isHolder(content) ? content : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined; // not filled yet
    throw error;
  }
}

function isHolder(value: unknown): value is LockHolder {
  if (!isObject(value)) return false;
  const { pid, startTime } = value;
  const texts = [value['host'], value['command'], value['since'], value['token']];
  return (
    typeof pid === 'number' &&
    (startTime === null || typeof startTime === 'string') &&
    texts.every((text) => typeof text === 'string')
  );
}

function stillLocked(path: string, holder: LockHolder | undefined): UserError {
  const who =
    holder === undefined
      ? 'another command'
      : `"${holder.command}" (pid ${holder.pid} on ${holder.host}, since ${holder.since})`;
  const gone = `if that command is gone, delete ${path}`;
  return new UserError('StateLocked', `the state folder is in use by ${who}`, {
    hint: `wait longer with --lock-timeout, use another --state-dir, or, ${gone}`,
  });
}
