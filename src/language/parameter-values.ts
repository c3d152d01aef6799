import { UserError } from '../base/index.ts';
import type { Template } from '../template/index.ts';
import type { Inputs, Lookups } from './compile-types.ts';
import { brokenConstraint } from './constraints.ts';
import type { ParameterUses } from './inspect-template.ts';
import { inventParameter } from './invent.ts';
import type { ParameterModel } from './model.ts';
import { hidden, MASK } from './no-echo.ts';
import type { ParameterDeclaration } from './parameter-section.ts';
import { listItems } from './parameter-types.ts';
import { wholePattern } from './pattern.ts';
import { didYouMean, refusal } from './refusal.ts';
import type { Findings } from './scope.ts';
import { ssmValue } from './ssm-parameters.ts';

/** What parameters take their values from. */
interface ParameterSources {
  readonly template: Template;
  readonly declarations: ReadonlyMap<string, ParameterDeclaration>;
  readonly inputs: Inputs;
  readonly lookups: Lookups;
  readonly findings: Findings;
  readonly uses: ParameterUses;
}

/** A parameter with the value that only decisions see; the model has what may be kept. */
export interface Parameter {
  readonly model: ParameterModel;
  readonly value: string | readonly string[];
}

/**
 * The value of every parameter: given, by default, or invented.
 *
 * @throws UserError (ValidationError) for unknown, missing and unfit values (P3 to P13)
 */
export function parameterValues(sources: ParameterSources): ReadonlyMap<string, Parameter> {
  const { declarations, inputs, template } = sources;
  refuseUnknown(sources);
  const texts = new Map<string, string | undefined>();
  for (const [name, { defaultValue }] of declarations) {
    texts.set(
      name,
      Object.hasOwn(inputs.parameters, name) ? inputs.parameters[name] : defaultValue,
    );
  }
  if (!inputs.invent) refuseMissing(template, declarations, texts);
  const parameters = new Map<string, Parameter>();
  for (const [name, declaration] of declarations) {
    const given = texts.get(name);
    const text = given ?? inventParameter(declaration, sources);
    if (given !== undefined) checkConstraints(text, declaration, sources);
    parameters.set(name, parameterOf(text, declaration, sources));
  }
  return parameters;
}

function refuseUnknown({ declarations, inputs }: ParameterSources): void {
  const unknown = Object.keys(inputs.parameters).filter((name) => !declarations.has(name));
  const [first] = unknown;
  if (first === undefined) return;
  const message = `Parameters: [${unknown.join(', ')}] do not exist in the template`;
  const otherwise = `parameters of the template: ${[...declarations.keys()].join(', ') || 'none'}`;
  throw new UserError('ValidationError', message, {
    hint: didYouMean(first, declarations.keys(), otherwise),
  });
}

function refuseMissing(
  template: Template,
  declarations: ReadonlyMap<string, ParameterDeclaration>,
  texts: ReadonlyMap<string, string | undefined>,
): void {
  const missing = [...declarations.values()].filter(({ name }) => texts.get(name) === undefined);
  const [first] = missing;
  if (first === undefined) return;
  const names = missing.map(({ name }) => name);
  const message = `Parameters: [${names.join(', ')}] must have values`;
  const example = names.map((name) => `${name}=…`).join(' ');
  const hint = `give them with --parameter-overrides ${example}, or have them made up with --invent`;
  throw refusal(template, message, first.at, hint);
}

/** The constraints hold for the name of an SSM parameter, not for what it holds (P12). */
function checkConstraints(
  text: string,
  declaration: ParameterDeclaration,
  { template, findings }: ParameterSources,
): void {
  const { name, at, kind, allowedPattern, constraintDescription } = declaration;
  if (allowedPattern !== undefined && wholePattern(allowedPattern) === undefined) {
    findings.assumptions.push(
      `The value of ${name} fits its AllowedPattern, which cannot be read.`,
    );
  }
  const values = kind.list && !kind.fromSsm ? listItems(text) : [text];
  for (const value of values) {
    const broken = brokenConstraint(value, declaration);
    if (broken === undefined) continue;
    const described =
      constraintDescription === undefined || broken.endsWith('must be a number.')
        ? broken
        : `Parameter ${name} failed to satisfy constraint: ${constraintDescription}`;
    throw refusal(template, described, at, hintFor(value, broken, declaration));
  }
}

function hintFor(value: string, broken: string, declaration: ParameterDeclaration): string {
  const shown = declaration.noEcho ? 'the value' : `"${value}"`;
  if (!broken.endsWith('AllowedValues')) return `${shown} does not: ${broken}`;
  return `${shown} is none of ${declaration.allowedValues?.join(', ') ?? ''}`;
}

function parameterOf(
  text: string,
  declaration: ParameterDeclaration,
  sources: ParameterSources,
): Parameter {
  const { name, type, kind, noEcho } = declaration;
  const content = kind.fromSsm ? ssmValue(text, declaration, sources) : text;
  const value = kind.list ? listItems(content) : content;
  const model = noEcho
    ? { type, shown: MASK, value: hidden(sources.inputs.stackName, name, value), noEcho }
    : { type, shown: text, value, noEcho };
  return { model, value };
}
