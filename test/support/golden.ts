import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';

/**
 * Compares a text with the file it came from; with UPDATE_GOLDEN=1 writes the file anew, so that a
 * change of behaviour is read in review as a diff.
 */
export function matchesGoldenFile(path: string, before: string, now: string): void {
  if (before === now) return;
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, now);
  else assert.equal(now, before);
}
