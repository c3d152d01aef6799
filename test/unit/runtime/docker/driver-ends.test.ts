import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { streamOutput } from '../../../../src/runtime/docker/engine-output.ts';
import type { DockerTask, TaskNews } from '../../../../src/runtime/docker/index.ts';
import type { Asked } from './container-engine.ts';
import { type DriverBench, driverBench, standing } from './driver-bench.ts';
import { refusal } from './fake-engine.ts';
import { container, taskOf } from './tasks.ts';

const HERE = { 'app:1': 'linux/amd64' };

const isStop = ({ path }: Asked) => path.endsWith('/stop');
const isRemoval = ({ method }: Asked) => method === 'DELETE';

/** Starts every container of a task, and takes it in that they run. */
async function up(bench: DriverBench, task: DockerTask): Promise<void> {
  for (const { name } of task.order.containers) bench.start(task, name);
  await bench.idle();
  for (const one of Object.values(task.containers)) one.status = 'running';
}

function typesOf(told: readonly TaskNews[]): readonly string[] {
  return told.map(({ type }) => type);
}

test('6.22: containers stop in the reverse order of their dependencies, each wave at once', async (t) => {
  const needs = (...names: readonly string[]) => ({
    dependsOn: names.map((containerName) => ({ containerName, condition: 'START' as const })),
  });
  const containers = [
    container('db', { stopTimeoutSeconds: 7 }),
    container('app', needs('db')),
    container('proxy', needs('db')),
  ];
  const stopping: string[] = [];
  const bench = await driverBench(t, {
    async reply(one) {
      if (!isStop(one)) return undefined;
      const name = one.path.replace(/^.*-(\w+)\/stop$/, '$1');
      stopping.push(`${name} ${one.query.get('t')}`);
      await sleep(20);
      stopping.push(`${name} stopped`);
      return undefined;
    },
  });
  const task = taskOf({ networkMode: 'none', containers });
  await up(bench, task);
  bench.end(task);
  await bench.idle();
  assert.deepEqual(stopping.slice(0, 2), ['app 30', 'proxy 30']);
  assert.deepEqual(new Set(stopping.slice(2, 4)), new Set(['app stopped', 'proxy stopped']));
  assert.deepEqual(stopping.slice(4), ['db 7', 'db stopped']);
  assert.equal(bench.told.at(-1)?.type, 'task-gone');
});

test('an engine that fails at a stop or a removal for a while is asked again', async (t) => {
  const failures = { stop: 2, remove: 1 };
  const busy = refusal(500, 'failed to remove root filesystem: device or resource busy');
  const bench = await driverBench(t, {
    reply(one) {
      const kind = isStop(one) ? 'stop' : isRemoval(one) ? 'remove' : undefined;
      if (kind === undefined || failures[kind] === 0) return undefined;
      failures[kind] -= 1;
      return busy;
    },
  });
  const task = taskOf({ networkMode: 'none' });
  await up(bench, task);
  bench.end(task);
  await bench.idle();
  assert.deepEqual([failures, bench.lost, bench.defects], [{ stop: 0, remove: 0 }, [], []]);
  assert.equal(bench.told.at(-1)?.type, 'task-gone');
  assert.equal(bench.played.containers.size, 0);
});

test('an engine that goes on failing is lost, with its message; the others of the task are stopped', async (t) => {
  const why = 'tried to kill container, but did not receive an exit event';
  const bench = await driverBench(t, {
    async reply(one) {
      if (!isStop(one)) return undefined;
      if (one.path.endsWith('-app/stop')) return refusal(500, why);
      await sleep(3_500); // longer than the other one is asked again for
      return undefined;
    },
  });
  const task = taskOf({ networkMode: 'none', containers: [container('app'), container('log')] });
  await up(bench, task);
  bench.end(task);
  await bench.until(() => bench.lost.length > 0);
  assert.deepEqual([bench.lost, bench.defects], [[why], []]);
  const log = [...bench.played.containers.values()].find(({ name }) => name.endsWith('-log'));
  assert.equal(log?.isRunning, false, 'it has come to its end');
  assert.equal(bench.told.at(-1)?.type, 'container-started');
});

