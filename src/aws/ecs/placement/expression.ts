/**
 * An expression of the cluster query language, read. A pattern is a compiled regular expression, so
 * it is made anew where it is needed and stands in no world.
 */
export type Expression =
  | { readonly type: 'and' | 'or'; readonly of: readonly Expression[] }
  | { readonly type: 'not'; readonly of: Expression }
  | Comparison;

export interface Comparison {
  readonly type: 'comparison';
  readonly subject: Subject;
  readonly operator: Operator;
  /** One for most operators, any number for `in`, none for `exists` and `matches`. */
  readonly values: readonly string[];
  /** Of `matches` and `not_matches`: anchored at both ends. */
  readonly pattern?: RegExp;
}

export type Subject =
  | { readonly type: 'attribute'; readonly name: string }
  | { readonly [Name in Field]: { readonly type: Name } }[Field];
export type Field =
  | 'agentConnected'
  | 'agentVersion'
  | 'ec2InstanceId'
  | 'registeredAt'
  | 'runningTasksCount'
  | 'task:group';

export type Operator =
  | 'equals'
  | 'not_equals'
  | 'greater_than'
  | 'greater_than_equal'
  | 'less_than'
  | 'less_than_equal'
  | 'exists'
  | 'not_exists'
  | 'in'
  | 'not_in'
  | 'matches'
  | 'not_matches';

const ORDER = ['greater_than', 'greater_than_equal', 'less_than', 'less_than_equal'] as const;
const ALIKE = ['equals', 'not_equals', 'in', 'not_in', 'matches', 'not_matches'] as const;
const PRESENCE = ['exists', 'not_exists'] as const;

/**
 * What may be said of what. The developer guide lists no operators for attributes and task groups;
 * attributes take all of them, a task group those that do not ask for an order.
 *
 * Source: developer guide, "Create expressions to define container instances".
 */
export const OPERATORS: { readonly [Type in Subject['type']]: readonly Operator[] } = {
  attribute: [...ALIKE, ...PRESENCE, ...ORDER],
  agentConnected: ALIKE,
  agentVersion: ['equals', 'not_equals', ...ORDER],
  ec2InstanceId: ALIKE,
  registeredAt: ['equals', 'not_equals', ...ORDER],
  runningTasksCount: ['equals', 'not_equals', ...ORDER],
  'task:group': [...ALIKE, ...PRESENCE],
};

/** Signs and words for the operators; longer signs stand before their beginnings. */
export const OPERATOR_SIGNS: readonly (readonly [sign: string, Operator])[] = [
  ['==', 'equals'],
  ['!=', 'not_equals'],
  ['=~', 'matches'],
  ['!~', 'not_matches'],
  ['>=', 'greater_than_equal'],
  ['<=', 'less_than_equal'],
  ['>', 'greater_than'],
  ['<', 'less_than'],
  ['!exists', 'not_exists'],
  ['!in', 'not_in'],
  ['equals', 'equals'],
  ['not_equals', 'not_equals'],
  ['greater_than_equal', 'greater_than_equal'],
  ['greater_than', 'greater_than'],
  ['less_than_equal', 'less_than_equal'],
  ['less_than', 'less_than'],
  ['exists', 'exists'],
  ['not_exists', 'not_exists'],
  ['in', 'in'],
  ['not_in', 'not_in'],
  ['matches', 'matches'],
  ['not_matches', 'not_matches'],
];
