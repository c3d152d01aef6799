import { isObject, type JsonObject, type JsonValue } from '../base/index.ts';
import type { Template } from '../template/index.ts';
import {
  CONDITION_FUNCTIONS,
  EXTENSION_FUNCTIONS,
  type FunctionCall,
  functionOf,
  getAttParts,
  PSEUDO_PARAMETERS,
  RULE_FUNCTIONS,
  splitAtDot,
  unsupportedFunction,
  VALUE_FUNCTIONS,
} from './functions.ts';
import { MESSAGES } from './messages.ts';
import { didYouMean, notAvailable, refusal } from './refusal.ts';
import type { Sections } from './sections.ts';
import { shapeProblem } from './shapes.ts';
import { parseSub, subParts } from './sub-text.ts';
import { down, type Trail } from './trail.ts';
import { refusedExtension, refusedFunction } from './transforms.ts';

/** Where a function stands, and what was found on the way. */
export interface Inspection {
  readonly template: Template;
  readonly sections: Sections;
  /** Whether resources may be named here: not in conditions and rules. */
  readonly resources: boolean;
  /** Inside the argument of Fn::ImportValue (F22). */
  readonly inImport: boolean;
  /** Names that lead nowhere, each with its first place; all are reported together (V2). */
  readonly unresolved: Map<string, Trail>;
  /** Called for each use of a parameter. */
  used(parameter: string, at: Trail): void;
}

/**
 * Looks at every function in a value, both branches of `Fn::If` included (F2): whether it exists,
 * has the right form and names what there is. Nothing is evaluated.
 */
export function inspectValue(value: JsonValue, at: Trail, inspection: Inspection): void {
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      if (item !== null && typeof item === 'object') {
        inspectValue(item, down(at, index), inspection);
      }
    });
    return;
  }
  if (!isObject(value)) return;
  const call = functionOf(value);
  if (call === undefined) inspectMembers(value, at, inspection);
  else inspectCall(call, down(at, call.name), inspection);
}

function inspectMembers(value: JsonObject, at: Trail, inspection: Inspection): void {
  const { template } = inspection;
  for (const [key, member] of Object.entries(value)) {
    const below = down(at, key);
    if (key === 'Fn::Transform') throw refusedFunction(template, member, below);
    if (key.startsWith('Fn::ForEach::')) throw unknownFunction(inspection, key, below);
    if (typeof member === 'object') inspectValue(member, below, inspection);
  }
}

function inspectCall({ name, argument }: FunctionCall, at: Trail, inspection: Inspection): void {
  const { template, sections } = inspection;
  if (name === 'Fn::Transform') throw refusedFunction(template, argument, at);
  if (!VALUE_FUNCTIONS.has(name)) throw unknownFunction(inspection, name, at);
  if (sections.extended) checkExtensions(name, argument, at, inspection);
  const problem = shapeProblem(name, argument);
  if (problem !== undefined) throw refusal(template, problem, at, hintFor(problem));
  const special = SPECIAL[name];
  if (special === undefined) inspectValue(argument, at, inspection);
  else special(argument, at, inspection);
}

const SPECIAL: Readonly<
  Record<string, (argument: JsonValue, at: Trail, inspection: Inspection) => void>
> = {
  Ref: (argument, at, inspection) => inspectName(String(argument), at, inspection),
  'Fn::FindInMap': inspectFindInMap,
  'Fn::GetAZs': (argument, at, inspection) => {
    if (inspection.inImport) throw importFault(inspection, at);
    inspectValue(argument, at, inspection);
  },
  'Fn::GetAtt': inspectGetAtt,
  'Fn::If': inspectIf,
  'Fn::ImportValue': (argument, at, inspection) => {
    if (inspection.inImport) throw importFault(inspection, at);
    inspectValue(argument, at, { ...inspection, inImport: true });
  },
  'Fn::Sub': inspectSub,
};

function unknownFunction(inspection: Inspection, name: string, at: Trail): Error {
  const { template, sections } = inspection;
  const base = name.startsWith('Fn::ForEach::') ? 'Fn::ForEach' : name;
  if (EXTENSION_FUNCTIONS.has(base)) {
    if (sections.extended) return refusedExtension(template, base, at);
    const hint = `${base} needs the transform AWS::LanguageExtensions`;
    return refusal(template, unsupportedFunction(name), at, hint);
  }
  if (name === 'Fn::GetStackOutput') {
    return notAvailable(template, `${name} is not available`, at, 'use Fn::ImportValue');
  }
  if (CONDITION_FUNCTIONS.has(name) || RULE_FUNCTIONS.has(name)) {
    const home = CONDITION_FUNCTIONS.has(name) ? 'Conditions' : 'Rules';
    const message = `Template error: ${name} can only be used in the ${home} section`;
    return refusal(template, message, at, 'name a condition with Fn::If instead');
  }
  const hint = didYouMean(name, VALUE_FUNCTIONS, 'there is no such function');
  return refusal(template, unsupportedFunction(name), at, hint);
}

