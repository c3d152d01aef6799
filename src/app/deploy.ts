import { HOUR_MS, placeKey, type StackId, seedNumber, UserError } from '../base/index.ts';
import { findStack } from '../engine/index.ts';
import type { Invention, StackModel } from '../language/index.ts';
import { type Finding, refusedResult, type StackResult, unchangedResult } from '../result/index.ts';
import type { Scenario } from '../scenario/index.ts';
import type { StackSettings, World } from '../world/index.ts';
import { runCdkApp } from './cdk-app.ts';
import { resultDocument } from './document.ts';
import { keptScenario } from './kept-scenario.ts';
import { type Planned, planDeploy, refused } from './plan-deploy.ts';
import { createRunner, type Ended, notSimulatedIn, type Runner } from './run-operation.ts';
import { seedWorld } from './seed-world.ts';
import { type Session, withSession } from './session.ts';
import { openTargets, placeFrom, readScenario, type StackTarget } from './targets.ts';
import { DEFAULTS, type DeployRequest, type Outcome, type SettledDeploy } from './use-cases.ts';

/** How long a service may take to stabilise unless the command says otherwise (`docs/decisions.md` 4). */
const STABILIZE_LIMIT_MS = 36 * HOUR_MS;

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
      runCdkApp(request.app, request.target, placeFrom(request, scenario));
    }
    const targets = openTargets(request, scenario);
    for (const note of targets.notes) request.note?.(note);
    return await withSession(request, `deploy ${request.target}`, (session) =>
      deployAll(session, request, scenario, targets.stacks),
    );
  } catch (error) {
    if (!(error instanceof UserError) || error.code === 'InvalidOption') throw error;
    return refusedOutcome(error, request.stackName ?? request.target, request.seed ?? 0);
  }
}

export function noteNotFollowed(
  { note }: Pick<DeployRequest, 'note'>,
  scenario: Scenario | undefined,
): void {
  for (const key of scenario?.notFollowed ?? []) note?.(`scenario key ${key} is not followed yet`);
}

/** The answer to a request that was refused as a whole. */
export function refusedOutcome(error: UserError, stackName: string, seed: number): Outcome {
  const { failure, finding } = refused(error, stackName);
  const result = resultDocument({
    seed,
    deterministic: true,
    stacks: [refusedResult(stackName, failure)],
    findings: [finding],
    assumptions: [],
    inventions: [],
  });
  return { result, interrupted: false };
}

