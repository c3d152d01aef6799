import { type JsonObject, type JsonValue, type Path, toPointer } from '../base/index.ts';
import type { Template } from '../template/index.ts';
import { scalarText } from './functions.ts';
import { readMappings } from './mapping-section.ts';
import { type OutputDeclaration, readDescription, readOutputs } from './output-section.ts';
import { type ParameterDeclaration, readParameters } from './parameter-section.ts';
import { didYouMean, refusal, refusalAt } from './refusal.ts';
import { type ResourceDeclaration, readResources } from './resource-section.ts';
import { type Member, objectMember, sectionMembers } from './section.ts';
import { down } from './trail.ts';
import { LANGUAGE_EXTENSIONS, listedTransforms } from './transforms.ts';

/** A template taken apart: every section checked for its form, no function looked at. */
export interface Sections {
  readonly description?: string;
  readonly transforms: readonly string[];
  /** AWS::LanguageExtensions is listed. */
  readonly extended: boolean;
  readonly parameters: ReadonlyMap<string, ParameterDeclaration>;
  readonly mappings: ReadonlyMap<string, JsonObject>;
  readonly rules: ReadonlyMap<string, JsonObject>;
  readonly conditions: ReadonlyMap<string, JsonValue>;
  readonly resources: ReadonlyMap<string, ResourceDeclaration>;
  readonly outputs: ReadonlyMap<string, OutputDeclaration>;
}

const TOP_LEVEL: ReadonlySet<string> = new Set([
  'AWSTemplateFormatVersion',
  'Conditions',
  'Description',
  'Mappings',
  'Metadata',
  'Outputs',
  'Parameters',
  'Resources',
  'Rules',
  'Transform',
]);

/** @throws UserError (ValidationError, NotAvailable) with the first thing wrong (T1 to T26) */
export function readSections(template: Template): Sections {
  const transforms = listedTransforms(template);
  const extended = transforms.includes(LANGUAGE_EXTENSIONS);
  checkTopLevel(template);
  checkVersion(template);
  checkNulls(template);
  const description = readDescription(template, template.body, undefined);
  const sections: Sections = {
    ...(description === undefined ? {} : { description }),
    ...{ transforms, extended },
    parameters: readParameters(template, extended),
    mappings: readMappings(template, extended),
    rules: readRules(template, extended),
    conditions: readConditions(template, extended),
    resources: readResources(template, extended),
    outputs: readOutputs(template, extended),
  };
  checkUnique(template, sections);
  return sections;
}

function checkTopLevel(template: Template): void {
  const unknown = Object.keys(template.body).filter((key) => !TOP_LEVEL.has(key));
  const [first] = unknown;
  if (first === undefined) return;
  const message = `Invalid template property or properties [${unknown.join(', ')}]`;
  const otherwise = `known sections: ${[...TOP_LEVEL].join(', ')}`;
  throw refusal(template, message, down(undefined, first), didYouMean(first, TOP_LEVEL, otherwise));
}

function checkVersion(template: Template): void {
  const version = template.body['AWSTemplateFormatVersion'];
  if (version === undefined || version === '2010-09-09' || version === null) return;
  const message = `Template format error: Unsupported AWSTemplateFormatVersion ${scalarText(version) ?? ''}`;
  const at = down(undefined, 'AWSTemplateFormatVersion');
  throw refusal(template, message.trimEnd(), at, 'the only version is 2010-09-09');
}

/** T24: a null anywhere. */
function checkNulls(template: Template): void {
  const path = pathOfNull(template.body, []);
  if (path === undefined) return;
  const message = `[${toPointer(path)}] 'null' values are not allowed in templates`;
  throw refusalAt(template, message, path, 'give it a value or remove it');
}

function pathOfNull(value: JsonValue, path: Path): Path | undefined {
  if (value === null) return path;
  if (typeof value !== 'object') return undefined;
  const members = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [step, member] of members) {
    if (member !== null && typeof member !== 'object') continue;
    const found = pathOfNull(member, [...path, step]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function readRules(template: Template, extended: boolean): ReadonlyMap<string, JsonObject> {
  const members = sectionMembers(template, 'Rules', extended);
  return new Map(members.map((member) => [member.name, objectMember(template, 'Rules', member)]));
}

/** Names of conditions are looser than others; even `AWS::NoValue` passes (T5). */
function readConditions(template: Template, extended: boolean): ReadonlyMap<string, JsonValue> {
  const members = sectionMembers(template, 'Conditions', extended);
  for (const member of members) checkConditionName(template, member);
  return new Map(members.map(({ name, value }) => [name, value]));
}

function checkConditionName(template: Template, { name, at }: Member): void {
  if (/^[a-zA-Z0-9&_]{1,255}$/.test(name) || name === 'AWS::NoValue') return;
  const message = `Template format error: Condition name ${name} is non alphanumeric.`;
  throw refusal(template, message, at, 'use letters and digits only');
}

/** A logical id names one thing: a parameter or a resource (T5). */
function checkUnique(template: Template, { parameters, resources }: Sections): void {
  for (const [name, { at }] of resources) {
    if (!parameters.has(name)) continue;
    const message = `Template format error: The logical ID ${name} is used by a parameter and by a resource`;
    throw refusal(template, message, at, 'rename one of the two');
  }
}
