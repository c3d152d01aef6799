import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundsOf } from '../../../../src/aws/ecs/bounds.ts';
import { failureThreshold } from '../../../../src/aws/ecs/circuit-breaker.ts';
import { backoffMs, LOCAL_RULES } from '../../../../src/aws/ecs/rules.ts';

const pairs = [
  ...['200/100', '100/0', '100/100', '150/50', '200/50'],
  ...['120/80', '150/100', '110/100', '125/75'],
] as const;
const rows: readonly (readonly [number, ...string[]])[] = [
  [1, '2/1', '1/0', '1/1', '1/1', '2/1', '1/1', '1/1', '1/1', '1/1'],
  [2, '4/2', '2/0', '2/2', '3/1', '4/1', '2/2', '3/2', '2/2', '2/2'],
  [3, '6/3', '3/0', '3/3', '4/2', '6/2', '3/3', '4/3', '3/3', '3/3'],
  [4, '8/4', '4/0', '4/4', '6/2', '8/2', '4/4', '6/4', '4/4', '5/3'],
  [5, '10/5', '5/0', '5/5', '7/3', '10/3', '6/4', '7/5', '5/5', '6/4'],
  [6, '12/6', '6/0', '6/6', '9/3', '12/3', '7/5', '9/6', '6/6', '7/5'],
  [7, '14/7', '7/0', '7/7', '10/4', '14/4', '8/6', '10/7', '7/7', '8/6'],
  [8, '16/8', '8/0', '8/8', '12/4', '16/4', '9/7', '12/8', '8/8', '10/6'],
  [9, '18/9', '9/0', '9/9', '13/5', '18/5', '10/8', '13/9', '9/9', '11/7'],
  [10, '20/10', '10/0', '10/10', '15/5', '20/5', '12/8', '15/10', '11/10', '12/8'],
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

const anchors: readonly { desired: number; of: string; then: string }[] = [
  { desired: 4, of: '200/50', then: 'stop 2, start 4' },
  { desired: 2, of: '200/75', then: 'stop 0, start 2' },
  { desired: 4, of: '200/100', then: 'stop 0, start 4' },
  { desired: 3, of: '125/100', then: 'stop 0, start 0' },
];

for (const { desired, of, then } of anchors) {
  test(`3.21: ${desired} tasks at ${of} may ${then}`, () => {
    const [maximumPercent = 0, minimumHealthyPercent = 0] = of.split('/').map(Number);
    const bounds = boundsOf(desired, { maximumPercent, minimumHealthyPercent });
    const [stop, start] = [desired - bounds.healthyMin, bounds.activeMax - desired];
    assert.equal(`stop ${stop}, start ${start}`, then);
  });
}

test('3.22: percentages are multiplied before they are divided', () => {
  const configuration = { maximumPercent: 100, minimumHealthyPercent: 7 };
  assert.equal(boundsOf(100, configuration).healthyMin, 7);
});

test('4.1 to 4.3, 4.60: half the desired count, rounded up, between 3 and 200', () => {
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
