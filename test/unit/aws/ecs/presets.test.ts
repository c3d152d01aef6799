import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createEcs } from '../../../../src/aws/ecs/index.ts';
import { PRESETS } from '../../../../src/aws/ecs/rules.ts';
import type { JsonObject, ServiceArn } from '../../../../src/base/index.ts';
import type { World } from '../../../../src/world/index.ts';
import {
  breaker,
  contextOf,
  createEcsWorld,
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
import { ROOT } from '../../../support/root.ts';

/** A service of a stack with the timing of AWS. */
function webOnAws(images: Images = {}, more: JsonObject = {}) {
  const world = createEcsWorld(images);
  register(world, 'web:1');
  const ecs = createEcs(contextOf(world, 'aws'));
  const { service } = ecs.createService({ ...webRequest(), ...more });
  return { world, service };
}

/** When tasks were started, in seconds. */
function startsOf(world: World, service: ServiceArn): readonly number[] {
  return eventTexts(world, service)
    .filter((text) => text.includes('has started'))
    .map((text) => Number(text.split(' ')[0]));
}

test('6.2, 10.1, fine print m: on AWS a task takes its time, and counts 40 s after RUNNING', () => {
  const { world, service } = webOnAws();
  const statuses: string[] = [];
  for (const ms of [0, 18_000, 14_999, 1]) {
    pass(world, ms);
    statuses.push(tasksOf(world, service)[0]?.lastStatus ?? '');
  }
  assert.deepEqual(statuses, ['PROVISIONING', 'ACTIVATING', 'ACTIVATING', 'RUNNING']);
  pass(world, 39_999);
  assert.equal(primary(world, service).rolloutState, 'IN_PROGRESS');
  pass(world, 1);
  assert.equal(primary(world, service).rolloutState, 'COMPLETED');
});

test('6.1: a task that is asked to stop is DEPROVISIONING before it is STOPPED', () => {
  const { world, service } = webOnAws();
  pass(world, 120_000);
  createEcs(contextOf(world)).updateService({ service, desiredCount: 0 });
  pass(world, 0);
  assert.equal(tasksOf(world, service)[0]?.lastStatus, 'DEPROVISIONING');
  pass(world, 15_000);
  assert.deepEqual(tasksOf(world, service), []);
});

test('fine print m: the times are those of the table', () => {
  const { ecs } = JSON.parse(readFileSync(join(ROOT, 'data/durations.json'), 'utf8')) as {
    ecs: {
      fargate: { provision: number[]; containerStart: number[]; firstTaskFloor: number };
      ec2: { awsvpcEni: number[] };
    };
  };
  const { fargate, 'ec2-awsvpc': awsvpc } = PRESETS.aws.taskTimes;
  assert.equal(fargate.provisioningMs, (ecs.fargate.provision[1] ?? 0) * 1_000);
  const firstTask = fargate.provisioningMs + fargate.activatingMs;
  assert(firstTask >= ecs.fargate.firstTaskFloor * 1_000);
  assert.equal(awsvpc.provisioningMs, (ecs.ec2.awsvpcEni[1] ?? 0) * 1_000);
});

test('10.4, 4.11: on AWS an exit counts until the task has counted once, and not after', () => {
  const early = webOnAws({ 'web:1': { exits: { afterMs: 39_000, code: 1 } } });
  pass(early.world, 73_000);
  assert.equal(primary(early.world, early.service).failedTasks, 1);
  const late = webOnAws({ 'web:1': { exits: { afterMs: 41_000, code: 1 } } });
  pass(late.world, 75_000);
  assert.equal(primary(late.world, late.service).failedTasks, 0);
  assert.equal(primary(late.world, late.service).rolloutState, 'COMPLETED');
});

test('10.5, 7.1: on AWS tasks that never ran are tried again after 10 s, 20 s, …', () => {
  const { world, service } = webOnAws({ 'web:1': { pull: ['not-found'] } });
  pass(world, 200_000);
  assert.deepEqual(startsOf(world, service), [0, 43, 96, 169]); // 33 s to fail, then 10, 20 and 40 s
});

test('7.2: on AWS tasks that ran and exited do not slow the next one down', () => {
  const { world, service } = webOnAws({ 'web:1': { exits: { afterMs: 2_000, code: 1 } } });
  pass(world, 300_000);
  const starts = startsOf(world, service);
  assert.deepEqual(starts, [0, 50, 100, 150, 200, 250, 300]); // 33 s, the life of the process, 15 s
});

test('10.6, 7.2: on AWS "unable to consistently start tasks" is not said of tasks that ran', () => {
  const exits = webOnAws({ 'web:1': { exits: { afterMs: 1_000, code: 1 } } });
  pass(exits.world, 600_000);
  assert(primary(exits.world, exits.service).failedTasks > 3);
  const said = (texts: readonly string[]) => texts.some((text) => text.includes('consistently'));
  assert(!said(eventTexts(exits.world, exits.service)));
  const pulls = webOnAws({ 'web:1': { pull: ['denied'] } });
  pass(pulls.world, 600_000);
  assert(said(eventTexts(pulls.world, pulls.service)));
});

test('10.8, 10.26: a rolled back deployment is DRAINING on AWS, with the reason in the plural', () => {
  const { world, service } = webOnAws(
    { 'web:2': { pull: ['not-found'] } },
    { deploymentConfiguration: breaker(true) },
  );
  pass(world, 120_000);
  const taskDefinition = register(world, 'web:2');
  createEcs(contextOf(world)).updateService({ service, taskDefinition });
  const isBack = () => serviceState(world, service).deployments[0]?.resurrected === true;
  for (let seconds = 0; seconds < 600 && !isBack(); seconds += 1) pass(world, 1_000);
  const [back, failed] = serviceState(world, service).deployments;
  assert.equal(back?.resurrected, true);
  assert.equal(failed?.status ?? 'DRAINING', 'DRAINING');
  const last = failed ?? serviceState(world, service).lastFailed;
  assert.equal(last?.rolloutStateReason, 'ECS deployment circuit breaker: tasks failed to start.');
});

test('10.11, 3.3: on AWS a task that is stopping takes no room', () => {
  const { world, service } = webOnAws(
    {},
    {
      deploymentConfiguration: { maximumPercent: 100, minimumHealthyPercent: 0 },
    },
  );
  pass(world, 120_000);
  const taskDefinition = register(world, 'web:2');
  createEcs(contextOf(world)).updateService({ service, taskDefinition });
  pass(world, 0);
  assert.deepEqual(
    tasksOf(world, service).map(({ lastStatus }) => lastStatus),
    ['DEPROVISIONING', 'PROVISIONING'],
  );
});

test('10.16: on AWS a steady state is said again after 6 h', () => {
  const { world, service } = webOnAws();
  pass(world, 12.5 * 3_600_000);
  const said = eventTexts(world, service).filter((text) => text.includes('steady state'));
  assert.deepEqual(
    said.map((text) => Number(text.split(' ')[0])),
    [73, 73 + 21_600, 73 + 43_200],
  );
});

test('10.17, 4.13: on AWS a task that a user stopped is replaced', () => {
  const { world, service } = webOnAws();
  pass(world, 120_000);
  const [task] = tasksOf(world, service);
  createEcs(contextOf(world)).stopTask({ task: task?.id ?? '' });
  pass(world, 120_000);
  assert.equal(tasksOf(world, service).length, 1);
  assert.equal(primary(world, service).failedTasks, 0);
});

test('10.13, 3.11, 5.10: on AWS percentages that leave no room are complained of after 5 min', () => {
  const { world, service } = webOnAws({}, { deploymentConfiguration: percents(100, 100) });
  pass(world, 120_000);
  const taskDefinition = register(world, 'web:2');
  createEcs(contextOf(world)).updateService({ service, taskDefinition });
  pass(world, 3_600_000);
  const [holding, complaint, ...more] = eventTexts(world, service).slice(-2);
  assert.match(holding ?? '', /^120 .+ is holding at 1 task\(s\)/);
  assert.match(complaint ?? '', /^420 .+ was unable to stop or start tasks during a deployment/);
  assert.deepEqual(more, []);
});

test('10.3, 4.6, 4.10: on AWS one task that counts clears the failures, though another one is missing', () => {
  const { world, service } = webOnAws(
    { 'web:1': { pull: ['ok', 'not-found'] } },
    { desiredCount: 2 },
  );
  pass(world, 72_999);
  assert.equal(primary(world, service).failedTasks, 1);
  pass(world, 1); // the first one counts 40 s after it ran
  assert.equal(primary(world, service).failedTasks, 0);
  assert.equal(serviceState(world, service).steady, false);
});

test('10.15, 6.50, 6.61: on EC2 under AWS the error of a failed start stands on its container alone', () => {
  const reasons = (['local', 'aws'] as const).map((timing) => {
    const world = createEcsWorld({ 'web:1': { pull: ['not-found'] } });
    const app = { name: 'app', image: 'web:1', memory: 128 };
    const ecs = createEcs(contextOf(world, timing));
    ecs.registerTaskDefinition({ family: 'web', containerDefinitions: [app] });
    const asked = { serviceName: 'web', taskDefinition: 'web', launchType: 'EC2' };
    const { service } = ecs.createService({ ...asked, desiredCount: 1 });
    pass(world, 3_000);
    const [group] = Object.values(serviceState(world, service).stopped);
    const [task] = group?.first ?? [];
    const error = /^CannotPullContainerError: .+ not found$/;
    assert.match(task?.containers[0]?.reason ?? '', error);
    return error.test(task?.stoppedReason ?? '') ? 'the error' : task?.stoppedReason;
  });
  assert.deepEqual(reasons, ['the error', 'Task failed to start']);
});

test('6.6: stoppingAt is when a task is asked to stop, stoppedAt when its interface is gone', () => {
  const { world, service } = webOnAws();
  pass(world, 120_000);
  createEcs(contextOf(world)).updateService({ service, desiredCount: 0 });
  pass(world, 60_000);
  const [task] = Object.values(serviceState(world, service).stopped)[0]?.first ?? [];
  const { startedAtMs, stoppingAtMs, stoppedAtMs } = task ?? assert.fail('one has stopped');
  const seconds = [startedAtMs, stoppingAtMs, stoppedAtMs].map(
    (at) => ((at ?? 0) - serviceState(world, service).createdAtMs) / 1000,
  );
  assert.deepEqual(seconds, [33, 120, 135]);
});

const GROUP = 'arn:aws:elasticloadbalancing:us-east-1:000000000000:targetgroup/web/0a1b';

test('2.60 to 2.66, 6.2: on AWS a rollout behind a balancer, event by event', () => {
  const world = createEcsWorld();
  describeTargetGroup(world, GROUP, {
    ...{ intervalMs: 10_000, healthyThreshold: 5, deregistrationDelayMs: 60_000 },
  });
  const app = { name: 'app', image: 'web:1', portMappings: [{ containerPort: 80 }] };
  register(world, 'web:1', { containerDefinitions: [app] });
  const ecs = () => createEcs(contextOf(world, 'aws'));
  const loadBalancers = [{ targetGroupArn: GROUP, containerName: 'app', containerPort: 80 }];
  const { service } = ecs().createService({ ...webRequest(), loadBalancers });
  pass(world, 1_000_000);
  const before = eventTexts(world, service).length;
  const taskDefinition = register(world, 'web:2', { containerDefinitions: [app] });
  ecs().updateService({ service, taskDefinition });
  pass(world, 90_000);
  const [draining] = tasksOf(world, service);
  assert.equal(draining?.lastStatus, 'DEACTIVATING');
  pass(world, 400_000);
  assert.deepEqual(eventTexts(world, service).slice(before), [
    '1000 (service web) has started 1 tasks: (task).',
    `1033 (service web) registered 1 targets in (target-group ${GROUP})`,
    '1083 (service web) has stopped 1 running tasks: (task).',
    `1083 (service web) deregistered 1 targets in (target-group ${GROUP})`,
    '1083 (service web, taskSet ecs-svc/#) has begun draining connections on 1 tasks.',
    '1158 (service web) (deployment ecs-svc/#) deployment completed.',
    '1158 (service web) has reached a steady state.',
  ]);
});

for (const timing of ['local', 'aws'] as const) {
  const failsToPull = { pull: ['not-found'] } as const;
  /** A service that is COMPLETED, and an update that does not come up. */
  const updated = (configuration: JsonObject) => {
    const world = createEcsWorld({ 'web:2': failsToPull });
    register(world, 'web:1');
    const ecs = () => createEcs(contextOf(world, timing));
    const asked = { ...webRequest(), deploymentConfiguration: configuration };
    const { service } = ecs().createService(asked);
    pass(world, 120_000);
    const first = primary(world, service).id;
    ecs().updateService({ service, taskDefinition: register(world, 'web:2') });
    return { world, service, first, ecs };
  };

  test(`10.7, 4.1, 4.4: under \`${timing}\` the breaker trips at half the count, or as the service says`, () => {
    const thresholdConfiguration = { type: 'COUNT', value: 5 };
    for (const [threshold, more] of [
      [3, {}],
      [5, { thresholdConfiguration }],
    ] as const) {
      const { deploymentCircuitBreaker } = breaker(false) as {
        deploymentCircuitBreaker: JsonObject;
      };
      const own = { deploymentCircuitBreaker: { ...deploymentCircuitBreaker, ...more } };
      const { world, service } = updated(own);
      pass(world, 3_600_000);
      const { rolloutState, failedTasks } = primary(world, service);
      assert.deepEqual([rolloutState, failedTasks], ['FAILED', threshold]);
    }
  });

  test(`10.9, 4.14, 4.19: under \`${timing}\` a FAILED deployment ends, and rollback puts the last one back`, () => {
    const { world, service, first } = updated(breaker(true));
    pass(world, 3_600_000);
    const { id, rolloutState } = primary(world, service);
    assert.deepEqual([id, rolloutState], [first, 'COMPLETED']);
    const said = eventTexts(world, service).map((text) => text.replace(/^\S+ /, ''));
    assert(said.includes('(service web) rolling back to deployment ecs-svc/#.'));
    assert.equal(said.filter((text) => text.includes('has started')).length, 4, 'one and three');
  });

  test(`10.10, 4.16: under \`${timing}\` there is no way back from a first deployment`, () => {
    const world = createEcsWorld({ 'web:1': failsToPull });
    register(world, 'web:1');
    const asked = { ...webRequest(), deploymentConfiguration: breaker(true) };
    const { service } = createEcs(contextOf(world, timing)).createService(asked);
    pass(world, 3_600_000);
    const { status, rolloutState } = primary(world, service);
    assert.deepEqual([status, rolloutState], ['PRIMARY', 'FAILED']);
    assert.deepEqual(tasksOf(world, service), []);
  });

  test(`10.12, 3.4: under \`${timing}\` an old task goes against a new one that counts, not one that runs`, () => {
    const world = createEcsWorld();
    register(world, 'web:1');
    const ecs = () => createEcs(contextOf(world, timing));
    const { service } = ecs().createService(webRequest());
    pass(world, 120_000);
    const [old] = tasksOf(world, service);
    ecs().updateService({ service, taskDefinition: register(world, 'web:2') });
    const countsAfterMs = timing === 'aws' ? 73_000 : 3_000;
    pass(world, countsAfterMs - 1);
    const running = tasksOf(world, service).map(({ lastStatus }) => lastStatus);
    assert.deepEqual(running, ['RUNNING', 'RUNNING']);
    pass(world, 1);
    assert.notEqual(old?.stoppingAtMs, null);
  });

  test(`10.23, 3.5: under \`${timing}\` the percentages are 200 and 100 where nothing is said`, () => {
    const world = createEcsWorld();
    register(world, 'web:1');
    const { service } = createEcs(contextOf(world, timing)).createService(webRequest());
    const { maximumPercent, minimumHealthyPercent } = serviceState(world, service).configuration;
    assert.deepEqual([maximumPercent, minimumHealthyPercent], [200, 100]);
  });

  test(`10.27, 2.17: under \`${timing}\` a deployment that still has tasks comes back under its id`, () => {
    const { world, service, first, ecs } = updated({});
    pass(world, 10_000);
    assert.notEqual(primary(world, service).id, first);
    ecs().updateService({ service, taskDefinition: 'web:1' });
    assert.equal(primary(world, service).id, first);
    pass(world, 120_000);
    assert.equal(primary(world, service).rolloutState, 'COMPLETED');
  });
}

test('10.24, 5.41: on AWS an equal placement failure is said again after 6 h', () => {
  const { world, service } = webOnAws({ 'web:1': { pull: ['not-found'] } });
  pass(world, 7 * 3_600_000);
  const said = eventTexts(world, service).filter((text) => text.includes('unable to place'));
  assert.equal(said.length, 2);
});
