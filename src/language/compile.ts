import type { Template } from '../template/index.ts';
import { requiredCapabilities } from './capabilities.ts';
import { refuseCircles } from './circles.ts';
import { compileOutputs } from './compile-outputs.ts';
import { compileResources } from './compile-resources.ts';
import type { Compiled, Inputs, Lookups } from './compile-types.ts';
import { createConditions } from './conditions.ts';
import { evaluate } from './evaluate.ts';
import { inspectTemplate } from './inspect-template.ts';
import type { ResourceModel, StackModel } from './model.ts';
import { type HiddenValues, hiddenValues } from './no-echo.ts';
import { type Parameter, parameterValues } from './parameter-values.ts';
import { refusal } from './refusal.ts';
import { isCustomType } from './resource-section.ts';
import { checkRules } from './rules.ts';
import type { Findings, Scope } from './scope.ts';
import { readSections, type Sections } from './sections.ts';
import { down } from './trail.ts';

/**
 * What a template means with its inputs: every function that can be evaluated is, what needs a
 * resource stays in place (see `StackModel`).
 *
 * In CloudFormation's order (F1): form, names and types first, then parameters, rules, conditions,
 * resources, outputs.
 *
 * @throws UserError (ValidationError) in CloudFormation's words for what it refuses at once;
 *   (NotAvailable) for transforms. What AWS finds only later is `preflightFailure`.
 */
export function compile(template: Template, inputs: Inputs, lookups: Lookups): Compiled {
  const sections = readSections(template);
  refuseUnknownTypes(template, sections, lookups);
  const uses = inspectTemplate(template, sections);
  const findings: Findings = {
    inventions: [],
    assumptions: template.duplicateKeys.map(
      ({ key, span }) =>
        `The key ${key} stands twice in its map; the one in line ${span.line} counts, as in CloudFormation.`,
    ),
    imports: new Set(),
    preflightFailure: undefined,
  };
  const parameters = parameterValues({
    ...{ template, inputs, lookups, findings, uses },
    declarations: sections.parameters,
  });
  const scope = createScope({ template, sections, inputs, lookups, parameters, findings });
  checkRules(scope, {
    template,
    condition: scope.condition,
    operand: (value, at) => evaluate(value, at, { ...scope, deciding: true }),
  });
  const model = compileModel(scope);
  const { inventions, assumptions, preflightFailure } = findings;
  return {
    ...{ model, inventions, assumptions, hidden: hiddenIn(inputs, parameters) },
    ...(preflightFailure === undefined ? {} : { preflightFailure }),
  };
}

function hiddenIn({ stackName }: Inputs, parameters: ReadonlyMap<string, Parameter>): HiddenValues {
  const secret = [...parameters].filter(([, { model }]) => model.noEcho);
  const values = secret.map(([name, { value }]) => hiddenValues(stackName, name, value));
  return Object.assign({}, ...values);
}

function createScope(
  known: Pick<Scope, 'template' | 'sections' | 'inputs' | 'lookups' | 'parameters' | 'findings'>,
): Scope {
  const scope: Scope = {
    ...known,
    deciding: false,
    late: new WeakSet(),
    dependencies: new Map(),
    absent: new Map(),
    condition: createConditions(known.sections, {
      template: known.template,
      operand: (value, at) => evaluate(value, at, { ...scope, deciding: true }),
    }),
  };
  return scope;
}

function compileModel(scope: Scope): StackModel {
  const { template, sections, parameters, findings } = scope;
  const conditions = Object.fromEntries(
    [...sections.conditions.keys()].map((name) => [name, scope.condition(name)]),
  );
  const resources = compileResources(scope);
  refuseCircles(template, resources);
  const outputs = compileOutputs(scope);
  const models = resources.map(({ model }) => model);
  return {
    ...(sections.description === undefined ? {} : { description: sections.description }),
    parameters: Object.fromEntries([...parameters].map(([name, { model }]) => [name, model])),
    conditions,
    resources: Object.fromEntries<ResourceModel>(models.map((model) => [model.logicalId, model])),
    outputs,
    imports: [...findings.imports],
    capabilities: requiredCapabilities(models, sections.transforms),
  };
}

/** T32: every type nobody knows, listed together; never those of custom resources. */
function refuseUnknownTypes(template: Template, { resources }: Sections, lookups: Lookups): void {
  const unknown = [...resources.values()].filter(
    ({ type }) => !isCustomType(type) && (isForeign(type) || !lookups.isKnownType(type)),
  );
  const [first] = unknown;
  if (first === undefined) return;
  const types = [...new Set(unknown.map(({ type }) => type))].join(', ');
  const message = `Template format error: Unrecognized resource types: [${types}]`;
  throw refusal(template, message, down(first.at, 'Type'), adviceOn(first.type));
}

/** Types of transforms and modules, which are gone once a template is processed. */
function isForeign(type: string): boolean {
  return type.startsWith('AWS::Serverless::') || type.endsWith('::MODULE');
}

function adviceOn(type: string): string {
  if (type.startsWith('AWS::Serverless::')) {
    return 'the type belongs to the transform AWS::Serverless-2016-10-31, which the template does not list';
  }
  if (type.endsWith('::MODULE')) return 'put the resources of the module into the template itself';
  return 'check the spelling of the type';
}
