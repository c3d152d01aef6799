import type { JsonValue } from '../base/index.ts';
import { partitionOf, urlSuffixOf } from '../base/index.ts';
import type { Template } from '../template/index.ts';
import type { Inputs, Invention, Lookups } from './compile-types.ts';
import type { Parameter } from './parameter-values.ts';
import type { Sections } from './sections.ts';
import type { Trail } from './trail.ts';

/** What evaluation found out beside the values; filled while it goes on. */
export interface Findings {
  readonly inventions: Invention[];
  readonly assumptions: string[];
  readonly imports: Set<string>;
  /** The first fault that AWS would only find after it accepted the request (0.4). */
  preflightFailure: string | undefined;
}

/** All that a function may ask while it is evaluated. */
export interface Scope {
  readonly template: Template;
  readonly sections: Sections;
  readonly inputs: Inputs;
  readonly lookups: Lookups;
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly findings: Findings;
  /**
   * The value at hand only decides something and is neither kept nor shown: NoEcho parameters give
   * their value. Elsewhere they give a placeholder (P17).
   */
  readonly deciding: boolean;
  /** Whether a condition holds; evaluated once each. */
  condition(name: string): boolean;
  /** Values that hold a late reference, so that nobody has to search for one. */
  readonly late: WeakSet<object>;
  /** Resources the value at hand refers to, each with its first place. */
  readonly dependencies: Map<string, Trail>;
  /** Resources referred to that their condition leaves out, each with its first place (T29). */
  readonly absent: Map<string, Trail>;
}

export function isLate(value: JsonValue | undefined, { late }: Pick<Scope, 'late'>): boolean {
  return typeof value === 'object' && value !== null && late.has(value);
}

/** Pseudo parameters but AWS::NoValue, which is no value (F28). */
export function pseudoParameter(name: string, inputs: Inputs): JsonValue | undefined {
  switch (name) {
    case 'AWS::AccountId':
      return inputs.accountId;
    case 'AWS::NotificationARNs':
      return [];
    case 'AWS::Partition':
      return partitionOf(inputs.region);
    case 'AWS::Region':
      return inputs.region;
    case 'AWS::StackId':
      return inputs.stackId;
    case 'AWS::StackName':
      return inputs.stackName;
    case 'AWS::URLSuffix':
      return urlSuffixOf(inputs.region);
    default:
      return undefined;
  }
}
