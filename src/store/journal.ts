import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { readIfThere } from './files.ts';

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
      const file = openSync(path, 'a');
      try {
        writeSync(file, `${JSON.stringify(entry)}\n`);
        fsyncSync(file);
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
