import { placeKey, UserError } from '../base/index.ts';
import { refusedResult } from '../result/index.ts';
import type { RuntimeKind, World } from '../world/index.ts';
import { type Choice, chooseRuntime, imagesOf } from './choose-runtime.ts';
import { deployStacks } from './deploy-stacks.ts';
import { resultDocument } from './document.ts';
import { afterLoss, type Done } from './done.ts';
import type { Planned } from './plan-deploy.ts';
import { type Deploying, learnHidden, planAll, sessionFor } from './plan-stacks.ts';
import { refusedOutcome } from './refusal.ts';
import { createRunner, type Ended, isCutShort, type Runner } from './run-operation.ts';
import { seedWorld } from './seed-world.ts';
import { withDesk } from './session.ts';
import {
  noteNotFollowed,
  openTargets,
  placeFrom,
  readScenario,
  type StackTarget,
} from './targets.ts';
import {
  DEFAULTS,
  type DeployRequest,
  type Outcome,
  type Progress,
  type SettledDeploy,
} from './use-cases.ts';
import { readSecrets } from './values.ts';

/**
 * Creates the stacks of a target one after the other, each followed to its end.
 *
 * What can be refused is refused before anything changes: the answer then has verdict `invalid`. A
 * stack that fails ends the command; those that would have followed are not begun.
 *
 * @throws UserError for an option that cannot be used
 */
export async function deploy(given: DeployRequest): Promise<Outcome> {
  const notes = afterRuntimeLine(given);
  const request: SettledDeploy = { ...DEFAULTS.deploy, ...given, note: notes.note };
  refuseOptions(request);
  try {
    const scenario = readScenario(request.scenario);
    const known = { hidden: {}, secrets: readSecrets(request.secretsFile) };
    noteNotFollowed(request, scenario);
    if (request.app !== undefined) {
      const { runCdkApp } = await import('./cdk-app.ts'); // most commands start no process
      runCdkApp(request.app, request.target, placeFrom(request, scenario));
    }
    const { stacks, notes: said } = openTargets(request, scenario);
    for (const note of said) request.note?.(note);
    const waiting = { ...request, note: (text: string) => given.note?.(text) };
    return await withDesk(waiting, `deploy ${request.target}`, (desk) => {
      const deploying = { desk, request, scenario, known, newStacks: 'simulation' } as const;
      return deployTargets(deploying, stacks, notes.runtime);
    });
  } catch (error) {
    return refusedOutcome(error, request.stackName ?? request.target, request.seed ?? 0);
  } finally {
    notes.end();
  }
}

/** The line that names the runtime comes first; what is said before it is known waits for it. */
function afterRuntimeLine({ note }: Progress) {
  let waiting: string[] | undefined = [];
  const end = () => {
    const said = waiting ?? [];
    waiting = undefined;
    for (const text of said) note?.(text);
  };
  return {
    note: (text: string) => {
      if (waiting === undefined) note?.(text);
      else waiting.push(text);
    },
    runtime({ kind, why }: Choice) {
      note?.(`runtime: ${kind} (${why})`);
      end();
    },
    end,
  };
}

function refuseOptions({ scenario, runtime }: SettledDeploy): void {
  if (scenario === undefined || runtime !== 'docker') return;
  throw new UserError('InvalidOption', '--scenario and --runtime docker exclude each other', {
    hint: 'a scenario says how images behave in simulation; containers behave as they do',
  });
}

async function deployTargets(
  deploying: Deploying,
  targets: readonly StackTarget[],
  sayRuntime: (choice: Choice) => void,
): Promise<Outcome> {
  const { desk, request, known } = deploying;
  for (const target of targets) refuseOtherRuntime(deploying, target);
  const runner = createRunner(desk, request, known, request);
  try {
    const usesDocker = targets.some(
      ({ place, stackName }) => desk.sessionOf(place, stackName)?.world.kind === 'docker',
    );
    if (usesDocker) {
      learnHidden(deploying, targets);
      const cutShort = await resumeFirst(deploying, runner);
      if (cutShort !== undefined) return cutShort;
    }
    const first = planIn(deploying, targets);
    if ('refusal' in first) return { ...first.refusal, interrupted: runner.interrupted };
    if (!request.execute) return notExecuted(request, first.all);

    const choice = await choose(deploying, targets, first.all);
    sayRuntime(choice);
    noteWithoutEffect(request, choice.kind, first.all);
    if (choice.kind === 'simulation') return await deployAll(deploying, targets, first.all, runner);
    const inDocker: Deploying = { ...deploying, newStacks: 'docker' };
    const cutShort = await resumeFirst(inDocker, runner);
    if (cutShort !== undefined) return cutShort;
    const again = planIn(inDocker, targets);
    if ('refusal' in again) return { ...again.refusal, interrupted: runner.interrupted };
    return await deployAll(inDocker, targets, again.all, runner);
  } finally {
    await runner.close();
  }
}

