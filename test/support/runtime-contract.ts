import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type {
  ContainerDefinition,
  ContainerDependency,
  TaskObservation,
  TaskOrder,
} from '../../src/aws/ecs/index.ts';
import { present, type TaskDefinitionArn, type TaskId } from '../../src/base/index.ts';
import type { ContainerView } from '../../src/events/index.ts';

/**
 * How an image behaves. What is absent: it can be pulled, prints `up` and stays up until SIGTERM.
 * It holds `sh`, and neither `no-such-program` nor `/opt/no-such-program`.
 */
export interface Behaviour {
  /** Its repository is there, its tag is not. */
  readonly cannotBePulled?: true;
  readonly prints?: readonly string[];
  readonly exits?: { readonly afterMs: number; readonly code: number };
  /** It takes more than `SMALL_MEBIBYTES` as soon as it runs. */
  readonly outgrowsMemory?: true;
  readonly ignoresSigterm?: true;
}

/** A task runtime under test, and the images that it runs. */
export interface RuntimeSubject {
  /** Makes an image that behaves so; answers its reference. */
  image(behaviour: Behaviour): Promise<string>;
  /** A port of the host that nobody holds. */
  freeHostPort(): Promise<number>;
  start(order: TaskOrder): void;
  stop(task: TaskId): void;
  /** Time passes until this holds of all that was seen, which is answered, oldest first. */
  observe(until: Until): Promise<Seen>;
  pass(ms: number): Promise<Seen>;
  /** Until every process of the task that runs has printed its lines, and heeds SIGTERM. */
  gotGoing(task: TaskId): Promise<void>;
  close(): Promise<void>;
}

export type Seen = readonly TaskObservation[];
type Until = (seen: Seen) => boolean;
type OfTask = Exclude<TaskObservation, { type: 'assumed' }>;
type Stopped = Extract<TaskObservation, { type: 'stopped' }>;
type Scene<S> = (name: string, play: (subject: S) => Promise<void>) => void;

/** Containers of a task, in order: a name, and what is not as by default. */
export interface Containers {
  readonly [name: string]: Partial<Omit<ContainerDefinition, 'image'>> & {
    readonly image?: Behaviour | string;
  };
}

/** A task, and all that is said of it. */
interface Picture {
  readonly when: string;
  readonly containers: Containers;
  readonly more?: Partial<TaskOrder>;
  /** @see told */
  readonly then: readonly string[];
  /** The reasons that its containers have in the end; 6.14: no other one has any. */
  readonly reasons?: { readonly [container: string]: RegExp };
  readonly printed?: { readonly [container: string]: readonly string[] };
}

export const SMALL_MEBIBYTES = 16;
const MOMENT_MS = 300; // for what should not happen any more
const AT_ONCE = { provisioningMs: 0, activatingMs: 0, deprovisioningMs: 0 };
const LINES = ['reading settings', 'no database: giving up'];
const SMALL = { memoryMebibytes: SMALL_MEBIBYTES };
const STAYS_UP_LONG = exits(600_000, 0);
const OUT_OF_MEMORY = /^OutOfMemoryError: Container killed due to memory usage$/;
const TIMED_OUT =
  /^CannotStartContainerError: dependency graph: container ordering dependency \[init\] for target \[extra\] has timed out\.$/;
const UNSUCCESSFUL =
  /^CannotStartContainerError: dependency graph: failed to resolve container ordering dependency \[init\] for target \[app\] as dependency did not exit successfully\.$/;

