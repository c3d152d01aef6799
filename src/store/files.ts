import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** `world.json.4711.tmp`: what a writer with that pid has not finished, or never will. */
const TEMPORARY = /\.\d+\.tmp$/;

/** The text of a file, or undefined when there is none. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Puts `text` at `path`; a reader, or a kill at any moment, finds the old or the new whole. */
export function writeAtomically(path: string, text: string): void {
  const temporary = temporaryBeside(path);
  writeSynced(temporary, text);
  renameSync(temporary, path);
}

export function temporaryBeside(path: string): string {
  return join(dirname(path), `${basename(path)}.${process.pid}.tmp`);
}

function writeSynced(path: string, text: string): void {
  const file = openSync(path, 'w');
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes the renames and removals in a folder outlast a power cut. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return; // opening a folder is refused there
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Removes what writers that were killed left half-written. Only for whoever holds the lock. */
export function removeTemporaries(folder: string, of: RegExp): void {
  for (const name of readdirSync(folder)) {
    if (TEMPORARY.test(name) && of.test(name)) rmSync(join(folder, name), { force: true });
  }
}

/**
 * Makes the state folder where there is none, with a `.gitignore` that keeps all of it out of
 * version control. A folder the user made is left as it is: its `.gitignore` is the user's.
 */
export function makeStateFolder(dir: string): void {
  if (mkdirSync(dir, { recursive: true }) === undefined) return;
  writeFileSync(join(dir, '.gitignore'), '*\n');
}

export function isErrno(error: unknown, code: string): boolean {
  return errnoOf(error) === code;
}

/** The system's code of a failed file operation, such as `ENOENT`; undefined for other errors. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
