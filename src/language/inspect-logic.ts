import { isObject, type JsonValue } from '../base/index.ts';
import {
  CONDITION_FUNCTIONS,
  functionOf,
  OPERAND_FUNCTIONS,
  RULE_FUNCTIONS,
  scalarText,
  unsupportedFunction,
  VALUE_FUNCTIONS,
} from './functions.ts';
import { type Inspection, inspectValue } from './inspect.ts';
import { MESSAGES } from './messages.ts';
import { didYouMean, refusal } from './refusal.ts';
import { shapeProblem } from './shapes.ts';
import { down, type Trail } from './trail.ts';
import { refusedFunction } from './transforms.ts';

/** An inspection of conditions or of rules, which have functions of their own (F4). */
export interface LogicInspection extends Inspection {
  readonly section: 'Conditions' | 'Rules';
  /** Names of conditions that lead nowhere, each with its first place. */
  readonly unresolvedConditions: Map<string, Trail>;
}

/** The condition that `{ Condition: name }` names. */
export function conditionOf(value: JsonValue): string | undefined {
  if (!isObject(value) || Object.keys(value).length !== 1) return undefined;
  const name = value['Condition'];
  return typeof name === 'string' ? name : undefined;
}

/** Looks at a boolean operation: And, Or, Not, Equals, Condition, and the functions of rules. */
export function inspectLogic(value: JsonValue, at: Trail, inspection: LogicInspection): void {
  const { template, sections, section } = inspection;
  const condition = conditionOf(value);
  if (condition !== undefined) {
    const known = sections.conditions.has(condition);
    if (!known) inspection.unresolvedConditions.set(condition, down(at, 'Condition'));
    return;
  }
  const call = functionOf(value);
  if (call === undefined) throw refusal(template, MESSAGES.condition, at, LOGIC_HINT);
  const below = down(at, call.name);
  if (call.name === 'Fn::Transform') throw refusedFunction(template, call.argument, below);
  if (section === 'Rules' && RULE_FUNCTIONS.has(call.name)) {
    inspectRuleFunction(call.name, call.argument, below, inspection);
  } else if (CONDITION_FUNCTIONS.has(call.name)) {
    inspectOperation(call.name, call.argument, below, inspection);
  } else {
    throw misplaced(call.name, below, inspection);
  }
}

const LOGIC_HINT = 'use Fn::And, Fn::Or, Fn::Not, Fn::Equals or Condition';

function inspectOperation(
  name: string,
  argument: JsonValue,
  at: Trail,
  inspection: LogicInspection,
): void {
  // A condition may stand alone where a list of one belongs: `Fn::Not: { Condition: X }` is refused.
  const problem = shapeProblem(name, argument);
  if (problem !== undefined) {
    throw refusal(inspection.template, problem, at, 'correct the number and kind of arguments');
  }
  const items = Array.isArray(argument) ? argument : [];
  items.forEach((item, index) => {
    const below = down(at, index);
    if (name === 'Fn::Equals') inspectOperand(item, below, inspection);
    else inspectLogic(item, below, inspection);
  });
}

/** What is compared: text, or a function of parameters that gives some. */
function inspectOperand(value: JsonValue, at: Trail, inspection: LogicInspection): void {
  if (scalarText(value) !== undefined) return;
  const name = functionOf(value)?.name ?? '';
  if (inspection.section === 'Rules' && RULE_FUNCTIONS.has(name)) return;
  if (!OPERAND_FUNCTIONS.has(name)) throw misplaced(name, down(at, name), inspection);
  inspectValue(value, at, inspection);
}

function misplaced(
  name: string,
  at: Trail,
  { template, sections, section }: LogicInspection,
): Error {
  const known = VALUE_FUNCTIONS.has(name) || CONDITION_FUNCTIONS.has(name);
  if (known) {
    return refusal(template, `Template error: Cannot use ${name} in ${section}.`, at, LOGIC_HINT);
  }
  const needsTransform = name === 'Fn::Length' || name === 'Fn::ToJsonString';
  const hint = needsTransform
    ? `${name} needs the transform AWS::LanguageExtensions${sections.extended ? ', which is not available' : ''}`
    : didYouMean(name, [...CONDITION_FUNCTIONS, ...OPERAND_FUNCTIONS], LOGIC_HINT);
  return refusal(template, unsupportedFunction(name), at, hint);
}

const RULE_ARGUMENTS: Readonly<Record<string, number>> = {
  'Fn::Contains': 2,
  'Fn::EachMemberEquals': 2,
  'Fn::EachMemberIn': 2,
  'Fn::ValueOf': 2,
  'Fn::ValueOfAll': 2,
};

function inspectRuleFunction(
  name: string,
  argument: JsonValue,
  at: Trail,
  inspection: LogicInspection,
): void {
  const count = RULE_ARGUMENTS[name];
  const fits =
    count === undefined
      ? typeof argument === 'string'
      : Array.isArray(argument) && argument.length === count;
  if (!fits) {
    const message = `Template error: every ${name} object requires ${count === undefined ? 'a string' : `a list of ${count} parameters`}.`;
    throw refusal(inspection.template, message, at, 'correct the arguments of the function');
  }
  if (!Array.isArray(argument)) return;
  argument.forEach((item, index) => {
    const below = down(at, index);
    const call = functionOf(item);
    if (call !== undefined && RULE_FUNCTIONS.has(call.name)) {
      inspectRuleFunction(call.name, call.argument, down(below, call.name), inspection);
    } else {
      inspectValue(item, below, inspection);
    }
  });
}
