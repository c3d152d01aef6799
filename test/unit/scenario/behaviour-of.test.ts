import assert from 'node:assert/strict';
import { test } from 'node:test';
import { behaviourOf, parseScenario } from '../../../src/scenario/index.ts';

const rows = [
  { keys: [], image: 'web:1', by: undefined },
  { keys: ['web:1'], image: 'web:1', by: 'web:1' },
  { keys: ['web:1'], image: 'web:11', by: undefined },
  { keys: ['*'], image: 'registry.example.com/shop/web:1', by: '*' },
  { keys: ['*/*:latest'], image: 'a.example.com/b/c:latest', by: '*/*:latest' },
  { keys: ['*/*:latest'], image: 'c:latest', by: undefined },
  { keys: ['web:*'], image: 'web:', by: 'web:*' },
  { keys: ['*web*1'], image: 'web1', by: '*web*1' },
  { keys: ['ab*ba'], image: 'aba', by: undefined }, // the pieces may not overlap
  { keys: ['*a*b'], image: 'aab', by: '*a*b' },
  { keys: ['*', 'shop/*', 'sho*'], image: 'shop/web:1', by: 'shop/*' },
  { keys: ['w.b:1'], image: 'web:1', by: undefined }, // no regular expressions
  {
    keys: ['a-very-long-pattern-*', 'a-very-long-pattern-x'],
    image: 'a-very-long-pattern-x',
    by: 'a-very-long-pattern-x',
  },
  { keys: ['*************', 'web:1'], image: 'web:1', by: 'web:1' }, // written out beats longer
  { keys: ['w*:1', 'we*1'], image: 'web:1', by: 'w*:1' },
] as const;

for (const { keys, image, by } of rows) {
  test(`${image} among [${keys.join(' ')}]: ${by ?? 'the defaults'}`, () => {
    const entries = keys.map((key) => `  '${key}': {output: '${key}'}\n`).join('');
    const scenario = parseScenario(`images:\n${entries}`, 's.yml');
    const expected = {
      behaviour: { output: by === undefined ? [] : [by] },
      named: by !== undefined,
    };
    assert.deepEqual(behaviourOf(scenario, image), expected);
  });
}

test('without a scenario every image has the defaults', () => {
  assert.deepEqual(behaviourOf(undefined, 'web:1'), { behaviour: { output: [] }, named: false });
});
