import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContainerDefinition } from '../../../../src/aws/ecs/index.ts';
import type { ServiceArn } from '../../../../src/base/index.ts';
import { type ValueSource, valuesOf } from '../../../../src/runtime/docker/values.ts';
import { container, SERVICE, taskOf } from './tasks.ts';

/** Knows `<x>` as `X` and the secret `db` as `hunter2`; of `<?…>` and others it knows nothing. */
function source(asked: (ServiceArn | null)[] = []): ValueSource {
  return {
    reveal(service, text) {
      asked.push(service);
      const [unknown] = /<\?\w*>/.exec(text) ?? [];
      return unknown === undefined
        ? text.replace(/<(\w+)>/g, (_, name: string) => name.toUpperCase())
        : { unknown };
    },
    secret(service, valueFrom) {
      asked.push(service);
      return valueFrom === 'db' ? 'hunter2' : { unknown: valueFrom };
    },
  };
}

const env = (name: string, value: string) => ({ name, value });
const secret = (name: string, valueFrom: string) => ({ name, valueFrom });
const PLAIN = {
  ...{ image: 'app:1', environment: [], entryPoint: [], command: [] },
  ...{ shownImage: 'app:1', isReplaced: false, hidden: [] },
};
const hide = (value: string, shown: string) => ({ value, shown });

const rows: readonly {
  when: string;
  container?: Partial<ContainerDefinition>;
  images?: { readonly [from: string]: string };
  is: object;
}[] = [
  { when: 'nothing is hidden', is: PLAIN },
  {
    when: 'the environment hides something',
    container: { environment: [env('A', '1'), env('B', 'x<b>')] },
    is: { ...PLAIN, environment: ['A=1', 'B=xB'], hidden: [hide('xB', 'x<b>')] },
  },
  {
    when: 'there are secrets: they follow',
    container: { environment: [env('A', '1')], secrets: [secret('P', 'db')] },
    is: { ...PLAIN, environment: ['A=1', 'P=hunter2'], hidden: [hide('hunter2', 'db')] },
  },
  {
    when: 'the program hides something',
    container: { entryPoint: ['/run', '<a>'], command: ['--token=<b>'] },
    is: {
      ...{ ...PLAIN, entryPoint: ['/run', 'A'], command: ['--token=B'] },
      hidden: [hide('A', '<a>'), hide('--token=B', '--token=<b>')],
    },
  },
  {
    when: 'the program hides something in a part that the engine may quote alone',
    container: { command: ['--token={{resolve:noecho:<b>}}!'] },
    is: {
      ...{ ...PLAIN, command: ['--token={{resolve:noecho:B}}!'] },
      hidden: [
        hide('--token={{resolve:noecho:B}}!', '--token={{resolve:noecho:<b>}}!'),
        hide('{{resolve:noecho:B}}', '{{resolve:noecho:<b>}}'),
      ],
    },
  },
  {
    when: 'another image is run',
    images: { 'app:1': 'local/app:dev', 'local/app:dev': 'never' },
    is: { ...PLAIN, image: 'local/app:dev', shownImage: 'local/app:dev', isReplaced: true },
  },
  { when: 'only a part of the name is meant', images: { app: 'other:1' }, is: PLAIN },
  {
    when: 'the image hides something, and another one is run',
    container: { image: 'r.test/<x>:1' },
    images: { 'r.test/X:1': 'other:1' },
    is: {
      ...{ ...PLAIN, image: 'other:1', shownImage: 'other:1', isReplaced: true },
      hidden: [hide('r.test/X:1', 'r.test/<x>:1')],
    },
  },
  {
    when: 'the image hides something',
    container: { image: 'r.test/<x>:1' },
    is: {
      ...{ ...PLAIN, image: 'r.test/X:1', shownImage: 'r.test/<x>:1' },
      hidden: [hide('r.test/X:1', 'r.test/<x>:1')],
    },
  },
  {
    when: 'a value is not known',
    container: { environment: [env('A', '<?a>')] },
    is: { unknown: '<?a>' },
  },
  {
    when: 'a secret is not known',
    container: { secrets: [secret('P', 'no')] },
    is: { unknown: 'no' },
  },
  { when: 'the image is not known', container: { image: '<?i>' }, is: { unknown: '<?i>' } },
  {
    when: 'a part of the program is not known',
    container: { command: ['a', '<?c>'] },
    is: { unknown: '<?c>' },
  },
  {
    when: 'several are not known: the first is told',
    container: { environment: [env('A', '<?a>')], secrets: [secret('P', 'no')], image: '<?i>' },
    is: { unknown: '<?a>' },
  },
];

for (const { when, container: more = {}, images = {}, is } of rows) {
  test(`a container's values when ${when}: ${JSON.stringify(is)}`, () => {
    const definition = container('app', more);
    assert.deepEqual(valuesOf(taskOf({}, { images }), definition, source()), is);
  });
}

test('values are asked for in the name of the service', () => {
  const asked: (ServiceArn | null)[] = [];
  const definition = container('app', { secrets: [secret('P', 'db')] });
  valuesOf(taskOf({}), definition, source(asked));
  assert.deepEqual(new Set(asked), new Set([SERVICE]));
});
