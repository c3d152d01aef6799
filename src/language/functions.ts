import { isObject, type JsonValue } from '../base/index.ts';

/** A function as it stands in a template: a map with one member. */
export interface FunctionCall {
  readonly name: string;
  readonly argument: JsonValue;
}

/** The function that a value calls; undefined for plain data, a map with further keys included. */
export function functionOf(value: JsonValue): FunctionCall | undefined {
  if (!isObject(value)) return undefined;
  const keys = Object.keys(value);
  const [name] = keys;
  if (name === undefined || keys.length !== 1) return undefined;
  if (name !== 'Ref' && !name.startsWith('Fn::')) return undefined;
  return { name, argument: value[name] ?? null };
}

/** Functions that give a value, wherever values stand. */
export const VALUE_FUNCTIONS: ReadonlySet<string> = new Set([
  'Ref',
  'Fn::Base64',
  'Fn::Cidr',
  'Fn::FindInMap',
  'Fn::GetAZs',
  'Fn::GetAtt',
  'Fn::If',
  'Fn::ImportValue',
  'Fn::Join',
  'Fn::Select',
  'Fn::Split',
  'Fn::Sub',
]);

/** Functions of the Conditions section (and of rules). */
export const CONDITION_FUNCTIONS: ReadonlySet<string> = new Set([
  'Fn::And',
  'Fn::Equals',
  'Fn::Not',
  'Fn::Or',
]);

/** Functions of the Rules section alone. */
export const RULE_FUNCTIONS: ReadonlySet<string> = new Set([
  'Fn::Contains',
  'Fn::EachMemberEquals',
  'Fn::EachMemberIn',
  'Fn::RefAll',
  'Fn::ValueOf',
  'Fn::ValueOfAll',
]);

/** What an `Fn::Equals` of a condition may hold (F5). */
export const OPERAND_FUNCTIONS: ReadonlySet<string> = new Set([
  'Ref',
  'Fn::FindInMap',
  'Fn::Join',
  'Fn::Select',
  'Fn::Split',
  'Fn::Sub',
]);

/** Functions that the transform AWS::LanguageExtensions brings. */
export const EXTENSION_FUNCTIONS: ReadonlySet<string> = new Set([
  'Fn::Length',
  'Fn::ToJsonString',
  'Fn::ForEach',
]);

export const PSEUDO_PARAMETERS: ReadonlySet<string> = new Set([
  'AWS::AccountId',
  'AWS::NoValue',
  'AWS::NotificationARNs',
  'AWS::Partition',
  'AWS::Region',
  'AWS::StackId',
  'AWS::StackName',
  'AWS::URLSuffix',
]);

/** The sentence of F26, with the functions in CloudFormation's order. */
export function unsupportedFunction(name: string): string {
  return `Template Error: Encountered unsupported function: ${name} Supported functions are: [${SUPPORTED}]`;
}

const SUPPORTED = [
  'Fn::Base64',
  'Fn::GetAtt',
  'Fn::GetAZs',
  'Fn::ImportValue',
  'Fn::Join',
  'Fn::Split',
  'Fn::FindInMap',
  'Fn::Select',
  'Ref',
  'Fn::Equals',
  'Fn::If',
  'Fn::Not',
  'Condition',
  'Fn::And',
  'Fn::Or',
  'Fn::Contains',
  'Fn::EachMemberEquals',
  'Fn::EachMemberIn',
  'Fn::ValueOf',
  'Fn::ValueOfAll',
  'Fn::RefAll',
  'Fn::Sub',
  'Fn::Cidr',
].join(', ');

/** Text of a scalar: numbers and booleans as they are written in JSON (F12, F29). */
export function scalarText(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** The two parts of an Fn::GetAtt argument: a list of two, or one text split at the first dot (F9). */
export function getAttParts(
  argument: JsonValue,
): { readonly resource: JsonValue; readonly attribute: JsonValue } | undefined {
  const parts = typeof argument === 'string' ? splitAtDot(argument) : argument;
  if (!Array.isArray(parts) || parts.length !== 2) return undefined;
  const [resource = '', attribute = ''] = parts;
  return resource === '' || attribute === '' ? undefined : { resource, attribute };
}

/** `Nested.Outputs.Url` is the attribute `Outputs.Url` of `Nested`. */
export function splitAtDot(text: string): string[] {
  const dot = text.indexOf('.');
  return dot === -1 ? [text] : [text.slice(0, dot), text.slice(dot + 1)];
}
