import { setTimeout as sleep } from 'node:timers/promises';
import { hasFailed } from './faults.ts';

/** An engine that is busy with what it is asked for has a few seconds to come to an end with it. */
const WAITS_MS = [200, 400, 800, 1_600];

/**
 * Asks again where the engine fails, such as at a file system that is busy. What it refuses is
 * thrown at once, and what it still fails at in the end too.
 *
 * @param closing - aborted when nobody waits for it any more; then it throws an `AbortError`
 */
export async function insisted<T>(act: () => Promise<T>, closing: AbortSignal): Promise<T> {
  for (const waitMs of WAITS_MS) {
    closing.throwIfAborted();
    try {
      return await act();
    } catch (error) {
      if (!hasFailed(error)) throw error;
    }
    await sleep(waitMs, undefined, { signal: closing });
  }
  return act();
}

/** Waits for every one of them, also where one fails; the first that fails is thrown then. */
export async function everyOf<T>(works: readonly Promise<T>[]): Promise<readonly T[]> {
  const ends = await Promise.allSettled(works);
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
}
