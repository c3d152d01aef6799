import type { JsonValue, Path } from '../base/index.ts';
import { isObject } from '../base/index.ts';

/**
 * Whether a value is still to be resolved: a function (`Ref` as the only key, or a key `Fn::…`, as
 * a loop has beside other keys), or a text with a dynamic reference in it (D1).
 */
export function isLate(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return value.includes('{{resolve:');
  if (!isObject(value)) return false;
  const keys = Object.keys(value);
  return keys.some((key) => key.startsWith('Fn::') || (key === 'Ref' && keys.length === 1));
}

/** Whether a value is, or holds anywhere, something still to be resolved. */
export function holdsLate(value: JsonValue | undefined): boolean {
  if (isLate(value)) return true;
  if (Array.isArray(value)) return value.some(holdsLate);
  return isObject(value) && Object.values(value).some(holdsLate);
}

/** Whether the value at `path`, or one on the way there, is still to be resolved. */
export function isWithinLate(root: JsonValue, path: Path): boolean {
  let value: JsonValue | undefined = root;
  for (const step of path) {
    if (isLate(value)) return true;
    value = childOf(value, step);
  }
  return isLate(value);
}

export function childOf(
  value: JsonValue | undefined,
  step: string | number,
): JsonValue | undefined {
  if (Array.isArray(value)) return typeof step === 'number' ? value[step] : undefined;
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}
