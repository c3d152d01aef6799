import { createRequire } from 'node:module';
import type { Ajv } from 'ajv';
import type { JsonObject } from '../base/index.ts';
import type { TypeFacts } from './type-facts.ts';

/** One thing a validator found wrong; the fields of an ajv error that messages are made from. */
export interface SchemaError {
  readonly keyword: string;
  /** JSON pointer of the offending value; empty for the properties as a whole. */
  readonly instancePath: string;
  /** JSON pointer, after `#`, of the keyword in the type's schema. */
  readonly schemaPath: string;
  readonly params: { readonly [name: string]: unknown };
}

/** A compiled schema as ajv makes it: errors are left on the function. */
interface Validator {
  (value: JsonObject): unknown;
  errors?: readonly SchemaError[] | null;
}

// Loaded when first needed and not before: ajv is a hundred small files, and most runs only use
// types whose validators were compiled at build time.
const load = createRequire(import.meta.url);
const precompiled = new WeakMap<TypeFacts, string>();
const compiled = new WeakMap<TypeFacts, Validator>();

/** Notes that `file` holds the compiled validator of these facts. */
export function rememberValidator(facts: TypeFacts, file: string): void {
  precompiled.set(facts, file);
}

/** Everything about `properties` that does not fit the type's schema, in the order of its walk. */
export function schemaErrors(facts: TypeFacts, properties: JsonObject): readonly SchemaError[] {
  const validate = validatorOf(facts);
  return validate(properties) === true ? [] : [...(validate.errors ?? [])];
}

function validatorOf(facts: TypeFacts): Validator {
  const before = compiled.get(facts);
  if (before !== undefined) return before;
  const file = precompiled.get(facts);
  const validate: Validator =
    file === undefined ? createAjv('function').compile<JsonObject>(facts.schema) : load(file);
  compiled.set(facts, validate);
  return validate;
}

/**
 * ajv as schemas of the pack are compiled with. They are our own and known to be sound, so that
 * checking them against the meta-schema would only cost time.
 *
 * @param output - a function for now, or also its source, to be stored
 */
export function createAjv(output: 'function' | 'source'): Ajv {
  const { Ajv }: typeof import('ajv') = load('ajv');
  return new Ajv({
    allErrors: true,
    strict: false,
    meta: false,
    validateSchema: false,
    validateFormats: false,
    inlineRefs: false,
    logger: false,
    code: { optimize: output === 'source', source: output === 'source' },
  });
}