test('an engine that fails when it is asked how a container stands is no defect', async (t) => {
  const bench = await driverBench(t, {
    reply: ({ path }) => (path.endsWith('-app/json') ? refusal(500, 'no such layer') : undefined),
  });
  const task = taskOf({ networkMode: 'none' });
  await up(bench, task);
  bench.played.end('-app', 1);
  await bench.until(() => bench.lost.length > 0);
  assert.deepEqual([bench.lost, bench.defects], [['no such layer'], []]);
});

test('a wait before the engine is asked again ends when the command closes', async (t) => {
  const reply = (one: Asked) => (isRemoval(one) ? refusal(500, 'busy') : undefined);
  const bench = await driverBench(t, { reply });
  bench.end(taskOf({ networkMode: 'none' }));
  await bench.until(() => bench.played.asked.some(isRemoval));
  bench.driver.close();
  const begunMs = performance.now();
  await bench.idle();
  assert(performance.now() - begunMs < 150, 'less than the first of the waits');
  assert.deepEqual([bench.lost, bench.defects, bench.told], [[], [], []]);
});

test('a container that ends between two streams of events is told, its start taken in or not', async (t) => {
  const bench = await driverBench(t, {
    reply({ path }, played) {
      // The stream of events is asked for again after this.
      if (path === '/_ping') for (const name of ['-app', '-log']) played.end(name, 3);
      return undefined;
    },
  });
  const task = taskOf({ networkMode: 'none', containers: [container('app'), container('log')] });
  bench.start(task, 'app');
  bench.start(task, 'log');
  await bench.until(() => bench.told.length === 2);
  task.containers['log'] = standing('running'); // the other is `starting` yet
  bench.played.breakEvents();
  await bench.until(() => bench.told.length === 4);
  const ends = bench.told.slice(2).map((news) => 'container' in news && news.container);
  assert.deepEqual(typesOf(bench.told.slice(2)), ['container-ended', 'container-ended']);
  assert.deepEqual(new Set(ends), new Set(['app', 'log']));
});

for (const [left, then] of [
  ['app', 'start-failed'],
  ['', 'container-ended'],
] as const) {
  test(`a network is gone after the events broke, ${left === '' ? 'as all is' : 'and the rest stays'}: ${then}`, async (t) => {
    const bench = await driverBench(t, { here: HERE });
    const task = taskOf({});
    task.phase = 'up';
    bench.prepare(task);
    await bench.idle();
    await up(bench, task);
    for (const name of bench.played.containers.keys()) {
      if (left === '' || name.endsWith('.pause')) bench.played.containers.delete(name);
    }
    bench.told.length = 0;
    bench.played.breakEvents();
    await bench.until(() => bench.told.length > 0);
    await bench.idle();
    assert.deepEqual(typesOf(bench.told), [then]);
  });
}

test('of a start that failed no end is told when the stream of events breaks', async (t) => {
  const bench = await driverBench(t, {
    reply: ({ path }) => (path.endsWith('/start') ? refusal(500, 'no') : undefined),
  });
  bench.start(taskOf({ networkMode: 'none' }), 'app');
  await bench.idle();
  const before = bench.played.asked.length;
  bench.played.breakEvents();
  await bench.until(() => bench.played.asked.slice(before).some(({ path }) => path === '/events'));
  await bench.idle();
  assert.deepEqual(typesOf(bench.told), ['start-failed']);
});

test('a pull is given up when the command closes, and nothing is made after it', async (t) => {
  const reply = ({ path }: Asked) => (path === '/images/create' ? 'silent' : undefined);
  const bench = await driverBench(t, { reply });
  bench.prepare(taskOf({}));
  await bench.until(() => bench.played.asked.some(({ path }) => path === '/images/create'));
  bench.driver.close();
  await bench.idle();
  await bench.until(() => bench.played.open() === 0);
  assert.deepEqual([bench.told, bench.journal, bench.pulls], [[], [], ['app:1 begun']]);
  assert.deepEqual([bench.lost, bench.defects, bench.played.containers.size], [[], [], 0]);
});

