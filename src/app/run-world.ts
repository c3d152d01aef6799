import { addMs, type EpochMs, SECOND_MS, systemClock, virtualClock } from '../base/index.ts';
import type { Stack } from '../engine/index.ts';
import type { World } from '../world/index.ts';
import { alarmPart } from './alarm-part.ts';
import { clusterPart } from './cluster-part.ts';
import type { Containers } from './containers.ts';
import type { Inbox } from './inbox.ts';
import { type Part, runUntil } from './loop.ts';
import { dockerEnginePart, partsOf, type Setting } from './parts.ts';
import type { Session } from './session.ts';
import type { Progress } from './use-cases.ts';

/** What an operation is run with. */
export interface Outfit {
  readonly setting: Setting;
  readonly inbox: Inbox;
  readonly progress: Progress;
  readonly containers: Containers | undefined;
  isInterrupted(): boolean;
}

/** Between commands a world of containers goes on, since what it holds does. */
export function toNow(world: World): void {
  if (world.kind === 'docker') world.nowMs = Math.max(world.nowMs, Date.now()) as EpochMs;
}

/** @param wakeAtMs - when it may be settled by the passing of time alone */
export async function runWorld(
  session: Session,
  { setting, inbox, containers }: Outfit,
  settled: () => boolean,
  watch: (world: World) => void,
  wakeAtMs: () => EpochMs | undefined = () => undefined,
): Promise<void> {
  const { world } = session;
  toNow(world);
  let saved = -1;
  const save = () => {
    // What was told and what is about to be asked for is on disk before the engine is asked.
    if (containers === undefined || (world.record.appended === saved && !containers.hasAsked())) {
      return;
    }
    saved = world.record.appended;
    session.save();
  };
  const door = containers === undefined ? [] : [dockerEnginePart(containers)];
  const scenarios = [alarmPart(world), clusterPart(world)];
  const parts = [...scenarios, ...partsOf(world, setting), ...door, wakingPart(wakeAtMs)];
  await runUntil(settled, world, {
    parts,
    clock: containers === undefined ? virtualClock : systemClock,
    inbox,
    onInstant(now) {
      save(); // first, so that whoever is told of something and kills the command finds it
      watch(now);
    },
  });
  save();
}

/** Does nothing but end the wait of the clock. */
function wakingPart(nextDueMs: () => EpochMs | undefined): Part {
  return { step: () => undefined, nextDueMs, pendingOutside: () => false };
}

/** How long a command waits, once the operation is over, for what still starts or stops. */
const REST_MS = 10 * SECOND_MS;

/** Until when the containers of a stack are waited for; undefined while its operation goes on. */
export function restUntilMs({ operation, operations }: Stack): EpochMs | undefined {
  const last = operations.at(-1);
  return operation !== null || last === undefined ? undefined : addMs(last.finishedAtMs, REST_MS);
}

/** The operation is over, and its containers can be left alone, or have been waited for. */
export function isSettled(world: World, stack: Stack, isInterrupted: boolean): boolean {
  const untilMs = restUntilMs(stack);
  if (untilMs === undefined) return false;
  return isInterrupted || world.nowMs >= untilMs || isAtRest(world, stack);
}

/** Nothing of the stack is between two states, so that the command can leave its containers alone. */
export function isAtRest({ docker }: World, { stackName }: Stack): boolean {
  return Object.values(docker).every(({ tasks }) =>
    Object.values(tasks).every(
      ({ owner, phase, containers }) =>
        owner.stackName !== stackName ||
        (phase === 'up' && Object.values(containers).every(({ status }) => status !== 'starting')),
    ),
  );
}
