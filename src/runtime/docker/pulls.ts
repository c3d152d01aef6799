import type { Bench } from './bench.ts';
import { credentialsFor } from './credentials.ts';
import type { Engine } from './engine.ts';
import { pullImage } from './engine-images.ts';

/** A pull that tasks wait for; given up when the last of them does not want it any more. */
interface Pull {
  readonly done: Promise<void>;
  readonly cancel: AbortController;
  waiting: number;
}

/** An image to pull, and how it is named to whoever may not see every part of it. */
export interface ImageToPull {
  readonly image: string;
  readonly shown: string;
}

/** A pull that the engine or the registry refused, which `cause` tells. */
export class PullRefused extends Error {
  /** Whether it was asked for without a login, as ECS will ask for it. */
  readonly asAnyone: boolean;

  constructor(cause: unknown, asAnyone: boolean) {
    super('a pull was refused', { cause });
    this.asAnyone = asAnyone;
  }
}

/** Pulls under way: tasks that want the same image wait for the same one. */
const underWay = new WeakMap<Engine, Map<string, Pull>>();

/**
 * Waits until an image is pulled, but no longer than it is wanted.
 *
 * @returns false when it is not wanted any more
 * @throws PullRefused
 */
export async function imagePulled(
  bench: Bench,
  wanted: ImageToPull,
  unwanted: AbortSignal,
): Promise<boolean> {
  if (unwanted.aborted) return false;
  const pull = pullOf(bench, wanted);
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

function pullOf(bench: Bench, wanted: ImageToPull): Pull {
  const pulls = underWay.get(bench.engine) ?? new Map<string, Pull>();
  underWay.set(bench.engine, pulls);
  const { image } = wanted;
  const known = pulls.get(image);
  if (known !== undefined && !known.cancel.signal.aborted) return known;
  const cancel = new AbortController();
  const done = pulled(bench, wanted, cancel.signal).finally(() => {
    if (pulls.get(image)?.cancel === cancel) pulls.delete(image);
  });
  const pull = { done, cancel, waiting: 0 };
  pulls.set(image, pull);
  return pull;
}

async function pulled(
  { engine, onPull }: Bench,
  { image, shown }: ImageToPull,
  unwanted: AbortSignal,
): Promise<void> {
  onPull(shown, 'begun');
  const login = await credentialsFor(image, process.env);
  try {
    await pullImage(engine, image, { login, onProgress: (now) => onPull(shown, now), unwanted });
  } catch (error) {
    if (!unwanted.aborted) onPull(shown, 'failed');
    throw new PullRefused(error, login === undefined);
  }
  onPull(shown, 'done');
}
