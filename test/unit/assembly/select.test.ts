import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAssembly, selectStacks } from '../../../src/assembly/index.ts';
import { UserError } from '../../../src/base/index.ts';
import { folderWith, manifest, stack } from './support.ts';

const named = (stackName: string, displayName: string) => ({
  displayName,
  properties: { templateFile: 't.json', stackName },
});
const FILES = {
  't.json': {},
  'manifest.json': manifest({
    WebA1: stack(['DbB2'], named('prod-web', 'Prod/Web')),
    DbB2: stack(['NetC3'], named('prod-db', 'Prod/Db')),
    NetC3: stack([], named('net', 'Net')),
    'Jobs.x': stack([], named('jobs', 'Test/Jobs')),
  }),
};

const rows = [
  { names: [], ids: 'NetC3 DbB2 WebA1 Jobs.x' },
  { names: ['net'], ids: 'NetC3' },
  { names: ['prod-web'], ids: 'NetC3 DbB2 WebA1' }, // with all that it needs
  { names: ['DbB2'], ids: 'NetC3 DbB2' },
  { names: ['Prod/Db'], ids: 'NetC3 DbB2' },
  { names: ['Test/*'], ids: 'Jobs.x' },
  { names: ['Prod/*'], ids: 'NetC3 DbB2 WebA1' },
  { names: ['*'], ids: 'NetC3 DbB2 WebA1 Jobs.x' },
  { names: ['**'], ids: 'NetC3 DbB2 WebA1 Jobs.x' },
  { names: ['*/J*s'], ids: 'Jobs.x' }, // a star stands for a slash too
  { names: ['jobs', 'net', 'jobs'], ids: 'NetC3 Jobs.x' },
] as const;

for (const { names, ids } of rows) {
  test(`[${names.join(' ')}] selects ${ids}`, (t) => {
    const selected = selectStacks(openAssembly(folderWith(t, FILES)), names);
    assert.equal(selected.map(({ id }) => id).join(' '), ids);
  });
}

const unknown = [
  { name: 'prod-wep', hint: 'did you mean "prod-web"?' },
  { name: 'Nett', hint: 'did you mean "net"?' },
  { name: 'billing', hint: 'its stacks: Net, Prod/Db, Prod/Web, Test/Jobs' },
  { name: 'Stage/*', hint: 'its stacks: Net, Prod/Db, Prod/Web, Test/Jobs' },
  { name: 'Jobs?x', hint: 'did you mean "Jobs.x"?' }, // only the star is special
] as const;

for (const { name, hint } of unknown) {
  test(`"${name}" is unknown: ${hint}`, (t) => {
    const assembly = openAssembly(folderWith(t, FILES));
    assert.throws(
      () => selectStacks(assembly, ['net', name]),
      (error) => {
        assert(error instanceof UserError);
        assert.deepEqual([error.code, error.hint], ['UnknownStack', hint]);
        assert.equal(error.message, `no stack of the assembly is named "${name}"`);
        return true;
      },
    );
  });
}

test('of many stacks ten are named', (t) => {
  const ids = Array.from({ length: 12 }, (_, index) => `stack-number-${index}`);
  const artifacts = Object.fromEntries(ids.map((id) => [id, stack()]));
  const assembly = openAssembly(folderWith(t, { ...FILES, 'manifest.json': manifest(artifacts) }));
  assert.throws(() => selectStacks(assembly, ['web']), { hint: /stack-number-9 and 2 more$/ });
});
