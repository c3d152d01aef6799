import { isObject, type JsonObject, type JsonValue } from '../base/index.ts';
import type { Template } from '../template/index.ts';
import { scalarText } from './functions.ts';
import { refusal } from './refusal.ts';
import { checkName, type Member, sectionMembers } from './section.ts';
import { down, type Trail } from './trail.ts';
import { refusedFunction } from './transforms.ts';

/** Mappings by name: two levels of keys, then a scalar or a list of scalars (T6, T25, T26). */
export function readMappings(
  template: Template,
  extended: boolean,
): ReadonlyMap<string, JsonObject> {
  const members = sectionMembers(template, 'Mappings', extended);
  // With AWS::LanguageExtensions keys may be the texts that its functions make.
  const keys = extended ? { first: /./, second: /./ } : KEYS;
  return new Map(members.map((member) => [member.name, readMapping(template, member, keys)]));
}

const KEYS = { first: /^[a-zA-Z0-9.-]+$/, second: /^[a-zA-Z0-9]+$/ };

function readMapping(template: Template, member: Member, keys: typeof KEYS): JsonObject {
  checkName(template, 'Mapping', member);
  const { name, value, at } = member;
  if (!isObject(value)) throw mustBeMap(template, name, at);
  for (const [key, attributes] of Object.entries(value)) {
    const below = down(at, key);
    if (key === 'Fn::Transform') throw refusedFunction(template, attributes, below);
    checkKey(template, key, keys.first, below);
    if (!isObject(attributes)) throw mustBeMap(template, name, below);
    for (const [attribute, item] of Object.entries(attributes)) {
      checkAttribute(template, attribute, item, down(below, attribute));
      checkKey(template, attribute, keys.second, down(below, attribute));
    }
  }
  return value;
}

function mustBeMap(template: Template, name: string, at: Trail): Error {
  const message = `Template format error: Every Mappings member ${name} must be a map`;
  return refusal(template, message, at, 'a mapping has two levels of keys');
}

function checkAttribute(template: Template, key: string, item: JsonValue, at: Trail): void {
  if (key === 'Fn::Transform') throw refusedFunction(template, item, at);
  const items = Array.isArray(item) ? item : [item];
  if (items.some((part) => scalarText(part) === undefined)) {
    const message = 'Template format error: Every Mappings attribute must be a String or a List.';
    throw refusal(template, message, at, 'mappings hold plain values; functions do not work here');
  }
}

function checkKey(template: Template, key: string, allowed: RegExp, at: Trail): void {
  if (allowed.test(key)) return;
  const message = `Template format error: Mappings attribute name '${key}' must contain only alphanumeric characters.`;
  throw refusal(
    template,
    message,
    at,
    'use letters and digits; on the first level dots and hyphens too',
  );
}
