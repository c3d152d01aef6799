import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { doctor } from '../../../src/app/doctor.ts';
import { settle } from '../../../src/app/parts.ts';
import type { DoctorRequest } from '../../../src/app/use-cases.ts';
import { SIMULATION_START_MS, type TaskId } from '../../../src/base/index.ts';
import { LABEL } from '../../../src/runtime/docker/labels.ts';
import { openStore } from '../../../src/store/index.ts';
import { createDockerWorld, type World } from '../../../src/world/index.ts';
import { KEY } from '../../support/world.ts';
import { FACTS, fakeEngine, folderWith, inEnvironment } from '../runtime/docker/fake-engine.ts';

const TASK = '0123456789abcdef0123456789abcdef' as TaskId;

/** How the engine lists the container of a task of the folder. */
function container(stateDir: string): object {
  const labels = {
    [LABEL.home]: 'home',
    [LABEL.folder]: resolve(stateDir),
    [LABEL.host]: hostname(),
    [LABEL.task]: TASK,
  };
  return { Id: 'c1', Names: ['/c1'], Labels: labels, State: 'running' };
}

/** A world of containers that knows the task. */
function knowing(): World {
  const world = createDockerWorld('home', SIMULATION_START_MS);
  settle(world, KEY);
  const state = world.docker[KEY];
  if (state !== undefined) state.tasks[TASK] = { order: { task: TASK } } as never;
  return world;
}

/** Asks the doctor with an engine that runs a container; `onListed` acts each time it is listed. */
async function leftovers(
  t: TestContext,
  request: DoctorRequest & { readonly stateDir: string },
  onListed: () => void = () => undefined,
) {
  const listed = { status: 200, body: JSON.stringify([container(request.stateDir)]) };
  const { env, asked } = await fakeEngine(t, {
    others: {
      ...FACTS,
      '/containers/json': () => {
        onListed();
        return listed;
      },
      '/containers/c1': { status: 204, body: '' },
    },
  });
  const items = await inEnvironment(env, () => doctor(request));
  const removed = asked.filter((path) => path.startsWith('/containers/c1')).length;
  return { item: items.find(({ check }) => check === 'leftovers'), removed };
}

test('doctor finds a container that no stack knows, and --clean removes it', async (t) => {
  const stateDir = folderWith(t);
  const found = await leftovers(t, { stateDir });
  assert.deepEqual([found.item?.ok, found.removed], [false, 0]);
  const cleaned = await leftovers(t, { stateDir, clean: true });
  assert.deepEqual([cleaned.item?.ok, cleaned.removed], [true, 1]);
});

test('doctor leaves alone what a first deploy makes while it looks', async (t) => {
  const stateDir = `${folderWith(t)}/state`;
  const saved: Promise<void>[] = [];
  const { item, removed } = await leftovers(t, { stateDir, clean: true }, () => {
    // The folder was not there when it was read; the engine has not answered yet.
    if (saved.length === 0) saved.push(save(stateDir, knowing()));
  });
  await Promise.all(saved);
  assert.deepEqual([item?.ok, removed], [true, 0]);
});

test('doctor --clean says whom it waits for, and no longer than it may', async (t) => {
  const stateDir = folderWith(t);
  const unlock = await openStore<World>(stateDir).lock({ command: 'deploy web.yml', timeoutMs: 0 });
  t.after(unlock);
  const notes: string[] = [];
  const request = {
    stateDir,
    clean: true,
    lockTimeoutMs: 60,
    note: (text: string) => notes.push(text),
  };
  await assert.rejects(leftovers(t, request), { code: 'StateLocked' });
  assert.match(notes[0] ?? '', /^waiting for deploy web\.yml \(process \d+\) to finish$/);
  assert.equal((await leftovers(t, { stateDir })).item?.ok, false, 'a look needs no lock');
});

/** As a command does. The folder is empty, so that the lock is taken and the world written at once. */
async function save(stateDir: string, world: World): Promise<void> {
  const store = openStore<World>(stateDir);
  const unlock = await store.lock({ command: 'deploy web.yml', timeoutMs: 0 });
  store.commit('docker', world, {});
  unlock();
}