const PICTURES: readonly Picture[] = [
  ...(['awsvpc', 'bridge', 'host', 'none'] as const).map((networkMode) => ({
    when: `a task with ${networkMode} networking`,
    ...{ containers: { app: {} }, more: { networkMode } },
    then: ['running: app RUNNING'],
  })),
  {
    when: 'three containers',
    containers: { app: {}, proxy: {}, logs: { essential: false } },
    then: ['running: app RUNNING, proxy RUNNING, logs RUNNING'],
  },
  ...[exits(0, 0), exits(0, 1), exits(500, 3)].map(({ exits: { afterMs, code } }) => ({
    when: `a container that exits with ${code} after ${afterMs} ms`,
    containers: { app: { image: { exits: { afterMs, code }, prints: LINES } } },
    then: ['running: app RUNNING', `stopped, essential-exited app ${code}: app STOPPED ${code}`],
    printed: { app: LINES },
  })),
  {
    when: 'an essential container that exits, beside others',
    containers: { app: { image: exits(1_000, 3) }, proxy: {}, logs: { essential: false } },
    then: [
      'running: app RUNNING, proxy RUNNING, logs RUNNING',
      'stopped, essential-exited app 3: app STOPPED 3, proxy STOPPED 143, logs STOPPED 143',
    ],
  },
  {
    when: 'a container that exits and is not essential',
    containers: {
      app: {},
      extra: { image: { ...exits(500, 4), prints: LINES }, essential: false },
    },
    then: ['running: app RUNNING, extra RUNNING', 'changed: app RUNNING, extra STOPPED 4'],
    printed: { extra: LINES },
  },
  ...[
    { whose: 'its own', containers: { app: { image: outgrows(), ...SMALL } } },
    { whose: 'its task’s', containers: { app: { image: outgrows() } }, more: SMALL },
  ].map(({ whose, ...task }) => ({
    when: `6.87: a container that outgrows ${whose} memory`,
    ...task,
    then: ['running: app RUNNING', 'stopped, essential-exited app 137: app STOPPED 137'],
    reasons: { app: OUT_OF_MEMORY },
  })),
  {
    when: '6.80: a tag that does not exist',
    containers: { app: { image: { cannotBePulled: true } } },
    then: ['stopped, failed-to-start: app STOPPED'],
    reasons: { app: /^CannotPullContainerError: .*not found/ },
  },
  {
    when: '6.14: one tag of three that does not exist',
    containers: { app: {}, proxy: { image: { cannotBePulled: true } }, logs: {} },
    then: ['stopped, failed-to-start: app STOPPED, proxy STOPPED, logs STOPPED'],
    reasons: { proxy: /^CannotPullContainerError: .*not found/ },
  },
  {
    when: '6.83: a program that is not in the image',
    containers: { app: { command: ['no-such-program', '--now'] } },
    then: ['stopped, failed-to-start: app STOPPED'],
    reasons: {
      app: /^CannotStartContainerError: Error response from daemon: .*exec: "no-such-program": executable file not found in \$PATH/,
    },
  },
  {
    when: '6.83: a path that is not in the image',
    containers: { app: { entryPoint: ['/opt/no-such-program'], command: ['sh'] } },
    then: ['stopped, failed-to-start: app STOPPED'],
    reasons: {
      app: /^CannotStartContainerError: Error response from daemon: .*exec: "\/opt\/no-such-program": stat \/opt\/no-such-program: no such file/,
    },
  },
  {
    when: '6.14: one program of two that is not in the image',
    containers: {
      app: { image: exits(0, 0), essential: false },
      proxy: { command: ['no-such-program'], dependsOn: [after('app', 'COMPLETE')] },
    },
    then: ['stopped, failed-to-start: app STOPPED 0, proxy STOPPED'],
    reasons: { proxy: /^CannotStartContainerError: / },
  },
  {
    when: '6.25: START',
    containers: { app: { dependsOn: [after('proxy', 'START')] }, proxy: {} },
    then: ['running: app RUNNING, proxy RUNNING'],
  },
  ...(['COMPLETE 0', 'COMPLETE 3', 'SUCCESS 0'] as const).map((row) => {
    const [condition, code] = row.split(' ') as ['COMPLETE' | 'SUCCESS', string];
    return {
      when: `6.26, 6.27: ${condition}, of a container that exits with ${code}`,
      containers: {
        init: { image: exits(200, Number(code)), essential: false },
        app: { dependsOn: [after('init', condition)] },
      },
      then: [`running: init STOPPED ${code}, app RUNNING`],
    };
  }),
  {
    when: '6.23, 6.24: SUCCESS, of a container that fails',
    containers: {
      init: { image: exits(200, 1), essential: false },
      app: { dependsOn: [after('init', 'SUCCESS')] },
    },
    then: ['stopped, failed-to-start: init STOPPED 1, app STOPPED 143'],
    reasons: { app: UNSUCCESSFUL },
  },
  {
    when: '6.23: SUCCESS, of a container that fails, for what is not essential',
    containers: {
      app: {},
      init: { image: exits(200, 1), essential: false },
      extra: { dependsOn: [after('init', 'SUCCESS')], essential: false },
      more: { dependsOn: [after('extra', 'START')], essential: false },
    },
    then: ['running: app RUNNING, init STOPPED 1, extra STOPPED 143, more STOPPED 143'],
    reasons: {
      extra: /\[init\] for target \[extra\] as dependency did not exit successfully/,
      more: /\[extra\] for target \[more\] because dependency will never start/,
    },
  },
  {
    when: '6.20: a container that waits too long',
    containers: {
      app: {},
      init: { image: STAYS_UP_LONG, essential: false, startTimeoutSeconds: 1 },
      extra: { dependsOn: [after('init', 'COMPLETE')] },
    },
    then: ['stopped, failed-to-start: app STOPPED 143, init STOPPED 143, extra STOPPED 143'],
    reasons: { extra: TIMED_OUT },
  },
  {
    when: '6.20: a container that waits too long and is not essential',
    containers: {
      app: {},
      init: { image: STAYS_UP_LONG, essential: false, startTimeoutSeconds: 1 },
      extra: { dependsOn: [after('init', 'COMPLETE')], essential: false },
    },
    then: ['running: app RUNNING, init RUNNING, extra STOPPED 143'],
    reasons: { extra: TIMED_OUT },
  },
];

