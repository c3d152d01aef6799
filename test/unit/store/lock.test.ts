import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { UserError } from '../../../src/base/index.ts';
import { type LockHolder, openStore } from '../../../src/store/index.ts';
import { childScript, temporaryFolder } from './support.ts';

const REQUEST = { command: 'deploy web.yml', timeoutMs: 0 };
const hasProc = existsSync('/proc/self/stat');

/** Adds one to the world's counter, `times` times, each under the lock. */
const COUNTER = `
  const { openStore } = await import(STORE);
  for (let time = 0; time < 10; time += 1) {
    const store = openStore(DIR);
    const unlock = await store.lock({ command: 'count', timeoutMs: 20000 });
    const count = store.readWorld('simulation')?.count ?? 0;
    await new Promise((done) => setTimeout(done, 1));
    store.commit('simulation', { count: count + 1 }, {});
    unlock();
  }
`;

test('two processes that contend lose no update', async (t) => {
  const dir = temporaryFolder(t);
  const children = [spawnChild(COUNTER, dir), spawnChild(COUNTER, dir)];
  for (const [code] of await Promise.all(children.map((child) => once(child, 'exit')))) {
    assert.equal(code, 0);
  }
  assert.deepEqual(openStore(dir).readWorld('simulation'), { count: 20 });
  assert.equal(existsSync(join(dir, 'lock')), false);
});

test('processes that find the same dead owner lose no update', async (t) => {
  const dir = temporaryFolder(t);
  for (let round = 0; round < 3; round += 1) {
    writeLock(dir, { pid: endedPid() });
    const children = [spawnChild(COUNTER, dir), spawnChild(COUNTER, dir)];
    await Promise.all(children.map((child) => once(child, 'exit')));
  }
  assert.deepEqual(openStore(dir).readWorld('simulation'), { count: 60 });
});

test('a waiting command names the holder once and goes on after it', async (t) => {
  const dir = temporaryFolder(t);
  const unlock = await openStore(dir).lock({ ...REQUEST, command: 'deploy first.yml' });
  const seen: LockHolder[] = [];
  setTimeout(unlock, 150); // a few polls later
  const waiter = openStore(dir);
  await waiter.lock({ ...REQUEST, timeoutMs: 10_000, onWait: (holder) => seen.push(holder) });
  assert.deepEqual(
    seen.map(({ command, pid, host }) => ({ command, pid, host })),
    [{ command: 'deploy first.yml', pid: process.pid, host: hostname() }],
  );
});

test('behind a living owner a command gives up after its timeout', async (t) => {
  const dir = temporaryFolder(t);
  await openStore(dir).lock({ ...REQUEST, command: 'deploy first.yml' });
  await assert.rejects(openStore(dir).lock({ ...REQUEST, timeoutMs: 60 }), (error) => {
    assert(error instanceof UserError);
    assert.equal(error.code, 'StateLocked');
    assert.match(error.message, new RegExp(`"deploy first.yml" \\(pid ${process.pid} on `));
    assert.match(error.hint, /--lock-timeout/);
    return true;
  });
});

test('a lock given back twice does not free the next owner’s', async (t) => {
  const dir = temporaryFolder(t);
  const unlock = await openStore(dir).lock(REQUEST);
  unlock();
  const second = openStore(dir);
  await second.lock(REQUEST);
  unlock();
  second.commit('simulation', {}, {});
  assert(existsSync(join(dir, 'lock')));
});

test('the lock of a killed process is taken over', async (t) => {
  const dir = temporaryFolder(t);
  const child = spawnChild(
    `const { openStore } = await import(STORE);
     await openStore(DIR).lock({ command: 'deploy', timeoutMs: 0 });
     process.kill(process.pid, 'SIGKILL');`,
    dir,
  );
  await once(child, 'exit');
  assert(existsSync(join(dir, 'lock')));
  await openStore(dir).lock(REQUEST);
});

if (hasProc) {
  test('an owner that only waits for its parent to notice its end is replaced', async (t) => {
    // The shell becomes a program that never asks after the child it was left.
    const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 30'], { stdio: 'pipe' });
    t.after(() => parent.kill());
    const [line] = await once(parent.stdout, 'data');
    const dir = temporaryFolder(t);
    writeLock(dir, { pid: Number(String(line)) });
    await openStore(dir).lock({ ...REQUEST, timeoutMs: 10_000 });
  });
}

const owners = [
  { when: 'no such pid', lock: () => ({ pid: endedPid() }), taken: true },
  { when: 'a pid that lives', lock: () => ({ pid: process.pid }), taken: false },
  {
    when: 'a pid that a later process took',
    lock: () => ({ pid: process.pid, startTime: '1' }),
    taken: hasProc, // elsewhere a pid is all there is to go by
  },
  {
    when: 'a pid of another host',
    lock: () => ({ pid: endedPid(), host: 'elsewhere.example.com' }),
    taken: false,
  },
] as const;

for (const { when, lock, taken } of owners) {
  test(`an owner with ${when} ${taken ? 'is' : 'is not'} replaced`, async (t) => {
    const dir = temporaryFolder(t);
    writeLock(dir, lock());
    const attempt = openStore(dir).lock(REQUEST);
    if (!taken) return assert.rejects(attempt, { code: 'StateLocked' });
    await attempt;
    assert.equal(JSON.parse(readFileSync(join(dir, 'lock'), 'utf8')).command, 'deploy web.yml');
  });
}

test('a lock file that is not filled yet counts as held, an old one does not', async (t) => {
  const dir = temporaryFolder(t);
  const path = join(dir, 'lock');
  writeFileSync(path, '');
  await assert.rejects(openStore(dir).lock(REQUEST), { code: 'StateLocked' });
  utimesSync(path, 0, 0);
  await openStore(dir).lock(REQUEST);
});

test('a claim left by a killed command does not keep the lock from being taken over', async (t) => {
  const dir = temporaryFolder(t);
  writeLock(dir, { pid: endedPid() });
  writeLock(dir, { pid: endedPid() }, 'lock.claim');
  await openStore(dir).lock(REQUEST);
  assert.equal(existsSync(join(dir, 'lock.claim')), false);
});

function spawnChild(source: string, dir: string): ChildProcess {
  return spawn(process.execPath, childScript(source, dir), {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function endedPid(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

function writeLock(dir: string, holder: Partial<LockHolder>, name = 'lock'): void {
  const rest = { startTime: null, host: hostname(), command: 'x', since: 'y', token: 'z' };
  writeFileSync(join(dir, name), JSON.stringify({ ...rest, ...holder }));
}
