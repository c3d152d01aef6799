import { isObject, type JsonObject, type JsonValue } from '../base/index.ts';
import { APPLICABLE, selectFixed } from './apply.ts';
import { evaluateSub } from './evaluate-sub.ts';
import { type FunctionCall, functionOf, getAttParts, scalarText } from './functions.ts';
import { unknownMapping } from './inspect.ts';
import { evaluateGetAZs, evaluateImport } from './lookup-functions.ts';
import { MESSAGES, nonexistentIndex } from './messages.ts';
import { MASK, placeholderIn } from './no-echo.ts';
import { type Evaluated, NO_VALUE } from './no-value.ts';
import { getAtt, refTo } from './references.ts';
import { notAvailable, refusal } from './refusal.ts';
import { isLate, type Scope } from './scope.ts';
import { down, type Trail } from './trail.ts';

/**
 * Evaluates what can be known. A function that waits for a resource stays in place with its
 * arguments evaluated; members and items that come out as AWS::NoValue are gone (F27).
 *
 * The value has passed `inspectTemplate`: its functions exist and name what there is.
 */
export function evaluate(value: JsonValue, at: Trail, scope: Scope): Evaluated {
  if (Array.isArray(value)) return evaluateList(value, at, scope);
  if (!isObject(value)) return value;
  const call = functionOf(value);
  if (call === undefined) return evaluateMap(value, at, scope);
  return evaluateCall(call, down(at, call.name), scope);
}

function evaluateList(list: readonly JsonValue[], at: Trail, scope: Scope): JsonValue[] {
  const items: JsonValue[] = [];
  list.forEach((item, index) => {
    const result = evaluate(item, down(at, index), scope);
    if (result !== NO_VALUE) items.push(result);
  });
  if (items.some((item) => isLate(item, scope))) scope.late.add(items);
  return items;
}

function evaluateMap(map: JsonObject, at: Trail, scope: Scope): JsonObject {
  const members: [string, JsonValue][] = [];
  for (const [key, member] of Object.entries(map)) {
    const result = evaluate(member, down(at, key), scope);
    if (result !== NO_VALUE) members.push([key, result]);
  }
  const result = Object.fromEntries(members);
  if (members.some(([, member]) => isLate(member, scope))) scope.late.add(result);
  return result;
}

function evaluateCall({ name, argument }: FunctionCall, at: Trail, scope: Scope): Evaluated {
  switch (name) {
    case 'Ref':
      return refTo(String(argument), at, scope);
    case 'Fn::GetAtt':
      return evaluateGetAtt(argument, at, scope);
    case 'Fn::If':
      return evaluateIf(argument, at, scope);
    case 'Fn::Sub':
      return evaluateSub(argument, at, { scope, evaluate });
    case 'Fn::FindInMap':
      return evaluateFindInMap(argument, at, scope);
    case 'Fn::ImportValue':
      return evaluateImport(evaluate(argument, at, shown(scope)), at, scope);
    case 'Fn::GetAZs':
      return evaluateGetAZs(evaluate(argument, at, scope), at, scope);
    default:
      return applyFunction(name, argument, at, scope);
  }
}

function evaluateIf(argument: JsonValue, at: Trail, scope: Scope): Evaluated {
  const [name, whenTrue = null, whenFalse = null] = Array.isArray(argument) ? argument : [];
  const chosen = scope.condition(String(name));
  return chosen ? evaluate(whenTrue, down(at, 1), scope) : evaluate(whenFalse, down(at, 2), scope);
}

function evaluateGetAtt(argument: JsonValue, at: Trail, scope: Scope): JsonValue {
  const parts = getAttParts(argument);
  const attribute = parts && evaluate(parts.attribute, down(at, 1), scope);
  if (parts === undefined || typeof attribute !== 'string') {
    throw refusal(scope.template, MESSAGES.getAtt, at, 'name the attribute as text');
  }
  if (placeholderIn(attribute) !== undefined) {
    const message = 'Fn::GetAtt of an attribute that a NoEcho parameter names is not available';
    throw notAvailable(scope.template, message, at, 'a name is no secret: leave out NoEcho');
  }
  return getAtt(String(parts.resource), attribute, { at, scope });
}