async function deployAll(
  session: Session,
  request: SettledDeploy,
  scenario: Scenario | undefined,
  targets: readonly StackTarget[],
): Promise<Outcome> {
  for (const { place } of targets) seedWorld(session.world, placeKey(place), scenario);
  const checked = planAll(session, request, scenario, targets);
  if ('refusal' in checked) return checked.refusal;
  if (!request.execute) return notExecuted(request, checked.all);

  const runner = createRunner(
    session,
    {
      ms: request.stabilizeTimeoutMs ?? STABILIZE_LIMIT_MS,
      isSet: request.stabilizeTimeoutMs !== undefined,
    },
    request,
  );
  const done: Done[] = [];
  for (const target of targets) {
    if (!goesOn(done, runner)) {
      request.note?.(`stack ${target.stackName} is not begun, since one before it did not come up`);
      continue;
    }
    // What came before may have changed what a later stack finds; for the first nothing did.
    const planned = done.length === 0 ? checked.all[0] : undefined;
    done.push(await deployOne(session, request, scenario, target, planned, runner));
  }
  if (request.remove) await removeAll(done, runner);
  session.commit();
  const result = documentOf(session, request, done);
  return { result, interrupted: runner.interrupted };
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

/** What came of one stack of the command. */
interface Done {
  readonly result: StackResult;
  readonly seed: number;
  readonly ended?: Ended;
  readonly findings: readonly Finding[];
  readonly assumptions: readonly string[];
  readonly inventions: readonly Invention[];
}

function goesOn(done: readonly Done[], { interrupted }: Runner): boolean {
  const isUp = ({ result }: Done) =>
    result.verdict === 'stable' || result.verdict === 'undetermined';
  return !interrupted && done.every(isUp);
}

/** Every stack is planned before the first is begun; the first that cannot be refuses them all. */
function planAll(
  session: Session,
  request: SettledDeploy,
  scenario: Scenario | undefined,
  targets: readonly StackTarget[],
): { readonly all: readonly Planned[] } | { readonly refusal: Outcome } {
  const pendingExports: { [name: string]: string } = {};
  const all: Planned[] = [];
  for (const target of targets) {
    try {
      const planned = plan(session, request, scenario, target, pendingExports);
      all.push(planned);
      for (const { exportName } of Object.values(planned.compiled.model.outputs)) {
        if (exportName !== undefined) pendingExports[exportName] = 'pending';
      }
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const { seed } = settingsFor(session.world, request, scenario, target);
      return { refusal: refusedOutcome(error, target.stackName, seed) };
    }
  }
  return { all };
}

function plan(
  { world, registry }: Session,
  request: SettledDeploy,
  scenario: Scenario | undefined,
  target: StackTarget,
  pendingExports: { readonly [name: string]: string } = {},
): Planned {
  const { parameters } = settingsFor(world, request, scenario, target).scenario ?? {};
  const withStored = { ...target, parameters: { ...parameters, ...target.parameters } };
  const { invent, capabilities } = request;
  return planDeploy(world, registry, withStored, { invent, capabilities }, pendingExports);
}

/**
 * What a stack runs with: what the command says, else what the stack of that name was made with
 * (`docs/decisions.md` 24), else a seed derived from its name, so that two runs print the same.
 */
function settingsFor(
  { engine, settings }: World,
  { seed }: SettledDeploy,
  scenario: Scenario | undefined,
  { stackName, place }: StackTarget,
): StackSettings {
  const existing = findStack(engine, place, stackName);
  const stored = existing === undefined ? undefined : settings[existing.stackId];
  return {
    runtime: 'simulation',
    timing: 'local',
    seed: seed ?? stored?.seed ?? seedNumber(stackName),
    scenario: scenario ?? stored?.scenario ?? null,
  };
}

async function deployOne(
  session: Session,
  request: SettledDeploy,
  scenario: Scenario | undefined,
  target: StackTarget,
  planned: Planned | undefined,
  runner: Runner,
): Promise<Done> {
  const settings = settingsFor(session.world, request, scenario, target);
  try {
    return await run(
      session,
      request,
      settings,
      planned ?? plan(session, request, scenario, target),
      runner,
    );
  } catch (error) {
    // Only now, with the stacks before it in place, is it known to be refused. They stay.
    if (!(error instanceof UserError)) throw error;
    const { failure, finding } = refused(error, target.stackName);
    const result = refusedResult(target.stackName, failure);
    return { result, seed: settings.seed, findings: [finding], assumptions: [], inventions: [] };
  }
}

async function run(
  { world }: Session,
  request: SettledDeploy,
  settings: StackSettings,
  planned: Planned,
  runner: Runner,
): Promise<Done> {
  const { compiled, existing, warnings, assumptions, step, stackId } = planned;
  const { seed } = settings;
  const said = { seed, inventions: compiled.inventions, findings: warnings, assumptions };
  world.settings[stackId] = keptSettings(settings, compiled.model);
  if (step === 'nothing' && existing !== undefined) {
    return { ...said, result: unchangedResult(existing) };
  }
  if (existing !== undefined) {
    const { stackName, status } = existing;
    request.note?.(`stack ${stackName} is in ${status}: deleting what is left of it first`);
    const removed = await runner.remove(existing, seed, []);
    if (runner.interrupted) return { ...said, ended: removed, result: removed.result };
  }
  const ended = await runner.create(createRequest(request, planned, stackId), seed, assumptions);
  return {
    ...said,
    ended,
    result: ended.result,
    findings: [...ended.findings, ...warnings],
    assumptions: [...ended.assumptions, ...notSimulatedIn(ended.stack)],
  };
}

function keptSettings(settings: StackSettings, model: StackModel): StackSettings {
  const { scenario } = settings;
  return scenario === null ? settings : { ...settings, scenario: keptScenario(scenario, model) };
}

function createRequest(request: SettledDeploy, { target, compiled }: Planned, stackId: StackId) {
  const { stackName, place, tags } = target;
  return {
    ...{ stackId, stackName, place, tags },
    model: compiled.model,
    onFailure: request.onFailure ?? (request.disableRollback ? 'DO_NOTHING' : 'ROLLBACK'),
    ...(compiled.preflightFailure === undefined
      ? {}
      : { preflightFailure: compiled.preflightFailure }),
    ...(request.timeoutInMinutes === undefined
      ? {}
      : { timeoutInMinutes: request.timeoutInMinutes }),
  } as const;
}

/** `--rm`: whatever the outcome, nothing stays; the last created goes first. */
async function removeAll(done: readonly Done[], runner: Runner): Promise<void> {
  for (const { ended, seed } of done.toReversed()) {
    if (ended !== undefined && ended.stack.deletedAtMs === null) {
      await runner.remove(ended.stack, seed, []);
    }
  }
}

function documentOf({ world }: Session, { seed = 0 }: SettledDeploy, done: readonly Done[]) {
  return resultDocument({
    seed: done[0]?.seed ?? seed,
    deterministic: world.deterministic,
    stacks: done.map(({ result }) => result),
    findings: done.flatMap(({ findings }) => findings),
    assumptions: done.flatMap(({ assumptions }) => assumptions),
    inventions: done.flatMap(({ inventions }) => inventions),
  });
}
