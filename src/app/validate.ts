import { createServiceFaults, type RequestFault, taskDefinitionFaults } from '../aws/ecs/index.ts';
import { isObject, type JsonObject, placeKey, type SourceSpan } from '../base/index.ts';
import { checkStatic, propertyFailure } from '../check/index.ts';
import { exportToCome, type ResourceModel, type StackModel } from '../language/index.ts';
import { toApi, toTemplate } from '../providers/index.ts';
import type { Registry } from '../registry/index.ts';
import { type Finding, refusedResult, type StackResult } from '../result/index.ts';
import { openStore } from '../store/index.ts';
import { createWorld, type World } from '../world/index.ts';
import { resultDocument } from './document.ts';
import { checkRequest } from './plan-deploy.ts';
import { refusedOutcome } from './refusal.ts';
import { seedWorld } from './seed-world.ts';
import { savedWorlds, sharedRegistry } from './session.ts';
import { openTargets, readScenario, type StackTarget } from './targets.ts';
import { DEFAULTS, type Outcome, type SettledValidate, type ValidateRequest } from './use-cases.ts';

/**
 * What can be known of a target without running it: its template, its properties, and the rules of
 * ECS over its task definitions and services. Nothing is changed.
 *
 * @throws UserError for an option that cannot be used
 */
export async function validate(given: ValidateRequest): Promise<Outcome> {
  const request: SettledValidate = { ...DEFAULTS.validate, ...given };
  try {
    const scenario = readScenario(request.scenario);
    const { stacks } = openTargets(request, scenario);
    const worlds = savedWorlds(openStore<World>(request.stateDir));
    const world = worlds.find(({ kind }) => kind === 'simulation') ?? createWorld();
    for (const { place } of stacks) seedWorld(world, placeKey(place), scenario);
    return validateAll(world, worlds, request, stacks);
  } catch (error) {
    return refusedOutcome(error, request.stackName ?? request.target, 0);
  }
}

function validateAll(
  world: World,
  worlds: readonly World[],
  { invent, capabilities }: SettledValidate,
  targets: readonly StackTarget[],
): Outcome {
  const registry = sharedRegistry();
  const pendingExports: { [name: string]: string } = {};
  const stacks: StackResult[] = [];
  const findings: Finding[] = [];
  const assumptions: string[] = [];
  const inventions = [];
  for (const target of targets) {
    const options = { invent, capabilities, worlds };
    const checked = checkRequest(world, registry, target, options, pendingExports);
    const { model, preflightFailure } = checked.compiled;
    for (const { exportName } of Object.values(model.outputs)) {
      if (exportName !== undefined) pendingExports[exportName] = exportToCome(exportName);
    }
    const faults = Object.values(model.resources).flatMap((resource) =>
      faultsOf(resource, model, target, registry),
    );
    findings.push(...checked.warnings, ...faults);
    assumptions.push(...checked.assumptions);
    inventions.push(...checked.compiled.inventions);
    stacks.push(checkedResult(target.stackName, preflightFailure, faults[0]));
  }
  const result = resultDocument({
    ...{
      seed: 0,
      runtime: 'simulation',
      deterministic: true,
      stacks,
      findings,
      assumptions,
      inventions,
    },
  });
  return { result, interrupted: false };
}

/**
 * What fails once the request is taken, as a whole (0.4) or in a resource, does so in the run:
 * `failed`, not `invalid`.
 */
function checkedResult(
  stackName: string,
  preflightFailure: string | undefined,
  fault: Finding | undefined,
): StackResult {
  const result = refusedResult(stackName, null);
  const reason = preflightFailure ?? fault?.title;
  if (reason === undefined) return result;
  const logicalId = preflightFailure === undefined ? (fault?.logicalId ?? '<stack>') : '<stack>';
  const failure = { logicalId, reason, source: 'engine', then: null } as const;
  return { ...result, verdict: 'failed', failure };
}

function faultsOf(
  resource: ResourceModel,
  model: StackModel,
  target: StackTarget,
  registry: Registry,
): readonly Finding[] {
  const facts = registry.facts(resource.type);
  if (facts === undefined) return [];
  const { properties, violations } = checkStatic(facts, resource.properties);
  const failure = propertyFailure(resource.logicalId, facts, violations);
  if (failure !== undefined) {
    return [finding(resource, target, failure, violations[0]?.path ?? [])];
  }
  return requestFaultsOf(resource.type, properties, model, registry).map(({ message, path }) =>
    finding(resource, target, message, toTemplate(path)),
  );
}

/** What the API would refuse of the requests that make a resource, as far as they are known. */
function requestFaultsOf(
  type: string,
  properties: JsonObject,
  model: StackModel,
  registry: Registry,
): readonly RequestFault[] {
  // What a function for the whole adds is not known.
  if (Object.keys(properties).some((key) => key.startsWith('Fn::'))) return [];
  if (type === 'AWS::ECS::TaskDefinition') return taskDefinitionFaults(toApi(properties));
  if (type !== 'AWS::ECS::Service') return [];
  const definition = definitionNamed(properties, model, registry);
  return createServiceFaults(toApi(properties), definition && toApi(definition));
}

/** The properties of the task definition that a service refers to in the same template. */
function definitionNamed(
  { TaskDefinition: named }: JsonObject,
  model: StackModel,
  registry: Registry,
): JsonObject | undefined {
  const logicalId = isObject(named) ? named['Ref'] : undefined;
  const resource = Object.values(model.resources).find((one) => one.logicalId === logicalId);
  const facts = registry.facts('AWS::ECS::TaskDefinition');
  if (resource?.type !== 'AWS::ECS::TaskDefinition' || facts === undefined) return undefined;
  const { properties } = checkStatic(facts, resource.properties);
  return Object.keys(properties).some((key) => key.startsWith('Fn::')) ? undefined : properties;
}

function finding(
  { logicalId }: ResourceModel,
  { template, stackName }: StackTarget,
  title: string,
  path: readonly (string | number)[],
): Finding {
  const steps = ['Resources', logicalId, 'Properties', ...path];
  const span: SourceSpan = template.locate(steps);
  return {
    code: 'RESOURCE-FAILED',
    severity: 'error',
    stackName,
    logicalId,
    title,
    where: { ...span, path: steps.join('/') },
    evidence: [],
  };
}
