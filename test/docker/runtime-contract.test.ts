import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { after, describe } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { DeploymentId, EpochMs, PlaceKey, ServiceArn, TaskId } from '../../src/base/index.ts';
import { present } from '../../src/base/index.ts';
import {
  type Bench,
  connect,
  containerName,
  createDockerRuntime,
  createDockerRuntimeState,
  createDriver,
  type DockerRuntimeState,
  type DockerTurn,
  type Home,
  type OutputLine,
  stepDockerRuntime,
  type TaskNews,
} from '../../src/runtime/docker/index.ts';
import { pauseProgram } from '../../src/runtime/docker/pause-image.ts';
import {
  type Behaviour,
  containerOf,
  has,
  hasStopped,
  lastOf,
  type RuntimeSubject,
  type Seen,
  says,
  scenesOf,
  start,
  stopRunning,
  taskRuntimeContract,
  told,
} from '../support/runtime-contract.ts';
import { buildImage, engineRequest, loadImage, pushImage, removeImage } from './images.ts';

const PLACE = '000000000000/us-east-1' as PlaceKey;
const LIMIT_MS = 60_000; // longer than the engine waits for what does not heed SIGTERM
const ROUND_MS = 20;

/** A runtime on the engine, with containers that are nobody else's. */
interface DockerSubject extends RuntimeSubject {
  readonly home: Home;
  readonly state: DockerRuntimeState;
  /** Lines that containers have printed so far. */
  readonly output: readonly OutputLine[];
  /** Images that were pulled, once for each pull. */
  readonly pulls: readonly string[];
  /** Its containers that the engine has. */
  listed(): Promise<readonly Listed[]>;
}

interface Listed {
  readonly Names: readonly string[];
  readonly Labels: { readonly [label: string]: string };
}

taskRuntimeContract('as containers', openDocker);

