import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeDriver } from '../../../src/app/close-driver.ts';

const rows: readonly { when: string; busyLooks: number; limitMs: number; looks: number }[] = [
  { when: 'nothing is under way', busyLooks: 0, limitMs: 60_000, looks: 1 },
  { when: 'what is under way comes to its end', busyLooks: 2, limitMs: 60_000, looks: 3 },
  { when: 'it does not', busyLooks: Number.POSITIVE_INFINITY, limitMs: 0, looks: 1 },
];

for (const { when, busyLooks, limitMs, looks } of rows) {
  test(`a driver is closed, then waited for: ${when}`, async () => {
    const calls: string[] = [];
    const driver = {
      close: () => calls.push('close'),
      isBusy: () => calls.push('look') <= busyLooks + 1,
    };
    await closeDriver({ ...driver, close: () => void driver.close() }, limitMs);
    assert.deepEqual(calls, ['close', ...Array<string>(looks).fill('look')]);
  });
}
