import { type Place, placeKey, UserError } from '../base/index.ts';
import { findStack, type Stack } from '../engine/index.ts';
import { maskNoEcho } from '../language/index.ts';
import type { Scenario } from '../scenario/index.ts';
import type { World } from '../world/index.ts';
import { resultDocument } from './document.ts';
import { keptScenario } from './kept-scenario.ts';
import { refusedOutcome } from './refusal.ts';
import { createRunner, type Ended, stabilizeLimit } from './run-operation.ts';
import { type Session, withSession } from './session.ts';
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
    return await withSession(request, `delete ${request.stackNames.join(' ')}`, (session) => {
      const stacks = stacksNamed(session.world, place, request);
      if (scenario !== undefined) {
        for (const stack of stacks) replaceScenario(session.world, stack, scenario);
      }
      return deleteAll(session, request, stacks);
    });
  } catch (error) {
    return refusedOutcome(error, request.stackNames.join(' '), 0);
  }
}

function stacksNamed(world: World, place: Place, { stackNames, note }: SettledDelete): Stack[] {
  const found = new Set<Stack>();
  for (const name of stackNames) {
    const stack = findStack(world.engine, place, name);
    if (stack === undefined) note?.(`stack ${name} does not exist: nothing to delete`);
    else found.add(stack);
  }
  const made = Object.keys(world.engine.stacks);
  return [...found].sort((a, b) => made.indexOf(b.stackId) - made.indexOf(a.stackId));
}

function replaceScenario({ settings }: World, { stackId, model }: Stack, scenario: Scenario): void {
  const before = settings[stackId];
  if (before === undefined) return;
  settings[stackId] = { ...before, scenario: keptScenario(scenario, model) };
}

async function deleteAll(
  session: Session,
  request: SettledDelete,
  stacks: readonly Stack[],
): Promise<Outcome> {
  const { world } = session;
  for (const stack of stacks) refuseWhatIsHeld(world, stack, stacks, request);
  const runner = createRunner(session, stabilizeLimit(undefined), request);
  const done: Ended[] = [];
  for (const stack of stacks) {
    if (runner.interrupted) break;
    const held = heldExport(world, stack, []);
    if (held !== undefined) {
      // The stack that imports it was to go first, and did not.
      request.note?.(`stack ${stack.stackName} stays: ${maskNoEcho(held.message)}`);
      continue;
    }
    const seed = world.settings[stack.stackId]?.seed ?? 0;
    done.push(await runner.remove(stack, seed, request.retainResources));
  }
  session.commit();
  const result = resultDocument({
    seed: world.settings[stacks[0]?.stackId ?? ('' as Stack['stackId'])]?.seed ?? 0,
    deterministic: world.deterministic,
    stacks: done.map((ended) => ended.result),
    findings: done.flatMap(({ findings }) => findings),
    assumptions: done.flatMap(({ assumptions }) => assumptions),
    inventions: [],
  });
  return { result, interrupted: runner.interrupted };
}

/** C12, and L46: resources may be kept only after a failed delete. */
function refuseWhatIsHeld(
  world: World,
  stack: Stack,
  going: readonly Stack[],
  { retainResources }: SettledDelete,
): void {
  const held = heldExport(world, stack, going);
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
  { engine }: World,
  stack: Stack,
  going: readonly Stack[],
): UserError | undefined {
  for (const other of Object.values(engine.stacks)) {
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
