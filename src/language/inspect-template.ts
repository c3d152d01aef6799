import type { Template } from '../template/index.ts';
import { type Inspection, inspectValue } from './inspect.ts';
import { inspectLogic, type LogicInspection } from './inspect-logic.ts';
import { didYouMean, refusal } from './refusal.ts';
import { inspectRule } from './rules.ts';
import type { Sections } from './sections.ts';
import { down, type Trail } from './trail.ts';

/** Where parameters are used: in conditions and rules, in resources, in outputs. */
export type ParameterUses = ReadonlyMap<string, readonly Trail[]>;

/**
 * Everything about functions and names that can be said without values.
 *
 * @returns the uses of parameters, from which fitting values can be invented
 * @throws UserError (ValidationError) with the first malformed function, else with every name that
 *   leads nowhere in one section (T27, T28, T30, V2)
 */
export function inspectTemplate(template: Template, sections: Sections): ParameterUses {
  const uses = new Map<string, Trail[]>();
  const used = (parameter: string, at: Trail) => {
    const known = uses.get(parameter);
    if (known === undefined) uses.set(parameter, [at]);
    else known.push(at);
  };
  const base = { template, sections, inImport: false, used };
  inspectLogicSections(base);
  inspectResources({ ...base, resources: true, unresolved: new Map() });
  inspectOutputs({ ...base, resources: true, unresolved: new Map() });
  return uses;
}

function inspectLogicSections(base: Omit<Inspection, 'resources' | 'unresolved'>): void {
  const { template, sections } = base;
  for (const section of ['Conditions', 'Rules'] as const) {
    const inspection: LogicInspection = {
      ...base,
      section,
      resources: false,
      unresolved: new Map(),
      unresolvedConditions: new Map(),
    };
    if (section === 'Conditions') {
      for (const [name, value] of sections.conditions) {
        inspectLogic(value, down(undefined, section, name), inspection);
      }
    } else {
      for (const [name, rule] of sections.rules) inspectRule(name, rule, inspection);
    }
    refuseUnresolved(template, inspection.unresolved, {
      known: [...sections.parameters.keys()],
      message: (names) =>
        `Template format error: Unresolved dependencies [${names}]. Cannot reference resources in the ${section} block of the template`,
    });
    refuseConditions(template, sections, section, inspection.unresolvedConditions);
  }
}

function inspectResources(inspection: Inspection): void {
  const { template, sections, unresolved } = inspection;
  const conditions = new Map<string, Trail>();
  for (const [, resource] of sections.resources) {
    const { at, condition, properties, attributes } = resource;
    if (condition !== undefined && !sections.conditions.has(condition)) {
      conditions.set(condition, down(at, 'Condition'));
    }
    for (const { name, at: place } of resource.dependsOn) {
      if (!sections.resources.has(name) && !unresolved.has(name)) unresolved.set(name, place);
    }
    inspectValue(properties, down(at, 'Properties'), inspection);
    for (const [key, value] of Object.entries(attributes)) {
      inspectValue(value, down(at, key), inspection);
    }
  }
  refuseUnresolved(template, unresolved, {
    known: [...sections.resources.keys(), ...sections.parameters.keys()],
    message: unresolvedInResources,
  });
  refuseConditions(template, sections, 'Resources', conditions);
}

function inspectOutputs(inspection: Inspection): void {
  const { template, sections, unresolved } = inspection;
  const conditions = new Map<string, Trail>();
  for (const [, { at, value, exportName, condition }] of sections.outputs) {
    if (condition !== undefined && !sections.conditions.has(condition)) {
      conditions.set(condition, down(at, 'Condition'));
    }
    inspectValue(value, down(at, 'Value'), inspection);
    if (exportName !== undefined) inspectValue(exportName, down(at, 'Export', 'Name'), inspection);
  }
  refuseUnresolved(template, unresolved, {
    known: [...sections.resources.keys(), ...sections.parameters.keys()],
    message: unresolvedInOutputs,
  });
  refuseConditions(template, sections, 'Outputs', conditions);
}

/** T27. */
export function unresolvedInResources(names: string): string {
  return `Template format error: Unresolved resource dependencies [${names}] in the Resources block of the template`;
}

/** T28: without the prefix. */
export function unresolvedInOutputs(names: string): string {
  return `Unresolved resource dependencies [${names}] in the Outputs block of the template`;
}

interface UnresolvedAdvice {
  readonly known: readonly string[];
  message(names: string): string;
  readonly hint?: string;
}

/** Refuses a template for all names that lead nowhere; the place shown is the first one's. */
export function refuseUnresolved(
  template: Template,
  unresolved: ReadonlyMap<string, Trail>,
  { known, message, hint }: UnresolvedAdvice,
): void {
  const [first] = unresolved;
  if (first === undefined) return;
  const [name, at] = first;
  const advice = hint ?? didYouMean(name, known, `declare ${name} under Parameters or Resources`);
  throw refusal(template, message([...unresolved.keys()].join(', ')), at, advice);
}

function refuseConditions(
  template: Template,
  { conditions }: Sections,
  section: string,
  unresolved: ReadonlyMap<string, Trail>,
): void {
  const [name] = unresolved.keys();
  refuseUnresolved(template, unresolved, {
    known: [],
    message: (names) =>
      `Template format error: Unresolved condition dependencies [${names}] in the ${section} block of the template`,
    hint: didYouMean(name ?? '', conditions.keys(), 'declare it under Conditions'),
  });
}
