import { type Place, placeKey, UserError } from '../base/index.ts';
import { findStack, type Stack } from '../engine/index.ts';
import { maskNoEcho } from '../language/index.ts';
import type { Scenario } from '../scenario/index.ts';
import { resultDocument } from './document.ts';
import { afterLoss } from './done.ts';
import { keptScenario } from './kept-scenario.ts';
import { refusedOutcome } from './refusal.ts';
import { createRunner, type Ended, isCutShort, type Runner } from './run-operation.ts';
import { type Desk, type Session, withDesk } from './session.ts';
import { noteNotFollowed, placeFrom, readScenario } from './targets.ts';
import { DEFAULTS, type DeleteRequest, type Outcome, type SettledDelete } from './use-cases.ts';

/**
 * Deletes stacks, the newest first, so that what imports goes before what exports. A name that no
 * stack has is nothing to do, as DeleteStack answers it (T41).
 *
 * @throws UserError for an option that cannot be used
 */
export async function deleteStacks(given: DeleteRequest): Promise<Outcome> {
  const request: SettledDelete = { ...DEFAULTS.delete, ...given };
  try {
    const scenario = readScenario(request.scenario);
    noteNotFollowed(request, scenario);
    if (request.stabilizeTimeoutMs !== undefined) {
      request.note?.('--stabilize-timeout has no effect on a delete');
    }
    const place = placeFrom(request, scenario);
    return await withDesk(request, `delete ${request.stackNames.join(' ')}`, (desk) =>
      deleteNamed(desk, place, request, scenario),
    );
  } catch (error) {
    return refusedOutcome(error, request.stackNames.join(' '), 0);
  }
}

/** A stack that is to go, and the world that it is in. */
interface Going {
  readonly stack: Stack;
  readonly session: Session;
}

async function deleteNamed(
  desk: Desk,
  place: Place,
  request: SettledDelete,
  scenario: Scenario | undefined,
): Promise<Outcome> {
  const going = stacksNamed(desk, place, request);
  for (const one of going) if (scenario !== undefined) replaceScenario(one, scenario);
  const stacks = going.map(({ stack }) => stack);
  for (const stack of stacks) refuseWhatIsHeld(desk, stack, stacks, request);
  const runner = createRunner(desk, {}, { hidden: {}, secrets: {} }, request);
  try {
    const usesDocker = going.some(({ session }) => session.world.kind === 'docker');
    const turnBack = (stack: Stack) => stacks.includes(stack);
    const resumed = usesDocker ? await runner.resume(desk.session('docker'), turnBack) : [];
    const done = isCutShort(runner) ? resumed : await deleteAll(desk, request, going, runner);
    for (const session of new Set(going.map(({ session }) => session))) session.commit();
    const told = afterLoss(done, runner.lost);
    return { result: documentOf(going, told), interrupted: runner.interrupted };
  } finally {
    await runner.close();
  }
}

function stacksNamed(desk: Desk, place: Place, { stackNames, note }: SettledDelete): Going[] {
  const found = new Map<Stack, Session>();
  for (const name of stackNames) {
    const session = desk.sessionOf(place, name);
    const stack = session && findStack(session.world.engine, place, name);
    if (session === undefined || stack === undefined) {
      note?.(`stack ${name} does not exist: nothing to delete`);
    } else found.set(stack, session);
  }
  const made = desk.worlds.flatMap(({ engine }) => Object.keys(engine.stacks));
  const going = [...found].map(([stack, session]) => ({ stack, session }));
  return going.sort((a, b) => made.indexOf(b.stack.stackId) - made.indexOf(a.stack.stackId));
}

function replaceScenario({ stack: { stackId, model }, session }: Going, scenario: Scenario): void {
  const { settings, kind } = session.world;
  const before = settings[stackId];
  if (before === undefined || kind === 'docker') return;
  settings[stackId] = { ...before, scenario: keptScenario(scenario, model) };
}

async function deleteAll(
  desk: Desk,
  request: SettledDelete,
  going: readonly Going[],
  runner: Runner,
): Promise<readonly Ended[]> {
  const done: Ended[] = [];
  for (const { stack, session } of going) {
    if (isCutShort(runner)) break;
    if (stack.deletedAtMs !== null) continue; // what an earlier command had begun has come to its end
    const held = heldExport(desk, stack, []);
    if (held !== undefined) {
      // The stack that imports it was to go first, and did not.
      request.note?.(`stack ${stack.stackName} stays: ${maskNoEcho(held.message)}`);
      continue;
    }
    done.push(
      await runner.remove(session, stack, seedOf({ stack, session }), request.retainResources),
    );
  }
  return done;
}

function documentOf(going: readonly Going[], done: readonly Ended[]) {
  const worlds = going.map(({ session }) => session.world);
  const runtime = worlds.some(({ kind }) => kind === 'docker') ? 'docker' : 'simulation';
  const [first] = going;
  return resultDocument({
    seed: first === undefined ? 0 : seedOf(first),
    runtime,
    timing: first === undefined ? 'local' : timingOf(first),
    deterministic: runtime === 'simulation' && worlds.every((world) => world.deterministic),
    stacks: done.map((ended) => ended.result),
    findings: done.flatMap(({ findings }) => findings),
    assumptions: done.flatMap(({ assumptions }) => assumptions),
    inventions: [],
  });
}

function timingOf({ stack, session }: Going) {
  return session.world.settings[stack.stackId]?.timing ?? 'local';
}

function seedOf({ stack, session }: Going): number {
  return session.world.settings[stack.stackId]?.seed ?? 0;
}

/** C12, and L46: resources may be kept only after a failed delete. */
function refuseWhatIsHeld(
  desk: Desk,
  stack: Stack,
  going: readonly Stack[],
  { retainResources }: SettledDelete,
): void {
  const held = heldExport(desk, stack, going);
  if (held !== undefined) throw held;
  if (retainResources.length === 0 || stack.status === 'DELETE_FAILED') return;
  throw new UserError(
    'ValidationError',
    `Invalid operation on stack [${stack.stackId}]. Specifying RetainResources is only allowed for stacks in DELETE_FAILED state`,
    { hint: 'leave out --retain-resources; it is for a stack whose deletion has failed' },
  );
}

/** C12: an export that a stack which still has resources imports, unless that one goes first. */
function heldExport(
  { worlds }: Desk,
  stack: Stack,
  going: readonly Stack[],
): UserError | undefined {
  for (const other of worlds.flatMap(({ engine }) => Object.values(engine.stacks))) {
    const here = placeKey(other.place) === placeKey(stack.place);
    if (!here || going.includes(other) || !holdsResources(other)) continue;
    const held = other.model.imports.find((name) => Object.hasOwn(stack.exports, name));
    if (held === undefined) continue;
    return new UserError(
      'ValidationError',
      `Delete canceled. Cannot delete export ${held} as it is in use by ${other.stackName}.`,
      { hint: `delete ${other.stackName} first` },
    );
  }
  return undefined;
}

function holdsResources({ deletedAtMs, resources }: Stack): boolean {
  const isThere = ({ status }: { readonly status: string }) =>
    status !== 'DELETE_COMPLETE' && status !== 'DELETE_SKIPPED';
  return deletedAtMs === null && Object.values(resources).some(isThere);
}
