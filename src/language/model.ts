import type { JsonObject, JsonValue, LogicalId, SourceSpan } from '../base/index.ts';

/**
 * What a template means with its parameters: plain data, kept with the stack.
 *
 * Everything that can be known is evaluated. What needs a resource stays in place as the function
 * it was written as (`{ Ref: 'Cluster' }`, `{ 'Fn::GetAtt': ['Db', 'Endpoint.Address'] }`, or a
 * function with such a part inside), to be resolved when the resource is there.
 */
export interface StackModel {
  readonly description?: string;
  readonly parameters: { readonly [name: string]: ParameterModel };
  readonly conditions: { readonly [name: string]: boolean };
  /** In template order; those whose condition is false are left out. */
  readonly resources: { readonly [logicalId: LogicalId]: ResourceModel };
  readonly outputs: { readonly [name: string]: OutputModel };
  /** Names of the exports that the template imports. */
  readonly imports: readonly string[];
  /** Capabilities AWS would ask for: CAPABILITY_IAM, CAPABILITY_NAMED_IAM, CAPABILITY_AUTO_EXPAND. */
  readonly capabilities: readonly string[];
}

export interface ParameterModel {
  readonly type: string;
  /** As given or by default; `****` where NoEcho is set. */
  readonly shown: string;
  /** Of a NoEcho parameter a placeholder for each text: no model holds what must not be seen. */
  readonly value: string | readonly string[];
  readonly noEcho: boolean;
}

export interface ResourceModel {
  readonly logicalId: LogicalId;
  readonly type: string;
  readonly properties: JsonObject; // with late references
  /** DependsOn and every resource referred to; each name once, in order of appearance. */
  readonly dependsOn: readonly LogicalId[];
  readonly metadata?: JsonValue;
  readonly deletionPolicy: 'Delete' | 'Retain' | 'RetainExceptOnCreate' | 'Snapshot';
  readonly updateReplacePolicy: 'Delete' | 'Retain' | 'Snapshot';
  readonly creationPolicy?: JsonValue;
  readonly updatePolicy?: JsonValue;
  readonly source: SourceSpan; // of the logical id in the template
  readonly constructPath?: string; // Metadata."aws:cdk:path"
}

export interface OutputModel {
  readonly value: JsonValue; // with late references
  readonly exportName?: string;
  readonly description?: string;
}

/** Answers late references once a resource is there. */
export interface LateReferences {
  ref(logicalId: LogicalId): JsonValue;
  getAtt(logicalId: LogicalId, attribute: string): JsonValue;
}
