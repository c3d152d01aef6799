import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../../src/base/index.ts';
import {
  behave,
  breaker,
  createEcsWorld,
  createWeb,
  ecsOf,
  eventTexts,
  type Images,
  pass,
  percents,
  primary,
  register,
  serviceState,
  tasksOf,
  update,
} from '../../../support/ecs-world.ts';

const FAILS_TO_PULL = { pull: ['not-found'] } as const;
const EXITS = { exits: { afterMs: 1_000, code: 1 } } as const;

/** A first deployment whose tasks do as `images` says, under a breaker. */
function firstDeployment(images: Images, more: JsonObject = {}) {
  const world = createEcsWorld(images);
  register(world, 'web:1');
  const service = createWeb(world, { deploymentConfiguration: breaker(true), ...more });
  return { world, service };
}

/** A rollout from `web:1` to `web:2`, under a breaker. */
function rollout(images: Images, configuration: JsonObject, more: JsonObject = {}) {
  const world = createEcsWorld(images);
  register(world, 'web:1');
  const service = createWeb(world, { deploymentConfiguration: configuration, ...more });
  pass(world, 10_000);
  const first = primary(world, service).id;
  update(world, service, { taskDefinition: register(world, 'web:2') });
  return { world, service, first, second: primary(world, service).id };
}

test('4.7: it trips when the threshold is reached', () => {
  const { world, service } = firstDeployment({ 'web:1': FAILS_TO_PULL });
  pass(world, 1_499); // failures at 0 s, 0.5 s, 1.5 s
  assert.deepEqual(
    [primary(world, service).failedTasks, primary(world, service).rolloutState],
    [2, 'IN_PROGRESS'],
  );
  pass(world, 1);
  assert.deepEqual(
    [primary(world, service).failedTasks, primary(world, service).rolloutState],
    [3, 'FAILED'],
  );
});

test('4.1: of a desired count of 8 four failures trip it', () => {
  const { world, service } = firstDeployment(
    { 'web:1': { pull: ['ok', 'ok', 'ok', 'ok', 'ok', 'not-found'] } },
    { desiredCount: 8 },
  );
  pass(world, 100);
  assert.deepEqual(
    [primary(world, service).failedTasks, primary(world, service).rolloutState],
    [3, 'IN_PROGRESS'],
  );
  pass(world, 30_000);
  assert.equal(primary(world, service).rolloutState, 'FAILED');
});

test('4.12: an exit after RUNNING counts like a task that never started', () => {
  const { world, service } = firstDeployment({ 'web:1': EXITS });
  pass(world, 60_000);
  assert.equal(primary(world, service).rolloutState, 'FAILED');
  assert.equal(primary(world, service).failedTasks, 3);
});

test('4.12: failures in a row are not forgotten because a replacement runs, only at the steady state', () => {
  const { world, service } = firstDeployment({
    'web:1': { pull: ['not-found', 'not-found', 'ok'] },
  });
  pass(world, 1_500 + 9_999);
  assert.equal(primary(world, service).failedTasks, 2);
  pass(world, 1);
  assert.equal(primary(world, service).failedTasks, 0);
});

test('4.13: what is stopped deliberately is no failure', () => {
  const { world, service } = firstDeployment({}, { desiredCount: 4 });
  pass(world, 10_000);
  const [task] = tasksOf(world, service);
  ecsOf(world).stopTask({ task: task?.id ?? '' });
  update(world, service, { desiredCount: 2 });
  pass(world, 10_000);
  assert.equal(primary(world, service).failedTasks, 0);
  assert.equal(tasksOf(world, service).length, 2);
});

test('4.13: a task that a user stopped is not replaced until the next update', () => {
  const { world, service } = firstDeployment({}, { desiredCount: 2 });
  pass(world, 10_000);
  const [task] = tasksOf(world, service);
  ecsOf(world).stopTask({ task: task?.id ?? '' });
  pass(world, 600_000);
  assert.equal(tasksOf(world, service).length, 1);
  update(world, service);
  pass(world, 10_000);
  assert.equal(tasksOf(world, service).length, 2);
  assert.equal(serviceState(world, service).steady, true);
});

