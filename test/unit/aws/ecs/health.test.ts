import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEcs } from '../../../../src/aws/ecs/index.ts';
import type { JsonObject } from '../../../../src/base/index.ts';
import {
  breaker,
  contextOf,
  createEcsWorld,
  createWeb,
  describeTargetGroup,
  eventTexts,
  type Images,
  pass,
  percents,
  primary,
  register,
  serviceState,
  tasksOf,
  webRequest,
} from '../../../support/ecs-world.ts';

const GROUP = 'arn:aws:elasticloadbalancing:us-east-1:000000000000:targetgroup/web/0a1b';
const BALANCED = {
  loadBalancers: [{ targetGroupArn: GROUP, containerName: 'app', containerPort: 80 }],
};

/** A service of one container, checked as said, a second after so much time. */
function webAt(
  afterMs: number,
  image: Images[string],
  { healthCheck, service = {} }: { healthCheck?: JsonObject; service?: JsonObject },
) {
  const world = createEcsWorld({ 'web:1': image });
  describeTargetGroup(world, GROUP, {
    ...{ intervalMs: 10_000, healthyThreshold: 2, unhealthyThreshold: 3 },
  });
  const app = { name: 'app', image: 'web:1', portMappings: [{ containerPort: 80 }] };
  const containerDefinitions = [healthCheck === undefined ? app : { ...app, healthCheck }];
  register(world, 'web:1', { containerDefinitions });
  const arn = createWeb(world, service);
  pass(world, afterMs);
  return { world, service: arn };
}

const CHECK = { command: ['CMD', 'check'] };

/** `counts`: the task counts then; `waits`: it runs and does not; `replaced`: it is another task. */
const rows: readonly {
  rule: string;
  image?: Images[string];
  healthCheck?: JsonObject;
  service?: JsonObject;
  at: number; // seconds
  then: 'counts' | 'waits' | 'replaced';
}[] = [
  { rule: '2.10 without a check it counts after 3 s', at: 3, then: 'counts' },
  { rule: '6.70 the first check comes after 30 s', healthCheck: CHECK, at: 29, then: 'waits' },
  { rule: '6.70 an interval is 30 s', healthCheck: CHECK, at: 30, then: 'counts' },
  {
    rule: '6.70 an interval may be another',
    healthCheck: { ...CHECK, interval: 7 },
    at: 7,
    then: 'counts',
  },
  {
    rule: '6.72 three failures make it unhealthy',
    image: { healthcheck: 'fail' },
    healthCheck: CHECK,
    at: 89,
    then: 'waits',
  },
  {
    rule: '6.35, 6.72 three failures make it unhealthy',
    image: { healthcheck: 'fail' },
    healthCheck: CHECK,
    at: 91,
    then: 'replaced',
  },
  {
    rule: '6.72 one failure, where that is set',
    image: { healthcheck: 'fail' },
    healthCheck: { ...CHECK, retries: 1, interval: 5 },
    at: 6,
    then: 'replaced',
  },
  {
    rule: '6.31 failures in the start period do not count',
    image: { healthcheck: 'fail' },
    healthCheck: { ...CHECK, interval: 10, retries: 1, startPeriod: 25 },
    at: 29,
    then: 'waits',
  },
  {
    rule: '6.31 those after it do',
    image: { healthcheck: 'fail' },
    healthCheck: { ...CHECK, interval: 10, retries: 1, startPeriod: 25 },
    at: 31,
    then: 'replaced',
  },
  {
    rule: '6.31 a success in the start period counts',
    healthCheck: { ...CHECK, interval: 10, startPeriod: 300 },
    at: 10,
    then: 'counts',
  },
  {
    rule: '6.32 a check that only the image has is not run',
    image: { healthcheck: 'fail' },
    at: 3,
    then: 'counts',
  },
  {
    rule: '6.30 NONE is no check',
    healthCheck: { command: ['NONE'] },
    at: 3,
    then: 'counts',
  },
  { rule: '2.10 a target that answers twice counts', service: BALANCED, at: 20, then: 'counts' },
  { rule: '2.10 not before', service: BALANCED, at: 19, then: 'waits' },
  {
    rule: '2.10 one that listens later answers later',
    image: { listens: { port: 80, afterMs: 15_000 } },
    service: BALANCED,
    at: 30,
    then: 'counts',
  },
  {
    rule: '6.54 three checks without an answer make it unhealthy',
    image: { listens: { port: 80, afterMs: 60_000 } },
    service: BALANCED,
    at: 31,
    then: 'replaced',
  },
  {
    rule: '6.54 a container that listens elsewhere never answers',
    image: { listens: { port: 8080, afterMs: 0 } },
    service: BALANCED,
    at: 31,
    then: 'replaced',
  },
  {
    rule: '6.36 in the grace period a failing check is not looked at',
    image: { listens: { port: 80, afterMs: 60_000 } },
    service: { ...BALANCED, healthCheckGracePeriodSeconds: 45 },
    at: 44,
    then: 'waits',
  },
  {
    rule: '6.36 after it, it is',
    image: { listens: { port: 80, afterMs: 60_000 } },
    service: { ...BALANCED, healthCheckGracePeriodSeconds: 45 },
    at: 46,
    then: 'replaced',
  },
  {
    rule: '6.36 one that answers before it ends is healthy',
    image: { listens: { port: 80, afterMs: 60_000 } },
    service: { ...BALANCED, healthCheckGracePeriodSeconds: 90 },
    at: 70,
    then: 'counts',
  },
  {
    rule: '6.36 it is for the checks of containers too',
    image: { healthcheck: 'fail' },
    healthCheck: { ...CHECK, interval: 5, retries: 1 },
    service: { ...BALANCED, healthCheckGracePeriodSeconds: 60 },
    at: 59,
    then: 'waits',
  },
  {
    rule: '2.10 with both kinds of check both have to pass',
    healthCheck: { ...CHECK, interval: 5 },
    service: BALANCED,
    at: 19,
    then: 'waits',
  },
  {
    rule: '2.10 with both kinds of check both have to pass',
    healthCheck: { ...CHECK, interval: 5 },
    service: BALANCED,
    at: 20,
    then: 'counts',
  },
];

