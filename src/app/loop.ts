import { setImmediate as macrotask } from 'node:timers/promises';
import { assert, type Clock, type EpochMs } from '../base/index.ts';
import type { World } from '../world/index.ts';
import type { Arrival, Inbox } from './inbox.ts';

/** A part of a world that acts in turns: task runtime, ECS scheduler, stack engine. */
export interface Part {
  /** Takes in what arrived from outside, then does what is due at the world's instant. */
  step(arrived: readonly Arrival[]): void;
  /** When this part next needs a turn; undefined when only others can wake it. */
  nextDueMs(): EpochMs | undefined;
  /** Begins the work outside that was asked for, once the instant has been watched (and saved). */
  act?(): void;
  /** Whether a pull, a container or a function works for it outside this process. */
  pendingOutside(): boolean;
}

export interface Outfit {
  readonly parts: readonly Part[];
  readonly clock: Clock;
  readonly inbox: Inbox;
  /** After each instant, before time passes: for those who watch. */
  onInstant?(world: World): void;
}

/** An instant that does not come to an end is a defect; the longest seen in tests takes nine rounds. */
const ROUNDS_PER_INSTANT_MAX = 10_000;
/** Between macrotasks, without which a signal would wait for the end of the run. Wall time. */
const AT_ONCE_MS = 25;

/** Gives every part a turn, in the order given, until `settled`. Nothing else ever waits. */
export async function runUntil(
  settled: (world: World) => boolean,
  world: World,
  { parts, clock, inbox, onInstant }: Outfit,
): Promise<void> {
  let yieldedAt = performance.now();
  for (let rounds = 1; !settled(world); rounds += 1) {
    assert(rounds <= ROUNDS_PER_INSTANT_MAX, 'an instant comes to an end');
    const arrived = inbox.take();
    if (!arrived.every(isSignal)) world.deterministic = false;
    for (const part of parts) part.step(arrived);

    const dueMs = earliest(parts);
    if (settled(world) || (dueMs !== undefined && dueMs <= world.nowMs)) continue;
    onInstant?.(world);
    for (const part of parts) part.act?.();
    const pendingOutside = parts.some((part) => part.pendingOutside());
    assert(pendingOutside || dueMs !== undefined, 'an unsettled world waits for something');
    world.nowMs = await clock.pass({ nowMs: world.nowMs, dueMs, pendingOutside, inbox });
    rounds = 0; // bounded per instant, not per run: following a service may take days
    if (performance.now() - yieldedAt > AT_ONCE_MS) {
      await macrotask();
      yieldedAt = performance.now();
    }
  }
  onInstant?.(world);
  for (const part of parts) part.act?.();
  await macrotask(); // a command of many short runs can be interrupted between them
}

function isSignal({ type }: Arrival): boolean {
  return type === 'signal';
}

function earliest(parts: readonly Part[]): EpochMs | undefined {
  let due: EpochMs | undefined;
  for (const part of parts) {
    const at = part.nextDueMs();
    if (at !== undefined && (due === undefined || at < due)) due = at;
  }
  return due;
}
