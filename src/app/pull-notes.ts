import type { Bench, PullProgress } from '../runtime/docker/index.ts';
import type { Progress } from './use-cases.ts';

const NOTE_EVERY_MS = 5_000;
const MEBIBYTE = 1024 * 1024;

/** Says that an image is pulled, how far it has come every few seconds, and that it is there. */
export function sayPulls({ note }: Progress): Bench['onPull'] {
  const saidMs = new Map<string, number>();
  return (image, progress) => {
    const nowMs = performance.now();
    if (typeof progress !== 'string') {
      if (nowMs - (saidMs.get(image) ?? 0) < NOTE_EVERY_MS) return;
      saidMs.set(image, nowMs);
      return note?.(`pulling ${image}: ${progressText(progress)}`);
    }
    saidMs.set(image, nowMs);
    if (progress === 'begun') note?.(`pulling ${image}`);
    if (progress === 'done') note?.(`pulled ${image}`);
    if (progress === 'failed') note?.(`${image} could not be pulled`);
  };
}

function progressText({ received, total }: PullProgress): string {
  const mebibytes = (bytes: number) => (bytes / MEBIBYTE).toFixed(1);
  return `${mebibytes(received)} of ${mebibytes(total)} MiB so far`;
}
