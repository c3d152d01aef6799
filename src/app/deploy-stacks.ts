import { type StackId, UserError } from '../base/index.ts';
import type { CreateRequest } from '../engine/index.ts';
import type { StackModel } from '../language/index.ts';
import { refusedResult, unchangedResult } from '../result/index.ts';
import type { StackSettings } from '../world/index.ts';
import { afterLoss, afterRemoval, type Done, hasServices, isUp, stackThere } from './done.ts';
import { keptScenario } from './kept-scenario.ts';
import type { Planned } from './plan-deploy.ts';
import { type Deploying, planOne, sessionFor, settingsFor } from './plan-stacks.ts';
import { refused } from './refusal.ts';
import { type Ended, isCutShort, type Runner } from './run-operation.ts';
import type { Session } from './session.ts';
import type { StackTarget } from './targets.ts';
import type { SettledDeploy } from './use-cases.ts';

/**
 * Creates stacks one after the other, each followed to its end. One that does not come up ends the
 * command; those that would have followed are not begun.
 *
 * @param first - the plan of the first stack; what comes before a later one may change its own
 */
export async function deployStacks(
  deploying: Deploying,
  targets: readonly StackTarget[],
  first: Planned | undefined,
  runner: Runner,
): Promise<readonly Done[]> {
  const { request } = deploying;
  const done: Done[] = [];
  for (const target of targets) {
    if (goesOn(done, runner)) {
      const planned = done.length === 0 ? first : undefined;
      done.push(await deployOne(deploying, target, planned, runner));
    } else {
      request.note?.(`stack ${target.stackName} is not begun, since one before it did not come up`);
    }
  }
  await followAll(deploying, done, runner);
  const left = request.remove ? await removeAll(deploying, done, runner) : done;
  for (const { world } of left) deploying.desk.session(world.kind).commit();
  return afterLoss(left, runner.lost);
}

function goesOn(done: readonly Done[], runner: Runner): boolean {
  return !isCutShort(runner) && done.every(({ result }) => isUp(result));
}

/** `--follow`: services go on, and are told of, until Ctrl-C. */
async function followAll(
  { desk, request }: Deploying,
  done: readonly Done[],
  runner: Runner,
): Promise<void> {
  const running = done.some((one) => {
    const stack = stackThere(one);
    return one.world.kind === 'docker' && stack !== undefined && hasServices(stack);
  });
  if (!request.follow || !running || isCutShort(runner)) return;
  for (const { result } of done) request.note?.(`stack ${result.stackName} is ${result.status}`);
  request.note?.('following: services go on until Ctrl-C, and their containers after it');
  await runner.follow(desk.session('docker'));
}

async function deployOne(
  deploying: Deploying,
  target: StackTarget,
  planned: Planned | undefined,
  runner: Runner,
): Promise<Done> {
  const settings = settingsFor(deploying, target);
  const session = sessionFor(deploying, target);
  try {
    const plan = planned ?? planOne(deploying, target);
    return await run(deploying, session, settings, plan, runner);
  } catch (error) {
    // Only now, with the stacks before it in place, is it known to be refused. They stay.
    if (!(error instanceof UserError)) throw error;
    const { failure, finding } = refused(error, target.stackName);
    const result = refusedResult(target.stackName, failure);
    const { world } = session;
    const said = { findings: [finding], assumptions: [], inventions: [] };
    const { seed, timing } = settings;
    return { result, seed, timing, world, ...said };
  }
}

async function run(
  { request }: Deploying,
  session: Session,
  settings: StackSettings,
  planned: Planned,
  runner: Runner,
): Promise<Done> {
  const { compiled, existing, warnings, step, stackId } = planned;
  const { seed, timing, scenario } = settings;
  const assumptions = [...planned.assumptions, ...notFollowed(scenario)];
  const { world } = session;
  const said = {
    seed,
    timing,
    world,
    inventions: compiled.inventions,
    findings: warnings,
    assumptions,
  };
  const withEnd = (ended: Ended): Done => ({
    ...said,
    ended,
    result: ended.result,
    findings: [...ended.findings, ...warnings],
    assumptions: ended.assumptions,
  });
  if (step === 'create-anew' && existing !== undefined) {
    const { stackName, status } = existing;
    request.note?.(`stack ${stackName} is in ${status}: deleting what is left of it first`);
    const removed = await runner.remove(session, existing, seed, []);
    const isGone = existing.deletedAtMs !== null; // else its name is still its own
    if (!isGone || isCutShort(runner)) return withEnd(removed);
  }
  world.settings[stackId] = keptSettings(settings, compiled.model);
  if (step === 'nothing' && existing !== undefined) {
    const unchanged = existing;
    if (world.kind === 'simulation') {
      return { ...said, unchanged, result: unchangedResult(existing) };
    }
    const settled = await runner.settle(session, existing, seed);
    return {
      ...said,
      unchanged,
      result: settled.result,
      findings: [...settled.findings, ...warnings],
      assumptions: [...assumptions, ...settled.assumptions],
    };
  }
  const asked = createRequest(request, planned, stackId);
  return withEnd(await runner.create(session, asked, seed, assumptions));
}

/** What a scenario says and this version does not follow: defaults hold in its place. */
function notFollowed(scenario: StackSettings['scenario']): readonly string[] {
  const keys = scenario?.notFollowed ?? [];
  return keys.map((key) => `defaults hold for ${key} of the scenario: it is not followed yet`);
}

function keptSettings(settings: StackSettings, model: StackModel): StackSettings {
  const { scenario } = settings;
  return scenario === null ? settings : { ...settings, scenario: keptScenario(scenario, model) };
}

function createRequest(
  { onFailure, disableRollback, timeoutInMinutes }: SettledDeploy,
  { target, compiled }: Planned,
  stackId: StackId,
): CreateRequest {
  const { stackName, place, tags } = target;
  const { model, preflightFailure } = compiled;
  return {
    ...{ stackId, stackName, place, tags, model },
    onFailure: onFailure ?? (disableRollback ? 'DO_NOTHING' : 'ROLLBACK'),
    ...(preflightFailure === undefined ? {} : { preflightFailure }),
    ...(timeoutInMinutes === undefined ? {} : { timeoutInMinutes }),
  };
}

/** `--rm`: whatever the outcome, nothing stays; the last created goes first. */
async function removeAll(
  deploying: Deploying,
  done: readonly Done[],
  runner: Runner,
): Promise<readonly Done[]> {
  const left: Done[] = [];
  for (const one of done.toReversed()) left.unshift(await removeOne(deploying, one, runner));
  return left;
}

/** One that was cut off stays for the next command, which goes on with it. */
async function removeOne({ desk }: Deploying, done: Done, runner: Runner): Promise<Done> {
  const stack = stackThere(done);
  if (stack === undefined || stack.operation !== null || runner.lost !== undefined) return done;
  const { seed, world } = done;
  return afterRemoval(done, await runner.remove(desk.session(world.kind), stack, seed, []));
}
