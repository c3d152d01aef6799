import { placeKey, UserError } from '../base/index.ts';
import { refusedResult } from '../result/index.ts';
import { type Done, deployStacks } from './deploy-stacks.ts';
import { resultDocument } from './document.ts';
import type { Planned } from './plan-deploy.ts';
import { type Deploying, planAll } from './plan-stacks.ts';
import { refusedOutcome } from './refusal.ts';
import { createRunner, stabilizeLimit } from './run-operation.ts';
import { seedWorld } from './seed-world.ts';
import { withSession } from './session.ts';
import {
  noteNotFollowed,
  openTargets,
  placeFrom,
  readScenario,
  type StackTarget,
} from './targets.ts';
import { DEFAULTS, type DeployRequest, type Outcome, type SettledDeploy } from './use-cases.ts';

/**
 * Creates the stacks of a target one after the other, each followed to its end.
 *
 * What can be refused is refused before anything changes: the answer then has verdict `invalid`. A
 * stack that fails ends the command; those that would have followed are not begun.
 *
 * @throws UserError for an option that cannot be used
 */
export async function deploy(given: DeployRequest): Promise<Outcome> {
  const request: SettledDeploy = { ...DEFAULTS.deploy, ...given };
  if (request.runtime === 'docker') {
    throw new UserError('InvalidOption', '--runtime docker is not available yet', {
      hint: 'leave it out: this version runs tasks in simulation',
    });
  }
  try {
    const scenario = readScenario(request.scenario);
    const why = scenario === undefined ? 'this version has no other' : 'a scenario is given';
    request.note?.(`runtime: simulation (${why})`);
    noteNotFollowed(request, scenario);
    if (request.app !== undefined) {
      const { runCdkApp } = await import('./cdk-app.ts'); // most commands start no process
      runCdkApp(request.app, request.target, placeFrom(request, scenario));
    }
    const { stacks, notes } = openTargets(request, scenario);
    for (const note of notes) request.note?.(note);
    return await withSession(request, `deploy ${request.target}`, (session) =>
      deployTargets({ session, request, scenario }, stacks),
    );
  } catch (error) {
    return refusedOutcome(error, request.stackName ?? request.target, request.seed ?? 0);
  }
}

async function deployTargets(
  deploying: Deploying,
  targets: readonly StackTarget[],
): Promise<Outcome> {
  const { session, request, scenario } = deploying;
  for (const { place } of targets) seedWorld(session.world, placeKey(place), scenario);
  const planned = planAll(deploying, targets);
  if ('refusal' in planned) return planned.refusal;
  if (!request.execute) return notExecuted(request, planned.all);

  const runner = createRunner(session, stabilizeLimit(request.stabilizeTimeoutMs), request);
  const done = await deployStacks(deploying, targets, planned.all[0], runner);
  session.commit();
  return { result: documentOf(deploying, done), interrupted: runner.interrupted };
}

/** `--no-execute`: how much each stack would change, and no more, since no change set is stored yet. */
function notExecuted(request: SettledDeploy, all: readonly Planned[]): Outcome {
  request.note?.(
    'change sets are not stored yet: the stacks were only checked, nothing was changed',
  );
  const result = resultDocument({
    seed: request.seed ?? 0,
    deterministic: true,
    stacks: all.map(({ target, compiled, step }) => ({
      ...refusedResult(target.stackName, null),
      changes: step === 'nothing' ? 0 : Object.keys(compiled.model.resources).length,
    })),
    findings: all.flatMap(({ warnings }) => warnings),
    assumptions: all.flatMap(({ assumptions }) => assumptions),
    inventions: all.flatMap(({ compiled }) => compiled.inventions),
  });
  return { result, interrupted: false };
}

function documentOf({ session, request }: Deploying, done: readonly Done[]) {
  return resultDocument({
    seed: done[0]?.seed ?? request.seed ?? 0,
    deterministic: session.world.deterministic,
    stacks: done.map(({ result }) => result),
    findings: done.flatMap(({ findings }) => findings),
    assumptions: done.flatMap(({ assumptions }) => assumptions),
    inventions: done.flatMap(({ inventions }) => inventions),
  });
}