test('2.8, 4.14, 2.25: a rollback makes the last COMPLETED deployment PRIMARY again, under its own id', () => {
  const images = { 'web:2': FAILS_TO_PULL };
  // With 100/0 the old task is gone when the breaker trips, and starts again.
  const configuration = { ...percents(100, 0), ...breaker(true) };
  const { world, service, first } = rollout(images, configuration);
  pass(world, 1_500);
  const back = primary(world, service);
  assert.equal(back.id, first);
  assert.deepEqual(
    [back.rolloutState, back.rolloutStateReason],
    ['IN_PROGRESS', `ECS deployment circuit breaker: rolling back to deploymentId ${first}.`],
  );
  pass(world, 10_000);
  assert.deepEqual([back.rolloutState, back.counts.counting], ['COMPLETED', 1]);
});

test('4.14: what was put back is not eligible for another rollback', () => {
  const images = { 'web:2': FAILS_TO_PULL };
  const { world, service, first } = rollout(images, { ...percents(100, 0), ...breaker(true) });
  behave(world, { 'web:1': FAILS_TO_PULL, 'web:2': FAILS_TO_PULL });
  pass(world, 600_000);
  const back = primary(world, service);
  assert.equal(back.id, first);
  assert(back.failedTasks > 3);
  assert.equal(back.rolloutState, 'IN_PROGRESS');
});

test('4.14, 4.13: a rollback replaces what a user stopped meanwhile', () => {
  const { world, service, first } = rollout({ 'web:2': FAILS_TO_PULL }, breaker(true), {
    desiredCount: 2,
  });
  pass(world, 100);
  const old = tasksOf(world, service).find(({ deployment }) => deployment === first);
  ecsOf(world).stopTask({ task: old?.id ?? '' });
  pass(world, 20_000);
  assert.deepEqual(
    [primary(world, service).id, primary(world, service).rolloutState],
    [first, 'COMPLETED'],
  );
  assert.equal(tasksOf(world, service).length, 2);
});

test('4.15: a failed deployment is ACTIVE once rolled back, and leaves with its last task', () => {
  const images = { 'web:2': { pull: ['ok', 'not-found'] } } as const;
  const { world, service, second } = rollout(images, breaker(true), { desiredCount: 2 });
  let seen: string | undefined;
  pass(world, 60_000, {
    round() {
      const failed = serviceState(world, service).deployments.find(({ id }) => id === second);
      if (failed?.rolloutState === 'FAILED') seen = failed.status;
    },
  });
  assert.equal(seen, 'ACTIVE');
  assert.equal(serviceState(world, service).deployments.length, 1);
});

test('4.16, 4.19, 2.24: without a COMPLETED deployment it stalls: PRIMARY, FAILED, no more tasks', () => {
  const { world, service } = firstDeployment({ 'web:1': FAILS_TO_PULL });
  pass(world, 2_000);
  const told = eventTexts(world, service).length;
  behave(world, {});
  pass(world, 3_600_000);
  const { rolloutState, rolloutStateReason, status } = primary(world, service);
  assert.deepEqual([status, rolloutState], ['PRIMARY', 'FAILED']);
  assert.equal(rolloutStateReason, 'ECS deployment circuit breaker: task failed to start.');
  assert.deepEqual(eventTexts(world, service).slice(told), []);
  assert.equal(tasksOf(world, service).length, 0);
});

test('4.17, 4.18: without rollback the old tasks serve on, and so do the new ones that run', () => {
  const images = { 'web:2': { pull: ['ok', 'not-found'] } } as const;
  const { world, service, second } = rollout(images, breaker(false), { desiredCount: 2 });
  pass(world, 60_000);
  assert.equal(primary(world, service).id, second);
  assert.equal(primary(world, service).rolloutState, 'FAILED');
  const running = serviceState(world, service).deployments.map(({ counts }) => counts.counting);
  assert.deepEqual(running, [1, 2]);
});

test('4.19: a FAILED deployment is left behind by the next update, also by one to its own revision', () => {
  const images = { 'web:2': { pull: ['ok', 'not-found'] } } as const;
  const { world, service, second } = rollout(images, breaker(false), { desiredCount: 2 });
  pass(world, 60_000);
  update(world, service, { taskDefinition: 'web:1' });
  assert.equal(primary(world, service).rolloutState, 'IN_PROGRESS');
  behave(world, {});
  update(world, service, { taskDefinition: 'web:2' });
  const { id, failedTasks, rolloutState } = primary(world, service);
  assert.notEqual(id, second);
  assert.deepEqual([failedTasks, rolloutState], [0, 'IN_PROGRESS']);
  pass(world, 60_000);
  assert.equal(primary(world, service).rolloutState, 'COMPLETED');
});

