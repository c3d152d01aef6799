import { isObject, type JsonValue } from '../base/index.ts';
import { listIndex } from './apply.ts';
import { functionOf, getAttParts, scalarText } from './functions.ts';
import { MESSAGES } from './messages.ts';
import { parseSub, subParts } from './sub-text.ts';

/**
 * What is wrong with a function's argument as far as its form goes, in CloudFormation's words
 * (F7 to F25); undefined where the form is right.
 */
export function shapeProblem(name: string, argument: JsonValue): string | undefined {
  return SHAPES[name]?.(argument);
}

const SHAPES: Readonly<Record<string, (argument: JsonValue) => string | undefined>> = {
  Ref: (argument) => unless(typeof argument === 'string', MESSAGES.ref),
  'Fn::And': (argument) => unless(isList(argument, 2, 10), MESSAGES.and),
  'Fn::Base64': (argument) => unless(isText(argument), MESSAGES.base64),
  'Fn::Cidr': (argument) => unless(isList(argument, 2, 3) && argument.every(isText), MESSAGES.cidr),
  'Fn::Equals': (argument) =>
    unless(isList(argument, 2, 2) && argument.every(isText), MESSAGES.equals),
  'Fn::FindInMap': (argument) =>
    unless(isList(argument, 3, 3) && argument.every(isText), MESSAGES.findInMap),
  'Fn::GetAZs': (argument) => unless(isText(argument), MESSAGES.getAZs),
  'Fn::GetAtt': getAtt,
  'Fn::If': (argument) =>
    unless(isList(argument, 3, 3) && typeof argument[0] === 'string', MESSAGES.if),
  'Fn::ImportValue': (argument) => unless(isText(argument), MESSAGES.importValue),
  'Fn::Join': join,
  'Fn::Not': (argument) => unless(isList(argument, 1, 1), MESSAGES.not),
  'Fn::Or': (argument) => unless(isList(argument, 2, 10), MESSAGES.or),
  'Fn::Select': select,
  'Fn::Split': (argument) =>
    unless(
      isList(argument, 2, 2) && typeof argument[0] === 'string' && isText(argument[1]),
      MESSAGES.split,
    ),
  'Fn::Sub': sub,
};

function unless(fits: boolean, problem: string): string | undefined {
  return fits ? undefined : problem;
}

function isList(value: JsonValue, least: number, most: number): value is JsonValue[] {
  return Array.isArray(value) && value.length >= least && value.length <= most;
}

/** A text, or a function that may give one. */
function isText(value: JsonValue | undefined): boolean {
  if (value === undefined) return false;
  return scalarText(value) !== undefined || functionOf(value) !== undefined;
}

function getAtt(argument: JsonValue): string | undefined {
  const parts = getAttParts(argument);
  const fits = parts !== undefined && typeof parts.resource === 'string' && isText(parts.attribute);
  return unless(fits, MESSAGES.getAtt);
}

function join(argument: JsonValue): string | undefined {
  if (!isList(argument, 2, 2) || typeof argument[0] !== 'string') return MESSAGES.join;
  const list = argument[1] ?? null;
  return unless(Array.isArray(list) ? list.every(isText) : isFunction(list), MESSAGES.join);
}

function select(argument: JsonValue): string | undefined {
  if (!isList(argument, 2, 2)) return MESSAGES.select;
  const [at = null, list = null] = argument;
  const index = listIndex(at);
  if (index === undefined && !isFunction(at)) return MESSAGES.select;
  if (!Array.isArray(list)) return unless(isFunction(list), MESSAGES.select);
  return unless(index === undefined || index < list.length, MESSAGES.select);
}

function sub(argument: JsonValue): string | undefined {
  const parts = subParts(argument);
  if (parts === undefined) return MESSAGES.sub;
  for (const [key, value] of Object.entries(parts.variables)) {
    if (!/^[A-Za-z0-9_]+$/.test(key)) return MESSAGES.subKey;
    if (!isText(value)) return MESSAGES.subValue;
  }
  return unless(parseSub(parts.text).badName === undefined, MESSAGES.subName);
}

function isFunction(value: JsonValue): boolean {
  return isObject(value) && functionOf(value) !== undefined;
}
