import type { Bench } from './bench.ts';
import { type Engine, pullImage } from './engine.ts';

/** Pulls under way, by engine: tasks that want the same image wait for the same pull. */
const underWay = new WeakMap<Engine, Map<string, Promise<void>>>();

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
  const pulls = underWay.get(bench.engine) ?? new Map<string, Promise<void>>();
  underWay.set(bench.engine, pulls);
  const pull = pulls.get(image) ?? pulled(bench, image).finally(() => pulls.delete(image));
  pulls.set(image, pull);
  if (unwanted.aborted) return false;
  const aborted = new Promise<false>((resolve) => {
    unwanted.addEventListener('abort', () => resolve(false), { once: true });
  });
  return Promise.race([pull.then(() => true), aborted]);
}

async function pulled({ engine, onPull }: Bench, image: string): Promise<void> {
  onPull(image, 'begun');
  try {
    await pullImage(engine, image, (progress) => onPull(image, progress));
    onPull(image, 'done');
  } catch (error) {
    onPull(image, 'failed');
    throw error;
  }
}
