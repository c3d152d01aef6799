import { seedNumber } from '../base/index.ts';
import { findStack } from '../engine/index.ts';
import { exportToCome } from '../language/index.ts';
import type { Scenario } from '../scenario/index.ts';
import type { StackSettings } from '../world/index.ts';
import { type Planned, planDeploy } from './plan-deploy.ts';
import { refusedOutcome } from './refusal.ts';
import type { Session } from './session.ts';
import type { StackTarget } from './targets.ts';
import type { Outcome, SettledDeploy } from './use-cases.ts';

/** One deploy command at work. */
export interface Deploying {
  readonly session: Session;
  readonly request: SettledDeploy;
  /** The one the command was given. */
  readonly scenario: Scenario | undefined;
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
  const { world, registry } = deploying.session;
  const { invent, capabilities } = deploying.request;
  return planDeploy(world, registry, withStored, { invent, capabilities }, pendingExports);
}

/**
 * What a stack runs with: what the command says, else what the stack of that name was made with
 * (`docs/decisions.md` 24), else a seed derived from its name, so that two runs print the same.
 */
export function settingsFor(
  { session, request, scenario }: Deploying,
  { stackName, place }: StackTarget,
): StackSettings {
  const { engine, settings } = session.world;
  const existing = findStack(engine, place, stackName);
  const stored = existing === undefined ? undefined : settings[existing.stackId];
  return {
    runtime: 'simulation',
    timing: 'local',
    seed: request.seed ?? stored?.seed ?? seedNumber(stackName),
    scenario: scenario ?? stored?.scenario ?? null,
  };
}