test('a container that is being made when the command closes is not started', async (t) => {
  const bench = await driverBench(t, {
    async reply({ path }) {
      if (path === '/containers/create') await sleep(50);
      return undefined;
    },
  });
  bench.start(taskOf({ networkMode: 'none' }), 'app');
  await bench.until(() => bench.played.asked.length > 0);
  bench.driver.close();
  await bench.idle();
  assert.deepEqual(
    bench.journal.map(({ type }) => type),
    ['create'],
    'the next command removes it',
  );
  assert.deepEqual(bench.played.did(), ['POST create']);
  assert.deepEqual([bench.told, bench.lost, bench.defects], [[], [], []]);
});

test('a container that is being started when the command closes is not told of', async (t) => {
  const bench = await driverBench(t, {
    async reply({ path }) {
      if (path.endsWith('/start')) await sleep(50);
      return undefined;
    },
  });
  bench.start(taskOf({ networkMode: 'none' }), 'app');
  await bench.until(() => bench.played.did().includes('POST app/start'));
  bench.driver.close();
  await bench.idle();
  assert.deepEqual(bench.told, []);
});

test('events that are asked for again when the command closes are not waited for', async (t) => {
  let asked = 0;
  const bench = await driverBench(t, {
    async reply({ path }) {
      if (path !== '/events') return undefined;
      asked += 1;
      if (asked === 2) await sleep(50);
      return undefined;
    },
  });
  bench.played.breakEvents();
  await bench.until(() => asked === 2);
  bench.driver.close();
  await sleep(80);
  await bench.until(() => bench.played.open() === 0);
});

test('nothing is begun for a task once the command has closed', async (t) => {
  const bench = await driverBench(t, { here: HERE });
  bench.driver.close();
  bench.prepare(taskOf({}));
  bench.start(taskOf({ networkMode: 'none' }), 'app');
  await bench.idle();
  assert.deepEqual([bench.played.asked, bench.journal, bench.told], [[], [], []]);
});

test('output is not followed once the command has closed, or is closing', async (t) => {
  const closing = new AbortController();
  const { played } = await driverBench(t, {
    reply({ path }) {
      if (path.endsWith('/logs')) closing.abort();
      return undefined;
    },
  });
  const onLine = () => assert.fail('nobody is told');
  const options = { fromStart: true, closing: closing.signal, onLine };
  played.containers.set('app', {
    ...{ id: '1', name: 'app', isRunning: true, exitCode: 0, said: ['hello'] },
    body: { Image: 'app:1', Labels: {}, HostConfig: {} },
  });
  await streamOutput(played.engine, 'app', options);
  await sleep(20);
  const asked = played.asked.length;
  await streamOutput(played.engine, 'app', options);
  assert.equal(played.asked.length, asked, 'the engine is not asked');
});

test('a journal that cannot be written is no engine that is lost', async (t) => {
  const message = "ENOENT: no such file or directory, open '/nowhere/journal'";
  const error = Object.assign(new Error(message), { code: 'ENOENT', syscall: 'open' });
  const journal = () => {
    throw error;
  };
  const bench = await driverBench(t, {}, { journal });
  bench.start(taskOf({ networkMode: 'none' }), 'app');
  await bench.idle();
  assert.deepEqual([bench.lost, bench.defects], [[], [error]]);
});

test('6.87: memory that ran out may be told a moment after the end', async (t) => {
  let looks = 0;
  const killed = (OOMKilled: boolean) => ({
    Id: 'app',
    Image: 'app:1',
    NetworkSettings: { Ports: {} },
    State: { Running: false, ExitCode: 137, OOMKilled },
  });
  const bench = await driverBench(t, {
    reply({ path }, played) {
      if (path === '/_ping') played.end('-app', 137);
      if (!/-app\/json$/.test(path) || played.containers.values().next().value?.isRunning) return;
      looks += 1;
      return { status: 200, body: JSON.stringify(killed(looks > 3)) };
    },
  });
  const containers = [container('app', { memoryMebibytes: 16 })];
  const task = taskOf({ networkMode: 'none', containers });
  await up(bench, task);
  bench.told.length = 0;
  bench.played.breakEvents();
  await bench.until(() => bench.told.length > 0);
  const [end] = bench.told;
  assert.deepEqual(end?.type === 'container-ended' && [end.exitCode, end.outOfMemory], [137, true]);
});
