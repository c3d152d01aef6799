import {
  type JsonObject,
  type Place,
  placeKey,
  type StackId,
  sameJson,
  seedNumber,
  UserError,
} from '../base/index.ts';
import { missingCapabilities } from '../diagnosis/index.ts';
import { findStack, type Stack } from '../engine/index.ts';
import { type Compiled, compile, type ResourceModel } from '../language/index.ts';
import { changesBetween, sameOutputs } from '../plan/index.ts';
import type { Registry } from '../registry/index.ts';
import { type Finding, findingResult } from '../result/index.ts';
import { ofHome, operationsBegun, type World } from '../world/index.ts';
import { type Assumed, lookupsOf } from './lookups.ts';
import type { StackTarget } from './targets.ts';

/** What a deploy of one stack comes to, before anything changes. */
export interface Planned extends Checked {
  readonly step: 'create' | 'create-anew' | 'nothing';
  readonly existing: Stack | undefined;
}

/** A request that CloudFormation would take. */
export interface Checked {
  readonly target: StackTarget;
  readonly stackId: StackId;
  readonly compiled: Compiled;
  readonly assumptions: readonly string[];
  readonly warnings: readonly Finding[];
}

export interface PlanOptions {
  readonly invent: boolean;
  readonly capabilities: readonly string[];
  /** Every world whose exports a template may import, if not the stack's own alone. */
  readonly worlds?: readonly World[];
}

/** Statuses of a stack that a deploy deletes and creates anew (`docs/decisions.md` 26). */
const CREATED_ANEW = new Set(['ROLLBACK_COMPLETE', 'REVIEW_IN_PROGRESS']);

/**
 * Compiles a stack and compares it with what is there.
 *
 * @param pendingExports - exports of stacks that the same command deploys before this one
 * @throws UserError as CloudFormation refuses the request
 */
export function planDeploy(
  world: World,
  registry: Registry,
  target: StackTarget,
  options: PlanOptions,
  pendingExports: { readonly [name: string]: string },
): Planned {
  const existing = findStack(world.engine, target.place, target.stackName);
  const checked = checkRequest(world, registry, target, options, pendingExports);
  if (existing === undefined) return { ...checked, existing, step: 'create' };
  const anew = CREATED_ANEW.has(existing.status);
  const step = anew ? 'create-anew' : unchanged(existing, checked.compiled, target);
  return { ...checked, existing, step };
}

/**
 * What can be said of a request by itself, whatever is there under its name.
 *
 * @throws UserError as CloudFormation refuses the request
 */
export function checkRequest(
  world: World,
  registry: Registry,
  target: StackTarget,
  options: PlanOptions,
  pendingExports: { readonly [name: string]: string },
): Checked {
  const { stackName, place, template } = target;
  const existing = findStack(world.engine, place, stackName);
  const anew = existing === undefined || CREATED_ANEW.has(existing.status);
  const stackId = anew ? nextStackId(world, place, stackName) : existing.stackId;
  const assumed: Assumed = { texts: [] };
  const compiled = compile(
    template,
    { ...place, stackName, stackId, parameters: target.parameters, invent: options.invent },
    lookupsOf(
      { world, worlds: options.worlds ?? [world], place, registry },
      assumed,
      pendingExports,
    ),
  );
  const capability = target.fromAssembly
    ? undefined
    : missingCapabilities(compiled.model.capabilities, options.capabilities);
  return {
    target,
    stackId,
    compiled,
    assumptions: [...assumed.texts, ...compiled.assumptions, ...unsimulated(compiled)],
    warnings: capability === undefined ? [] : [findingResult(capability, stackName)],
  };
}

/** A stack's id is known before any resource, and the same for equal input (F28). */
function nextStackId(world: World, place: Place, stackName: string): StackId {
  const count = operationsBegun(world, place, stackName);
  const digits = seedNumber(`${placeKey(place)} ${stackName} ${count}${ofHome(world)}`)
    .toString(16)
    .padStart(8, '0');
  const more = seedNumber(`${digits} ${stackName}`).toString(16).padStart(8, '0');
  const uuid = `${digits}-${more.slice(0, 4)}-11f0-a${more.slice(4, 7)}-0${more}${digits.slice(0, 3)}`;
  return `arn:aws:cloudformation:${place.region}:${place.accountId}:stack/${stackName}/${uuid}` as StackId;
}

function unchanged(existing: Stack, { model }: Compiled, { tags }: StackTarget): 'nothing' {
  if (existing.status !== 'CREATE_COMPLETE') {
    throw new UserError(
      'ValidationError',
      `Stack:${existing.stackId} is in ${existing.status} state and can not be updated.`,
      { hint: `delete it first: overcast-cfn delete ${existing.stackName}` },
    );
  }
  const same = changesBetween(existing.model, model).length === 0;
  const sameTags = sameJson({ ...existing.tags }, { ...tags });
  if (same && sameTags && sameOutputs(existing.model, model)) return 'nothing';
  throw new UserError('NotAvailable', 'update is not available yet', {
    hint: `this version creates and deletes stacks; run overcast-cfn delete ${existing.stackName} first, or deploy under another --stack-name`,
  });
}

const SURROUNDINGS =
  'tasks find what they need to start (routes, roles, log groups, secrets): none of it is checked yet';

/** Parts of a stack that are taken to be there or to answer success, without being simulated. */
function unsimulated({ model }: Compiled): readonly string[] {
  const resources = Object.values(model.resources);
  const runsTasks = resources.some(({ type }) => type === 'AWS::ECS::Service');
  return [...(runsTasks ? [SURROUNDINGS] : []), ...resources.flatMap(answersUnasked)];
}

function answersUnasked({ logicalId, type, creationPolicy }: ResourceModel): readonly string[] {
  if (type.startsWith('Custom::') || type === 'AWS::CloudFormation::CustomResource') {
    return [`custom resource ${logicalId} answers SUCCESS (its function is not run)`];
  }
  if (type === 'AWS::CloudFormation::WaitCondition') {
    return [`wait condition ${logicalId} receives its signals`];
  }
  return isSignalled(creationPolicy) ? [`resource ${logicalId} receives its signals`] : [];
}

function isSignalled(policy: unknown): boolean {
  return (
    policy !== null && typeof policy === 'object' && 'ResourceSignal' in (policy as JsonObject)
  );
}
