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
      const end = endOfLine(text, start, starts[index + 1]);
      return {
        file,
        line: index + 1,
        column: at - start + 1,
        lineText: cutLine(text, start, end, at),
      };
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

/** Where the line's text ends, its line break (LF or CRLF) left out. */
function endOfLine(text: string, start: number, next: number | undefined): number {
  if (next === undefined) return text.length;
  return next - 2 >= start && text[next - 2] === '\r' ? next - 2 : next - 1;
}

/**
 * A long line is cut after `LINE_TEXT_MAX`; if the place lies beyond, a window around it is kept,
 * which begins with `…` and `CUT_BEFORE` characters. `excerpt` relies on this.
 */
function cutLine(text: string, start: number, end: number, at: number): string {
  if (end - start <= LINE_TEXT_MAX) return text.slice(start, end);
  if (at - start < LINE_TEXT_MAX) return `${text.slice(start, start + LINE_TEXT_MAX)}…`;
  return `…${text.slice(at - CUT_BEFORE, Math.min(at + CUT_AFTER, end))}`;
}
