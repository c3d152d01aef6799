import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../../src/base/index.ts';
import type { PullAnswer } from '../../../../src/scenario/index.ts';
import {
  createEcsWorld,
  createWeb,
  ecsOf,
  type Images,
  pass,
  register,
  tasksOf,
  update,
} from '../../../support/ecs-world.ts';

/** A service of one task with these containers, after some time. */
function played(
  images: Images,
  containers: readonly JsonObject[],
  seconds: number,
  more: JsonObject = {},
) {
  const world = createEcsWorld(images);
  register(world, '', { containerDefinitions: [...containers], ...more });
  const service = createWeb(world);
  pass(world, seconds * 1_000);
  const view = ecsOf(world).describeService(service);
  const stopped = (view?.tasks ?? []).filter(({ lastStatus }) => lastStatus === 'STOPPED');
  return { world, service, view, stopped };
}

const APP = { name: 'app', image: 'app:1' };
const SIDE = { name: 'side', image: 'side:1', essential: false };

test('6.7, 6.16: an essential container that exits with 0 stops its task all the same', () => {
  const { stopped } = played({ 'app:1': { exits: { afterMs: 1_000, code: 0 } } }, [APP], 1);
  const [task] = stopped;
  assert.deepEqual(
    [task?.stopCode, task?.stoppedReason],
    ['EssentialContainerExited', 'Essential container in task exited'],
  );
  assert.equal(task?.containers[0]?.exitCode, 0);
});

test('6.8: a container that is not essential may exit', () => {
  const { view } = played({ 'side:1': { exits: { afterMs: 1_000, code: 1 } } }, [APP, SIDE], 10);
  assert.deepEqual([view?.runningCount, view?.deployments[0]?.failedTasks], [1, 0]);
});

test('6.14, 6.15, 6.61: the reason stands on the container it belongs to, and nothing has an exit code', () => {
  const { stopped } = played({ 'side:1': { pull: ['not-found'] } }, [APP, SIDE], 0);
  const [task] = stopped;
  assert.equal(task?.stopCode, 'TaskFailedToStart');
  assert.match(task?.stoppedReason ?? '', /^CannotPullContainerError: .+ not found$/);
  assert.equal(task?.startedAtMs, null);
  assert.deepEqual(
    task?.containers.map(({ name, reason, exitCode, lastStatus }) => [
      name,
      reason,
      exitCode,
      lastStatus,
    ]),
    [
      ['app', null, null, 'STOPPED'],
      ['side', task?.stoppedReason, null, 'STOPPED'],
    ],
  );
});

test('6.15: a plain exit has an exit code and no reason', () => {
  const { stopped } = played({ 'app:1': { exits: { afterMs: 0, code: 3 } } }, [APP], 0);
  const [container] = stopped[0]?.containers ?? [];
  assert.deepEqual([container?.exitCode, container?.reason], [3, null]);
});

test('6.15, 6.87: out of memory sets both', () => {
  const memory = { mebibytes: 300, afterMs: 2_000 };
  const { stopped } = played({ 'app:1': { memory } }, [{ ...APP, memory: 256 }], 2);
  const [container] = stopped[0]?.containers ?? [];
  const reason = 'OutOfMemoryError: Container killed due to memory usage';
  assert.deepEqual([container?.exitCode, container?.reason], [137, reason]);
  assert.equal(stopped[0]?.stopCode, 'EssentialContainerExited');
});

test('6.15: the task as a whole limits a container without a limit of its own', () => {
  const memory = { mebibytes: 600, afterMs: 2_000 };
  assert.equal(played({ 'app:1': { memory } }, [APP], 2).stopped.length, 1);
  const roomy = { memory: '1024' };
  assert.equal(played({ 'app:1': { memory } }, [APP], 2, roomy).stopped.length, 0);
});

test('fine print j: an exit at 0 s is an exit, not a failure to start', () => {
  const { stopped } = played({ 'app:1': { exits: { afterMs: 0, code: 1 } } }, [APP], 0);
  assert.equal(stopped[0]?.stopCode, 'EssentialContainerExited');
  assert.notEqual(stopped[0]?.startedAtMs, null);
});

