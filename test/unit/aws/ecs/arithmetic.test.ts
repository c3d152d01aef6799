import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundsOf } from '../../../../src/aws/ecs/bounds.ts';
import { failureThreshold } from '../../../../src/aws/ecs/circuit-breaker.ts';
import { backoffMs, LOCAL_RULES } from '../../../../src/aws/ecs/rules.ts';

const pairs = ['200/100', '100/0', '100/100', '150/50', '120/80', '110/100', '125/75'] as const;
const rows: readonly (readonly [number, ...string[]])[] = [
  [1, '2/1', '1/0', '1/1', '1/1', '1/1', '1/1', '1/1'],
  [2, '4/2', '2/0', '2/2', '3/1', '2/2', '2/2', '2/2'],
  [3, '6/3', '3/0', '3/3', '4/2', '3/3', '3/3', '3/3'],
  [4, '8/4', '4/0', '4/4', '6/2', '4/4', '4/4', '5/3'],
  [5, '10/5', '5/0', '5/5', '7/3', '6/4', '5/5', '6/4'],
  [7, '14/7', '7/0', '7/7', '10/4', '8/6', '7/7', '8/6'],
  [10, '20/10', '10/0', '10/10', '15/5', '12/8', '11/10', '12/8'],
];

test('3.1, 3.2, 3.20: the ceiling rounds down, the floor rounds up', () => {
  for (const [desired, ...expected] of rows) {
    const actual = pairs.map((pair) => {
      const [maximumPercent = 0, minimumHealthyPercent = 0] = pair.split('/').map(Number);
      const configuration = { maximumPercent, minimumHealthyPercent };
      const { activeMax, healthyMin } = boundsOf(desired, configuration);
      return `${activeMax}/${healthyMin}`;
    });
    assert.deepEqual(actual, expected, `desired ${desired}`);
  }
});

test('3.22: percentages are multiplied before they are divided', () => {
  const configuration = { maximumPercent: 100, minimumHealthyPercent: 7 };
  assert.equal(boundsOf(100, configuration).healthyMin, 7);
});

test('4.1, 4.60: half the desired count, rounded up, between 3 and 200', () => {
  const desired = [0, 1, 2, 6, 7, 9, 10, 25, 100, 399, 400, 800];
  const expected = [3, 3, 3, 3, 4, 5, 5, 13, 50, 200, 200, 200];
  assert.deepEqual(
    desired.map((count) => failureThreshold(count)),
    expected,
  );
  assert.throws(() => failureThreshold(-1));
  assert.throws(() => failureThreshold(1.5));
});

const thresholds: readonly {
  type: 'COUNT' | 'BOUNDED_PERCENT' | 'UNBOUNDED_PERCENT';
  value: number;
  desired: number;
  is: number;
}[] = [
  { type: 'COUNT', value: 1, desired: 100, is: 1 },
  { type: 'COUNT', value: 500, desired: 1, is: 500 },
  { type: 'BOUNDED_PERCENT', value: 50, desired: 25, is: 13 },
  { type: 'BOUNDED_PERCENT', value: 10, desired: 5, is: 3 },
  { type: 'BOUNDED_PERCENT', value: 100, desired: 900, is: 200 },
  { type: 'UNBOUNDED_PERCENT', value: 10, desired: 5, is: 1 },
  { type: 'UNBOUNDED_PERCENT', value: 100, desired: 900, is: 900 },
  { type: 'UNBOUNDED_PERCENT', value: 7, desired: 100, is: 7 },
  { type: 'UNBOUNDED_PERCENT', value: 50, desired: 0, is: 1 },
];

for (const { type, value, desired, is } of thresholds) {
  test(`4.4: ${type} ${value} of ${desired} tasks is ${is}`, () => {
    assert.equal(failureThreshold(desired, { type, value }), is);
  });
}

test('7.4: the wait doubles from 500 ms to 30 s', () => {
  const failures = [1, 2, 3, 4, 5, 6, 7, 8, 5_000];
  const expected = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000];
  assert.deepEqual(
    failures.map((count) => backoffMs(count, LOCAL_RULES)),
    expected,
  );
});