test('2.17, 4.14: a deployment that the user goes back to is watched again', () => {
  const images = { 'web:2': FAILS_TO_PULL };
  const { world, service, first } = rollout(
    images,
    { ...percents(200, 50), ...breaker(true) },
    { desiredCount: 2 },
  );
  pass(world, 20_000);
  assert.equal(primary(world, service).id, first); // put back by ECS
  update(world, service, { taskDefinition: register(world, 'web:3') });
  pass(world, 100);
  update(world, service, { taskDefinition: 'web:1', desiredCount: 6 });
  assert.equal(primary(world, service).id, first); // and by the user
  behave(world, { 'web:1': FAILS_TO_PULL });
  pass(world, 60_000);
  const { rolloutState, status, counts } = primary(world, service);
  assert.deepEqual([rolloutState, status, counts.counting], ['FAILED', 'PRIMARY', 2]);
});

test('4.26: without a breaker nothing fails, however often tasks do', () => {
  const { world, service } = firstDeployment({ 'web:1': EXITS }, { deploymentConfiguration: {} });
  pass(world, 3_600_000);
  assert(primary(world, service).failedTasks > 100);
  assert.equal(primary(world, service).rolloutState, 'IN_PROGRESS');
});

test('2.41, 4.20, 5.9, fine print d: the complaint, the failure, the way back, in this order', () => {
  const { world, service } = rollout({ 'web:2': FAILS_TO_PULL }, breaker(true));
  pass(world, 1_500);
  const said = eventTexts(world, service).filter((text) => text.startsWith('11.5 '));
  assert.deepEqual(said.slice(1, 4), [
    '11.5 (service web) is unable to consistently start tasks successfully.',
    '11.5 (service web) (deployment ecs-svc/#) deployment failed: tasks failed to start.',
    '11.5 (service web) rolling back to deployment ecs-svc/#.',
  ]);
});

test('fine print d: failures after the breaker has tripped still count', () => {
  const images = { 'web:1': { exits: { afterMs: 1_000, code: 1 } } } as const;
  const { world, service } = firstDeployment(images, { desiredCount: 5 });
  pass(world, 1_000); // all five end in one instant, the threshold is 3
  assert.equal(primary(world, service).rolloutState, 'FAILED');
  assert.equal(primary(world, service).failedTasks, 5);
});

const resets: readonly { rule: string; resetOnHealthyTask?: boolean; failed: number }[] = [
  { rule: '4.12 by default only a steady state clears the failures', failed: 2 },
  {
    rule: '4.6 a task that counts clears them where that is set',
    resetOnHealthyTask: true,
    failed: 0,
  },
  { rule: '4.6 or leaves them', resetOnHealthyTask: false, failed: 2 },
];

for (const { rule, failed, ...reset } of resets) {
  test(rule, () => {
    const deploymentCircuitBreaker = { enable: true, rollback: false, ...reset };
    const { world, service } = firstDeployment(
      { 'web:1': { pull: ['ok', 'not-found', 'not-found', 'ok'] } },
      { desiredCount: 2, deploymentConfiguration: { deploymentCircuitBreaker } },
    );
    pass(world, 10_000); // the first task counts; the third attempt of the other runs since 1.5 s
    assert.equal(primary(world, service).counts.counting, 1);
    assert.equal(primary(world, service).failedTasks, failed);
  });
}

test('4.4, 4.5: a threshold of its own, of the desired count as it is now', () => {
  const deploymentCircuitBreaker = {
    ...{ enable: true, rollback: false },
    thresholdConfiguration: { type: 'UNBOUNDED_PERCENT', value: 50 },
  };
  const { world, service } = firstDeployment(
    { 'web:1': FAILS_TO_PULL },
    { desiredCount: 20, deploymentConfiguration: { deploymentCircuitBreaker } },
  );
  update(world, service, { desiredCount: 2 });
  pass(world, 0);
  assert.equal(primary(world, service).failedTasks, 2);
  assert.equal(primary(world, service).rolloutState, 'FAILED', 'half of 2 is 1');
});