const ON_FAILURE = { enabled: true, restartAttemptPeriod: 60, ignoredExitCodes: [3] };
const exits = (seconds: number, code: number) => ({ exits: { afterMs: seconds * 1_000, code } });
const policies: readonly {
  rule: string;
  policy: JsonObject;
  ends: Images[string];
  then: 'restarts' | 'ends';
}[] = [
  { rule: '6.41 after its period', policy: ON_FAILURE, ends: exits(60, 1), then: 'restarts' },
  { rule: '6.41 within its period', policy: ON_FAILURE, ends: exits(59, 1), then: 'ends' },
  { rule: '6.41 a code that is ignored', policy: ON_FAILURE, ends: exits(90, 3), then: 'ends' },
  { rule: '6.41 a clean end too', policy: ON_FAILURE, ends: exits(90, 0), then: 'restarts' },
  {
    rule: '6.40 a policy that is switched off',
    policy: { ...ON_FAILURE, enabled: false },
    ends: exits(90, 1),
    then: 'ends',
  },
  {
    rule: '6.40 a period of 300 s where nothing is said',
    policy: { enabled: true },
    ends: exits(299, 1),
    then: 'ends',
  },
  {
    rule: '6.40 a period of 300 s where nothing is said',
    policy: { enabled: true },
    ends: exits(300, 1),
    then: 'restarts',
  },
];

for (const { rule, policy, ends, then } of policies) {
  test(`${rule}: a container that exits ${then}`, () => {
    const app = { ...APP, restartPolicy: policy };
    const { view } = played({ 'app:1': ends }, [app], (ends?.exits?.afterMs ?? 0) / 1_000);
    const running = view?.tasks.filter(({ lastStatus }) => lastStatus === 'RUNNING') ?? [];
    assert.equal(running.length === 1 ? 'restarts' : 'ends', then);
    assert.equal(view?.tasks.length, 1, 'no other task stands in for it yet');
  });
}

test('6.41: what is asked to stop is not started again', () => {
  const app = { ...APP, restartPolicy: ON_FAILURE };
  const { world, service } = played({}, [app], 90);
  update(world, service, { desiredCount: 0 });
  pass(world, 60_000);
  assert.deepEqual(tasksOf(world, service), []);
});

test('6.9, 6.52: a task that a user stops, with and without a reason', () => {
  const { world, service } = played({}, [APP], 5);
  const [first] = tasksOf(world, service);
  ecsOf(world).stopTask({ task: first?.id ?? '' });
  pass(world, 0);
  update(world, service);
  pass(world, 0);
  const [second] = tasksOf(world, service);
  ecsOf(world).stopTask({ task: second?.id ?? '', reason: 'to see what happens' });
  pass(world, 0);
  const stopped = ecsOf(world).describeService(service)?.tasks ?? [];
  const said = new Set(
    stopped.map(({ stopCode, stoppedReason }) => `${stopCode}: ${stoppedReason}`),
  );
  assert.deepEqual(
    said,
    new Set(['UserInitiated: Task stopped by user', 'UserInitiated: to see what happens']),
  );
  assert.equal(stopped[0]?.containers[0]?.exitCode, 143);
});

test('6.53, 10.25: tasks that the scheduler stops name the deployment they belong to', () => {
  const { world, service } = played({}, [APP], 5);
  const before = ecsOf(world).describeService(service)?.deployments[0]?.id;
  update(world, service, { forceNewDeployment: true });
  pass(world, 10_000);
  const stopped = (ecsOf(world).describeService(service)?.tasks ?? []).filter(
    ({ stopCode }) => stopCode !== null,
  );
  assert.deepEqual(
    stopped.map(({ stopCode, stoppedReason }) => `${stopCode}: ${stoppedReason}`),
    [`ServiceSchedulerInitiated: Scaling activity initiated by (deployment ${before})`],
  );
});

test('StopTask of a task that nobody knows is refused; of one that stops already it is nothing', () => {
  const { world } = played({}, [APP], 5);
  assert.throws(() => ecsOf(world).stopTask({ task: 'none' }), /The referenced task was not found/);
});

