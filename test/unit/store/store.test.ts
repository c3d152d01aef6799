import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { UserError } from '../../../src/base/index.ts';
import { openStore } from '../../../src/store/index.ts';
import { childScript, temporaryFolder } from './support.ts';

interface Small {
  readonly nowMs: number;
  readonly stacks: { readonly [name: string]: string };
}
const WORLD: Small = { nowMs: 946_684_800_000, stacks: { web: 'CREATE_COMPLETE' } };
const REQUEST = { command: 'deploy web.yml', timeoutMs: 0 };

test('readers make nothing on disk', (t) => {
  const dir = join(temporaryFolder(t), 'state');
  const store = openStore<Small>(dir);
  assert.equal(store.readWorld('simulation'), undefined);
  assert.equal(store.readRecord('op-1'), undefined);
  assert.equal(existsSync(dir), false);
});

test('a commit is read back, by another store too', async (t) => {
  const dir = join(temporaryFolder(t), 'deep', 'state');
  const store = openStore<Small>(dir);
  const unlock = await store.lock(REQUEST);
  store.commit('simulation', WORLD, { 'op-1': [{ type: 'stack-resource' }] });
  unlock();
  const reader = openStore<Small>(dir);
  assert.deepEqual(reader.readWorld('simulation'), WORLD);
  assert.deepEqual(reader.readRecord('op-1'), [{ type: 'stack-resource' }]);
  assert.deepEqual(readdirSync(dir).sort(), ['.gitignore', 'records', 'world.json']);
  assert.equal(readFileSync(join(dir, '.gitignore'), 'utf8'), '*\n');
});

test('a folder the user made gets no .gitignore', async (t) => {
  const dir = temporaryFolder(t);
  (await openStore<Small>(dir).lock(REQUEST))();
  assert.deepEqual(readdirSync(dir), []);
});

test('records that no one refers to go, those just written stay', async (t) => {
  const dir = temporaryFolder(t);
  const store = openStore<Small>(dir);
  await store.lock(REQUEST);
  store.commit('simulation', WORLD, { 'op-1': 1, 'op-2': 2 });
  store.commit('simulation', WORLD, { 'op-3': 3 }, ['op-2']);
  assert.deepEqual(readdirSync(join(dir, 'records')).sort(), ['op-2.json', 'op-3.json']);
  assert.equal(store.readRecord('op-1'), undefined);
});

test('a commit without the lock is a defect', (t) => {
  const store = openStore<Small>(temporaryFolder(t));
  assert.throws(
    () => store.commit('simulation', WORLD, {}),
    /defect: a commit is made under the lock/,
  );
});

test('a commit whose lock was taken away saves nothing', async (t) => {
  const dir = temporaryFolder(t);
  const store = openStore<Small>(dir);
  await store.lock(REQUEST);
  writeFileSync(join(dir, 'lock'), '{}');
  assert.throws(() => store.commit('simulation', WORLD, {}), {
    name: 'UserError',
    code: 'StateLocked',
  });
  assert.equal(store.readWorld('simulation'), undefined);
});

test('a record is never looked for outside the folder', (t) => {
  assert.equal(openStore<Small>(temporaryFolder(t)).readRecord('../world'), undefined);
});

const unreadable = [
  {
    when: 'a later format',
    text: '{"formatVersion":5,"stacks":[]}',
    says: /format version 5;.* 4$/,
  },
  { when: 'an unknown format', text: '{"formatVersion":"x","world":{}}', says: /version "x"/ },
  { when: 'no version', text: '{"world":{}}', says: /holds no saved world/ },
  { when: 'no world', text: '{"formatVersion":4}', says: /holds no saved world/ },
  { when: 'a list', text: '[]', says: /holds no saved world/ },
  { when: 'half a file', text: '{"formatVersion":4,"wor', says: /not readable as JSON/ },
  { when: 'an empty file', text: '', says: /not readable as JSON/ },
] as const;

for (const { when, text, says } of unreadable) {
  test(`a world.json with ${when} is refused with a hint`, (t) => {
    const dir = temporaryFolder(t);
    writeFileSync(join(dir, 'world.json'), text);
    assert.throws(
      () => openStore<Small>(dir).readWorld('simulation'),
      (error) => {
        assert(error instanceof UserError);
        assert.equal(error.code, 'StateUnreadable');
        assert.match(error.message, says);
        assert.match(error.hint, /--state-dir/);
        return true;
      },
    );
  });
}

test('a state folder that is a file is the user’s to mend', async (t) => {
  const dir = join(temporaryFolder(t), 'file');
  writeFileSync(dir, '');
  const store = openStore<Small>(dir);
  const unusable = { code: 'StateUnreadable', message: /cannot be used/ };
  assert.throws(() => store.readWorld('simulation'), unusable);
  await assert.rejects(store.lock(REQUEST), unusable);
});

// The child kills itself with SIGKILL in place of the rename that would make the new world visible,
// which is the last moment at which the former one has to survive.
const KILLED_BEFORE_RENAME = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const rename = fs.renameSync;
  fs.renameSync = (from, to) => {
    if (to.endsWith('world.json')) process.kill(process.pid, 'SIGKILL');
    rename(from, to);
  };
  syncBuiltinESMExports();
  const { openStore } = await import(STORE);
  const store = openStore(DIR);
  await store.lock({ command: 'deploy', timeoutMs: 0 });
  store.commit('simulation', { nowMs: 2 }, { 'op-2': 'new' });
`;

test('kill -9 between writing and renaming leaves the former world', async (t) => {
  const dir = temporaryFolder(t);
  const store = openStore<{ nowMs: number }>(dir);
  const unlock = await store.lock(REQUEST);
  store.commit('simulation', { nowMs: 1 }, { 'op-1': 'old' });
  unlock();

  const child = spawnSync(process.execPath, childScript(KILLED_BEFORE_RENAME, dir));
  assert.equal(child.signal, 'SIGKILL', child.stderr.toString());
  const left = readdirSync(dir);
  assert(left.some((name) => /^world\.json\.\d+\.tmp$/.test(name)) && left.includes('lock'));
  assert.deepEqual(store.readWorld('simulation'), { nowMs: 1 });

  await store.lock(REQUEST); // the dead child's lock is taken over
  store.commit('simulation', { nowMs: 3 }, { 'op-3': 'newer' }, ['op-1']);
  assert.deepEqual(store.readWorld('simulation'), { nowMs: 3 });
  assert.deepEqual(readdirSync(dir).sort(), ['lock', 'records', 'world.json']);
  assert.deepEqual(readdirSync(join(dir, 'records')).sort(), ['op-1.json', 'op-3.json']);
});

test('torn temporary files are ignored by readers and removed by the next commit', async (t) => {
  const dir = temporaryFolder(t);
  mkdirSync(join(dir, 'records'));
  writeFileSync(join(dir, 'world.json.99999.tmp'), '{"formatVersion":4,"wor');
  writeFileSync(join(dir, 'records', 'op-9.json.99999.tmp'), '[{"ty');
  writeFileSync(join(dir, 'notes.1.tmp'), 'not ours');
  const store = openStore<Small>(dir);
  assert.equal(store.readWorld('simulation'), undefined);
  await store.lock(REQUEST);
  store.commit('simulation', WORLD, {});
  assert.deepEqual(readdirSync(dir).sort(), ['lock', 'notes.1.tmp', 'records', 'world.json']);
  assert.deepEqual(readdirSync(join(dir, 'records')), []);
});
