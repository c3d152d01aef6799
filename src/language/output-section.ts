import { isObject, type JsonObject, type JsonValue } from '../base/index.ts';
import type { Template } from '../template/index.ts';
import { scalarText } from './functions.ts';
import { refusal } from './refusal.ts';
import { readCondition } from './resource-section.ts';
import { checkKeys, checkName, type Member, objectMember, sectionMembers } from './section.ts';
import { down, type Trail } from './trail.ts';

/** An output as declared, nothing evaluated. */
export interface OutputDeclaration {
  readonly name: string;
  readonly at: Trail;
  readonly value: JsonValue;
  readonly exportName?: JsonValue;
  readonly description?: string;
  readonly condition?: string;
}

const KEYS: ReadonlySet<string> = new Set(['Condition', 'Description', 'Export', 'Value']);

export function readOutputs(
  template: Template,
  extended: boolean,
): ReadonlyMap<string, OutputDeclaration> {
  const members = sectionMembers(template, 'Outputs', extended);
  return new Map(members.map((member) => [member.name, readOutput(template, member)]));
}

function readOutput(template: Template, member: Member): OutputDeclaration {
  checkName(template, 'Output', member);
  const body = objectMember(template, 'Outputs', member);
  const { name, at } = member;
  checkKeys(template, 'output', { value: body, at, known: KEYS });
  const value = body['Value'];
  if (value === undefined) {
    const message = 'Template format error: Every Outputs member must contain a Value object';
    throw refusal(template, message, at, 'add a Value');
  }
  const condition = readCondition(template, body, at);
  const description = readDescription(template, body, at);
  const exportName = readExport(template, name, body, at);
  return {
    ...{ name, at, value },
    ...(exportName === undefined ? {} : { exportName }),
    ...(description === undefined ? {} : { description }),
    ...(condition === undefined ? {} : { condition }),
  };
}

/** A description is literal text (T8). */
export function readDescription(
  template: Template,
  body: JsonObject,
  at: Trail,
): string | undefined {
  const given = body['Description'];
  if (given === undefined) return undefined;
  const text = scalarText(given);
  if (text !== undefined) return text;
  const message = 'Template format error: Every Description member must be a string.';
  throw refusal(template, message, down(at, 'Description'), 'functions do not work here');
}

function readExport(
  template: Template,
  name: string,
  body: JsonObject,
  at: Trail,
): JsonValue | undefined {
  const given = body['Export'];
  if (given === undefined) return undefined;
  const exportName = isObject(given) ? given['Name'] : undefined;
  if (exportName !== undefined) return exportName;
  throw malformedOutput(template, name, down(at, 'Export'), 'an Export has a Name');
}

export function malformedOutput(template: Template, name: string, at: Trail, hint: string): Error {
  return refusal(template, `Template format error: Output ${name} is malformed`, at, hint);
}