function exits(afterMs: number, code: number) {
  return { exits: { afterMs, code } };
}

function outgrows(): Behaviour {
  return { outgrowsMemory: true };
}

function after(
  containerName: string,
  condition: ContainerDependency['condition'],
): ContainerDependency {
  return { containerName, condition };
}

/** What every task runtime keeps to. */
export function taskRuntimeContract(name: string, open: () => Promise<RuntimeSubject>): void {
  describe(`tasks ${name}`, { concurrency: 6 }, () => {
    const scene = scenesOf(open);
    for (const picture of PICTURES) {
      scene(`${picture.when}: ${picture.then.at(-1)}`, (subject) => keepsTo(subject, picture));
    }
    stopsTasks(scene);
    keepsTasksApart(scene);
    ordersStarts(scene);
  });
}

/** Registers tests, each with a subject of its own; at its end all that was seen is in order. */
export function scenesOf<S extends RuntimeSubject>(open: () => Promise<S>): Scene<S> {
  return (name, play) => {
    test(name, async () => {
      const subject = await open();
      try {
        await play(subject);
        keepsOrder(await subject.observe(() => true));
      } finally {
        await subject.close();
      }
    });
  };
}

async function keepsTo(subject: RuntimeSubject, picture: Picture): Promise<void> {
  const { containers, more, then, reasons = {}, printed = {} } = picture;
  const task = await start(subject, containers, more);
  await subject.observe((all) => told(all, task).length >= then.length || hasStopped(task)(all));
  const seen = await subject.pass(MOMENT_MS);
  assert.deepEqual(told(seen, task), then);
  const last = lastOf(seen, task);
  for (const { name, reason, logTail } of last.containers) {
    const expected = reasons[name];
    if (expected === undefined) assert.equal(reason, null, name);
    else assert.match(reason ?? '', expected);
    assert.deepEqual(logTail, printed[name] ?? logTail);
  }
  if (last.type !== 'stopped' || last.because.kind !== 'failed-to-start') return;
  const { reason, onlyHere } = last.because;
  assert.deepEqual(
    last.containers.map((container) => container.reason).filter((one) => one !== null),
    [reason],
  );
  assert.equal(onlyHere, undefined, 'it would be so in AWS too');
}