test('6.17, fine print m: an image for another platform exits at once, with 1', () => {
  const { stopped } = played({ 'app:1': { platforms: ['linux/arm64'] } }, [APP], 0);
  const [container] = stopped[0]?.containers ?? [];
  assert.deepEqual([container?.exitCode, container?.logTail], [1, ['exec format error']]);
});

test('6.13, 6.83: a program that the image does not hold is a failure to start', () => {
  const { stopped } = played(
    { 'app:1': { executables: ['node'] } },
    [{ ...APP, command: ['npm', 'start'] }],
    0,
  );
  assert.equal(stopped[0]?.stopCode, 'TaskFailedToStart');
  assert.match(
    stopped[0]?.stoppedReason ?? '',
    /^CannotStartContainerError: .+exec: "npm": executable file not found/,
  );
});

const PULL = 'CannotPullContainerError: pull image manifest has been retried 1 time(s): failed to';
const refusals: readonly { rule: string; pull: PullAnswer; image: string; said: string }[] = [
  {
    ...{ rule: '6.110', pull: 'not-found', image: 'app:1' },
    said: 'resolve ref docker.io/library/app:1: docker.io/library/app:1: not found',
  },
  {
    ...{ rule: '6.111', pull: 'denied', image: 'example.com/app' },
    said: 'resolve ref example.com/app:latest: pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
  },
  {
    ...{ rule: '6.113', pull: 'timeout', image: 'example.com/shop/app:1' },
    said: 'resolve ref example.com/shop/app:1: failed to do request: Head "https://example.com/v2/shop/app/manifests/1": dial tcp 192.0.2.1:443: i/o timeout',
  },
];

for (const { rule, pull, image, said } of refusals) {
  test(`6.80, ${rule}: a pull that is answered with ${pull}`, () => {
    const { stopped } = played({ [image]: { pull: [pull] } }, [{ name: 'app', image }], 0);
    assert.equal(stopped[0]?.stoppedReason, `${PULL} ${said}`);
  });
}

test('6.6: a task that never ran has no startedAt; others have all three times', () => {
  const never = played({ 'app:1': { pull: ['not-found'] } }, [APP], 0).stopped[0];
  assert.equal(never?.startedAtMs, null);
  assert.notEqual(never?.stoppedAtMs, null);
  const { stopped } = played({ 'app:1': { exits: { afterMs: 2_000, code: 1 } } }, [APP], 2);
  const [ran] = stopped;
  assert.equal((ran?.stoppedAtMs ?? 0) - (ran?.startedAtMs ?? 0), 2_000);
});

test('fine print k: every start of a task asks for its image', () => {
  const { view } = played(
    { 'app:1': { pull: ['not-found', 'denied', 'ok'], output: [] } },
    [APP],
    60,
  );
  const reasons = (view?.tasks ?? []).map(({ stoppedReason }) => stoppedReason ?? 'runs');
  assert.equal(reasons.filter((reason) => reason.endsWith('not found')).length, 1);
  assert.equal(reasons.filter((reason) => reason.includes('pull access denied')).length, 1);
  assert.equal(view?.runningCount, 1);
});

test('6.5: of tasks that stopped alike the first and last three are kept, with their number', () => {
  const { view } = played({ 'app:1': { exits: { afterMs: 0, code: 1 } } }, [APP], 600);
  const stopped = (view?.tasks ?? []).filter(({ lastStatus }) => lastStatus === 'STOPPED');
  assert.equal(stopped.length, 6);
  assert.equal(new Set(stopped.map(({ alike }) => alike)).size, 1);
  assert.equal(stopped[0]?.alike, view?.deployments[0]?.failedTasks);
});

test('6.12: of a reason 1,024 characters are kept', () => {
  const program = `/opt/${'x'.repeat(2_000)}`;
  const { stopped } = played({ 'app:1': { executables: [] } }, [{ ...APP, command: [program] }], 0);
  const [task] = stopped;
  assert.equal(task?.stoppedReason?.length, 1_024);
  assert.equal(task?.containers[0]?.reason?.length, 1_024);
});
