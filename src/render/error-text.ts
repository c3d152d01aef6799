import type { SourceSpan } from '../base/index.ts';
import { type ColourLevel, createPaint } from './paint.ts';
import { sourceLines } from './source-text.ts';
import { block } from './text.ts';

/** What can be said of a problem the user can fix: `UserError` has these fields. */
export interface ShownError {
  readonly message: string;
  readonly hint: string;
  readonly span?: SourceSpan;
}

/** Message, place and hint of a problem the user can fix; ends with a line break. */
export function errorText({ message, hint, span }: ShownError, colour: ColourLevel): string {
  const paint = createPaint(colour);
  const [first = '', ...more] = block(message, 0, undefined);
  const lines = [
    `${paint.bad('error:')} ${first}`,
    ...more.map((line) => `       ${line}`),
    ...(span === undefined ? [] : sourceLines(span, 2, paint)),
    ...(hint === '' ? [] : [`${paint.faint(' hint:')} ${hint}`]),
  ];
  return `${lines.join('\n')}\n`;
}
