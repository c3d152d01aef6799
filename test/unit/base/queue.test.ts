import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createQueue, dequeue, enqueue } from '../../../src/base/index.ts';

test('first in, first out, also while it grows', () => {
  const queue = createQueue<number>();
  const taken: (number | undefined)[] = [];
  for (let i = 0; i < 500; i += 1) {
    enqueue(queue, i);
    if (i % 3 === 2) taken.push(dequeue(queue));
  }
  while (queue.head < queue.items.length) taken.push(dequeue(queue));
  assert.deepEqual(
    taken,
    Array.from({ length: 500 }, (_, at) => at),
  );
  assert.equal(dequeue(queue), undefined);
});

test('what was taken is let go, so that a queue in use stays small', () => {
  const queue = createQueue<number>();
  for (let i = 0; i < 10_000; i += 1) {
    enqueue(queue, i);
    dequeue(queue);
  }
  assert(queue.items.length < 100);
});

test('a queue is plain data: it goes on after it was saved', () => {
  const queue = createQueue<string>();
  for (const item of ['a', 'b', 'c']) enqueue(queue, item);
  dequeue(queue);
  const saved = JSON.parse(JSON.stringify(queue)) as typeof queue;
  assert.deepEqual([dequeue(saved), dequeue(saved), dequeue(saved)], ['b', 'c', undefined]);
});
