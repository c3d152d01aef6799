import type { JsonObject, JsonValue, Path } from '../base/index.ts';
import { isObject, toPointer } from '../base/index.ts';
import type { SchemaError } from '../registry/index.ts';
import { childOf } from './late.ts';

/** One way in which properties do not fit their type. */
export interface Violation {
  /** Of the offending value; of a key that is not permitted; of the owner of one missing. */
  readonly path: Path;
  /** The JSON Schema keyword that does not hold: `required`, `additionalProperties`, `type` … */
  readonly keyword: string;
  /** The whole line as CloudFormation gives it (R21): `#/Tags/0: required key [Key] not found`. */
  readonly message: string;
}

export function violationOf(
  error: SchemaError,
  properties: JsonObject,
  schema: JsonObject,
): Violation {
  const { keyword, params } = error;
  const path = pathOf(error.instancePath, properties);
  const value = path.reduce<JsonValue | undefined>(childOf, properties);
  const message = `#${toPointer(path)}: ${complaint(error, value, schema)}`;
  const key = params['additionalProperty'];
  return { path: typeof key === 'string' ? [...path, key] : path, keyword, message };
}

/**
 * What AWS's validator says about a keyword (R21). Keywords whose message would repeat the value,
 * which may be a secret, are named and nothing more.
 */
function complaint(error: SchemaError, value: JsonValue | undefined, schema: JsonObject): string {
  const { keyword, params } = error;
  const limit = String(params['limit']);
  const size = sizeOf(value);
  switch (keyword) {
    case 'required':
      return `required key [${String(params['missingProperty'])}] not found`;
    case 'additionalProperties':
      return `extraneous key [${String(params['additionalProperty'])}] is not permitted`;
    case 'type':
      return `expected type: ${expectedName(params['type'])}, found: ${foundName(value)}`;
    case 'minLength':
      return `expected minLength: ${limit}, actual: ${size}`;
    case 'maxLength':
      return `expected maxLength: ${limit}, actual: ${size}`;
    case 'minItems':
      return `expected minimum item count: ${limit}, found: ${size}`;
    case 'maxItems':
      return `expected maximum item count: ${limit}, found: ${size}`;
    case 'anyOf':
      return `#: no subschema matched out of the total ${alternatives(error, schema)} subschemas`;
    default:
      return `failed validation constraint for keyword [${keyword}]`;
  }
}

/** How many alternatives the failed `anyOf` has: what its place in the schema holds. */
function alternatives({ schemaPath }: SchemaError, schema: JsonObject): number {
  return sizeOf(pathOf(schemaPath, schema).reduce<JsonValue | undefined>(childOf, schema));
}

function sizeOf(value: JsonValue | undefined): number {
  if (typeof value === 'string') return [...value].length; // characters, as JSON Schema counts
  return Array.isArray(value) ? value.length : 0;
}

function expectedName(type: unknown): string {
  const names: Readonly<Record<string, string>> = {
    string: 'String',
    integer: 'Integer',
    number: 'Number',
    boolean: 'Boolean',
    object: 'JSONObject',
    array: 'JSONArray',
  };
  return names[String(type)] ?? String(type);
}

function foundName(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return 'Null';
  if (Array.isArray(value)) return 'JSONArray';
  if (isObject(value)) return 'JSONObject';
  if (typeof value === 'number') return Number.isInteger(value) ? 'Integer' : 'Number';
  return typeof value === 'boolean' ? 'Boolean' : 'String';
}

/** The steps of a JSON pointer; those that lead into a list are numbers. */
function pathOf(pointer: string, root: JsonObject): Path {
  const path: (string | number)[] = [];
  let value: JsonValue | undefined = root;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    const step = Array.isArray(value) ? Number(name) : name;
    path.push(step);
    value = childOf(value, step);
  }
  return path;
}
