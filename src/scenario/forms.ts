import {
  isObject,
  type JsonObject,
  type JsonValue,
  nearest,
  type Path,
  parseDurationMs,
  type SourceSpan,
  UserError,
} from '../base/index.ts';

/** A value of a scenario file, and the way to its place in the text. */
export interface Spot {
  readonly value: JsonValue;
  readonly path: Path;
  readonly locate: (path: Path) => SourceSpan;
}

/** Checks a value and answers what it means; throws `InvalidScenario` at its place otherwise. */
export type Form<T> = (spot: Spot) => T;

export function invalid({ path, locate }: Spot, says: string, hint: string): UserError {
  return new UserError('InvalidScenario', `${nameOf(path)} ${says}`, { hint, span: locate(path) });
}

/** `images["web:1"].exits.after` */
function nameOf(path: Path): string {
  const plain = (step: string | number) => /^[A-Za-z_]\w*$/.test(String(step));
  const steps = path.map((step) => {
    if (typeof step === 'number') return `[${step}]`;
    return plain(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
  });
  return path.length === 0 ? 'a scenario' : steps.join('').replace(/^\./, '');
}

function kindOf(value: JsonValue): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'a mapping';
  return typeof value === 'string' ? `the text "${value}"` : `the ${typeof value} ${value}`;
}

function wrongKind(spot: Spot, wanted: string, hint: string): UserError {
  return invalid(spot, `must be ${wanted}, and is ${kindOf(spot.value)}`, hint);
}

export const text: Form<string> = (spot) => {
  const { value } = spot;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') {
    throw wrongKind(spot, 'text', `put it in quotes: '${value}'`);
  }
  throw wrongKind(spot, 'text', 'write one value in quotes');
};

/** Text of a certain shape; `example` shows it in the hint. */
export function textLike(pattern: RegExp, noun: string, example: string): Form<string> {
  return (spot) => {
    const value = text(spot);
    if (pattern.test(value)) return value;
    throw invalid(spot, `must be ${noun}, and is "${value}"`, `write it like ${example}`);
  };
}

export function oneOf<T extends string>(...words: readonly T[]): Form<T> {
  return (spot) => {
    const found = words.find((word) => word === spot.value);
    if (found !== undefined) return found;
    const meant = typeof spot.value === 'string' ? nearest(spot.value, words) : undefined;
    const hint = meant === undefined ? `write ${words.join(' or ')}` : `did you mean "${meant}"?`;
    throw wrongKind(spot, `one of ${words.join(', ')}`, hint);
  };
}

export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): Form<number> {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return (spot) => {
    const { value } = spot;
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) {
      return value;
    }
    throw wrongKind(spot, `a whole number ${range}`, `write a number such as ${Math.max(min, 1)}`);
  };
}

/** `90s`, `500ms`, `1h30m`, `PT5M`, or 0; answers whole milliseconds. */
export const durationMs: Form<number> = (spot) => {
  const { value } = spot;
  if (value === 0) return 0;
  if (typeof value === 'number') {
    throw wrongKind(spot, 'a duration', `give the unit: ${value}s, or ${value}ms`);
  }
  const ms = typeof value === 'string' ? parseDurationMs(value) : undefined;
  if (ms !== undefined) return Math.round(ms);
  throw wrongKind(spot, 'a duration', 'write it like 500ms, 90s or 1h30m');
};

const MEBIBYTES_IN = { KiB: 1 / 1_024, MiB: 1, GiB: 1_024, TiB: 1_048_576 } as const;

/** `64MiB`, `1.5GiB`; answers mebibytes. A bare number is refused: it could mean bytes or MiB. */
export const mebibytes: Form<number> = (spot) => {
  const { value } = spot;
  const unit = (['KiB', 'MiB', 'GiB', 'TiB'] as const).find(
    (name) => typeof value === 'string' && value.endsWith(name),
  );
  const amount = typeof value === 'string' && unit !== undefined ? value.slice(0, -3).trim() : '';
  if (unit !== undefined && /^\d+(\.\d+)?$/.test(amount))
    return Number(amount) * MEBIBYTES_IN[unit];
  const bare = /^(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?$/i.exec(String(value));
  const meant = bare && `${bare[1]}${bare[2]?.toUpperCase() || 'M'}iB`;
  throw wrongKind(
    spot,
    'a size of memory',
    meant ? `write ${meant}` : 'write it like 64MiB or 1GiB',
  );
};

export function listOf<T>(item: Form<T>): Form<readonly T[]> {
  return (spot) => itemsOf(spot).map(item);
}

/** The items of a list. */
export function itemsOf(spot: Spot): readonly Spot[] {
  const { value, path } = spot;
  if (Array.isArray(value)) {
    return value.map((item, index) => ({ ...spot, value: item, path: [...path, index] }));
  }
  const scalar = value !== null && !isObject(value);
  throw wrongKind(spot, 'a list', scalar ? `write a list: [${value}]` : 'write [] for none');
}

/** The members of a mapping by name, in the order of the file. */
export function membersOf(spot: Spot): readonly (readonly [string, Spot])[] {
  return Object.entries(mappingAt(spot)).map(([key, value]) => [
    key,
    { ...spot, value, path: [...spot.path, key] },
  ]);
}

export function mapOf<T>(member: Form<T>): Form<{ readonly [key: string]: T }> {
  return (spot) => Object.fromEntries(membersOf(spot).map(([key, at]) => [key, member(at)]));
}

/** A mapping that may hold these keys and no others. */
export function shape(
  forms: { readonly [key: string]: Form<unknown> },
  required: readonly string[] = [],
): Form<void> {
  return (spot) => {
    for (const [key, at] of membersOf(spot)) {
      if (!Object.hasOwn(forms, key)) throw unknownKey(spot, at, key, Object.keys(forms));
      forms[key]?.(at);
    }
    const missing = required.find((key) => !Object.hasOwn(mappingAt(spot), key));
    if (missing === undefined) return;
    throw invalid(spot, `has no "${missing}"`, `add the key "${missing}"`);
  };
}

function unknownKey(within: Spot, at: Spot, key: string, known: readonly string[]): UserError {
  const meant = nearest(key, known);
  return new UserError('InvalidScenario', `unknown key "${key}" in ${nameOf(within.path)}`, {
    hint: meant === undefined ? `known keys: ${known.join(', ')}` : `did you mean "${meant}"?`,
    span: at.locate(at.path),
  });
}

/** What a key of a mapping means, or undefined where the mapping does not have it. */
export function member<T>(spot: Spot, key: string, form: Form<T>): T | undefined {
  const found = membersOf(spot).find(([name]) => name === key);
  return found && form(found[1]);
}

function mappingAt(spot: Spot): JsonObject {
  if (isObject(spot.value)) return spot.value;
  throw wrongKind(spot, 'a mapping', 'write {} where there is nothing to say');
}
