import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createEcs } from '../../../../src/aws/ecs/index.ts';
import { PRESETS } from '../../../../src/aws/ecs/rules.ts';
import type { JsonObject } from '../../../../src/base/index.ts';
import {
  breaker,
  contextOf,
  createEcsWorld,
  eventTexts,
  type Images,
  pass,
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
  const starts = eventTexts(world, service)
    .filter((text) => text.includes('has started'))
    .map((text) => Number(text.split(' ')[0]));
  assert.deepEqual(starts, [0, 43, 96, 169]); // 33 s to fail, then 10, 20 and 40 s
});

test('10.6: on AWS "unable to consistently start tasks" is not said of tasks that ran', () => {
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

test('10.24, 5.41: on AWS an equal placement failure is said again after 6 h', () => {
  const { world, service } = webOnAws({ 'web:1': { pull: ['not-found'] } });
  pass(world, 7 * 3_600_000);
  const said = eventTexts(world, service).filter((text) => text.includes('unable to place'));
  assert.equal(said.length, 2);
});