function stopsTasks(scene: Scene<RuntimeSubject>): void {
  scene('6.9: a task that is asked to stop ends with SIGTERM', async (subject) => {
    const task = await start(subject, { app: { image: { prints: LINES } } });
    await stopRunning(subject, task);
    const seen = await subject.observe(hasStopped(task));
    assert.deepEqual(told(seen, task), [
      ...['running: app RUNNING', 'stopped, asked-to-stop: app STOPPED 143'],
    ]);
    const { logTail, reason } = containerOf(seen, task, 'app');
    assert.deepEqual({ logTail, reason }, { logTail: LINES, reason: null });
  });

  scene('a process that ignores SIGTERM ends all the same', async (subject) => {
    const image = { ignoresSigterm: true } as const;
    const task = await start(subject, { app: { image, stopTimeoutSeconds: 1 } });
    await stopRunning(subject, task);
    const seen = told(await subject.observe(hasStopped(task)), task);
    assert.match(seen.at(-1) ?? '', /^stopped, asked-to-stop: app STOPPED (137|143)$/);
  });

  scene('what has ended before the stop keeps its exit code', async (subject) => {
    const task = await start(subject, {
      app: {},
      extra: { image: exits(0, 4), essential: false },
    });
    await subject.observe(says(task, /extra STOPPED/));
    await stopRunning(subject, task);
    const seen = told(await subject.observe(hasStopped(task)), task);
    assert.equal(seen.at(-1), 'stopped, asked-to-stop: app STOPPED 143, extra STOPPED 4');
  });

  scene('a task that is stopped before it runs never runs', async (subject) => {
    const task = await start(subject, { app: {} });
    subject.stop(task);
    await subject.observe(hasStopped(task));
    const seen = told(await subject.pass(MOMENT_MS), task);
    assert.deepEqual(seen, ['stopped, asked-to-stop: app STOPPED']);
  });

  scene('a task that is stopped while a container waits never starts it', async (subject) => {
    const task = await start(subject, {
      init: { image: STAYS_UP_LONG, essential: false },
      app: { dependsOn: [after('init', 'COMPLETE')] },
    });
    await subject.observe(has('changed', task));
    await subject.gotGoing(task);
    subject.stop(task);
    const seen = told(await subject.observe(hasStopped(task)), task);
    assert.deepEqual(seen, ['stopped, asked-to-stop: init STOPPED 143, app STOPPED']);
  });

  scene('a task is stopped once, however often it is asked to', async (subject) => {
    const task = await start(subject, { app: {} });
    await stopRunning(subject, task);
    subject.stop(task);
    await subject.observe(hasStopped(task));
    subject.stop(task);
    subject.stop('f'.repeat(32) as TaskId); // nobody knows it
    const seen = await subject.pass(MOMENT_MS);
    assert.equal(seen.filter(({ type }) => type === 'stopped').length, 1);
  });
}

