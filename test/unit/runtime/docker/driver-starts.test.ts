import assert from 'node:assert/strict';
import { chmodSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { TaskOrder } from '../../../../src/aws/ecs/index.ts';
import type { TaskId } from '../../../../src/base/index.ts';
import type { DockerTask, TaskNews } from '../../../../src/runtime/docker/index.ts';
import type { Asked } from './container-engine.ts';
import { driverBench } from './driver-bench.ts';
import { folderWith, refusal } from './fake-engine.ts';
import { container, taskOf } from './tasks.ts';

const HERE = { 'app:1': 'linux/amd64' };
const OTHER = 'f'.repeat(32) as TaskId;

const isStart = ({ path }: Asked) => path.endsWith('/start');
const isPull = ({ method, path }: Asked) => method === 'POST' && path === '/images/create';

/** The start that failed, of all that was told. */
function failed(told: readonly TaskNews[]) {
  const [first, ...more] = told.filter((news) => news.type === 'start-failed');
  assert(first !== undefined, JSON.stringify(told));
  assert.deepEqual(more, []);
  return first;
}

const PORT = { containerPort: 80, hostPort: 8088, protocol: 'tcp' as const };
const TAKEN = refusal(500, 'Bind for 127.0.0.1:8088 failed: port is already allocated');

function bridged(task?: TaskId): DockerTask {
  const containers = [container('app', { portMappings: [PORT] })];
  return taskOf({ ...(task && { task }), networkMode: 'bridge', containers });
}

test('a port that another task of ours is about to have is no matter of this machine', async (t) => {
  const isFirst = ({ path }: Asked) => path.includes(OTHER);
  const bench = await driverBench(t, {
    here: HERE,
    // The first one has the port, and is not listed yet, when the second is refused it.
    reply: (one) => (isStart(one) ? (isFirst(one) ? 'silent' : TAKEN) : undefined),
  });
  bench.start(bridged(OTHER), 'app');
  await bench.until(() => bench.played.asked.some(isStart));
  bench.start(bridged(), 'app');
  await bench.until(() => bench.told.length > 0);
  const { portTaken, onlyHere } = failed(bench.told);
  assert.deepEqual([portTaken, onlyHere], [true, undefined]);
});

test('a port that no task of ours asks for is a matter of this machine', async (t) => {
  const reply = (one: Asked) => (isStart(one) ? TAKEN : undefined);
  const bench = await driverBench(t, { here: HERE, reply });
  bench.start(bridged(), 'app');
  await bench.idle();
  const { portTaken, onlyHere } = failed(bench.told);
  assert.equal(portTaken, true);
  assert.equal(onlyHere?.text, 'port 8088 of this machine is taken by a process that is no task');
});

test('a port that every task of ours is refused is a matter of this machine', async (t) => {
  const reply = (one: Asked) => (isStart(one) ? TAKEN : undefined);
  const bench = await driverBench(t, { here: HERE, reply });
  bench.start(bridged(OTHER), 'app');
  bench.start(bridged(), 'app');
  await bench.idle();
  const told = bench.told.filter((news) => news.type === 'start-failed');
  const blamed = told.filter(({ onlyHere }) => onlyHere !== undefined);
  assert.deepEqual([told.length, blamed.length], [2, 1], 'the second one knows');
});

test('a task of ours that has gone since it had the port is not forgotten', async (t) => {
  const holder = bridged(OTHER);
  const bench = await driverBench(t, {
    here: HERE,
    async reply(one) {
      if (!isStart(one) || one.path.includes(OTHER)) return undefined;
      bench.end(holder);
      await bench.until(() => bench.told.some(({ type }) => type === 'task-gone'));
      return TAKEN;
    },
  });
  bench.start(holder, 'app');
  await bench.idle();
  bench.start(bridged(), 'app');
  await bench.idle();
  assert.equal(failed(bench.told).onlyHere, undefined);
});

test('who publishes a port is asked for with its protocol and address', async (t) => {
  const ports = [
    { IP: '127.0.0.1', PrivatePort: 80, PublicPort: 8088, Type: 'udp' },
    { IP: '127.0.0.2', PrivatePort: 80, PublicPort: 8088, Type: 'tcp' },
  ];
  const listed = [
    { Id: '1', Names: ['/stranger'], Labels: {}, State: 'running', Ports: ports },
    {
      ...{ Id: '2', Names: ['/holder'], Labels: {}, State: 'running' },
      Ports: [{ IP: '0.0.0.0', PrivatePort: 80, PublicPort: 8088, Type: 'tcp' }],
    },
  ];
  const bench = await driverBench(t, {
    here: HERE,
    reply(one) {
      if (isStart(one)) return TAKEN;
      if (one.path !== '/containers/json') return undefined;
      return { status: 200, body: JSON.stringify(listed) };
    },
  });
  bench.start(bridged(), 'app');
  await bench.idle();
  assert.match(failed(bench.told).onlyHere?.text ?? '', /is taken by container holder$/);
});

test('what the engine quotes of values that nobody may see is told as it is defined', async (t) => {
  const command = ['node app --pw {{resolve:noecho:web/Pw}}'];
  const secrets = [{ name: 'DB', valueFrom: 'arn:db' }];
  const said =
    'exec: "node app --pw hunter2": executable file not found; hunter2, "secret of arn:db"';
  const bench = await driverBench(t, {
    here: HERE,
    reply: (one) => (isStart(one) ? refusal(400, said) : undefined),
  });
  bench.start(
    taskOf({ networkMode: 'none', containers: [container('app', { command, secrets })] }),
    'app',
  );
  await bench.idle();
  assert.doesNotMatch(JSON.stringify(bench.told), /hunter2|secret of/);
  assert.match(
    failed(bench.told).reason,
    /^CannotStartContainerError: .*exec: "node app --pw \{\{resolve:noecho:web\/Pw\}\}": executable/,
  );
});

test('an image whose name hides something is pulled and refused under its definition', async (t) => {
  const image = 'r.test/{{resolve:noecho:web/Pw}}/web:1';
  const bench = await driverBench(t, {
    reply: (one) =>
      isPull(one) ? refusal(500, 'dial tcp: no r.test/hunter2/web, hunter2') : undefined,
  });
  bench.prepare(taskOf({ containers: [container('app', { image })] }));
  await bench.idle();
  assert.doesNotMatch(JSON.stringify([bench.told, bench.pulls]), /hunter2/);
  assert.deepEqual(bench.pulls, [`${image} begun`, `${image} failed`]);
  assert(failed(bench.told).onlyHere?.text.startsWith(`image ${image} cannot be pulled`));
});

test('values of a container are sent as the body; its address holds nothing but its name', async (t) => {
  const secrets = [{ name: 'DB', valueFrom: 'arn:db' }];
  const bench = await driverBench(t, { here: HERE });
  bench.start(taskOf({ networkMode: 'none', containers: [container('app', { secrets })] }), 'app');
  await bench.idle();
  const made = bench.played.asked.find(({ path }) => path === '/containers/create');
  assert.deepEqual([...(made?.query.keys() ?? [])], ['name']);
  const { Env, name } = JSON.parse(made?.body ?? '') as { Env: string[]; name?: string };
  assert.deepEqual([Env, name], [['DB=secret of arn:db'], undefined]);
});

test('a network container that cannot be made or started is a matter of this machine', async (t) => {
  const refused = refusal(500, 'failed to create task for container');
  const foreign = await driverBench(t, { here: HERE, architecture: 'riscv64' });
  foreign.prepare(taskOf({}));
  await foreign.idle();
  const text = 'no network container for an engine on riscv64';
  assert(failed(foreign.told).onlyHere?.text.endsWith(text));

  for (const path of ['/images/create', '/containers/create', '/start']) {
    const reply = (one: Asked) => (one.path.endsWith(path) ? refused : undefined);
    const bench = await driverBench(t, { here: HERE, reply });
    bench.prepare(taskOf({}));
    await bench.idle();
    const { portTaken, onlyHere } = failed(bench.told);
    assert.equal(portTaken, false);
    assert.match(onlyHere?.text ?? '', /failed to create task for container$/, path);
  }
});

test('a pull that ends without an image is a matter of this machine, and ends the task', async (t) => {
  const bench = await driverBench(t, {
    reply: (one) => (isPull(one) ? { status: 200, body: '{"status":"done"}' } : undefined),
  });
  bench.prepare(taskOf({}));
  await bench.idle();
  const { reason, onlyHere } = failed(bench.told);
  assert.match(reason, /^CannotPullContainerError: image app:1 is absent after it was pulled$/);
  assert.match(onlyHere?.text ?? '', /^image app:1 was pulled and is not at the Docker engine/);
});

const architectures: readonly {
  when: string;
  order: TaskOrder['platform'];
  image: string;
  said?: string;
  assumed: RegExp;
  tells: 'start-failed' | 'container-ended';
}[] = [
  {
    when: 'it is for what the task asks for, and not for this machine',
    ...{ order: 'linux/arm64', image: 'linux/arm64' },
    assumed: /^container app is run as linux\/arm64 on amd64, where emulation works$/,
    tells: 'start-failed',
  },
  {
    when: 'it is for another machine than the task asks for',
    ...{ order: 'linux/amd64', image: 'linux/arm64' },
    assumed: /^container app asks for linux\/amd64 and is run as the linux\/arm64 image it has$/,
    tells: 'container-ended',
  },
  {
    when: 'it is for this machine, and one of its files is not',
    ...{ order: 'linux/amd64', image: 'linux/amd64' },
    assumed: /^$/,
    tells: 'container-ended',
  },
  {
    when: 'it is run by emulation and ends for another reason',
    ...{ order: 'linux/arm64', image: 'linux/arm64', said: 'no database' },
    assumed: /emulation/,
    tells: 'container-ended',
  },
];

for (const {
  when,
  order,
  image,
  said = 'exec /app: exec format error',
  assumed,
  tells,
} of architectures) {
  test(`an image ends with "${said}" when ${when}: ${tells}`, async (t) => {
    const bench = await driverBench(t, { here: { 'app:1': image } });
    const task = taskOf({ networkMode: 'none', platform: order });
    bench.prepare(task);
    bench.start(task, 'app');
    await bench.idle();
    bench.played.end('app', 1, said);
    await bench.until(() => bench.told.some(({ type }) => type === tells));
    await bench.idle();
    const [prepared] = bench.told.filter((news) => news.type === 'prepared');
    assert.match(prepared?.assumed.join() ?? '', assumed);
    assert.equal(bench.told.at(-1)?.type, tells);
    if (tells === 'start-failed') {
      assert.match(failed(bench.told).onlyHere?.text ?? '', /and this machine cannot run it$/);
    }
  });
}

test('an engine that finds out at the start that it cannot run an image says so', async (t) => {
  const bench = await driverBench(t, {
    here: { 'app:1': 'linux/arm64' },
    reply: (one) => (isStart(one) ? refusal(500, 'exec: "/app": exec format error') : undefined),
  });
  bench.start(taskOf({ networkMode: 'none', platform: 'linux/arm64' }), 'app');
  await bench.idle();
  assert.match(failed(bench.told).onlyHere?.text ?? '', /this machine cannot run it$/);
});

/** A helper that knows a login, and writes down every time it is asked. */
const HELPER = `#!/bin/sh
echo asked >> "$DOCKER_CONFIG/calls"
echo '{"Username":"me","Secret":"hunter2"}'
`;

function withHelper(t: TestContext): string {
  const folder = folderWith(t, {
    'config.json': JSON.stringify({ credsStore: 'test' }),
    'docker-credential-test': HELPER,
  });
  chmodSync(join(folder, 'docker-credential-test'), 0o755);
  const { DOCKER_CONFIG, PATH } = process.env;
  Object.assign(process.env, { DOCKER_CONFIG: folder, PATH: `${folder}${delimiter}${PATH}` });
  t.after(() => {
    process.env['PATH'] = PATH;
    if (DOCKER_CONFIG === undefined) delete process.env['DOCKER_CONFIG'];
    else process.env['DOCKER_CONFIG'] = DOCKER_CONFIG;
  });
  return folder;
}

test('a refused pull is judged by the login that it was made with, which is asked for once', async (t) => {
  const folder = withHelper(t);
  const denied = refusal(404, 'denied: requested access to the resource is denied');
  const bench = await driverBench(t, { reply: (one) => (isPull(one) ? denied : undefined) });
  bench.prepare(taskOf({}));
  await bench.idle();
  assert.match(failed(bench.told).onlyHere?.text ?? '', /with the logins of this machine$/);
  assert.equal(readFileSync(join(folder, 'calls'), 'utf8'), 'asked\n');
  const pull = bench.played.asked.find(isPull);
  assert.equal(pull?.query.toString(), 'fromImage=app&tag=1', 'and no login');
});

test('a name whose removal is under way is waited for', async (t) => {
  let left = 3;
  const bench = await driverBench(t, {
    here: HERE,
    reply({ method, path }, { containers }) {
      const [name] = containers.keys();
      if (method === 'DELETE')
        return refusal(409, 'removal of container app is already in progress');
      if (path.endsWith('/json') && name !== undefined && path.includes(name) && left > 0) {
        left -= 1;
        if (left === 0) containers.delete(name);
      }
      return undefined;
    },
  });
  const task = taskOf({ networkMode: 'none' });
  bench.start(task, 'app');
  await bench.idle();
  bench.start(task, 'app'); // as a command that follows one that was killed
  await bench.idle();
  assert.deepEqual(
    bench.told.map(({ type }) => type),
    ['container-started', 'container-started'],
  );
  assert.equal(left, 0);
});

test('a name that stays taken is a matter of this machine', async (t) => {
  const taken = refusal(409, 'The container name "/app" is already in use by container "0a"');
  const bench = await driverBench(t, {
    here: HERE,
    reply: ({ path }) => (path === '/containers/create' ? taken : undefined),
  });
  bench.start(taskOf({ networkMode: 'none' }), 'app');
  await bench.idle();
  assert.match(failed(bench.told).onlyHere?.text ?? '', /cannot run it: The container name/);
});
