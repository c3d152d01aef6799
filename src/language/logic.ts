import { assert, type JsonValue } from '../base/index.ts';
import type { Template } from '../template/index.ts';
import { functionOf, scalarText } from './functions.ts';
import { conditionOf } from './inspect-logic.ts';
import { MESSAGES } from './messages.ts';
import { type Evaluated, NO_VALUE } from './no-value.ts';
import { refusal } from './refusal.ts';
import { down, type Trail } from './trail.ts';

/** What a boolean operation asks its surroundings. */
export interface LogicContext {
  readonly template: Template;
  condition(name: string): boolean;
  /** The value of an operand of Fn::Equals. */
  operand(value: JsonValue, at: Trail): Evaluated;
  /** A function that only rules know; undefined: it cannot be told (P20). */
  ruleFunction?(name: string, argument: JsonValue, at: Trail): boolean | undefined;
}

/**
 * The truth of a boolean operation that `inspectLogic` has passed.
 *
 * @returns undefined when it hangs on something only AWS can answer (`Fn::ValueOf` in rules)
 */
export function isTrue(value: JsonValue, at: Trail, context: LogicContext): boolean | undefined {
  const condition = conditionOf(value);
  if (condition !== undefined) return context.condition(condition);
  const call = functionOf(value);
  assert(call !== undefined, 'a condition is a function');
  const below = down(at, call.name);
  const items = Array.isArray(call.argument) ? call.argument : [];
  const parts = () => items.map((item, index) => isTrue(item, down(below, index), context));
  switch (call.name) {
    case 'Fn::And':
      return not(anyOf(parts().map(not)));
    case 'Fn::Or':
      return anyOf(parts());
    case 'Fn::Not':
      return not(parts()[0]);
    case 'Fn::Equals':
      return areEqual(items, below, context);
    default:
      return context.ruleFunction?.(call.name, call.argument, below);
  }
}

function not(truth: boolean | undefined): boolean | undefined {
  return truth === undefined ? undefined : !truth;
}

function anyOf(truths: readonly (boolean | undefined)[]): boolean | undefined {
  if (truths.includes(true)) return true;
  return truths.includes(undefined) ? undefined : false;
}

/** Compared as text, case-sensitive (F23). */
function areEqual(
  items: readonly JsonValue[],
  at: Trail,
  context: LogicContext,
): boolean | undefined {
  const [left, right] = items.map((item, index) => {
    const call = functionOf(item);
    if (call?.name === 'Fn::ValueOf') return undefined;
    return textOf(context.operand(item, down(at, index)), at, context.template);
  });
  return left === undefined || right === undefined ? undefined : left === right;
}

function textOf(value: Evaluated, at: Trail, template: Template): string {
  const text = value === NO_VALUE ? '' : scalarText(value);
  if (text !== undefined) return text;
  throw refusal(template, MESSAGES.equals, at, 'join the list with Fn::Join first');
}
