import type { JsonObject, JsonValue } from '../base/index.ts';
import type { Template } from '../template/index.ts';
import { scalarText } from './functions.ts';
import { type ParameterKind, parameterKind } from './parameter-types.ts';
import { refusal } from './refusal.ts';
import { checkKeys, checkName, type Member, objectMember, sectionMembers } from './section.ts';
import { down, type Trail } from './trail.ts';

/** A parameter as declared; texts as they are compared, numbers as numbers. */
export interface ParameterDeclaration {
  readonly name: string;
  readonly at: Trail;
  readonly type: string;
  readonly kind: ParameterKind;
  readonly defaultValue?: string;
  readonly noEcho: boolean;
  readonly allowedValues?: readonly string[];
  readonly allowedPattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minValue?: number;
  readonly maxValue?: number;
  readonly constraintDescription?: string;
}

const KEYS: ReadonlySet<string> = new Set([
  'AllowedPattern',
  'AllowedValues',
  'ConstraintDescription',
  'Default',
  'Description',
  'MaxLength',
  'MaxValue',
  'MinLength',
  'MinValue',
  'NoEcho',
  'Type',
]);

export function readParameters(
  template: Template,
  extended: boolean,
): ReadonlyMap<string, ParameterDeclaration> {
  const members = sectionMembers(template, 'Parameters', extended);
  return new Map(members.map((member) => [member.name, readParameter(template, member)]));
}

function readParameter(template: Template, member: Member): ParameterDeclaration {
  checkName(template, 'Parameter', member);
  const value = objectMember(template, 'Parameters', member);
  const { at, name } = member;
  checkKeys(template, 'parameter', { value, at, known: KEYS });
  const { type, kind } = readType(template, value, at);
  const defaultValue = text(template, value, 'Default', at);
  checkDefault(template, name, defaultValue, at);
  const allowedPattern = text(template, value, 'AllowedPattern', at);
  const constraintDescription = text(template, value, 'ConstraintDescription', at);
  return {
    ...{ name, at, type, kind },
    noEcho: scalarText(value['NoEcho'] ?? false)?.toLowerCase() === 'true',
    ...(defaultValue === undefined ? {} : { defaultValue }),
    ...(allowedPattern === undefined ? {} : { allowedPattern }),
    ...(constraintDescription === undefined ? {} : { constraintDescription }),
    ...allowedValues(template, value, at),
    ...bound(template, value, 'MinLength', at),
    ...bound(template, value, 'MaxLength', at),
    ...bound(template, value, 'MinValue', at),
    ...bound(template, value, 'MaxValue', at),
  };
}

function readType(
  template: Template,
  value: JsonObject,
  at: Trail,
): { readonly type: string; readonly kind: ParameterKind } {
  const type = value['Type'];
  if (typeof type !== 'string') {
    const message = 'Template format error: Every Parameters object must contain a Type member.';
    throw refusal(template, message, at, 'add a Type, for example String');
  }
  const kind = parameterKind(type);
  if (kind !== undefined) return { type, kind };
  const message = `Template format error: Unrecognized parameter type: ${type}`;
  throw refusal(template, message, down(at, 'Type'), 'use one of the documented parameter types');
}

function text(template: Template, value: JsonObject, key: string, at: Trail): string | undefined {
  const given = value[key];
  if (given === undefined) return undefined;
  const found = scalarText(given);
  if (found !== undefined) return found;
  const message = `Template format error: Every ${key} member must be a string.`;
  throw refusal(template, message, down(at, key), 'write text here; lists are comma-separated');
}

function allowedValues(
  template: Template,
  value: JsonObject,
  at: Trail,
): { readonly allowedValues?: readonly string[] } {
  const given = value['AllowedValues'];
  if (given === undefined) return {};
  const texts = Array.isArray(given) ? given.map((item: JsonValue) => scalarText(item)) : [];
  const found = texts.filter((item) => item !== undefined);
  if (Array.isArray(given) && found.length === given.length) return { allowedValues: found };
  const message = 'Template format error: Every AllowedValues member must be a list of strings.';
  throw refusal(template, message, down(at, 'AllowedValues'), 'write a list of texts');
}

type BoundKey = 'MinLength' | 'MaxLength' | 'MinValue' | 'MaxValue';
const BOUNDS = {
  MinLength: 'minLength',
  MaxLength: 'maxLength',
  MinValue: 'minValue',
  MaxValue: 'maxValue',
} as const;

function bound(
  template: Template,
  value: JsonObject,
  key: BoundKey,
  at: Trail,
): { readonly [Name in (typeof BOUNDS)[BoundKey]]?: number } {
  const given = value[key];
  if (given === undefined) return {};
  const number = Number(scalarText(given)?.trim() || Number.NaN);
  if (Number.isFinite(number)) return { [BOUNDS[key]]: number };
  const message = `Template format error: Every ${key} member must be a number.`;
  throw refusal(template, message, down(at, key), 'write a number here');
}

/** An SSM reference in a default has to name its version (P18). */
function checkDefault(
  template: Template,
  name: string,
  defaultValue: string | undefined,
  at: Trail,
): void {
  if (defaultValue === undefined || !/\{\{resolve:ssm:[^:}]+\}\}/.test(defaultValue)) return;
  const message = `Template error: parameter ${name} should not contain ssm versionless resolver`;
  throw refusal(template, message, down(at, 'Default'), 'add the version: {{resolve:ssm:name:1}}');
}
