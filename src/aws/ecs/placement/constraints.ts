import { assert, type JsonValue } from '../../../base/index.ts';
import type { RequestFault } from '../request-fault.ts';
import { isUnresolved, list, text } from '../request-values.ts';
import type { Expression } from './expression.ts';
import { parseExpression } from './parse-expression.ts';

/** Where a task may be placed; binding (7.6). */
export type PlacementConstraint = { readonly type: 'distinctInstance' } | MemberOf;

export interface MemberOf {
  readonly type: 'memberOf';
  readonly text: string; // as it was given
  readonly expression: Expression;
}

const CONSTRAINTS_MAX = 10;
const EXPRESSION_LENGTH_MAX = 2000;

/**
 * The constraints of a `placementConstraints` list in which `constraintFaults` found nothing. An
 * expression with a dynamic reference in it is left out: nobody knows what it says.
 *
 * @throws when an expression cannot be read, which is a defect of the caller
 */
export function constraintsOf(value: JsonValue | undefined): readonly PlacementConstraint[] {
  return list(value).flatMap((constraint): readonly PlacementConstraint[] => {
    if (constraint['type'] === 'distinctInstance') return [{ type: 'distinctInstance' }];
    const given = text(constraint['expression']) ?? '';
    if (constraint['type'] !== 'memberOf' || isUnresolved(given)) return [];
    const parsed = parseExpression(given);
    assert('expression' in parsed, `an expression is checked before it is used: ${given}`);
    return [{ type: 'memberOf', text: given, expression: parsed.expression }];
  });
}

/**
 * What is wrong with a `placementConstraints` list (7.6); the words are ours, AWS's were not seen.
 *
 * @param of - whose list it is: a task definition takes no `distinctInstance`
 */
export function constraintFaults(
  value: JsonValue | undefined,
  of: 'service' | 'task definition',
): readonly RequestFault[] {
  const path = ['placementConstraints'];
  const constraints = list(value);
  if (constraints.length > CONSTRAINTS_MAX) {
    return [{ message: `Maximum number of constraints is ${CONSTRAINTS_MAX}`, path }];
  }
  return constraints.flatMap(({ type, expression }, index) => {
    const at = (field: string) => [...path, index, field];
    if (type === 'memberOf') {
      const message = expressionFault(text(expression) ?? '');
      return message === undefined ? [] : [{ message, path: at('expression') }];
    }
    if (type === 'distinctInstance' && of === 'service') return [];
    return [{ message: `constraint.type '${text(type)}' is not supported.`, path: at('type') }];
  });
}

function expressionFault(given: string): string | undefined {
  if (isUnresolved(given)) return undefined;
  if (given.length > EXPRESSION_LENGTH_MAX) {
    return `Placement constraint expression is longer than ${EXPRESSION_LENGTH_MAX} characters.`;
  }
  const parsed = parseExpression(given);
  if ('expression' in parsed) return undefined;
  return `Invalid expression in placement constraint: ${parsed.fault}, at character ${parsed.at} of “${given}”.`;
}