function keepsTasksApart(scene: Scene<RuntimeSubject>): void {
  scene('the end of one task is not the end of another', async (subject) => {
    const first = await start(subject, { app: {} });
    const second = await start(subject, { app: {} });
    await subject.observe(has('running', second));
    await stopRunning(subject, first);
    const seen = await subject.observe(hasStopped(first));
    assert.equal(told(seen, first).at(-1), 'stopped, asked-to-stop: app STOPPED 143');
    assert.deepEqual(told(seen, second), ['running: app RUNNING']);
  });

  const mapping = (hostPort: number) => ({
    app: { portMappings: [{ containerPort: 80, hostPort, protocol: 'tcp' as const }] },
  });
  scene('5.29: a host port is held by one task at a time', async (subject) => {
    const hostPort = await subject.freeHostPort();
    const order = () => start(subject, mapping(hostPort), { networkMode: 'bridge' });
    const first = await order();
    await subject.observe(has('running', first));
    const second = await order();
    const refused = await subject.observe(hasStopped(second));
    assert.deepEqual(told(refused, second), ['stopped, failed-to-start, port taken: app STOPPED']);
    assert.match(
      containerOf(refused, second, 'app').reason ?? '',
      new RegExp(`^CannotStartContainerError: .*:${hostPort} failed: port is already allocated`),
    );
    await stopRunning(subject, first);
    await subject.observe(hasStopped(first));
    const third = await order();
    const seen = await subject.observe(has('running', third));
    assert.deepEqual(told(seen, third), ['running: app RUNNING']);
  });

  for (const { networkMode, hostPort } of [
    { networkMode: 'bridge', hostPort: 0 }, // which the host chooses
    { networkMode: 'awsvpc', hostPort: 80 }, // of an interface of the task's own
  ] as const) {
    scene(`port ${hostPort} with ${networkMode} networking is never taken`, async (subject) => {
      const first = await start(subject, mapping(hostPort), { networkMode });
      const second = await start(subject, mapping(hostPort), { networkMode });
      await subject.observe((seen) => [first, second].every((one) => has('running', one)(seen)));
    });
  }
}

function ordersStarts(scene: Scene<RuntimeSubject>): void {
  scene('6.25: what waits for START is PENDING until then', async (subject) => {
    const task = await start(subject, {
      app: { dependsOn: [after('proxy', 'START')] },
      proxy: {},
    });
    const seen = ofTask(await subject.observe(has('running', task)), task).map(lineOf);
    for (const before of seen.slice(0, -1)) {
      assert.equal(before, 'changed: app PENDING, proxy RUNNING');
    }
  });

  scene('6.26: what waits for COMPLETE is PENDING until then', async (subject) => {
    const task = await start(subject, {
      init: { image: exits(200, 0), essential: false },
      app: { dependsOn: [after('init', 'COMPLETE')] },
    });
    const seen = ofTask(await subject.observe(has('running', task)), task).map(lineOf);
    assert.equal(seen[0], 'changed: init RUNNING, app PENDING');
    for (const before of seen.slice(1, -1)) {
      assert.equal(before, 'changed: init STOPPED 0, app PENDING');
    }
  });

  scene('6.20: a start timeout that nobody waits for changes nothing', async (subject) => {
    const task = await start(subject, { app: { startTimeoutSeconds: 1 } });
    await subject.observe(has('running', task));
    assert.deepEqual(told(await subject.pass(1_200), task), ['running: app RUNNING']);
  });
}

/** Orders a task with a task definition of its own. */
export async function start(
  subject: RuntimeSubject,
  containers: Containers,
  more: Partial<TaskOrder> = {},
): Promise<TaskId> {
  const task = randomUUID().replaceAll('-', '') as TaskId;
  const networkMode = more.networkMode ?? 'awsvpc';
  const definitions = Object.entries(containers).map(async ([name, { image = {}, ...given }]) => ({
    ...{ name, essential: true, entryPoint: [], command: [], environment: [], secrets: [] },
    ...{ portMappings: [], dependsOn: [], unread: [] },
    ...given,
    image: typeof image === 'string' ? image : await subject.image(image),
  }));
  subject.start({
    ...{ task, service: null, deployment: null, cluster: 'default', networkMode },
    taskDefinition: `arn:aws:ecs:us-east-1:0:task-definition/${task}:1` as TaskDefinitionArn,
    sharesHostPorts: networkMode === 'bridge' || networkMode === 'host',
    ...{ host: 'default', times: AT_ONCE, platform: 'linux/amd64', unread: [], ...more },
    containers: await Promise.all(definitions),
  });
  return task;
}

