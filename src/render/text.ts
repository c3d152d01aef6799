import { stripVTControlCharacters } from 'node:util';

/** One cell of a table: its text, and the colouring it gets once it is padded. */
export interface Cell {
  readonly text: string;
  readonly colour?: ((text: string) => string) | undefined;
  readonly alignRight?: boolean;
}

/**
 * What a program printed, made safe to show inside our own lines: no escape sequence may move the
 * cursor or change the colour of what follows. Line breaks stay, tabs become two spaces.
 */
export function plain(text: string): string {
  return (
    stripVTControlCharacters(text)
      .replace(/\r\n?/g, '\n')
      .replace(/\t/g, '  ')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to go
      .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '')
  );
}

/** Rows as lines with aligned columns, two spaces apart. The last column is not padded. */
export function alignedLines(rows: readonly (readonly Cell[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.text.length);
    });
  }
  return rows.map((row) => row.map((cell, column) => padded(cell, column, row, widths)).join('  '));
}

function padded(
  cell: Cell,
  column: number,
  row: readonly Cell[],
  widths: readonly number[],
): string {
  const width = widths[column] ?? 0;
  const isLast = column === row.length - 1;
  const left = cell.alignRight ? cell.text.padStart(width) : cell.text;
  const text = isLast ? left : left.padEnd(width);
  return cell.colour === undefined ? text : cell.colour(text);
}

/**
 * Breaks text at spaces so that no line is wider than `width`, each line after `indent` spaces and
 * those that go on with one more `hang`. Without a width only the text's own line breaks count:
 * files and pipes keep a sentence whole.
 */
export function block(text: string, indent: number, width: number | undefined, hang = 0): string[] {
  const room = width === undefined ? Number.POSITIVE_INFINITY : width - indent - hang;
  return plain(text)
    .split('\n')
    .flatMap((line) => broken(line, Math.max(20, room)))
    .map((line, index) => `${' '.repeat(index === 0 ? indent : indent + hang)}${line}`.trimEnd());
}

function broken(line: string, room: number): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > room) {
    const space = rest.lastIndexOf(' ', room);
    // A word that is longer than a line (an ARN, a URL) stays whole, so that it can be copied.
    const end = space > 0 ? space : rest.indexOf(' ', room);
    if (end < 0) break;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end + 1);
  }
  return [...lines, rest];
}

/** Cuts to a width, with `…` where something is missing. */
export function cut(text: string, width: number): string {
  const points = [...text];
  return points.length <= width ? text : `${points.slice(0, Math.max(0, width - 1)).join('')}…`;
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `web:2` of a task definition ARN, the id of a task ARN, the name of a service ARN. */
export function lastPart(arn: string): string {
  return arn.slice(arn.lastIndexOf('/') + 1);
}

/** As people tell tasks apart when they read: the first eight digits of the id. */
export function shortTask(idOrArn: string): string {
  return lastPart(idOrArn).slice(0, 8);
}
