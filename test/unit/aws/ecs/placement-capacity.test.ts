import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseSubnet, distribute } from '../../../../src/aws/ecs/placement/index.ts';

// A provider is weight:base, then what is placed on it.
const rows = [
  { rule: '7.13', of: ['1:0', '4:0'], count: 5, then: [1, 4] },
  { rule: '7.13 ties', of: ['1:0', '1:0'], count: 3, then: [2, 1] },
  { rule: '7.13 thirds', of: ['3:0', '3:0', '3:0'], count: 100, then: [34, 33, 33] },
  { rule: '7.12 base', of: ['1:2', '1:0'], count: 6, then: [4, 2] },
  { rule: '7.12 base of a later one', of: ['1:0', '1:2'], count: 3, then: [1, 2] },
  { rule: '7.12 too few for the base', of: ['1:0', '0:5'], count: 3, then: [0, 3] },
  { rule: '7.12 weight 0', of: ['0:2', '1:0'], count: 5, then: [2, 3] },
  { rule: '7.12 weight 0 everywhere', of: ['0:2', '0:0'], count: 5, then: [2, 0] },
  { rule: '7.12 base that is there', of: ['1:2+2', '1:0'], count: 2, then: [1, 1] },
  { rule: '7.12 base that is partly there', of: ['1:2+1', '1:0+1'], count: 2, then: [2, 0] },
  { rule: '7.13 one is behind', of: ['1:0+4', '1:0'], count: 3, then: [0, 3] },
  { rule: '7.13 one after the other', of: ['1:0+1', '4:0+3'], count: 1, then: [0, 1] },
  { rule: '7.13 nothing to place', of: ['1:1', '1:0'], count: 0, then: [0, 0] },
] as const;

for (const { rule, of, count, then } of rows) {
  test(`${rule}: ${count} over ${of.join(' and ')}: ${then.join(' and ')}`, () => {
    const parts = of.map((text) => text.split(/[:+]/).map(Number));
    const strategy = parts.map(([weight = 0, base = 0], at) => ({
      provider: `p${at}`,
      weight,
      base,
    }));
    const placed = Object.fromEntries(parts.map(([, , there = 0], at) => [`p${at}`, there]));
    assert.deepEqual(distribute(strategy, placed, count), then);
  });
}

// A subnet is its name, `@` its zone where that is known, and `+` the tasks in it.
const spreads = [
  { of: 'a b', then: 'a b a b a' },
  { of: 'a+2 b', then: 'b b a b' },
  { of: 'a@1 b@1 c@2', then: 'a c b c a' },
  { of: 'a@1+1 b@1 c@2+1', then: 'b' },
  { of: 'a', then: 'a a' },
] as const;

for (const { of, then } of spreads) {
  test(`7.7 over ${of}: ${then}`, () => {
    const read = of.split(' ').map((text) => /^(\w+)(?:@(\w+))?(?:\+(\d+))?$/.exec(text) ?? []);
    const subnets = read.map(([, id = '', zone]) => ({ id, zone: zone ?? null }));
    const tasks = Object.fromEntries(read.map(([, id, , count]) => [id, Number(count ?? 0)]));
    const chosen = then.split(' ').map(() => {
      const subnet = chooseSubnet(subnets, tasks) ?? '-';
      tasks[subnet] = (tasks[subnet] ?? 0) + 1;
      return subnet;
    });
    assert.equal(chosen.join(' '), then);
  });
}

test('7.7 without a subnet there is none to choose', () => {
  assert.equal(chooseSubnet([], {}), undefined);
});
