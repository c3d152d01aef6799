import type { SourceSpan } from '../base/index.ts';
import type { Paint } from './paint.ts';
import { plain } from './text.ts';

const LINE_WIDTH_MAX = 100;
const BEFORE_CARET = 60;

export function placeText({ file, line, column }: Omit<SourceSpan, 'lineText'>): string {
  return `${file}:${line}:${column}`;
}

/**
 * A place in the user's file as lines to print: `stack.yml:31:9`, the line itself, and a caret
 * under the column. A long line is shown around the caret.
 */
export function sourceLines(span: SourceSpan, indent: number, paint: Paint): string[] {
  const margin = ' '.repeat(indent);
  const number = String(span.line);
  const { text, caretAt } = excerpt(span);
  const noNumber = ' '.repeat(number.length);
  return [
    `${margin}${placeText(span)}`,
    `${margin}${paint.faint(`${number} |`)} ${text}`,
    `${margin}${paint.faint(`${noNumber} |`)} ${' '.repeat(caretAt)}${paint.bad('^')}`,
  ];
}

function excerpt({ lineText, column }: SourceSpan): { text: string; caretAt: number } {
  // One character for one, so that the caret stays under the column that was counted.
  const whole = plain(lineText.replace(/\t/g, ' ')).trimEnd();
  const from = column > LINE_WIDTH_MAX - 10 ? column - 1 - BEFORE_CARET : 0;
  const shown = whole.slice(from, from + LINE_WIDTH_MAX);
  const head = from > 0 ? '…' : '';
  const tail = whole.length > from + LINE_WIDTH_MAX ? '…' : '';
  return { text: `${head}${shown}${tail}`, caretAt: column - 1 - from + head.length };
}
