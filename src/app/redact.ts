import type { JsonValue } from '../base/index.ts';
import type { StackModel } from '../language/index.ts';

/** Stands where a secret stood, as CloudFormation shows NoEcho parameters (P17). */
const MASK = '****';
/** A shorter secret is masked only where it stands alone: inside other text it is too common. */
const INSIDE_MIN = 4;

/** The texts of a model that must not be seen: values of its NoEcho parameters. */
export function secretsOf({ parameters }: StackModel): readonly string[] {
  return Object.values(parameters).flatMap(({ noEcho, value }) => {
    if (!noEcho) return [];
    return typeof value === 'string' ? [value] : [value.join(','), ...value];
  });
}

/**
 * A copy of plain data in which no secret can be read, for whatever leaves the process: the state,
 * the records, results and progress. Container output stays as it was printed.
 */
export function redact<T>(data: T, secrets: ReadonlySet<string>): T {
  const known = [...secrets].filter((secret) => secret !== '' && secret !== MASK);
  if (known.length === 0) return data;
  // The longest first, so that one which holds another goes as a whole.
  known.sort((a, b) => b.length - a.length);
  const mask = (text: string): string => {
    if (known.includes(text)) return MASK;
    const inside = known.filter((secret) => secret.length >= INSIDE_MIN);
    return inside.reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
  };
  return masked(data as JsonValue, mask) as T;
}

function masked(value: JsonValue, mask: (text: string) => string): JsonValue {
  if (typeof value === 'string') return mask(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => masked(item, mask));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === 'logTail' ? member : masked(member, mask),
    ]),
  );
}