/** Goes on with what an earlier command left; answers where this one comes no further than that. */
async function resumeFirst(deploying: Deploying, runner: Runner): Promise<Outcome | undefined> {
  const session = deploying.desk.session('docker');
  const resumed = await runner.resume(session, () => false);
  if (!isCutShort(runner)) return undefined;
  session.commit();
  const done = resumed.map((ended) => resumedDone(deploying, session.world, ended));
  const told = afterLoss(done, runner.lost);
  return { result: documentOf(deploying, told), interrupted: runner.interrupted };
}

function resumedDone({ request }: Deploying, world: World, ended: Ended): Done {
  const { seed = request.seed ?? 0, timing = 'local' } = world.settings[ended.stack.stackId] ?? {};
  return { ...ended, ...{ seed, timing, world, ended, inventions: [] } };
}

function planIn(deploying: Deploying, targets: readonly StackTarget[]) {
  for (const target of targets) {
    const { world } = sessionFor(deploying, target);
    seedWorld(world, placeKey(target.place), deploying.scenario);
  }
  return planAll(deploying, targets);
}

/** `docs/decisions.md` 24: a stack goes on as it was made. */
function refuseOtherRuntime({ desk, request }: Deploying, { place, stackName }: StackTarget): void {
  const made = desk.sessionOf(place, stackName)?.world.kind;
  const asked = request.scenario === undefined ? request.runtime : 'simulation';
  if (made === undefined || asked === 'auto' || asked === made) return;
  throw new UserError('NotAvailable', `stack ${stackName} was made with runtime ${made}`, {
    hint: `delete it first (overcast-cfn delete ${stackName}), or use another --stack-name`,
  });
}

/** Stacks that are there go on as they were made; the others are asked about together. */
async function choose(
  { desk, request }: Deploying,
  targets: readonly StackTarget[],
  planned: readonly Planned[],
): Promise<Choice> {
  const kinds = targets.map(({ place, stackName }) => desk.sessionOf(place, stackName)?.world.kind);
  const fresh = planned.filter((_, index) => kinds[index] === undefined);
  const [kind] = kinds;
  if (fresh.length > 0 || kind === undefined) {
    const wanted = fresh.map(({ target, compiled }) => ({ ...target, model: compiled.model }));
    return chooseRuntime(request, wanted);
  }
  const all = targets.length === 1 ? `stack ${targets[0]?.stackName} was` : 'the stacks were';
  const why = request.scenario === undefined ? `${all} made with it` : 'a scenario is given';
  return { kind, why };
}

function noteWithoutEffect(
  request: SettledDeploy,
  kind: RuntimeKind,
  planned: readonly Planned[],
): void {
  const images = Object.keys(request.images);
  if (kind === 'docker') {
    const named = planned.flatMap(({ compiled }) => imagesOf(compiled.model));
    const references = named.flatMap((image) => ('reference' in image ? [image.reference] : []));
    for (const image of images.filter((one) => !references.includes(one))) {
      request.note?.(`note: --image ${image} names no image of the template`);
    }
    return;
  }
  const { follow, secretsFile, publish } = request;
  const given = {
    '--follow': follow,
    '--secrets-file': secretsFile !== undefined,
    '--image': images.length > 0,
    '--publish': publish !== undefined,
  };
  for (const [option, isGiven] of Object.entries(given)) {
    if (isGiven) request.note?.(`note: ${option} has no effect in simulation`);
  }
}

async function deployAll(
  deploying: Deploying,
  targets: readonly StackTarget[],
  planned: readonly Planned[],
  runner: Runner,
): Promise<Outcome> {
  const done = await deployStacks(deploying, targets, planned[0], runner);
  return { result: documentOf(deploying, done), interrupted: runner.interrupted };
}

/** `--no-execute`: how much each stack would change, and no more, since no change set is stored yet. */
function notExecuted(request: SettledDeploy, all: readonly Planned[]): Outcome {
  request.note?.(
    'change sets are not stored yet: the stacks were only checked, nothing was changed',
  );
  const result = resultDocument({
    seed: request.seed ?? 0,
    runtime: 'simulation',
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

function documentOf({ request, newStacks }: Deploying, done: readonly Done[]) {
  const kinds = done.map(({ world }) => world.kind);
  const runtime = kinds.includes('docker') ? 'docker' : (kinds[0] ?? newStacks);
  return resultDocument({
    seed: done[0]?.seed ?? request.seed ?? 0,
    runtime,
    timing: done[0]?.timing ?? request.timing ?? 'local',
    deterministic: runtime === 'simulation' && done.every(({ world }) => world.deterministic),
    stacks: done.map(({ result }) => result),
    findings: done.flatMap(({ findings }) => findings),
    assumptions: done.flatMap(({ assumptions }) => assumptions),
    inventions: done.flatMap(({ inventions }) => inventions),
  });
}
