import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEcs, noteAlarm } from '../../../../src/aws/ecs/index.ts';
import type { JsonObject } from '../../../../src/base/index.ts';
import type { World } from '../../../../src/world/index.ts';
import {
  contextOf,
  createEcsWorld,
  createWeb,
  eventTexts,
  pass,
  primary,
  register,
  serviceState,
  update,
  webRequest,
} from '../../../support/ecs-world.ts';

const WATCHED = { alarms: { alarmNames: ['errors'], enable: true, rollback: true } };

function withWeb(deploymentConfiguration: JsonObject) {
  const world = createEcsWorld();
  register(world, 'web:1');
  const service = createWeb(world, { deploymentConfiguration });
  return { world, service };
}

function fire(world: World, state: 'ALARM' | 'OK'): void {
  noteAlarm(contextOf(world), 'errors', state);
}

test('4.42: a deployment with alarms bakes for 30 s before it is COMPLETED', () => {
  const { world, service } = withWeb(WATCHED);
  pass(world, 20_000);
  update(world, service); // the scheduler looks at it meanwhile
  pass(world, 12_999);
  assert.equal(primary(world, service).rolloutState, 'IN_PROGRESS');
  pass(world, 1);
  assert.equal(primary(world, service).rolloutState, 'COMPLETED');
  assert.deepEqual(eventTexts(world, service).slice(1), [
    '33 (service web) (deployment ecs-svc/#) deployment completed.',
    '33 (service web) has reached a steady state.',
  ]);
});

test('4.42, 10.18: on AWS for 5 min', () => {
  const world = createEcsWorld();
  register(world, 'web:1');
  const asked = { ...webRequest(), deploymentConfiguration: WATCHED };
  const { service } = createEcs(contextOf(world, 'aws')).createService(asked);
  pass(world, 73_000 + 299_999); // 33 s to RUNNING, 40 s to count
  assert.equal(primary(world, service).rolloutState, 'IN_PROGRESS');
  pass(world, 1);
  assert.equal(primary(world, service).rolloutState, 'COMPLETED');
});

test('4.42: meanwhile the deployment that it replaces stays on the list', () => {
  const { world, service } = withWeb(WATCHED);
  pass(world, 60_000);
  const taskDefinition = register(world, 'web:2');
  update(world, service, { taskDefinition });
  pass(world, 20_000);
  assert.deepEqual(
    serviceState(world, service).deployments.map(({ status, counts }) => [status, counts.counting]),
    [
      ['PRIMARY', 1],
      ['ACTIVE', 0],
    ],
  );
  pass(world, 20_000);
  assert.equal(serviceState(world, service).deployments.length, 1);
});

test('2.26, 4.40, 5.13, 4.16: an alarm fails the first deployment, and there is nothing to go back to', () => {
  const { world, service } = withWeb(WATCHED);
  pass(world, 10_000);
  fire(world, 'ALARM');
  pass(world, 60_000);
  const { rolloutState, rolloutStateReason, status } = primary(world, service);
  assert.deepEqual([rolloutState, status], ['FAILED', 'PRIMARY']);
  assert.equal(rolloutStateReason, 'ECS deployment alarms: alarm detected.');
  assert.match(eventTexts(world, service).at(-1) ?? '', /deployment failed: alarm detected\.$/);
});

const rollbacks: readonly { rule: string; alarms: JsonObject; then: string }[] = [
  { rule: '4.40 with rollback the last one comes back', alarms: {}, then: 'web:1 COMPLETED' },
  {
    rule: '4.40 without it the failed one stays',
    alarms: { rollback: false },
    then: 'web:2 FAILED',
  },
  {
    rule: '4.43 an alarm that is not enabled is not watched',
    alarms: { enable: false },
    then: 'web:2 COMPLETED',
  },
  {
    rule: '4.43 an empty list watches nothing',
    alarms: { alarmNames: [] },
    then: 'web:2 COMPLETED',
  },
];

for (const { rule, alarms, then } of rollbacks) {
  test(rule, () => {
    const { world, service } = withWeb({ alarms: { ...WATCHED.alarms, ...alarms } });
    pass(world, 60_000);
    update(world, service, { taskDefinition: register(world, 'web:2') });
    pass(world, 10_000);
    fire(world, 'ALARM');
    pass(world, 120_000);
    const { revision, rolloutState } = primary(world, service);
    assert.equal(`${revision.taskDefinition.split('/').at(-1)} ${rolloutState}`, then);
  });
}

test('4.41: an alarm that fires when a deployment begins is not watched in it, even if it clears', () => {
  const { world, service } = withWeb(WATCHED);
  pass(world, 60_000);
  fire(world, 'ALARM');
  update(world, service, { taskDefinition: register(world, 'web:2') });
  pass(world, 1_000);
  fire(world, 'OK');
  pass(world, 1_000);
  fire(world, 'ALARM');
  pass(world, 1_000);
  assert.equal(primary(world, service).rolloutState, 'COMPLETED', 'and it need not bake');
});

test('4.24: breaker and alarms: the rollback is as the one that fires has it', () => {
  const breaker = { deploymentCircuitBreaker: { enable: true, rollback: false } };
  const { world, service } = withWeb({ ...WATCHED, ...breaker });
  pass(world, 60_000);
  update(world, service, { taskDefinition: register(world, 'web:2') });
  pass(world, 10_000);
  fire(world, 'ALARM');
  pass(world, 120_000);
  assert.equal(primary(world, service).revision.taskDefinition.split('/').at(-1), 'web:1');
});
