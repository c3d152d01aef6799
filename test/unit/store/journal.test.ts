import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openStore } from '../../../src/store/index.ts';
import { openJournal } from '../../../src/store/journal.ts';
import { temporaryFolder } from './support.ts';

const FIRST = { type: 'create', container: 'web' };
const SECOND = { type: 'created', container: 'a text\nof two lines, with “quotes”' };
const THIRD = { type: 'create', container: 'db' };

function pathOf(t: TestContext): string {
  return join(temporaryFolder(t), 'docker.journal');
}

test('a journal that nothing was appended to is empty, and no file', (t) => {
  const path = pathOf(t);
  assert.deepEqual(openJournal(path).entries(), []);
  assert.equal(existsSync(path), false);
});

test('entries are read back oldest first, by another journal too', (t) => {
  const path = pathOf(t);
  const journal = openJournal(path);
  journal.append(FIRST);
  journal.append(SECOND);
  openJournal(path).append(THIRD);
  assert.deepEqual(journal.entries(), [FIRST, SECOND, THIRD]);
  assert.deepEqual(openJournal(path).entries(), [FIRST, SECOND, THIRD]);
});

test('an entry is one line', (t) => {
  const path = pathOf(t);
  openJournal(path).append(SECOND);
  assert.deepEqual(readFileSync(path, 'utf8'), `${JSON.stringify(SECOND)}\n`);
});

test('a journal that was cleared is empty, and goes on', (t) => {
  const path = pathOf(t);
  const journal = openJournal(path);
  journal.append(FIRST);
  journal.clear();
  assert.deepEqual(journal.entries(), []);
  assert.equal(existsSync(path), false);
  journal.clear();
  journal.append(THIRD);
  assert.deepEqual(journal.entries(), [THIRD]);
});

/** What a kill can leave of a line: all of it but its end, some of it, one byte. */
const torn = [`${JSON.stringify(SECOND)}\n`, '{"type":"creat', '{"', '{"container":"“'];

for (const rest of torn) {
  test(`a last line that a kill has torn is left out, and no later one is lost: ${JSON.stringify(rest)}`, (t) => {
    const path = pathOf(t);
    const journal = openJournal(path);
    journal.append(FIRST);
    appendFileSync(path, Buffer.from(rest).subarray(0, -1));
    assert.deepEqual(journal.entries(), [FIRST]);
    journal.append(THIRD);
    assert.deepEqual(journal.entries(), [FIRST, THIRD]);
  });
}

test('a journal whose only line is torn is empty, and goes on', (t) => {
  const path = pathOf(t);
  writeFileSync(path, '{"type":"crea');
  const journal = openJournal(path);
  assert.deepEqual(journal.entries(), []);
  journal.append(FIRST);
  assert.deepEqual(journal.entries(), [FIRST]);
});

test('only a commit of the world of containers ends the journal of its folder', async (t) => {
  const dir = temporaryFolder(t);
  const store = openStore<object>(dir);
  await store.lock({ command: 'deploy web.yml', timeoutMs: 0 });
  store.journal.append(FIRST);
  store.commit('simulation', {}, {});
  assert.deepEqual(openStore(dir).journal.entries(), [FIRST]);
  store.commit('docker', {}, {});
  assert.deepEqual(openStore(dir).journal.entries(), []);
});
