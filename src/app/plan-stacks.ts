import { seedNumber, UserError } from '../base/index.ts';
import { findStack } from '../engine/index.ts';
import { type Compiled, exportToCome } from '../language/index.ts';
import type { Scenario } from '../scenario/index.ts';
import type { ContainerSettings, RuntimeKind, StackSettings } from '../world/index.ts';
import { checkRequest, type Planned, planDeploy } from './plan-deploy.ts';
import { refusedOutcome } from './refusal.ts';
import type { Desk, Session } from './session.ts';
import type { StackTarget } from './targets.ts';
import type { Outcome, SettledDeploy } from './use-cases.ts';
import type { KnownValues } from './values.ts';

/** One deploy command at work. */
export interface Deploying {
  readonly desk: Desk;
  readonly request: SettledDeploy;
  /** The one the command was given. */
  readonly scenario: Scenario | undefined;
  readonly known: KnownValues;
  /** Where stacks run that are not there yet. */
  readonly newStacks: RuntimeKind;
}

/** Exports of stacks that the same command deploys before one that imports them. */
interface PendingExports {
  readonly [name: string]: string;
}

/** The world that a stack is in, or will be. */
export function sessionFor(
  { desk, newStacks }: Deploying,
  { place, stackName }: StackTarget,
): Session {
  return desk.sessionOf(place, stackName) ?? desk.session(newStacks);
}

/** Every stack is planned before the first is begun; the first that cannot be refuses them all. */
export function planAll(
  deploying: Deploying,
  targets: readonly StackTarget[],
): { readonly all: readonly Planned[] } | { readonly refusal: Outcome } {
  const pendingExports: { [name: string]: string } = {};
  const all: Planned[] = [];
  for (const target of targets) {
    try {
      const planned = planOne(deploying, target, pendingExports);
      all.push(planned);
      Object.assign(pendingExports, exportsToCome(planned.compiled));
    } catch (error) {
      const { seed } = settingsFor(deploying, target);
      return { refusal: refusedOutcome(error, target.stackName, seed) };
    }
  }
  return { all };
}

function exportsToCome({ model }: Compiled): PendingExports {
  const names = Object.values(model.outputs).flatMap(({ exportName }) => exportName ?? []);
  return Object.fromEntries(names.map((name) => [name, exportToCome(name)]));
}

/**
 * Learns the NoEcho values that the command was given, for what an earlier one left in the middle:
 * it is gone on with before anything is planned. What is refused here, the plan refuses and tells.
 */
export function learnHidden(deploying: Deploying, targets: readonly StackTarget[]): void {
  const pendingExports: { [name: string]: string } = {};
  for (const target of targets) {
    try {
      const { compiled } = checkRequest(...requestOf(deploying, target), pendingExports);
      Object.assign(pendingExports, exportsToCome(compiled));
      keepHidden(deploying, compiled);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
    }
  }
}

/** @throws UserError as CloudFormation refuses the request */
export function planOne(
  deploying: Deploying,
  target: StackTarget,
  pendingExports: PendingExports = {},
): Planned {
  const planned = planDeploy(...requestOf(deploying, target), pendingExports);
  keepHidden(deploying, planned.compiled);
  return planned;
}

/** Where a stack is planned, what, and how. */
function requestOf(deploying: Deploying, target: StackTarget) {
  const { parameters } = settingsFor(deploying, target).scenario ?? {};
  const withStored = { ...target, parameters: { ...parameters, ...target.parameters } };
  const { world, registry } = sessionFor(deploying, target);
  const { invent, capabilities } = deploying.request;
  const options = { invent, capabilities, worlds: deploying.desk.worlds };
  return [world, registry, withStored, options] as const;
}

function keepHidden({ known }: Deploying, { hidden }: Compiled): void {
  known.hidden = { ...known.hidden, ...hidden };
}

/**
 * What a stack runs with: what the command says, else what the stack of that name was made with
 * (`docs/decisions.md` 24), else a seed derived from its name, so that two runs print the same.
 */
export function settingsFor(deploying: Deploying, target: StackTarget): StackSettings {
  const { request, scenario } = deploying;
  const { stackName, place } = target;
  const { engine, settings, kind } = sessionFor(deploying, target).world;
  const existing = findStack(engine, place, stackName);
  const stored = existing === undefined ? undefined : settings[existing.stackId];
  return {
    runtime: kind,
    timing: stored?.timing ?? request.timing ?? 'local', // what it was made with stays
    seed: request.seed ?? stored?.seed ?? seedNumber(stackName),
    scenario: scenario ?? stored?.scenario ?? null,
    ...(kind === 'docker' ? { containers: containersFor(request, stored?.containers) } : {}),
  };
}

function containersFor(
  { publish, images }: SettledDeploy,
  stored: ContainerSettings | undefined,
): ContainerSettings {
  return {
    publish: publish ?? stored?.publish ?? '127.0.0.1',
    images: { ...stored?.images, ...images },
  };
}
