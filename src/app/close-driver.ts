import { setTimeout as sleep } from 'node:timers/promises';
import type { Driver } from '../runtime/docker/index.ts';

const LIMIT_MS = 3_000;
const LOOK_EVERY_MS = 20;

/**
 * Closes a driver and waits for what is under way at the engine, so that the next command finds its
 * end; but only for a moment, since an engine need not answer.
 */
export async function closeDriver(
  driver: Pick<Driver, 'close' | 'isBusy'>,
  limitMs = LIMIT_MS,
): Promise<void> {
  driver.close();
  const untilMs = performance.now() + limitMs;
  while (driver.isBusy() && performance.now() < untilMs) await sleep(LOOK_EVERY_MS);
}
