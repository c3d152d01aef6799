import { isObject, type JsonValue } from '../base/index.ts';

/** What is shown of a NoEcho parameter (P17). */
export const MASK = '****';

const PLACEHOLDER = /\{\{resolve:noecho:[^{}]+\}\}/;
const EVERY_PLACEHOLDER = new RegExp(PLACEHOLDER, 'g');

/**
 * Stands for the value of a NoEcho parameter wherever a value is kept or shown, so that the value
 * itself never gets there (P17). It has the form of a dynamic reference: like one it is a value
 * that nobody knows here, and nobody judges.
 */
export function hidden(
  name: string,
  value: string | readonly string[],
): string | readonly string[] {
  const placeholder = `{{resolve:noecho:${name}}}`;
  return typeof value === 'string' ? placeholder : value.map(() => placeholder);
}

/**
 * Stands for the value of an export that a stack of the same command is going to have: it can be
 * split, selected from and put together, and nobody judges it before it is there.
 */
export function exportToCome(name: string): string {
  return `{{resolve:noecho:export ${name.replace(/[{}]/g, '')}}}`;
}

/** The first placeholder in a value; undefined where everything is known. */
export function placeholderIn(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return PLACEHOLDER.exec(value)?.[0];
  if (!Array.isArray(value)) return undefined;
  for (const item of value) {
    const found = placeholderIn(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Splits a text at a delimiter, but never inside a placeholder, whose own colons and braces are no
 * part of the value it stands for.
 */
export function splitOutside(text: string, delimiter: string): string[] {
  const known = text.split(EVERY_PLACEHOLDER);
  const placeholders = text.match(EVERY_PLACEHOLDER) ?? [];
  const parts = known[0]?.split(delimiter) ?? [];
  placeholders.forEach((placeholder, index) => {
    const [first = '', ...more] = known[index + 1]?.split(delimiter) ?? [];
    parts.push(`${parts.pop() ?? ''}${placeholder}${first}`, ...more);
  });
  return parts;
}

/** A text as it may be shown: `****` for each placeholder of a NoEcho value (P17). */
export function maskNoEcho(text: string): string {
  return text.replace(EVERY_PLACEHOLDER, MASK);
}

/** A copy of plain data in which every text, keys included, is as it may be shown. */
export function maskNoEchoIn<T>(data: T): T {
  return masked(data as JsonValue) as T;
}

function masked(value: JsonValue): JsonValue {
  if (typeof value === 'string') return maskNoEcho(value);
  if (Array.isArray(value)) return value.map(masked);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [maskNoEcho(key), masked(member)]);
  return Object.fromEntries(members);
}
