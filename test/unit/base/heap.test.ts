import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createHeap,
  type EpochMs,
  nextBelow,
  nextDueMs,
  popDue,
  pushDue,
  seedRandom,
} from '../../../src/base/index.ts';

const END = 1_000 as EpochMs;

function drained(heap: ReturnType<typeof createHeap<string>>, nowMs = END): readonly string[] {
  const items: string[] = [];
  for (let item = popDue(heap, nowMs); item !== undefined; item = popDue(heap, nowMs))
    items.push(item);
  return items;
}

test('the earliest comes out first', () => {
  const heap = createHeap<string>();
  for (const at of [5, 1, 4, 2, 3]) pushDue(heap, at as EpochMs, `at ${at}`);
  assert.equal(nextDueMs(heap), 1);
  assert.deepEqual(drained(heap), ['at 1', 'at 2', 'at 3', 'at 4', 'at 5']);
  assert.equal(nextDueMs(heap), undefined);
});

test('of one instant they come out in the order they went in', () => {
  const heap = createHeap<string>();
  for (let i = 0; i < 100; i += 1) pushDue(heap, (i % 2) as EpochMs, `${i % 2}:${i}`);
  const even = Array.from({ length: 50 }, (_, at) => `0:${2 * at}`);
  const odd = Array.from({ length: 50 }, (_, at) => `1:${2 * at + 1}`);
  assert.deepEqual(drained(heap), [...even, ...odd]);
});

test('what is not due stays', () => {
  const heap = createHeap<string>();
  pushDue(heap, 10 as EpochMs, 'late');
  pushDue(heap, 5 as EpochMs, 'early');
  assert.deepEqual(drained(heap, 9 as EpochMs), ['early']);
  assert.equal(nextDueMs(heap), 10);
});

test('whatever goes in and out, it is sorted by time and then by order of arrival', () => {
  for (let seed = 0; seed < 50; seed += 1) {
    const random = seedRandom(`heap ${seed}`);
    const heap = createHeap<number>();
    const waiting: { readonly at: number; readonly order: number }[] = [];
    for (let order = 0; order < 200; order += 1) {
      const at = nextBelow(random, 20);
      pushDue(heap, at as EpochMs, order);
      waiting.push({ at, order });
      if (nextBelow(random, 3) > 0) continue;
      waiting.sort((a, b) => a.at - b.at || a.order - b.order);
      assert.equal(popDue(heap, END), waiting.shift()?.order, `seed ${seed}`);
    }
  }
});
