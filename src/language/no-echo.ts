import { isObject, type JsonValue } from '../base/index.ts';

/** What is shown of a NoEcho parameter (P17). */
export const MASK = '****';

const BEGIN = '{{resolve:noecho:';
const END = '}}';
const MADE = `${BEGIN}made of `;
const PLACEHOLDER = /\{\{resolve:noecho:[^{}]+\}\}/;
const EVERY_PLACEHOLDER = new RegExp(PLACEHOLDER, 'g');

/** The values behind placeholders, in the memory of one command: by the names in them. */
export interface HiddenValues {
  readonly [name: string]: string;
}

/**
 * A text with every placeholder replaced.
 *
 * @param onUnknown - is told the name of what this command was not told, which stays as it is
 */
export function reveal(
  text: string,
  values: HiddenValues,
  onUnknown: (name: string) => void,
): string {
  return text.replace(EVERY_PLACEHOLDER, (placeholder) => {
    const name = placeholder.slice(BEGIN.length, -END.length);
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) onUnknown(name);
    return value ?? placeholder;
  });
}

/**
 * Stands for the value of a NoEcho parameter wherever a value is kept or shown, so that the value
 * itself never gets there (P17). It has the form of a dynamic reference: like one it is a value
 * that nobody knows here, and nobody judges. The stack is part of it, since exports carry it on.
 */
export function hidden(
  owner: string,
  name: string,
  value: string | readonly string[],
): string | readonly string[] {
  if (typeof value === 'string') return `${BEGIN}${owner}/${name}${END}`;
  return value.map((_, index) => `${BEGIN}${owner}/${name}/${index}${END}`);
}

/** What stands behind the placeholders of a parameter that `hidden` made. */
export function hiddenValues(
  owner: string,
  name: string,
  value: string | readonly string[],
): HiddenValues {
  if (typeof value === 'string') return { [`${owner}/${name}`]: value };
  return Object.fromEntries(value.map((item, index) => [`${owner}/${name}/${index}`, item]));
}

/**
 * Stands for the value of an export that a stack of the same command is going to have: it can be
 * split, selected from and put together, and nobody judges it before it is there.
 */
export function exportToCome(name: string): string {
  return `${BEGIN}export ${name.replace(/[{}]/g, '')}${END}`;
}

/**
 * A text made of a hidden one by a function that needs to see it. Its placeholders keep it from
 * being judged, and from being taken for the whole: what it would be is not known here.
 */
export function madeOfHidden(text: string): string {
  return text.replace(EVERY_PLACEHOLDER, (placeholder) =>
    placeholder.startsWith(MADE) ? placeholder : MADE + placeholder.slice(BEGIN.length),
  );
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
