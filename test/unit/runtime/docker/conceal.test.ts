import assert from 'node:assert/strict';
import { test } from 'node:test';
import { concealed, type Hidden } from '../../../../src/runtime/docker/conceal.ts';

const hide = (value: string, shown: string): Hidden => ({ value, shown });

const rows: readonly { when: string; text: string; hidden: readonly Hidden[]; is: string }[] = [
  { when: 'nothing is hidden', text: 'exec: "app"', hidden: [], is: 'exec: "app"' },
  {
    when: 'it is quoted whole',
    text: 'exec: "node app --pw hunter2": not found',
    hidden: [hide('node app --pw hunter2', 'node app --pw <pw>')],
    is: 'exec: "node app --pw <pw>": not found',
  },
  {
    when: 'it has a quote and a line break, which are quoted in their turn',
    text: 'exec: "say \\"hunter2\\"\\n": not found',
    hidden: [hide('say "hunter2"\n', 'say <pw>')],
    is: 'exec: "say <pw>": not found',
  },
  {
    when: 'one holds the other: the longer goes first',
    text: 'exec: "hunter2-and-more", hunter2',
    hidden: [hide('hunter2', '<pw>'), hide('hunter2-and-more', '<pw>-and-more')],
    is: 'exec: "<pw>-and-more", <pw>',
  },
  {
    when: 'what stands for one holds the other',
    text: 'abcd wxyz',
    hidden: [hide('abcd', '<wxyz>'), hide('wxyz', '<pin>')],
    is: '<wxyz> <pin>',
  },
  {
    when: 'it means something in a pattern',
    text: 'exec: "a.*(b)$1": no',
    hidden: [hide('a.*(b)$1', '<$&>')],
    is: 'exec: "<$&>": no',
  },
  {
    when: 'it is short: only as a word',
    text: 'exec: "80": of 8080 and 180',
    hidden: [hide('80', '<port>')],
    is: 'exec: "<port>": of 8080 and 180',
  },
  { when: 'it is empty', text: 'no', hidden: [hide('', '<pw>')], is: 'no' },
  { when: 'it hides nothing', text: 'web', hidden: [hide('web', 'web')], is: 'web' },
];

for (const { when, text, hidden, is } of rows) {
  test(`hidden values in a text when ${when}: ${is}`, () => {
    assert.equal(concealed(text, hidden), is);
  });
}
