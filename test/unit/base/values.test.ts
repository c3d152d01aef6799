import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addMs,
  arnOf,
  type JsonValue,
  nearest,
  parseDurationMs,
  partitionOf,
  placeKey,
  SIMULATION_START_MS,
  sameJson,
  toIsoDuration,
  toPointer,
  toRfc3339,
  urlSuffixOf,
} from '../../../src/base/index.ts';

const durations: readonly (readonly [text: string, ms: number | undefined])[] = [
  ['90s', 90_000],
  ['10m', 600_000],
  ['36h', 129_600_000],
  ['2d', 172_800_000],
  ['500ms', 500],
  ['1h30m', 5_400_000],
  ['1.5s', 1_500],
  ['0s', 0],
  ['PT5M', 300_000],
  ['PT1H30M', 5_400_000],
  ['pt90s', 90_000],
  ['P1D', 86_400_000],
  ['P1DT12H', 129_600_000],
  ['P1M', undefined],
  ['PT1D', undefined],
  ['10', undefined],
  ['', undefined],
  ['PT', undefined],
  ['m', undefined],
  ['-5s', undefined],
  ['5 s', undefined],
  ['5s later', undefined],
  ['5y', undefined],
];

for (const [text, ms] of durations) {
  test(`the duration ${JSON.stringify(text)} is ${ms === undefined ? 'none' : `${ms} ms`}`, () => {
    assert.equal(parseDurationMs(text), ms);
  });
}

test('a duration as ISO 8601, in hours at most', () => {
  const shown = [0, 500, 90_500, 3_600_000, 129_600_000, 5_400_000].map(toIsoDuration);
  assert.deepEqual(shown, ['PT0S', 'PT0.5S', 'PT1M30.5S', 'PT1H', 'PT36H', 'PT1H30M']);
});

test('dec. 21: simulated time starts with the year 2000', () => {
  assert.equal(toRfc3339(SIMULATION_START_MS), '2000-01-01T00:00:00.000Z');
  assert.equal(toRfc3339(addMs(SIMULATION_START_MS, 5_250)), '2000-01-01T00:00:05.250Z');
});

const KNOWN = ['DesiredCount', 'Cluster', 'TaskDefinition'];
const misspelt: readonly (readonly [name: string, meant: string | undefined])[] = [
  ['Clutser', 'Cluster'],
  ['cluster', 'Cluster'],
  ['DesiredCoun', 'DesiredCount'],
  ['Desired', undefined],
  ['Queue', undefined],
  ['', undefined],
];

for (const [name, meant] of misspelt) {
  test(`nearest to "${name}" is ${meant ?? 'nothing'}`, () => {
    assert.equal(nearest(name, KNOWN), meant);
  });
}

test('of two that are near the nearer one is meant', () => {
  assert.equal(nearest('Task2', ['Task11', 'Task3', 'Task2s']), 'Task3');
});

const pairs: readonly (readonly [
  a: JsonValue | undefined,
  b: JsonValue | undefined,
  same: boolean,
])[] = [
  [{ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }, true],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  [[1], [1, 2], false],
  [{ a: null }, {}, false],
  [{ a: 1 }, { b: 1 }, false],
  [{ constructor: 1 }, { a: 1 }, false],
  [1, '1', false],
  [0, false, false],
  [null, null, true],
  [undefined, undefined, true],
  [undefined, null, false],
  [{ a: { b: { c: [{}] } } }, { a: { b: { c: [{}] } } }, true],
];

for (const [a, b, same] of pairs) {
  test(`${JSON.stringify(a)} and ${JSON.stringify(b)} hold ${same ? 'the same' : 'something else'}`, () => {
    assert.equal(sameJson(a, b), same);
    assert.equal(sameJson(b, a), same);
  });
}

test('a path as a JSON pointer, with what RFC 6901 escapes', () => {
  assert.equal(toPointer(['Resources', 'a/b', 0, 'x~y']), '/Resources/a~1b/0/x~0y');
  assert.equal(toPointer([]), '');
});

const places = [
  { region: 'us-east-1', partition: 'aws', suffix: 'amazonaws.com' },
  { region: 'cn-north-1', partition: 'aws-cn', suffix: 'amazonaws.com.cn' },
  { region: 'us-gov-west-1', partition: 'aws-us-gov', suffix: 'amazonaws.com' },
];

for (const { region, partition, suffix } of places) {
  test(`F28: ${region} lies in ${partition}, under ${suffix}`, () => {
    const place = { accountId: '123456789012', region };
    assert.equal(partitionOf(region), partition);
    assert.equal(urlSuffixOf(region), suffix);
    const arn = arnOf('ecs', place, 'cluster/main');
    assert.equal(arn, `arn:${partition}:ecs:${region}:123456789012:cluster/main`);
    assert.equal(placeKey(place), `123456789012/${region}`);
  });
}
