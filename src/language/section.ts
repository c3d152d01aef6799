import { isObject, type JsonObject, type JsonValue } from '../base/index.ts';
import type { Template } from '../template/index.ts';
import { didYouMean, refusal } from './refusal.ts';
import { down, type Trail } from './trail.ts';
import { refusedExtension, refusedFunction } from './transforms.ts';

/** A member of a section, with the way to it. */
export interface Member {
  readonly name: string;
  readonly value: JsonValue;
  readonly at: Trail;
}

type SectionName = 'Parameters' | 'Mappings' | 'Rules' | 'Conditions' | 'Resources' | 'Outputs';

/** The members of a section in template order; none where the template has no such section. */
export function sectionMembers(
  template: Template,
  section: SectionName,
  extended: boolean,
): readonly Member[] {
  const body = template.body[section];
  if (body === undefined) return [];
  const top = down(undefined, section);
  if (!isObject(body)) throw mustBeObject(template, section, top);
  return Object.entries(body).map(([name, value]) => {
    const at = down(top, name);
    if (name === 'Fn::Transform') throw refusedFunction(template, value, at);
    if (name.startsWith('Fn::ForEach::')) throw loop(template, section, name, { at, extended });
    return { name, value, at };
  });
}

/** A loop in a section (T38), or its refusal where the transform that brings loops is listed. */
function loop(
  template: Template,
  section: SectionName,
  name: string,
  { at, extended }: { readonly at: Trail; readonly extended: boolean },
): Error {
  if (extended) return refusedExtension(template, 'Fn::ForEach', at);
  const message = `Template format error: [/${section}/${name}] resource definition is malformed`;
  return refusal(template, message, at, LOOP_HINT);
}

const LOOP_HINT = 'Fn::ForEach needs the transform AWS::LanguageExtensions';

/** A member that has to be a map (T18, and alike for the other sections). */
export function objectMember(template: Template, section: string, member: Member): JsonObject {
  if (isObject(member.value)) return member.value;
  throw mustBeObject(template, section, member.at);
}

export function mustBeObject(template: Template, section: string, at: Trail): Error {
  const message = `Template format error: Any ${section} member must be an object.`;
  return refusal(template, message, at, 'write a map here');
}

/** T21, T22 and alike: letters and digits only (T5). */
export function checkName(template: Template, kind: string, { name, at }: Member): void {
  if (/^[a-zA-Z0-9]{1,255}$/.test(name)) return;
  const message = `Template format error: ${kind} name ${name} is non alphanumeric.`;
  throw refusal(template, message, at, 'use letters and digits only, at most 255');
}

/** Keys of a declaration that CloudFormation does not know there (T20). */
export function checkKeys(
  template: Template,
  kind: 'resource' | 'parameter' | 'output',
  {
    value,
    at,
    known,
  }: { readonly value: JsonObject; readonly at: Trail; readonly known: ReadonlySet<string> },
): void {
  for (const key of Object.keys(value)) {
    if (known.has(key)) continue;
    const hint = didYouMean(key, known, `known here: ${[...known].join(', ')}`);
    throw refusal(template, `Invalid template ${kind} property '${key}'`, down(at, key), hint);
  }
}