/** What AWS::LanguageExtensions would allow beyond the plain language. */
function checkExtensions(
  name: string,
  argument: JsonValue,
  at: Trail,
  { template }: Inspection,
): void {
  const isCall = (value: JsonValue | undefined) =>
    value !== undefined && functionOf(value) !== undefined;
  if (name === 'Ref' && isCall(argument)) throw refusedExtension(template, 'a function in Ref', at);
  if (!Array.isArray(argument)) return;
  if (name === 'Fn::GetAtt' && isCall(argument[0])) {
    throw refusedExtension(template, 'a function in Fn::GetAtt', at);
  }
  if (name !== 'Fn::FindInMap') return;
  if (argument.length === 4) throw refusedExtension(template, 'DefaultValue of Fn::FindInMap', at);
  if (argument.some((item) => isCall(item) && !isMapKey(item))) {
    throw refusedExtension(template, 'a function in Fn::FindInMap', at);
  }
}

/** What may stand in Fn::FindInMap without the transform: text, Ref, Fn::FindInMap (F5). */
function isMapKey(value: JsonValue): boolean {
  const name = functionOf(value)?.name;
  return name === undefined || name === 'Ref' || name === 'Fn::FindInMap';
}

function inspectName(name: string, at: Trail, inspection: Inspection): void {
  const { parameters, resources } = inspection.sections;
  if (PSEUDO_PARAMETERS.has(name)) return;
  if (parameters.has(name)) {
    inspection.used(name, at);
  } else if (resources.has(name) && inspection.resources) {
    if (inspection.inImport) throw importFault(inspection, at);
  } else if (!inspection.unresolved.has(name)) {
    inspection.unresolved.set(name, at);
  }
}

function inspectGetAtt(argument: JsonValue, at: Trail, inspection: Inspection): void {
  const parts = getAttParts(argument);
  if (parts === undefined) return;
  inspectAttributeOf(String(parts.resource), at, inspection);
  inspectValue(parts.attribute, down(at, 1), inspection);
}

function inspectAttributeOf(resource: string, at: Trail, inspection: Inspection): void {
  const { template, sections } = inspection;
  if (inspection.inImport) throw importFault(inspection, at);
  if (sections.resources.has(resource) || !inspection.resources) {
    inspectName(resource, at, inspection);
    return;
  }
  const message = `Template error: instance of Fn::GetAtt references undefined resource ${resource}`;
  const hint = didYouMean(resource, sections.resources.keys(), 'declare it under Resources');
  throw refusal(template, message, at, hint);
}

function inspectIf(argument: JsonValue, at: Trail, inspection: Inspection): void {
  if (!Array.isArray(argument)) return;
  const [name, ...branches] = argument;
  const { template, sections } = inspection;
  if (!sections.conditions.has(String(name))) {
    const message = `Template error: unresolved condition dependency ${name} in Fn::If`;
    const hint = didYouMean(
      String(name),
      sections.conditions.keys(),
      'declare it under Conditions',
    );
    throw refusal(template, message, down(at, 0), hint);
  }
  branches.forEach((branch, index) => {
    inspectValue(branch, down(at, index + 1), inspection);
  });
}

function inspectFindInMap(argument: JsonValue, at: Trail, inspection: Inspection): void {
  if (!Array.isArray(argument)) return;
  const { template, sections } = inspection;
  const [map] = argument;
  argument.forEach((item, index) => {
    const below = down(at, index);
    if (!isMapKey(item)) {
      const hint = 'without AWS::LanguageExtensions only Ref and Fn::FindInMap may stand here';
      throw refusal(template, MESSAGES.findInMap, below, hint);
    }
    inspectValue(item, below, { ...inspection, resources: false });
  });
  if (typeof map !== 'string' || sections.mappings.has(map)) return;
  throw unknownMapping(template, map, { at, known: sections.mappings.keys() });
}

export function unknownMapping(
  template: Template,
  map: string,
  { at, known }: { readonly at: Trail; readonly known: Iterable<string> },
): Error {
  const message = `Template error: Mapping named '${map}' is not present in the 'Mappings' section of template`;
  return refusal(template, message, at, didYouMean(map, known, 'declare it under Mappings'));
}

function inspectSub(argument: JsonValue, at: Trail, inspection: Inspection): void {
  const parts = subParts(argument);
  if (parts === undefined) return;
  inspectValue(argument, at, inspection);
  const { pieces } = parseSub(parts.text);
  for (const piece of pieces) {
    if (piece.type === 'text' || Object.hasOwn(parts.variables, piece.name)) continue;
    inspectVariable(piece.name, at, inspection);
  }
}

function inspectVariable(name: string, at: Trail, inspection: Inspection): void {
  const [resource = '', attribute] = splitAtDot(name);
  const { template, sections } = inspection;
  if (attribute === undefined) {
    inspectName(name, at, inspection);
  } else if (sections.resources.has(resource)) {
    inspectAttributeOf(resource, at, inspection);
  } else {
    const message = `Template error: instance of Fn::Sub references invalid resource attribute ${name}`;
    const otherwise = `write \${!${name}} for the text itself`;
    const hint = didYouMean(resource, sections.resources.keys(), otherwise);
    throw refusal(template, message, at, hint);
  }
}

function importFault({ template }: Inspection, at: Trail): Error {
  return refusal(template, MESSAGES.importValue, at, 'use parameters and plain text only');
}

function hintFor(problem: string): string {
  if (problem === MESSAGES.subName) return `write \${!name} where the shell is to see \${name}`;
  return 'correct the arguments of the function';
}
