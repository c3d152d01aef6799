import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redact } from '../../../src/app/redact.ts';

const rows: readonly (readonly [
  what: string,
  secrets: string[],
  before: unknown,
  after: unknown,
])[] = [
  ['a text alone', ['hunter2'], 'hunter2', '****'],
  ['a text inside another', ['hunter2'], { url: 'pg://u:hunter2@db' }, { url: 'pg://u:****@db' }],
  ['in lists and objects', ['hunter2'], [{ a: ['hunter2'] }], [{ a: ['****'] }]],
  ['several times', ['hunter2'], 'hunter2 hunter2', '**** ****'],
  ['a short one only alone', ['on'], ['on', 'function'], ['****', 'function']],
  ['the longer one first', ['pass', 'password1'], 'password1', '****'],
  ['nothing for an empty secret', [''], ['', 'a'], ['', 'a']],
  ['not container output', ['hunter2'], { logTail: ['hunter2'] }, { logTail: ['hunter2'] }],
];

for (const [what, secrets, before, after] of rows) {
  test(`P17: a secret is masked: ${what}`, () => {
    assert.deepEqual(redact(before, new Set(secrets)), after);
  });
}
