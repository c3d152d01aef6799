import { isObject, type JsonObject, type JsonValue } from '../base/index.ts';
import type { Column } from './columns.ts';
import { type ColourLevel, createPaint, type Paint, statusColour } from './paint.ts';
import { alignedLines, type Cell, plain } from './text.ts';

/**
 * Items of a reading command as a table with aligned columns and a heading. A column that no item
 * fills is left out.
 */
export function listingText(
  items: readonly JsonObject[],
  columns: readonly Column[],
  colour: ColourLevel,
): string {
  if (items.length === 0) return '';
  const paint = createPaint(colour);
  const texts = items.map((item) => columns.map(({ value }) => oneLine(value(item))));
  const filled = columns.map((_, index) => texts.some((row) => (row[index] ?? '') !== ''));
  const heading = columns.map(({ title, alignRight }) => ({
    text: title,
    alignRight: alignRight === true,
    colour: paint.faint,
  }));
  const rows = texts.map((row) => row.map((text, index) => cell(text, columns[index], paint)));
  const kept = [heading, ...rows].map((row) => row.filter((_, index) => filled[index]));
  return `${alignedLines(kept)
    .map((line) => line.trimEnd())
    .join('\n')}\n`;
}

function cell(text: string, column: Column | undefined, paint: Paint): Cell {
  return {
    text,
    alignRight: column?.alignRight === true,
    colour: column?.isStatus === true && text !== '' ? statusColour(text, paint) : undefined,
  };
}

function oneLine(text: string): string {
  return plain(text).replace(/\n/g, ' ');
}

/** One item with all its fields, one per line; what lies deeper is indented. */
export function detailText(item: JsonObject): string {
  return `${objectLines(item).join('\n')}\n`;
}

function objectLines(object: JsonObject): string[] {
  const fields = Object.entries(object).filter(([, value]) => !isEmpty(value));
  const width = Math.max(0, ...fields.filter(([, value]) => isFlat(value)).map(([k]) => k.length));
  return fields.flatMap(([key, value]) =>
    isFlat(value)
      ? [`${key.padEnd(width)}  ${oneLine(String(value))}`]
      : [key, ...nestedLines(value).map((line) => `  ${line}`)],
  );
}

function nestedLines(value: JsonValue): string[] {
  if (isObject(value)) return objectLines(value);
  if (!Array.isArray(value)) return [oneLine(String(value))];
  return value.flatMap((item) => {
    const [first = '', ...more] = nestedLines(item);
    return [`- ${first}`, ...more.map((line) => `  ${line}`)];
  });
}

function isFlat(value: JsonValue): boolean {
  return value === null || typeof value !== 'object';
}

function isEmpty(value: JsonValue): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** What containers printed; with more than one container each line says whose it is. */
export function logsText(items: readonly JsonObject[], colour: ColourLevel): string {
  const paint = createPaint(colour);
  const sources = new Set(items.map(logSource));
  return items
    .flatMap((item) => {
      const lines = String(item['text'] ?? '')
        .replace(/\n$/, '')
        .split('\n');
      const prefix = sources.size > 1 ? `${paint.faint(`${logSource(item)} |`)} ` : '';
      return lines.map((line) => `${prefix}${line}\n`);
    })
    .join('');
}

function logSource({ taskArn, container }: JsonObject): string {
  const id = String(taskArn ?? '');
  return `${id.slice(id.lastIndexOf('/') + 1).slice(0, 8)} ${String(container ?? '')}`;
}
