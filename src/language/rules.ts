import { isObject, type JsonObject, type JsonValue } from '../base/index.ts';
import { functionOf, scalarText } from './functions.ts';
import { inspectLogic, type LogicInspection } from './inspect-logic.ts';
import { isTrue, type LogicContext } from './logic.ts';
import { NO_VALUE } from './no-value.ts';
import { refusal } from './refusal.ts';
import type { Scope } from './scope.ts';
import { down, type Trail } from './trail.ts';

/** The form of a rule: `RuleCondition` and `Assertions`, and the functions in them. */
export function inspectRule(name: string, rule: JsonObject, inspection: LogicInspection): void {
  const at = down(undefined, 'Rules', name);
  const { template } = inspection;
  const condition = rule['RuleCondition'];
  if (condition !== undefined) inspectLogic(condition, down(at, 'RuleCondition'), inspection);
  const assertions = rule['Assertions'];
  if (!Array.isArray(assertions) || assertions.length === 0) {
    const message = `Template format error: Rule ${name} must have a list of Assertions`;
    throw refusal(template, message, at, 'add Assertions with an Assert each');
  }
  assertions.forEach((assertion, index) => {
    const below = down(at, 'Assertions', index);
    const assert = isObject(assertion) ? assertion['Assert'] : undefined;
    if (assert === undefined) {
      const message = `Template format error: Every Assertions member of rule ${name} must have an Assert`;
      throw refusal(template, message, below, 'add an Assert');
    }
    inspectLogic(assert, down(below, 'Assert'), inspection);
  });
}

/**
 * Checks every rule whose condition holds (P20). A rule that only AWS can decide is taken to hold,
 * and said so in the assumptions.
 *
 * @throws UserError (ValidationError) with the AssertDescription of the first false assertion
 */
export function checkRules(scope: Scope, context: LogicContext): void {
  const ruleContext: LogicContext = {
    ...context,
    ruleFunction: (name, argument, at) => ruleFunction(name, argument, { at, scope, context }),
  };
  for (const [name, rule] of scope.sections.rules) {
    const at = down(undefined, 'Rules', name);
    const condition = rule['RuleCondition'];
    const applies =
      condition === undefined || isTrue(condition, down(at, 'RuleCondition'), ruleContext);
    if (applies !== false) checkAssertions(name, rule, at, { scope, ruleContext });
  }
}

function checkAssertions(
  name: string,
  rule: JsonObject,
  at: Trail,
  { scope, ruleContext }: { readonly scope: Scope; readonly ruleContext: LogicContext },
): void {
  const assertions = Array.isArray(rule['Assertions']) ? rule['Assertions'] : [];
  assertions.filter(isObject).forEach((assertion, index) => {
    const below = down(at, 'Assertions', index);
    const holds = isTrue(assertion['Assert'] ?? null, down(below, 'Assert'), ruleContext);
    if (holds === undefined) {
      scope.findings.assumptions.push(`The rule ${name} holds: only AWS can evaluate it.`);
    }
    if (holds !== false) return;
    const described = scalarText(assertion['AssertDescription'] ?? null);
    const message = `Rule ${name} failed: ${described ?? 'an assertion is not met'}`;
    throw refusal(scope.template, message, below, 'give parameters that meet the assertion');
  });
}

interface RuleCall {
  readonly at: Trail;
  readonly scope: Scope;
  readonly context: LogicContext;
}

function ruleFunction(name: string, argument: JsonValue, call: RuleCall): boolean | undefined {
  const [first = null, second = null] = Array.isArray(argument) ? argument : [];
  const left = texts(first, call);
  const right = texts(second, call);
  if (left === undefined || right === undefined) return undefined;
  switch (name) {
    case 'Fn::Contains':
      return right.every((item) => left.includes(item));
    case 'Fn::EachMemberEquals':
      return left.every((item) => right.includes(item));
    case 'Fn::EachMemberIn':
      return left.every((item) => right.includes(item));
    default:
      return undefined;
  }
}

/** The texts an argument stands for; undefined when they are AWS's to know. */
function texts(value: JsonValue, { at, scope, context }: RuleCall): readonly string[] | undefined {
  const call = functionOf(value);
  if (call?.name === 'Fn::RefAll') return allOfType(String(call.argument), scope);
  if (call?.name === 'Fn::ValueOf' || call?.name === 'Fn::ValueOfAll') return undefined;
  const evaluated = context.operand(value, at);
  if (evaluated === NO_VALUE) return [];
  const items = Array.isArray(evaluated) ? evaluated : [evaluated];
  return items.map((item) => scalarText(item) ?? JSON.stringify(item));
}

/** The values of all parameters of a type. */
function allOfType(type: string, { parameters }: Scope): readonly string[] {
  return [...parameters.values()]
    .filter(({ model }) => model.type === type)
    .flatMap(({ value }) => value);
}
