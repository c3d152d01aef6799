import type { JsonObject, JsonValue } from '../base/index.ts';
import { assert, isObject, seedNumber } from '../base/index.ts';
import type { TypeFacts } from './type-facts.ts';

/**
 * Attributes of a custom resource are any key of its answer's `Data`, and of a nested stack any
 * output of its template: facts list these as `*` and `Outputs.*`.
 */
const ANY_NAME = /(^|\.)\*$/;

/**
 * What `Ref` answers for a resource: its physical id. The parts of `facts.ref`, joined with `|`;
 * a part the model does not have is left out (the event bus of a rule on the default bus).
 */
export function physicalIdOf(facts: TypeFacts, model: JsonObject): string {
  return joined(facts, facts.ref, model);
}

/** What `read`, `delete` and `list` know a resource by; equal to Ref for most types. */
export function primaryIdentifierOf(facts: TypeFacts, model: JsonObject): string {
  return joined(facts, facts.primaryIdentifier, model);
}

/**
 * What `Fn::GetAtt` answers; dots lead into nested properties, and every property of the model may
 * be asked for, as on AWS.
 *
 * A custom resource answers from `Data` of its model, its handler's answer; without one, as after
 * the generic provider, any name answers a made-up text.
 *
 * @returns undefined when the model has no such value
 */
export function attributeOf(
  facts: TypeFacts,
  model: JsonObject,
  attribute: string,
): JsonValue | undefined {
  if (attribute.startsWith('Outputs.') && facts.attributes.includes('Outputs.*')) {
    if (isObject(model['Outputs'])) return valueAt(model, attribute);
    return madeUp(nameOfNested(model), attribute.slice('Outputs.'.length));
  }
  if (!facts.attributes.includes('*')) return valueAt(model, attribute);
  const { Data: data, LogicalResourceId: logicalId } = model;
  if (isObject(data))
    return Object.hasOwn(data, attribute) ? data[attribute] : valueAt(data, attribute);
  return typeof logicalId === 'string' ? madeUp(logicalId, attribute) : undefined;
}

/**
 * `<LogicalId>-<attribute>`; a number where the name says one, since a text in the place of a
 * number would be refused. Ports and priorities lie in the range both may have.
 */
function madeUp(logicalId: string, attribute: string): string {
  const text = `${logicalId}-${attribute}`;
  if (/(Port|Priority)\d*$/.test(attribute)) return String(1024 + (seedNumber(text) % 48_000));
  return /(Count|Number|Size|Seconds|Minutes)\d*$/.test(attribute) ? '1' : text;
}

/** What tells one nested stack's made-up outputs from another's. */
function nameOfNested({ StackId: stackId }: JsonObject): string {
  return typeof stackId === 'string' ? (stackId.split('/').at(-2) ?? stackId) : 'nested';
}

/**
 * Names `Fn::GetAtt` may ask for, as F11 checks them: the attributes, and the properties, which were
 * seen to answer too (section 6, SNS::Topic). Undefined: any name may be asked for.
 */
export function attributeNames({ attributes, schema }: TypeFacts): readonly string[] | undefined {
  if (attributes.some((name) => ANY_NAME.test(name))) return undefined;
  const properties = isObject(schema['properties']) ? Object.keys(schema['properties']) : [];
  return [...new Set([...attributes, ...properties])];
}

function joined(facts: TypeFacts, parts: readonly string[], model: JsonObject): string {
  const texts = parts.map((path) => valueAt(model, path)).filter((value) => value !== undefined);
  assert(texts.length > 0, `a model of ${facts.typeName} has an identifier`);
  return texts
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join('|');
}

/** The value at a dotted path; undefined when there is none. */
export function valueAt(model: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = model;
  for (const step of path.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}
