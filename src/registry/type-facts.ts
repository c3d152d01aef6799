import type { JsonObject } from '../base/index.ts';

export type HandlerOperation = 'create' | 'update' | 'delete';

/** What the registry knows of a resource type. */
export interface TypeFacts {
  readonly typeName: string;
  /** draft-07 JSON Schema of `Properties`, read-only ones included. */
  readonly schema: JsonObject;
  /** Property names whose values, joined with `|`, are the primary identifier. */
  readonly primaryIdentifier: readonly string[];
  /** Property names whose values, joined with `|`, are what `Ref` answers: the physical id. */
  readonly ref: readonly string[];
  /** What `Fn::GetAtt` may ask for; nested names with dots (`Endpoint.Address`). */
  readonly attributes: readonly string[];
  /** Properties the user may not set, as dotted paths. */
  readonly readOnly: readonly string[];
  /** JSON pointers of properties that a change of which replaces the resource; `*` is any element. */
  readonly createOnly: readonly string[];
  readonly conditionalCreateOnly: readonly string[];
  /** The property that holds the tags, where the type has any. */
  readonly tagProperty?: string;
  /** The shape of the resource's ARN with `${…}` placeholders, where it is known. */
  readonly arnTemplate?: string;
  /** Unknown properties are only warned of (R23). */
  readonly lenient?: true;
}

/** The facts of every type, read from the schema pack on demand. */
export interface Registry {
  /** Undefined for a type that CloudFormation does not know either. */
  facts(typeName: string): TypeFacts | undefined;
  /** Every type name of the pack, sorted. */
  typeNames(): readonly string[];
  /** How long CloudFormation typically takes: whole or fractional seconds (`data/durations.json`). */
  typicalSeconds(typeName: string, operation: HandlerOperation): number;
  /** The registry's handler timeout in minutes; 120 where the type says nothing. */
  handlerTimeoutMinutes(typeName: string, operation: HandlerOperation): number;
}
