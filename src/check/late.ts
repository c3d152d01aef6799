import type { JsonValue, Path } from '../base/index.ts';
import { isObject } from '../base/index.ts';

/**
 * Whether a value is still to be resolved: a function (`Ref` as the only key, or a key `Fn::…`, as
 * a loop has beside other keys), or a text with a dynamic reference in it (D1).
 */
export function isLate(value: JsonValue | undefined): boolean {
  if (isUnresolvedText(value)) return true;
  if (!isObject(value)) return false;
  const keys = Object.keys(value);
  return keys.some((key) => key.startsWith('Fn::') || (key === 'Ref' && keys.length === 1));
}

/** A text with a dynamic reference in it, or with what stands for a NoEcho value (P17). */
export function isUnresolvedText(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value.includes('{{resolve:');
}

/** Whether a value is unknown. */
export type Unknown = (value: JsonValue | undefined) => boolean;

/** Whether a value is, or holds anywhere, something unknown. */
export function holdsUnknown(value: JsonValue | undefined, isUnknown: Unknown): boolean {
  if (isUnknown(value)) return true;
  const members = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  return members.some((member) => holdsUnknown(member, isUnknown));
}

/** Whether the value at `path`, or one on the way there, is unknown. */
export function isWithinUnknown(root: JsonValue, path: Path, isUnknown: Unknown): boolean {
  let value: JsonValue | undefined = root;
  for (const step of path) {
    if (isUnknown(value)) return true;
    value = childOf(value, step);
  }
  return isUnknown(value);
}

export function childOf(
  value: JsonValue | undefined,
  step: string | number,
): JsonValue | undefined {
  if (Array.isArray(value)) return typeof step === 'number' ? value[step] : undefined;
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}
