import { isObject, type JsonObject, type JsonValue } from '../../base/index.ts';

/** The objects of a list; none where the request holds no list. */
export function list(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function textList(value: JsonValue | undefined): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item) => item !== null && typeof item !== 'object').map(String);
}

export function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

export function number(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** A text with a dynamic reference in it, or with what stands for a NoEcho value: nobody judges it. */
export function isUnresolved(text: string): boolean {
  return text.includes('{{resolve:');
}

/** A text whose value is known; undefined for any other value, and for one that nobody judges. */
export function knownText(value: JsonValue | undefined): string | undefined {
  const known = text(value);
  return known === undefined || isUnresolved(known) ? undefined : known;
}

/** Whether the request sets it: an empty list or text asks for nothing. */
export function isGiven(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== '';
}

/** A member of what may be an object. */
export function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) ? value[name] : undefined;
}
