import { isObject, type JsonObject, type JsonValue, UserError } from '../base/index.ts';
import { APPLICABLE } from './apply.ts';
import { type FunctionCall, functionOf, getAttParts, scalarText, splitAtDot } from './functions.ts';
import { MESSAGES, notText } from './messages.ts';
import type { LateReferences } from './model.ts';
import { parseSub, subParts } from './sub-text.ts';

/**
 * Evaluates what `compile` left in place, once the resources it waits for are there.
 *
 * @returns the same value, free of functions
 * @throws UserError (ValidationError) in CloudFormation's words where a function fails only now,
 *   such as Fn::Select with an index past the end
 */
export function resolve(value: JsonValue, late: LateReferences): JsonValue {
  if (Array.isArray(value)) return value.map((item) => resolve(item, late));
  if (!isObject(value)) return value;
  const call = functionOf(value);
  if (call !== undefined) return resolveCall(call, late);
  const members = Object.entries(value).map(([key, member]) => [key, resolve(member, late)]);
  return Object.fromEntries(members);
}

/** Whether a value of the model still waits for a resource. */
export function hasLateReference(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(hasLateReference);
  if (!isObject(value)) return false;
  return functionOf(value) !== undefined || Object.values(value).some(hasLateReference);
}

function resolveCall({ name, argument }: FunctionCall, late: LateReferences): JsonValue {
  if (name === 'Ref') return late.ref(String(argument));
  if (name === 'Fn::Sub') return resolveSub(argument, late);
  if (name === 'Fn::GetAtt') {
    const parts = getAttParts(argument);
    if (parts === undefined) throw failed(MESSAGES.getAtt);
    return late.getAtt(String(parts.resource), String(parts.attribute));
  }
  const apply = APPLICABLE[name];
  if (apply === undefined) throw new Error(`defect: ${name} is not left in place by compile`);
  const applied = apply(resolve(argument, late));
  if ('problem' in applied) throw failed(applied.problem);
  return applied.value;
}

function resolveSub(argument: JsonValue, late: LateReferences): string {
  const parts = subParts(argument);
  if (parts === undefined) throw failed(MESSAGES.sub);
  const texts = parseSub(parts.text).pieces.map((piece) => {
    if (piece.type === 'text') return piece.text;
    const text = scalarText(variable(piece.name, parts.variables, late));
    if (text === undefined) throw failed(notText(piece.name));
    return text;
  });
  return texts.join('');
}

function variable(name: string, own: JsonObject, late: LateReferences): JsonValue {
  const given = Object.hasOwn(own, name) ? own[name] : undefined;
  if (given !== undefined) return resolve(given, late);
  const [resource = '', attribute] = splitAtDot(name);
  return attribute === undefined ? late.ref(resource) : late.getAtt(resource, attribute);
}

function failed(message: string): UserError {
  return new UserError('ValidationError', message, {
    hint: 'the value is known only now that the resources are there: check what the function gets',
  });
}