export async function stopRunning(subject: RuntimeSubject, task: TaskId): Promise<void> {
  await subject.observe(has('running', task));
  await subject.gotGoing(task);
  subject.stop(task);
}

export function has(type: OfTask['type'], task: TaskId): Until {
  return (seen) => ofTask(seen, task).some((one) => one.type === type);
}

export function hasStopped(task: TaskId): Until {
  return has('stopped', task);
}

export function says(task: TaskId, line: RegExp): Until {
  return (seen) => told(seen, task).some((one) => line.test(one));
}

/**
 * What was said of a task, a line each: `stopped, essential-exited app 3: app STOPPED 3`. Without
 * what changed before it ran, since containers may start in one instant or one by one.
 */
export function told(seen: Seen, task: TaskId): readonly string[] {
  const lines = ofTask(seen, task);
  const first = lines.findIndex(({ type }) => type !== 'changed');
  return first === -1 ? [] : lines.slice(first).map(lineOf);
}

function lineOf(one: OfTask): string {
  const why = one.type === 'stopped' ? `, ${because(one)}` : '';
  return `${one.type}${why}: ${one.containers.map(brief).join(', ')}`;
}

function because({ because: why }: Stopped): string {
  if (why.kind === 'essential-exited') return `${why.kind} ${why.container} ${why.exitCode}`;
  return why.kind === 'failed-to-start' && why.portTaken ? `${why.kind}, port taken` : why.kind;
}

function brief({ name, lastStatus, exitCode }: ContainerView): string {
  return `${name} ${lastStatus}${exitCode === null ? '' : ` ${exitCode}`}`;
}

function ofTask(seen: Seen, task: TaskId): readonly OfTask[] {
  return seen.filter((one): one is OfTask => one.type !== 'assumed' && one.task === task);
}

export function lastOf(seen: Seen, task: TaskId): OfTask {
  return present(ofTask(seen, task).at(-1), `task ${task} was seen`);
}

/** A container of the task as it was seen last. */
export function containerOf(seen: Seen, task: TaskId, name: string): ContainerView {
  const found = lastOf(seen, task).containers.find((container) => container.name === name);
  return present(found, `task ${task} has a container ${name}`);
}

/** Of every task: nothing is said twice, nothing goes back, and nothing comes after its end. */
function keepsOrder(seen: Seen): void {
  const tasks = new Set(seen.flatMap((one) => (one.type === 'assumed' ? [] : [one.task])));
  for (const task of tasks) {
    const said = ofTask(seen, task);
    const text = said.map(lineOf).join('\n');
    assert.match(text, /^(changed.*\n?)*(running.*\n?(changed.*\n?)*)?(stopped.*)?$/);
    let hasRun = false;
    for (const [index, one] of said.entries()) {
      hasRun ||= one.type === 'running';
      const waits = one.containers.some(({ lastStatus }) => lastStatus === 'PENDING');
      assert.equal(waits, one.type === 'changed' && !hasRun, text);
      goesOn(said[index - 1], one, text);
    }
  }
}

const STATUSES = ['PENDING', 'RUNNING', 'STOPPED'];

function goesOn(before: OfTask | undefined, { type, containers }: OfTask, text: string): void {
  assert.notDeepEqual(before?.containers, containers, text);
  for (const [index, { name, lastStatus, exitCode }] of containers.entries()) {
    assert(lastStatus === 'STOPPED' ? true : type !== 'stopped' && exitCode === null, text);
    const earlier = before?.containers[index];
    if (earlier === undefined) continue;
    assert.equal(earlier.name, name);
    assert(STATUSES.indexOf(earlier.lastStatus) <= STATUSES.indexOf(lastStatus), text);
    if (earlier.lastStatus === 'STOPPED') assert.equal(exitCode, earlier.exitCode, text);
  }
}