/** Keys only choose: they are not seen in what is chosen, nor in what is said where none is. */
function evaluateFindInMap(argument: JsonValue, at: Trail, scope: Scope): JsonValue {
  const { template, sections } = scope;
  const [map, key, attribute] = mapKeys(argument, at, { ...scope, deciding: true });
  if (map === undefined || key === undefined || attribute === undefined) {
    throw refusal(template, MESSAGES.findInMap, at, 'name the map and both keys');
  }
  const mapping = sections.mappings.get(map);
  if (mapping === undefined) {
    const [shownMap = ''] = mapKeys(argument, at, shown(scope));
    throw unknownMapping(template, shownMap, { at, known: sections.mappings.keys() });
  }
  const value = member(member(mapping, key), attribute);
  if (value !== undefined) return Array.isArray(value) ? [...value] : value;
  const keys = mapKeys(argument, at, shown(scope));
  const message = `Template error: Unable to get mapping for ${keys.join('::')}`;
  const known = Object.keys(isObject(mapping) ? mapping : {});
  throw refusal(template, message, at, `keys of ${map}: ${known.join(', ')}`);
}

function mapKeys(argument: JsonValue, at: Trail, scope: Scope): readonly (string | undefined)[] {
  const evaluated = evaluate(argument, at, scope);
  return Array.isArray(evaluated) ? evaluated.map(scalarText) : [];
}

/** The scope in which values come out as they may be kept and shown. */
function shown(scope: Scope): Scope {
  return { ...scope, deciding: false };
}

function member(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function applyFunction(name: string, argument: JsonValue, at: Trail, scope: Scope): JsonValue {
  const isFixed = name === 'Fn::Select' && isFixedList(argument);
  const apply = isFixed ? selectFixed : APPLICABLE[name];
  const evaluated = evaluate(argument, at, scope);
  const known = evaluated === NO_VALUE ? null : evaluated;
  if (isLate(known, scope) && !(name === 'Fn::Select' && isChoosable(known, scope))) {
    const call = { [name]: known };
    scope.late.add(call);
    return call;
  }
  const applied = apply?.(known) ?? { problem: `Template error: ${name} is unknown` };
  if ('value' in applied) return applied.value;
  const told = scope.deciding ? evaluate(argument, at, shown(scope)) : known;
  const problem = name === 'Fn::Select' ? withoutIndex(applied.problem, told) : applied.problem;
  throw refusal(scope.template, problem, at, `the arguments come out as ${brief(told)}`);
}

/** Whether Fn::Select chooses from a list that is there as it stands, and not from a split text. */
function isFixedList(argument: JsonValue): boolean {
  const list = Array.isArray(argument) ? argument[1] : undefined;
  return Array.isArray(list) || (list !== undefined && functionOf(list)?.name === 'Ref');
}

/** The index of Fn::Select is the one argument that a complaint repeats. */
function withoutIndex(problem: string, argument: Evaluated): string {
  const index = Array.isArray(argument) ? argument[0] : undefined;
  const isSecret = problem !== MESSAGES.select && placeholderIn(index) !== undefined;
  return isSecret ? nonexistentIndex(MASK) : problem;
}

/** Fn::Select can choose from a list whose items are still to come, if the list itself is there. */
function isChoosable(argument: JsonValue, scope: Scope): boolean {
  if (!Array.isArray(argument)) return false;
  const [index, list] = argument;
  return !isLate(index, scope) && Array.isArray(list);
}

function brief(value: Evaluated): string {
  const text = JSON.stringify(value === NO_VALUE ? null : value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
