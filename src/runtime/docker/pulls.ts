import type { Bench } from './bench.ts';
import { type Engine, pullImage } from './engine.ts';

/** A pull that tasks wait for; given up when the last of them does not want it any more. */
interface Pull {
  readonly done: Promise<void>;
  readonly cancel: AbortController;
  waiting: number;
}

/** Pulls under way: tasks that want the same image wait for the same one. */
const underWay = new WeakMap<Engine, Map<string, Pull>>();

/**
 * Waits until an image is pulled, but no longer than it is wanted.
 *
 * @returns false when it is not wanted any more
 * @throws as the engine or the registry refuses the pull
 */
export async function imagePulled(
  bench: Bench,
  image: string,
  unwanted: AbortSignal,
): Promise<boolean> {
  if (unwanted.aborted) return false;
  const pull = pullOf(bench, image);
  pull.waiting += 1;
  const aborted = new Promise<false>((resolve) => {
    unwanted.addEventListener('abort', () => resolve(false), { once: true });
  });
  try {
    return await Promise.race([pull.done.then(() => true), aborted]);
  } finally {
    pull.waiting -= 1;
    if (pull.waiting === 0) pull.cancel.abort();
  }
}

function pullOf(bench: Bench, image: string): Pull {
  const pulls = underWay.get(bench.engine) ?? new Map<string, Pull>();
  underWay.set(bench.engine, pulls);
  const known = pulls.get(image);
  if (known !== undefined && !known.cancel.signal.aborted) return known;
  const cancel = new AbortController();
  const done = pulled(bench, image, cancel.signal).finally(() => {
    if (pulls.get(image)?.cancel === cancel) pulls.delete(image);
  });
  const pull = { done, cancel, waiting: 0 };
  pulls.set(image, pull);
  return pull;
}

async function pulled({ engine, onPull }: Bench, image: string, unwanted: AbortSignal) {
  onPull(image, 'begun');
  try {
    await pullImage(engine, image, { onProgress: (now) => onPull(image, now), unwanted });
    onPull(image, 'done');
  } catch (error) {
    if (!unwanted.aborted) onPull(image, 'failed');
    throw error;
  }
}