describe('what only containers show', { concurrency: 6 }, () => {
  const scene = scenesOf(openDocker);

  scene('containers of a task with awsvpc networking share localhost', async (subject) => {
    const ask = 'until wget -q -O - http://127.0.0.1:80/ 2>/dev/null; do sleep 0.1; done';
    const task = await start(subject, {
      app: { command: serving(80) },
      client: { command: ['sh', '-c', ask], essential: false },
    });
    const seen = await subject.observe(says(task, /client STOPPED 0/));
    assert.deepEqual(containerOf(seen, task, 'client').logTail, ['hello']);
  });

  for (const networkMode of ['awsvpc', 'bridge'] as const) {
    scene(`a port with ${networkMode} networking answers at its binding`, async (subject) => {
      const portMappings = [{ containerPort: 80, protocol: 'tcp' as const }];
      const app = { command: serving(80), portMappings };
      const task = await start(subject, { app }, { networkMode });
      const seen = await subject.observe(has('running', task));
      const [binding, ...more] = containerOf(seen, task, 'app').networkBindings ?? [];
      const { hostPort, ...rest } = present(binding, 'its port is published');
      assert.deepEqual(rest, { bindIP: '127.0.0.1', containerPort: 80, protocol: 'tcp' });
      assert.deepEqual(more, []);
      assert.equal(await answerOf(hostPort), 'hello\n');
    });
  }

  scene('a host port with bridge networking is the one asked for', async (subject) => {
    const hostPort = await freeHostPort();
    const portMappings = [{ containerPort: 80, hostPort, protocol: 'tcp' as const }];
    const app = { command: serving(80), portMappings };
    const task = await start(subject, { app }, { networkMode: 'bridge' });
    const seen = await subject.observe(has('running', task));
    const bindings = containerOf(seen, task, 'app').networkBindings;
    assert.deepEqual(bindings, [{ bindIP: '127.0.0.1', ...portMappings[0] }]);
    assert.equal(await answerOf(hostPort), 'hello\n');
  });

  scene('a task with host networking listens on the host', async (subject) => {
    const port = await freeHostPort();
    const app = { command: serving(port) };
    const task = await start(subject, { app }, { networkMode: 'host' });
    await subject.observe(has('running', task));
    assert.equal(await answerOf(port), 'hello\n');
  });

  scene('a task with none for networking has no route to anywhere', async (subject) => {
    const app = { command: ['cat', '/proc/net/route'] };
    const task = await start(subject, { app }, { networkMode: 'none' });
    const { logTail } = containerOf(await subject.observe(hasStopped(task)), task, 'app');
    assert.deepEqual(
      logTail.map((line) => line.split('\t')[0]),
      ['Iface'], // the heading, and nothing below it
    );
  });

  scene('6.9: what ignores SIGTERM is killed after its stop timeout', async (subject) => {
    const image = { ignoresSigterm: true } as const;
    const task = await start(subject, { app: { image, stopTimeoutSeconds: 2 } });
    await stopRunning(subject, task);
    const askedAtMs = performance.now();
    const seen = await subject.observe(hasStopped(task));
    const tookMs = performance.now() - askedAtMs;
    assert.equal(told(seen, task).at(-1), 'stopped, asked-to-stop: app STOPPED 137');
    assert.equal(containerOf(seen, task, 'app').reason, null);
    assert(tookMs >= 2_000 && tookMs < 20_000, `${tookMs} ms`);
  });

  scene('a task that is stopped while its container starts stops it in order', async (subject) => {
    const task = await start(subject, { app: { stopTimeoutSeconds: 1 } });
    await subject.observe(
      () => subject.state.tasks[task]?.containers['app']?.status === 'starting',
    );
    subject.stop(task);
    const seen = told(await subject.observe(hasStopped(task)), task);
    // The first process of a container ignores SIGTERM until it asks for it.
    assert.match(seen.join('\n'), /^stopped, asked-to-stop: app STOPPED (137|143)$/);
  });

  scene('a container has its user, folder, environment and secrets', async (subject) => {
    const task = await start(subject, {
      app: {
        entryPoint: ['sh', '-c'],
        command: ['id -un; pwd; echo "$GREETING"; echo "$TOKEN"; echo "$0"', '<password>'],
        ...{ user: 'app', workingDirectory: '/tmp' },
        environment: [{ name: 'GREETING', value: 'it is <password>, "=1" $5' }],
        secrets: [{ name: 'TOKEN', valueFrom: 'arn:token' }],
      },
    });
    const seen = await subject.observe(hasStopped(task));
    const { logTail } = containerOf(seen, task, 'app');
    assert.deepEqual(logTail, [
      ...['app', '/tmp', 'it is hunter2, "=1" $5', 'secret of arn:token', 'hunter2'],
    ]);
  });

  scene('values that hide a secret are not kept', async (subject) => {
    const environment = [{ name: 'PASSWORD', value: '<password>' }];
    const secrets = [{ name: 'TOKEN', valueFrom: 'arn:token' }];
    const task = await start(subject, { app: { environment, secrets } });
    await subject.observe(has('running', task));
    assert.doesNotMatch(JSON.stringify(subject.state), /hunter2|secret of/);
  });

  scene('a secret that nobody knows says nothing about AWS', async (subject) => {
    const secrets = [{ name: 'TOKEN', valueFrom: 'arn:unknown' }];
    const task = await start(subject, { app: { secrets } });
    const seen = await subject.observe(hasStopped(task));
    const { reason } = containerOf(seen, task, 'app');
    assert.match(reason ?? '', /^ResourceInitializationError: .*arn:unknown/);
    assert.match(onlyHere(seen, task), /^the value of arn:unknown, which container app asks for/);
  });

  scene('lines are passed on as they come, and the last 25 are kept', async (subject) => {
    const script =
      'n=1; while [ $n -lt 30 ]; do echo $n; n=$((n + 1)); done; sleep 0.5; echo 30 >&2';
    const task = await start(subject, { app: { command: ['sh', '-c', script] } });
    const seen = await subject.observe(hasStopped(task));
    const lines = Array.from({ length: 30 }, (_, index) => String(index + 1));
    assert.deepEqual(containerOf(seen, task, 'app').logTail, lines.slice(-25));
    const output = lines.map((text) => ({ task, container: 'app', text }));
    assert.deepEqual(subject.output, output);
  });

  scene('every container says whose it is', async (subject) => {
    const service = 'arn:aws:ecs:us-east-1:000000000000:service/main/web' as ServiceArn;
    const deployment = 'ecs-svc/1' as DeploymentId;
    const more = { cluster: 'main', service, deployment };
    const task = await start(subject, { app: {}, proxy: {} }, more);
    await subject.observe(has('running', task));
    const labels = {
      'overcast-cfn.state-id': subject.home.id,
      'overcast-cfn.state-folder': subject.home.folder,
      'overcast-cfn.host': hostname(),
      'overcast-cfn.place': PLACE,
      'overcast-cfn.stack': 'demo',
      'overcast-cfn.cluster': 'main',
      'overcast-cfn.service': 'web',
      'overcast-cfn.deployment': 'ecs-svc/1',
      'overcast-cfn.task-definition': `${task}:1`,
      'overcast-cfn.task': task,
    };
    const name = (container: string) => `/${containerName(subject.home, task, container)}`;
    const expected = [
      { name: name('app'), labels: { ...labels, 'overcast-cfn.container': 'app' } },
      { name: name('proxy'), labels: { ...labels, 'overcast-cfn.container': 'proxy' } },
      // It holds the network.
      {
        name: name('').replace(/-$/, '.pause'),
        labels: { ...labels, 'overcast-cfn.container': '' },
      },
    ];
    const found = (await subject.listed()).map(({ Names, Labels }) => {
      const ours = Object.entries(Labels).filter(([label]) => label !== 'overcast-cfn.image');
      return { name: Names[0] ?? '', labels: Object.fromEntries(ours) };
    });
    assert.deepEqual(
      found.sort((one, other) => one.name.localeCompare(other.name)),
      expected.sort((one, other) => one.name.localeCompare(other.name)),
    );
  });

  scene('nothing is left of tasks that have stopped', async (subject) => {
    const stopped = await start(subject, { app: {}, proxy: {} });
    const failed = await start(subject, {
      app: { stopTimeoutSeconds: 1 },
      proxy: { command: ['no-such-program'] },
    });
    await stopRunning(subject, stopped);
    await subject.observe((seen) => hasStopped(stopped)(seen) && hasStopped(failed)(seen));
    assert.deepEqual(await subject.listed(), []);
    assert.deepEqual(subject.state.tasks, {});
  });

  scene('a container that somebody else removes has ended', async (subject) => {
    const task = await start(subject, { app: {} });
    await subject.observe(has('running', task));
    const name = containerName(subject.home, task, 'app');
    const { status, text } = await engineRequest('DELETE', `/containers/${name}?force=1`);
    assert.equal(status, 204, text);
    const seen = told(await subject.observe(hasStopped(task)), task);
    assert.equal(seen.at(-1), 'stopped, essential-exited app 137: app STOPPED 137');
  });

  scene('an image that is not here is pulled, once for all who wait', async (subject) => {
    const image = await pushed();
    const first = await start(subject, { app: { image } });
    const second = await start(subject, { app: { image } });
    await subject.observe((seen) => [first, second].every((one) => has('running', one)(seen)));
    assert.deepEqual(subject.pulls, [image]);
  });

  scene('a registry that does not answer says nothing about AWS', async (subject) => {
    const image = '127.0.0.1:1/web:v1';
    const task = await start(subject, { app: { image } });
    const seen = await subject.observe(hasStopped(task));
    const { reason } = containerOf(seen, task, 'app');
    assert.match(reason ?? '', /^CannotPullContainerError: .*connection refused/);
    assert(onlyHere(seen, task).startsWith(`image ${image} cannot be pulled from this machine: `));
  });

  scene('a port that a process holds says nothing about AWS', async (subject) => {
    const { port, release } = await holdPort();
    const portMappings = [{ containerPort: 80, hostPort: port, protocol: 'tcp' as const }];
    const task = await start(subject, { app: { portMappings } }, { networkMode: 'bridge' });
    const seen = await subject.observe(hasStopped(task)).finally(release);
    assert.deepEqual(told(seen, task), ['stopped, failed-to-start, port taken: app STOPPED']);
    const taken = `port ${port} of this machine is taken by a process that is no task`;
    assert.equal(onlyHere(seen, task), taken);
  });

  scene('an image that this machine cannot execute says nothing about AWS', async (subject) => {
    const { Arch } = (await engineRequest('GET', '/version')).json as { Arch: string };
    const other = Arch === 'amd64' ? 'arm64' : 'amd64';
    const image = `overcast-test/${randomUUID()}:v1`;
    const config = { cmd: ['/app'], architecture: other };
    await loadImage(image, { '/app': pauseProgram(other) }, config);
    here.add(image);
    const task = await start(subject, { app: { image } }, { platform: `linux/${other}` });
    const seen = await subject.observe(hasStopped(task));
    assert.match(onlyHere(seen, task), /as its task asks, and this machine cannot run it$/);
    assert.match(JSON.stringify(seen), /is run as linux\/\w+ on \w+, where emulation works/);
  });

  scene('6.22: a container stops once those that depend on it have stopped', async (subject) => {
    const waits = { dependsOn: [{ containerName: 'db', condition: 'START' as const }] };
    const task = await start(subject, {
      db: {
        command: ['sh', '-c', "trap 'echo stopping; exit 0' TERM; while :; do sleep 0.1; done"],
      },
      app: {
        command: [
          'sh',
          '-c',
          "trap 'sleep 1; echo gone; exit 0' TERM; while :; do sleep 0.1; done",
        ],
        ...waits,
      },
    });
    await subject.observe(has('running', task));
    await subject.pass(500); // until both heed SIGTERM
    subject.stop(task);
    await subject.observe(hasStopped(task));
    const lines = subject.output.map(({ container, text }) => `${container} ${text}`);
    assert.deepEqual(lines, ['app gone', 'db stopping']);
  });

  scene('an image of another platform runs as it is, which is said', async (subject) => {
    const task = await start(subject, { app: {} }, { platform: 'windows/amd64' });
    const seen = await subject.observe(has('running', task));
    assert.match(JSON.stringify(seen), /"container app asks for windows\/amd64 and is run as the/);
  });
});

async function openDocker(): Promise<DockerSubject> {
  const home: Home = { id: randomUUID().replaceAll('-', ''), folder: '/nowhere/.overcast-cfn' };
  const state = createDockerRuntimeState();
  const seen: Seen[number][] = [];
  const news: TaskNews[] = [];
  const asked: Parameters<DockerTurn['ask']>[0][] = [];
  const output: OutputLine[] = [];
  const pulls: string[] = [];
  const faults: unknown[] = [];
  const bench: Bench = {
    ...{ engine: await connect(process.env), home, journal: () => undefined },
    values: {
      reveal: (_, text) => text.replaceAll('<password>', 'hunter2'),
      secret: (_, from) => (from === 'arn:unknown' ? { unknown: from } : `secret of ${from}`),
    },
    tell: (_, one) => news.push(one),
    onLost: (why) => faults.push(new Error(why)),
    onDefect: (error) => faults.push(error),
    onPull: (image, progress) => progress === 'begun' && pulls.push(image),
    onOutput: (line) => output.push(line),
  };
  const driver = await createDriver(bench);
  const turn: DockerTurn = {
    state,
    get nowMs() {
      return Date.now() as EpochMs;
    },
    ownerOf: () => ({ stackName: 'demo', publish: '127.0.0.1', images: {} }),
    ask: (effect) => asked.push(effect),
  };
  const runtime = createDockerRuntime(turn);

  function round(): void {
    stepDockerRuntime(turn, news.splice(0));
    seen.push(...runtime.observations());
    for (const effect of asked.splice(0)) {
      const task = present(state.tasks[effect.task], 'work is for a task in flight');
      driver.perform(PLACE, effect, task);
    }
    if (faults.length > 0) throw faults[0];
  }

  async function rounds(until: () => boolean): Promise<Seen> {
    const endMs = Date.now() + LIMIT_MS;
    for (;;) {
      round();
      if (until()) return [...seen];
      if (Date.now() > endMs) throw new Error(`it does not come: ${JSON.stringify(seen)}`);
      await setTimeout(ROUND_MS);
    }
  }

  async function listed(): Promise<readonly Listed[]> {
    const filters = JSON.stringify({ label: [`overcast-cfn.state-id=${home.id}`] });
    const query = new URLSearchParams({ all: '1', filters });
    return (await engineRequest('GET', `/containers/json?${query}`)).json as readonly Listed[];
  }

  return {
    ...{ home, state, output, pulls, listed, image: imageOf, freeHostPort },
    start: (order) => runtime.start(order),
    stop: (task) => runtime.stop(task),
    observe: (until) => rounds(() => until(seen)),
    pass(ms) {
      const endMs = Date.now() + ms;
      return rounds(() => Date.now() >= endMs);
    },
    async gotGoing(task) {
      const { containers } = present(state.tasks[task], 'the task is in flight');
      const up = Object.keys(containers).filter((name) => containers[name]?.status === 'running');
      const printed = (name: string) =>
        output.some((line) => line.task === task && line.container === name);
      await rounds(() => up.every(printed));
    },
    async close() {
      const left = await listed();
      await driver.removeUnknown(new Set(), []);
      driver.close();
      const behind = left.filter(({ Labels }) =>
        hasStopped(Labels['overcast-cfn.task'] as TaskId)(seen),
      );
      assert.deepEqual(behind, [], 'nothing is left of a task that has stopped');
    },
  };
}

/** Behaviour → reference: each is made once, and removed when all tests are over. */
const images = new Map<string, Promise<string>>();
const here = new Set<string>();

after(() => Promise.all([...here].map(removeImage)));

function imageOf(behaviour: Behaviour): Promise<string> {
  const key = JSON.stringify(behaviour);
  const made =
    images.get(key) ?? (behaviour.cannotBePulled === true ? missing() : built(behaviour));
  images.set(key, made);
  return made;
}

async function built(behaviour: Behaviour, registry = ''): Promise<string> {
  const reference = `${registry}overcast-test/${randomUUID()}:v1`;
  await buildImage(reference, {}, { cmd: ['sh', '-c', scriptOf(behaviour)] });
  here.add(reference);
  return reference;
}

/** An image that is in the registry, and not here. */
async function pushed(): Promise<string> {
  const reference = await built({}, `${process.env['OVERCAST_TEST_REGISTRY']}/`);
  await pushImage(reference);
  await removeImage(reference);
  here.delete(reference);
  return reference;
}

/** Of an image in the registry, a tag that it does not have. */
async function missing(): Promise<string> {
  return (await pushed()).replace(/:v1$/, ':v2');
}

/** A shell heeds a signal while it waits, but not while a program runs in its foreground. */
function scriptOf({ prints = ['up'], exits, outgrowsMemory, ignoresSigterm }: Behaviour): string {
  const { afterMs, code } = exits ?? { afterMs: 3_600_000, code: 0 };
  return [
    ignoresSigterm === true ? "trap '' TERM" : "trap 'exit 143' TERM",
    ...prints.map((line) => `echo '${line}'`),
    ...(outgrowsMemory === true ? ['exec tail /dev/zero'] : []), // one line without end, kept whole
    ...(afterMs === 0 ? [] : [`sleep ${afterMs / 1_000} & wait`]),
    `exit ${code}`,
  ].join('\n');
}

/** Answers `hello` at a port. */
function serving(port: number): readonly string[] {
  return ['sh', '-c', `echo hello >/tmp/index.html; exec httpd -f -p ${port} -h /tmp`];
}

/** What a port of this machine answers, once it does. */
async function answerOf(port: number): Promise<string> {
  for (let attempts = 0; ; attempts += 1) {
    try {
      const headers = { connection: 'close' };
      return await (await fetch(`http://127.0.0.1:${port}/`, { headers })).text();
    } catch (error) {
      if (attempts === 100) throw error;
      await setTimeout(50);
    }
  }
}

/** What stood in the way of the task's start and would not in AWS; empty where nothing did. */
function onlyHere(seen: Seen, task: TaskId): string {
  const last = lastOf(seen, task);
  const because = last.type === 'stopped' ? last.because : undefined;
  return because?.kind === 'failed-to-start' ? (because.onlyHere?.text ?? '') : '';
}

async function freeHostPort(): Promise<number> {
  const { port, release } = await holdPort();
  release();
  return port;
}

function holdPort(): Promise<{ readonly port: number; release(): void }> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      resolve({ port, release: () => void server.close() });
    });
  });
}
