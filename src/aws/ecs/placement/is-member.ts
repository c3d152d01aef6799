import { assertNever } from '../../../base/index.ts';
import type { Comparison, Expression, Operator } from './expression.ts';
import { attributeOf, type ContainerInstance, tasksOf } from './instance.ts';

/** Whether an instance is in the group that an expression describes (7.6, `memberOf`). */
export function isMember(instance: ContainerInstance, expression: Expression): boolean {
  switch (expression.type) {
    case 'and':
      return expression.of.every((item) => isMember(instance, item));
    case 'or':
      return expression.of.some((item) => isMember(instance, item));
    case 'not':
      return !isMember(instance, expression.of);
    case 'comparison':
      return holds(instance, expression);
    default:
      return assertNever(expression);
  }
}

/**
 * What an instance does not have is neither equal nor unequal to anything: `attribute:stack != prod`
 * selects instances *with* the attribute (developer guide, "Exclude an attribute value"), while
 * `not(attribute:stack == prod)` selects those without it as well. A task group is a set: unequal
 * means that no task on the instance is of that group.
 */
function holds(instance: ContainerInstance, comparison: Comparison): boolean {
  const { subject, operator } = comparison;
  const positive = POSITIVE_OF[operator] ?? operator;
  const negated = positive !== operator;
  if (subject.type === 'task:group') return hosts(instance, positive, comparison) !== negated;
  const value = stateOf(instance, subject);
  if (positive === 'exists') return (value !== undefined) !== negated;
  return value !== undefined && compares(value, positive, comparison) !== negated;
}

function hosts(
  instance: ContainerInstance,
  operator: Operator,
  { values, pattern }: Comparison,
): boolean {
  if (operator === 'exists') return instance.taskCount > 0;
  if (operator !== 'matches') return values.some((group) => tasksOf(instance, group) > 0);
  return Object.keys(instance.tasksByGroup).some((group) => pattern?.test(group));
}

const POSITIVE_OF: { readonly [Name in Operator]?: Operator } = {
  not_equals: 'equals',
  not_exists: 'exists',
  not_in: 'in',
  not_matches: 'matches',
};

function stateOf(
  instance: ContainerInstance,
  subject: Exclude<Comparison['subject'], { type: 'task:group' }>,
): string | undefined {
  switch (subject.type) {
    case 'attribute':
      return attributeOf(instance, subject.name);
    case 'agentConnected':
      return String(instance.agentConnected);
    case 'agentVersion':
      return instance.agentVersion ?? undefined;
    case 'ec2InstanceId':
      return instance.ec2InstanceId ?? undefined;
    case 'registeredAt':
      return String(instance.registeredAtMs);
    case 'runningTasksCount':
      return String(instance.taskCount);
    default:
      return assertNever(subject);
  }
}

function compares(value: string, operator: Operator, comparison: Comparison): boolean {
  const { subject, values, pattern } = comparison;
  if (operator === 'matches') return pattern?.test(value) === true;
  if (subject.type === 'agentConnected')
    return values.some((given) => given.toLowerCase() === value);
  if (operator === 'in') return values.includes(value);
  const [given = ''] = values;
  const order = orderOf(value, given, subject.type);
  switch (operator) {
    case 'equals':
      return order === 0;
    case 'greater_than':
      return order > 0;
    case 'greater_than_equal':
      return order >= 0;
    case 'less_than':
      return order < 0;
    case 'less_than_equal':
      return order <= 0;
    default:
      return false; // presence and the negative ones are answered before
  }
}

/** Below, at or above 0, as `value` stands before, at or behind `given`. */
function orderOf(value: string, given: string, type: Comparison['subject']['type']): number {
  if (type === 'agentVersion') return versionOrder(value, given);
  if (type === 'registeredAt') return Number(value) - instantOf(given);
  if (type === 'runningTasksCount') return Number(value) - Number(given);
  if (value === given) return 0;
  const difference = Number(value) - Number(given);
  if (!Number.isNaN(difference) && difference !== 0) return difference;
  return value < given ? -1 : 1;
}

/** `1.14.5` stands before `1.51`; a part that is not there counts as 0. */
function versionOrder(value: string, given: string): number {
  const [left, right] = [value.split('.').map(Number), given.split('.').map(Number)];
  for (let i = 0; i < Math.max(left.length, right.length); i += 1) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A date without a time is its first instant, a time without a zone is in UTC. */
function instantOf(date: string): number {
  return Date.parse(/T[\d:]+$/.test(date) ? `${date}Z` : date);
}
