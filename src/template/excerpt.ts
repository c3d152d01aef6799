import type { SourceSpan } from '../base/index.ts';
import { CUT_BEFORE, LINE_TEXT_MAX } from './lines.ts';

/**
 * The line of a place with a caret under the column, as shown with an error:
 *
 * ```text
 *   12 |       Cluster: !Ref Clutser
 *      |                ^
 * ```
 */
export function excerpt(span: SourceSpan): string {
  const number = String(span.line).padStart(4);
  const caretAt = span.column > LINE_TEXT_MAX ? CUT_BEFORE + 1 : span.column - 1;
  const before = span.lineText.slice(0, caretAt).padEnd(caretAt);
  // Tabs stay tabs, so that the caret stands below its column whatever a tab's width is.
  const indent = before.replace(/[^\t]/g, ' ');
  const text = `${number} | ${printable(span.lineText)}`;
  return `${text}\n${' '.repeat(number.length)} | ${indent}^`;
}

/** A file's control characters must not reach the terminal. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}]/gu, (character) => (character === '\t' ? '\t' : '·'));
}
