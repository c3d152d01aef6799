import type { JsonObject, JsonValue } from '../base/index.ts';
import { isObject } from '../base/index.ts';
import type { TypeFacts } from '../registry/index.ts';
import { isLate } from './late.ts';

/**
 * Properties as CloudFormation hands them to a handler (F29): texts become booleans and numbers,
 * and scalars become texts, where the schema has that type; the JSON text of a free-form property
 * becomes what it says. A single value is not wrapped into a list. What does not fit stays as it
 * is, to be found by validation; functions still to be resolved stay too.
 */
export function coerceProperties({ schema }: TypeFacts, properties: JsonObject): JsonObject {
  const definitions = isObject(schema['definitions']) ? schema['definitions'] : {};
  return coerceMembers(properties, schema, definitions);
}

function coerce(value: JsonValue, schema: JsonObject, definitions: JsonObject): JsonValue {
  if (isLate(value)) return value;
  const target = resolve(schema, definitions);
  const alternatives = target['anyOf'];
  if (Array.isArray(alternatives)) {
    return coerceToAny(value, alternatives.filter(isObject), definitions);
  }
  if (Object.keys(target).length === 0) return fromJsonText(value);
  if (Array.isArray(value)) {
    const items = isObject(target['items']) ? target['items'] : undefined;
    return items === undefined ? value : value.map((item) => coerce(item, items, definitions));
  }
  return isObject(value)
    ? coerceMembers(value, target, definitions)
    : coerceScalar(value, target['type']);
}

function coerceMembers(value: JsonObject, schema: JsonObject, definitions: JsonObject): JsonObject {
  const { properties, additionalProperties } = schema;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const own = isObject(properties) && Object.hasOwn(properties, name);
      const memberSchema = own ? properties[name] : additionalProperties;
      return [name, isObject(memberSchema) ? coerce(member, memberSchema, definitions) : member];
    }),
  );
}

/** To the first alternative of the value's own kind, else to the first that it can become. */
function coerceToAny(
  value: JsonValue,
  alternatives: readonly JsonObject[],
  definitions: JsonObject,
): JsonValue {
  const resolved = alternatives.map((alternative) => resolve(alternative, definitions));
  const fitting = resolved.find((schema) => isOfKind(value, schema));
  if (fitting !== undefined) return coerce(value, fitting, definitions);
  for (const schema of resolved) {
    const coerced = coerce(value, schema, definitions);
    if (coerced !== value) return coerced;
  }
  return value;
}

function isOfKind(value: JsonValue, schema: JsonObject): boolean {
  const { type, properties } = schema;
  if (Array.isArray(value)) return type === 'array';
  if (isObject(value)) {
    if (type !== 'object' || !isObject(properties)) return type === 'object';
    return Object.keys(value).every((key) => Object.hasOwn(properties, key));
  }
  if (type === 'integer') return Number.isInteger(value);
  return type === typeof value;
}

function coerceScalar(
  value: string | number | boolean | null,
  type: JsonValue | undefined,
): JsonValue {
  if (value === null) return value;
  const text = String(value);
  if (type === 'string') return text;
  if (typeof value !== 'string') return value;
  if (type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  if (type === 'integer' && /^\s*[+-]?\d+\s*$/.test(text)) return Number(text);
  if (type === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  return value;
}

function fromJsonText(value: JsonValue): JsonValue {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    const parsed: JsonValue = JSON.parse(value);
    return parsed;
  } catch {
    return value; // a text that only looks like JSON: the service judges it, not CloudFormation
  }
}

function resolve(schema: JsonObject, definitions: JsonObject): JsonObject {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  const definition = definitions[reference.slice('#/definitions/'.length)];
  return isObject(definition) ? definition : schema;
}