for (const { rule, image = {}, at, then, ...checked } of rows) {
  test(`${rule}: at ${at} s it ${then}`, () => {
    const { world, service } = webAt(at * 1_000, image, checked);
    const [task, ...others] = tasksOf(world, service);
    assert.deepEqual(others, []);
    const isFirst = task?.createdAtMs === serviceState(world, service).createdAtMs;
    const standing = task?.phase === 'counting' ? 'counts' : 'waits';
    assert.equal(isFirst ? standing : 'replaced', then);
    assert.equal(primary(world, service).failedTasks > 0, then === 'replaced', '4.25');
  });
}

const FAILING: Images[string] = { healthcheck: 'fail' };
const SILENT: Images[string] = { listens: { port: 80, afterMs: 3_600_000 } };
const stops: readonly {
  rule: string;
  image: Images[string];
  healthCheck?: JsonObject;
  service?: JsonObject;
  reason: string;
  said: string;
}[] = [
  {
    ...{ rule: '5.23, 6.55, 6.60 a container that fails its check', image: FAILING },
    healthCheck: CHECK,
    reason: 'Task failed container health checks',
    said: '(service web) (task) failed container health checks.',
  },
  {
    ...{ rule: '5.24, 5.50, 6.54, 6.60 a target that does not answer', image: SILENT },
    service: BALANCED,
    reason: `Task failed ELB health checks in (target-group ${GROUP})`,
    said: `(service web) (task) (port 80) is unhealthy in (target-group ${GROUP}) due to (reason Health checks failed).`,
  },
];

for (const { rule, image, reason, said, ...checked } of stops) {
  test(`${rule}: is told, and stops with its reason`, () => {
    const { world, service } = webAt(91_000, image, checked);
    const stopped = Object.values(serviceState(world, service).stopped)[0]?.first[0];
    assert.equal(stopped?.stopCode, 'ServiceSchedulerInitiated');
    assert.equal(stopped.stoppedReason, reason);
    const told = eventTexts(world, service).map((text) => text.replace(/^\S+ /, ''));
    assert.deepEqual(
      told.slice(told.indexOf(said))[1],
      '(service web) has stopped 1 running tasks: (task).',
    );
  });
}

for (const timing of ['local', 'aws'] as const) {
  test(`10.2, 2.10, 4.25: under \`${timing}\` a check that is declared gates, and fails its task`, () => {
    const deploymentConfiguration = breaker(false);
    const run = (image: Images[string]) => {
      const world = createEcsWorld({ 'web:1': image });
      register(world, 'web:1', {
        containerDefinitions: [{ name: 'app', image: 'web:1', healthCheck: CHECK }],
      });
      const asked = { ...webRequest(), deploymentConfiguration };
      const { service } = createEcs(contextOf(world, timing)).createService(asked);
      return { world, service };
    };
    const passing = run({});
    pass(passing.world, (timing === 'aws' ? 33_000 : 0) + 29_999);
    assert.equal(primary(passing.world, passing.service).counts.counting, 0, 'it waits');
    pass(passing.world, 1);
    assert.equal(primary(passing.world, passing.service).rolloutState, 'COMPLETED');
    const failing = run(FAILING);
    pass(failing.world, 600_000);
    assert.equal(primary(failing.world, failing.service).rolloutState, 'FAILED');
    assert.equal(primary(failing.world, failing.service).failedTasks, 3);
  });
}

