import { seedNumber } from '../base/index.ts';
import { findStack } from '../engine/index.ts';
import { exportToCome } from '../language/index.ts';
import type { Scenario } from '../scenario/index.ts';
import type { ContainerSettings, RuntimeKind, StackSettings } from '../world/index.ts';
import { type Planned, planDeploy } from './plan-deploy.ts';
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
      for (const { exportName } of Object.values(planned.compiled.model.outputs)) {
        if (exportName !== undefined) pendingExports[exportName] = exportToCome(exportName);
      }
    } catch (error) {
      const { seed } = settingsFor(deploying, target);
      return { refusal: refusedOutcome(error, target.stackName, seed) };
    }
  }
  return { all };
}

/** @throws UserError as CloudFormation refuses the request */
export function planOne(
  deploying: Deploying,
  target: StackTarget,
  pendingExports: { readonly [name: string]: string } = {},
): Planned {
  const { parameters } = settingsFor(deploying, target).scenario ?? {};
  const withStored = { ...target, parameters: { ...parameters, ...target.parameters } };
  const { world, registry } = sessionFor(deploying, target);
  const { invent, capabilities } = deploying.request;
  const options = { invent, capabilities, worlds: deploying.desk.worlds };
  const planned = planDeploy(world, registry, withStored, options, pendingExports);
  const { known } = deploying;
  known.hidden = { ...known.hidden, ...planned.compiled.hidden };
  return planned;
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
