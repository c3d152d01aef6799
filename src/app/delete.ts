import { HOUR_MS, type Place, placeKey, UserError } from '../base/index.ts';
import { findStack, type Stack } from '../engine/index.ts';
import type { World } from '../world/index.ts';
import { noteNotFollowed, refusedOutcome } from './deploy.ts';
import { resultDocument } from './document.ts';
import { createRunner, type Ended } from './run-operation.ts';
import { type Session, withSession } from './session.ts';
import { placeFrom, readScenario } from './targets.ts';
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
    const place = placeFrom(request, scenario);
    return await withSession(request, `delete ${request.stackNames.join(' ')}`, (session) => {
      const stacks = stacksNamed(session.world, place, request);
      if (scenario !== undefined) {
        for (const { stackId } of stacks) replaceScenario(session.world, stackId, scenario);
      }
      return deleteAll(session, request, stacks);
    });
  } catch (error) {
    if (!(error instanceof UserError) || error.code === 'InvalidOption') throw error;
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

function replaceScenario(
  { settings }: World,
  stackId: Stack['stackId'],
  scenario: NonNullable<World['settings'][Stack['stackId']]['scenario']>,
): void {
  const before = settings[stackId];
  if (before !== undefined) settings[stackId] = { ...before, scenario };
}

async function deleteAll(
  session: Session,
  request: SettledDelete,
  stacks: readonly Stack[],
): Promise<Outcome> {
  const { world } = session;
  for (const stack of stacks) refuseWhatIsHeld(world, stack, stacks, request);
  const limit = { ms: request.stabilizeTimeoutMs ?? 36 * HOUR_MS, isSet: false };
  const runner = createRunner(session, limit, request);
  const done: Ended[] = [];
  for (const stack of stacks) {
    if (runner.interrupted) break;
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

/** C12: an export that a stack still imports; L46: resources may be kept only after a failed delete. */
function refuseWhatIsHeld(
  { engine }: World,
  stack: Stack,
  going: readonly Stack[],
  { retainResources }: SettledDelete,
): void {
  for (const other of Object.values(engine.stacks)) {
    const isLeft = other.deletedAtMs === null && !going.includes(other);
    const here = isLeft && placeKey(other.place) === placeKey(stack.place);
    const held = other.model.imports.find((name) => Object.hasOwn(stack.exports, name));
    if (!here || held === undefined) continue;
    throw new UserError(
      'ValidationError',
      `Delete canceled. Cannot delete export ${held} as it is in use by ${other.stackName}.`,
      { hint: `delete ${other.stackName} first` },
    );
  }
  if (retainResources.length === 0 || stack.status === 'DELETE_FAILED') return;
  throw new UserError(
    'ValidationError',
    `Invalid operation on stack [${stack.stackId}]. Specifying RetainResources is only allowed for stacks in DELETE_FAILED state`,
    { hint: 'leave out --retain-resources; it is for a stack whose deletion has failed' },
  );
}
