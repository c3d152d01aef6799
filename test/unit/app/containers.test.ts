import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openContainers } from '../../../src/app/containers.ts';
import { doctor } from '../../../src/app/doctor.ts';
import { createInbox } from '../../../src/app/inbox.ts';
import { seeContainers } from '../../../src/app/live.ts';
import type { Desk, Session } from '../../../src/app/session.ts';
import { type PlaceKey, SIMULATION_START_MS, UserError } from '../../../src/base/index.ts';
import { createDockerRuntimeState } from '../../../src/runtime/docker/index.ts';
import { createDockerWorld, type World } from '../../../src/world/index.ts';
import {
  type ContainerEngine,
  containerEngine,
  type EngineTraits,
} from '../runtime/docker/container-engine.ts';
import { standing } from '../runtime/docker/driver-bench.ts';
import { folderWith, refusal } from '../runtime/docker/fake-engine.ts';
import { TASK, taskOf } from '../runtime/docker/tasks.ts';

const PLACE = '000000000000/us-east-1' as PlaceKey;

/** An engine that is played, and is the one of this machine until the test ends. */
async function engineHere(t: TestContext, traits: EngineTraits): Promise<ContainerEngine> {
  const played = await containerEngine(t, traits);
  const { DOCKER_HOST } = process.env;
  process.env['DOCKER_HOST'] = `unix://${played.socketPath}`;
  t.after(() => {
    if (DOCKER_HOST === undefined) delete process.env['DOCKER_HOST'];
    else process.env['DOCKER_HOST'] = DOCKER_HOST;
  });
  return played;
}

/** A world with one task that is thought to run. */
function worldWithTask(): World {
  const world = createDockerWorld('a1b2c3d4e5f6', SIMULATION_START_MS);
  const state = createDockerRuntimeState();
  const containers = { app: standing('running') };
  state.tasks[TASK] = { ...taskOf({}), phase: 'up', containers };
  world.docker[PLACE] = state;
  return world;
}

function open(t: TestContext, save: () => void) {
  const journal = { append: () => undefined, entries: () => [], clear: () => undefined };
  const desk = { stateDir: folderWith(t), journal } as unknown as Desk;
  const session = { world: worldWithTask(), save } as unknown as Session;
  const values = { reveal: (_: unknown, text: string) => text, secret: () => '' };
  return openContainers(desk, session, createInbox(), values, {});
}

/** Nothing that could keep a command from its end. */
async function leavesNothing({ open: unanswered }: ContainerEngine): Promise<void> {
  for (let waits = 0; unanswered() > 0 && waits < 200; waits += 1) await sleep(10);
  assert.equal(unanswered(), 0, 'the stream of events is closed');
}

const faults: readonly { when: string; path: string; reply: 'ends' | 'fails' }[] = [
  { when: 'the engine goes as its containers are listed', path: '/containers/json', reply: 'ends' },
  { when: 'the engine fails to list its containers', path: '/containers/json', reply: 'fails' },
  { when: 'the engine goes as a container is looked at', path: '-app/json', reply: 'ends' },
  { when: 'the engine fails at a look at a container', path: '-app/json', reply: 'fails' },
  { when: 'the engine goes as its events are asked for', path: '/events', reply: 'ends' },
];

for (const { when, path, reply } of faults) {
  test(`what an earlier command left is not taken up when ${when}; the command ends`, async (t) => {
    const played = await engineHere(t, {
      reply: (one) =>
        one.path.endsWith(path)
          ? reply === 'ends'
            ? 'ends'
            : refusal(500, 'no layer')
          : undefined,
    });
    const opening = open(t, () => assert.fail('nothing is saved'));
    await assert.rejects(opening, (error) => {
      assert(error instanceof UserError);
      assert.equal(error.code, 'EngineUnavailable');
      if (reply === 'fails') assert.match(error.message, /does not answer: no layer$/);
      return true;
    });
    await leavesNothing(played);
  });
}

test('a state folder that is gone when tasks are taken up is no fault of the engine', async (t) => {
  const played = await engineHere(t, {});
  const error = Object.assign(new Error("ENOENT: no such file or directory, open '/s'"), {
    code: 'ENOENT',
  });
  const opening = open(t, () => {
    throw error;
  });
  await assert.rejects(opening, error);
  await leavesNothing(played);
});

test('an engine that fails at a look at tasks leaves them as they were, and says so', async (t) => {
  await engineHere(t, {
    reply: ({ path }) => (path.endsWith('-app/json') ? refusal(500, 'no layer') : undefined),
  });
  const world = worldWithTask();
  const notes: string[] = [];
  const note = (text: string) => notes.push(text);
  await seeContainers(world, { stateDir: folderWith(t), withOutput: false, note });
  assert.match(notes.join(), /no layer: tasks are shown as the last command left them$/);
  assert.equal(world.docker[PLACE]?.tasks[TASK]?.containers['app']?.status, 'running');
});

test('an engine that fails at a look for leftovers is told as an engine that does', async (t) => {
  await engineHere(t, {
    reply: ({ path }) => (path === '/containers/json' ? refusal(500, 'no layer') : undefined),
  });
  await assert.rejects(doctor({ stateDir: folderWith(t) }), { code: 'EngineUnavailable' });
});