test('6.35, dec. 10: checks act on a task that is RUNNING, not on one that waits', () => {
  const world = createEcsWorld({ 'dep:1': FAILING });
  const dependsOn = [{ containerName: 'dep', condition: 'HEALTHY' }];
  register(world, 'web:1', {
    containerDefinitions: [
      { name: 'app', image: 'web:1', dependsOn },
      { name: 'dep', image: 'dep:1', healthCheck: CHECK },
    ],
  });
  const service = createWeb(world);
  pass(world, 600_000);
  const tasks = tasksOf(world, service);
  assert.deepEqual(
    tasks.map(({ lastStatus }) => lastStatus),
    ['PENDING'],
  );
  assert.equal(tasks[0]?.createdAtMs, serviceState(world, service).createdAtMs);
  assert.equal(primary(world, service).failedTasks, 0);
});

test('6.34: only essential containers say how a task is', () => {
  const world = createEcsWorld({ 'side:1': { healthcheck: 'fail' }, 'web:1': {} });
  register(world, 'web:1', {
    containerDefinitions: [
      { name: 'app', image: 'web:1', healthCheck: CHECK },
      { name: 'side', image: 'side:1', essential: false, healthCheck: CHECK },
    ],
  });
  const service = createWeb(world);
  pass(world, 600_000);
  const [task] = tasksOf(world, service);
  assert.equal(task?.phase, 'counting');
  assert.deepEqual(
    task.containers.map(({ name, healthStatus }) => `${name} ${healthStatus}`),
    ['app HEALTHY', 'side UNHEALTHY'],
  );
});

test('6.33: what a failing check prints is shown', () => {
  const image: Images[string] = { healthcheck: 'fail', healthcheckOutput: 'connection refused' };
  const { world, service } = webAt(600_000, image, { healthCheck: CHECK });
  const groups = Object.values(serviceState(world, service).stopped);
  assert.equal(groups[0]?.first[0]?.containers[0]?.healthOutput, 'connection refused');
});

test('3.13, 2.42, 5.3, 5.5 to 5.7, 5.24: after a rollout the replacement of an unhealthy task starts first', () => {
  // It listens from the first check on, and its container check fails from the second minute on.
  const { world, service } = webAt(60_000, {}, { service: { ...BALANCED, desiredCount: 2 } });
  assert.equal(primary(world, service).rolloutState, 'COMPLETED');
  const [task] = tasksOf(world, service);
  const target = task?.health?.targets[GROUP] ?? assert.fail('it is a target');
  const runtime = world.simulated['000000000000/us-east-1' as keyof typeof world.simulated];
  runtime?.seenTargets.items.push({
    ...{ task: task?.id ?? assert.fail(), targetGroup: GROUP, status: 'UNHEALTHY' },
    reason: 'Request timed out',
  });
  const before = eventTexts(world, service).length;
  pass(world, 0);
  assert.equal(target.status, 'UNHEALTHY');
  assert.deepEqual(eventTexts(world, service).slice(before), [
    '60 (service web) has started 1 tasks: (task). Amazon ECS replaced 1 tasks due to an unhealthy status.',
    `60 (service web) (task) (port 80) is unhealthy in (target-group ${GROUP}) due to (reason Request timed out).`,
    '60 (service web) has stopped 1 running tasks: (task).',
    `60 (service web) deregistered 1 targets in (target-group ${GROUP})`,
    '60 (service web, taskSet ecs-svc/#) has begun draining connections on 1 tasks.',
    `60 (service web) registered 1 targets in (target-group ${GROUP})`,
  ]);
  assert.equal(primary(world, service).rolloutState, 'COMPLETED', '2.16');
  assert.equal(primary(world, service).failedTasks, 1, '4.25');
});

test('3.13: where there is no room for it, the unhealthy task stops first', () => {
  const deploymentConfiguration = percents(100, 0);
  const { world, service } = webAt(
    60_000,
    {},
    {
      service: { ...BALANCED, deploymentConfiguration },
    },
  );
  const [task] = tasksOf(world, service);
  const runtime = world.simulated['000000000000/us-east-1' as keyof typeof world.simulated];
  runtime?.seenTargets.items.push({
    ...{ task: task?.id ?? assert.fail(), targetGroup: GROUP, status: 'UNHEALTHY' },
    reason: 'Request timed out',
  });
  const before = eventTexts(world, service).length;
  pass(world, 1_000);
  const said = eventTexts(world, service).slice(before);
  assert.match(said[0] ?? '', /is unhealthy in/);
  assert.match(said.at(-2) ?? '', /^60\.5 .* has started 1 tasks: \(task\)\.$/);
});
