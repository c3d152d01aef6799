import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DIGITS,
  nextBelow,
  nextHex32,
  nextText,
  nextUint32,
  nextUuid,
  type RandomState,
  seedNumber,
  seedRandom,
} from '../../../src/base/index.ts';

function draws(state: RandomState, count = 8): readonly number[] {
  return Array.from({ length: count }, () => nextUint32(state));
}

test('equal seeds give equal sequences, others do not', () => {
  assert.deepEqual(draws(seedRandom('a')), draws(seedRandom('a')));
  assert.notDeepEqual(draws(seedRandom('a')), draws(seedRandom('b')));
  assert.notDeepEqual(draws(seedRandom('')), draws(seedRandom('0')));
});

test('the sequence is the same on every machine and in every version', () => {
  assert.deepEqual(draws(seedRandom('overcast'), 3), [859_118_388, 3_211_303_775, 2_838_233_488]);
  assert.equal(seedNumber('overcast'), 74_136_975);
});

test('its state is plain data: it goes on after it was saved', () => {
  const state = seedRandom('a');
  draws(state);
  const saved = JSON.parse(JSON.stringify(state)) as RandomState;
  assert.deepEqual(draws(saved), draws(state));
});

test('the words of the state stay 32 bits wide', () => {
  const state = seedRandom('wide');
  for (let i = 0; i < 1_000; i += 1) {
    nextUint32(state);
    assert(state.every((word) => word === (word | 0)));
  }
});

test('a number below a bound reaches all of them, about equally', () => {
  const state = seedRandom('die');
  const counts = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < 6_000; i += 1) {
    const side = nextBelow(state, 6);
    counts[side] = (counts[side] ?? 0) + 1;
  }
  assert.equal(counts.length, 6);
  assert(
    counts.every((count) => count > 850 && count < 1_150),
    counts.join(' '),
  );
});

test('a UUID has the shape of version 4, and hardly ever comes twice', () => {
  const state = seedRandom('uuid');
  const uuids = Array.from({ length: 1_000 }, () => nextUuid(state));
  const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  assert(uuids.every((uuid) => shape.test(uuid)));
  assert.equal(new Set(uuids).size, 1_000);
});

test('the tail of a task ARN is 32 hex digits; a text is as long as asked', () => {
  const state = seedRandom('texts');
  assert.match(nextHex32(state), /^[0-9a-f]{32}$/);
  assert.match(nextText(state, 19, DIGITS), /^\d{19}$/);
});

test('a seed for people is whole and below 2³¹', () => {
  const seeds = ['', 'a', 'demo', 'x'.repeat(1_000)].map(seedNumber);
  assert(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31));
  assert.equal(new Set(seeds).size, 4);
});
