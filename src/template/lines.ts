import type { SourceSpan } from '../base/index.ts';

/** A line longer than this is cut for `SourceSpan.lineText`, so that no span carries a whole file. */
export const LINE_TEXT_MAX = 240;

/** Characters kept before and after the place when it lies beyond `LINE_TEXT_MAX`. */
export const CUT_BEFORE = 60;
const CUT_AFTER = 120;

/** Turns offsets into a text into places with line, column and the line itself. */
export interface Lines {
  /** @param offset - UTF-16 units from the start of the text; beyond its end means the end */
  spanAt(offset: number): SourceSpan;
}

export function createLines(text: string, file: string): Lines {
  const starts = lineStarts(text);
  return {
    spanAt(offset) {
      const at = Math.max(0, Math.min(offset, text.length));
      const index = lastNotAbove(starts, at);
      const start = starts[index] ?? 0;
      const next = starts[index + 1] ?? text.length;
      const line = text.slice(start, next).replace(/[\r\n]+$/, '');
      const column = at - start + 1;
      return { file, line: index + 1, column, lineText: cutLine(line, column) };
    },
  };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Index of the greatest start that is not above `offset`. */
function lastNotAbove(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * A long line is cut after `LINE_TEXT_MAX`; if the place lies beyond, a window around it is kept,
 * which begins with `…` and `CUT_BEFORE` characters. `excerpt` relies on this.
 */
function cutLine(line: string, column: number): string {
  if (line.length <= LINE_TEXT_MAX) return line;
  if (column <= LINE_TEXT_MAX) return `${line.slice(0, LINE_TEXT_MAX)}…`;
  return `…${line.slice(column - 1 - CUT_BEFORE, column - 1 + CUT_AFTER)}`;
}
