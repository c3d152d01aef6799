import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { readIfThere, syncFolder } from './files.ts';

/** A list on disk that only grows, one JSON text in a line, until it is cleared. */
export interface Journal {
  /** The entry has reached the disk when this returns. */
  append(entry: object): void;
  /** Oldest first. A last line that a kill has torn is left out. */
  entries(): readonly unknown[];
  clear(): void;
}

export function openJournal(path: string): Journal {
  return {
    append(entry) {
      const isThere = existsSync(path);
      const file = openSync(path, 'a+');
      try {
        dropTornLine(file);
        writeFileSync(file, `${JSON.stringify(entry)}\n`);
        fsyncSync(file);
        if (!isThere) syncFolder(dirname(path));
      } finally {
        closeSync(file);
      }
    },
    entries() {
      const lines = (readIfThere(path) ?? '').split('\n');
      // What follows the last line break is nothing, or what a kill has left of a line.
      return lines.slice(0, -1).map((line): unknown => JSON.parse(line));
    },
    clear: () => rmSync(path, { force: true }),
  };
}

const LINE_BREAK = 10;

/** What a kill has left of a line goes, or the next entry would be taken for its end. */
function dropTornLine(file: number): void {
  const { size } = fstatSync(file);
  const last = Buffer.alloc(1);
  if (size === 0) return;
  readSync(file, last, 0, 1, size - 1);
  if (last[0] === LINE_BREAK) return;
  ftruncateSync(file, readFileSync(file).lastIndexOf(LINE_BREAK) + 1);
}
