import type { JsonObject, JsonValue, LogicalId, Path } from '../base/index.ts';
import { isObject } from '../base/index.ts';
import type { SchemaError, TypeFacts } from '../registry/index.ts';
import { schemaErrors } from '../registry/index.ts';
import { coerceProperties } from './coerce.ts';
import {
  childOf,
  holdsUnknown,
  isLate,
  isUnresolvedText,
  isWithinUnknown,
  type Unknown,
} from './late.ts';
import type { Violation } from './violation.ts';
import { violationOf } from './violation.ts';

/** What came of a check. */
export interface Checked {
  /** Coerced (F29), without read-only properties and, for a lenient type, without unknown ones. */
  readonly properties: JsonObject;
  /** In the order of the schema's walk (R22). Of a lenient type also what is only warned of. */
  readonly violations: readonly Violation[];
  /** Where a value was left out because nobody knows it here and the type has no text. */
  readonly leftOut: readonly Path[];
}

/**
 * Checks resolved properties against their type, as CloudFormation does before it calls a handler.
 *
 * Read-only properties are left out without a word (R13): which message AWS has for them is not
 * established, and the handler sets them anyway.
 *
 * A text with a dynamic reference or a NoEcho value in it is judged by nobody. Where the type has no
 * text it is left out, so that no handler meets a text for a number: its default counts, which
 * whoever goes on with the properties has to say.
 */
export function checkProperties(facts: TypeFacts, given: JsonObject): Checked {
  const { properties, violations, unjudged } = check(facts, given, isUnresolvedText);
  const unfit = unjudged.filter(({ keyword }) => keyword === 'type' || keyword === 'anyOf');
  const paths = unfit
    .map(({ path }) => path)
    .filter((path) => isUnresolvedText(path.reduce<JsonValue | undefined>(childOf, properties)));
  // The last first, so that what is left out of a list moves none that is still to go.
  return { properties: withoutPaths(properties, paths.toReversed()), violations, leftOut: paths };
}

/**
 * The same before anything exists: what holds a function still to be resolved is not judged, and
 * its presence satisfies `required`.
 */
export function checkStatic(facts: TypeFacts, properties: JsonObject): Omit<Checked, 'leftOut'> {
  const { properties: coerced, violations } = check(facts, properties, isLate);
  return { properties: coerced, violations };
}

function check(
  facts: TypeFacts,
  given: JsonObject,
  isUnknown: Unknown,
): Omit<Checked, 'leftOut'> & { readonly unjudged: readonly Violation[] } {
  const properties = coerceProperties(facts, withoutPaths(given, facts.readOnly.map(dotted)));
  const violations: Violation[] = [];
  const unjudged: Violation[] = [];
  for (const error of anyOfOnce(schemaErrors(facts, properties))) {
    const violation = violationOf(error, properties, facts.schema);
    (isJudged(violation, properties, isUnknown) ? violations : unjudged).push(violation);
  }
  if (facts.lenient !== true) return { properties, violations, unjudged };
  const unknown = violations.filter(isExtraneous).map(({ path }) => path);
  return { properties: withoutPaths(properties, unknown), violations, unjudged };
}

/** Keywords that judge a value by all it holds, so that one late part leaves them open. */
const JUDGES_THE_WHOLE = new Set(['anyOf', 'minItems', 'maxItems', 'uniqueItems']);

function isJudged(
  { keyword, path }: Violation,
  properties: JsonObject,
  isUnknown: Unknown,
): boolean {
  if (isWithinUnknown(properties, path, isUnknown)) return false;
  const value = path.reduce<JsonValue | undefined>(childOf, properties);
  return !(JUDGES_THE_WHOLE.has(keyword) && holdsUnknown(value, isUnknown));
}

/** A failed `anyOf` comes after the errors of all its alternatives: it alone is kept. */
function anyOfOnce(errors: readonly SchemaError[]): readonly SchemaError[] {
  return errors.filter((error, index) => {
    const later = errors.slice(index + 1);
    return !later.some((anyOf) => anyOf.keyword === 'anyOf' && isAtOrBelow(error, anyOf));
  });
}

function isAtOrBelow({ instancePath }: SchemaError, { instancePath: top }: SchemaError): boolean {
  return instancePath === top || instancePath.startsWith(`${top}/`);
}

function dotted(name: string): Path {
  return name.split('.');
}

function isExtraneous({ keyword }: Violation): boolean {
  return keyword === 'additionalProperties';
}

function withoutPaths(properties: JsonObject, paths: readonly Path[]): JsonObject {
  return paths.reduce<JsonObject>((rest, path) => {
    const copy = without(rest, path);
    return isObject(copy) ? copy : rest;
  }, properties);
}

/** A copy without what lies at the path; the value itself when nothing does. */
function without(value: JsonValue, [step, ...rest]: Path): JsonValue {
  const child = step === undefined ? undefined : childOf(value, step);
  if (step === undefined || child === undefined) return value;
  if (Array.isArray(value)) {
    if (rest.length === 0) return value.filter((_, index) => index !== step);
    return value.map((item, index) => (index === step ? without(item, rest) : item));
  }
  if (!isObject(value)) return value;
  if (rest.length > 0) return { ...value, [step]: without(child, rest) };
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== step));
}

/**
 * The reason with which a resource fails before its handler is called (R20); undefined when it
 * does not. Unknown keys of a lenient type are no failure (R23).
 */
export function propertyFailure(
  logicalId: LogicalId,
  facts: TypeFacts,
  violations: readonly Violation[],
): string | undefined {
  const fatal = facts.lenient ? violations.filter((found) => !isExtraneous(found)) : violations;
  if (fatal.length === 0) return undefined;
  const intro = `Properties validation failed for resource ${logicalId} with message:`;
  return [intro, ...fatal.map(({ message }) => message)].join('\n');
}

/** What CloudFormation logs of unknown keys it ignores (R23); undefined when there are none. */
export function propertyWarning(
  logicalId: LogicalId,
  facts: TypeFacts,
  violations: readonly Violation[],
): string | undefined {
  const ignored = facts.lenient ? violations.filter(isExtraneous) : [];
  if (ignored.length === 0) return undefined;
  return (
    `Resource template validation failed for resource ${logicalId} as the template has invalid ` +
    'properties. Please refer to the resource documentation to fix the template. ' +
    `Properties validation failed for resource ${logicalId} with message: ` +
    ignored.map(({ message }) => message).join('\n')
  );
}
