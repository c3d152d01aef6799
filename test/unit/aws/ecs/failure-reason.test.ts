import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rollout } from '../../../../src/aws/ecs/index.ts';
import type { JsonObject } from '../../../../src/base/index.ts';
import {
  rankOf,
  SERVICE_EVENTS,
  type ServiceEventKind,
  shapeOf,
} from '../../../../src/events/index.ts';
import type { World } from '../../../../src/world/index.ts';
import {
  behave,
  breaker,
  createEcsWorld,
  ecsOf,
  type Images,
  pass,
  percents,
  primary,
  register,
  update,
  webRequest,
} from '../../../support/ecs-world.ts';

const FAILS_TO_PULL = { pull: ['not-found'] } as const;
const EXITS = { exits: { afterMs: 1_000, code: 1 } } as const;

/** A service that begins, and what a handler asks about the deployment that the call started. */
function created(images: Images, more: JsonObject = {}) {
  const world = createEcsWorld(images);
  register(world, 'web:1');
  const rollout = ecsOf(world).createService({ ...webRequest(), ...more });
  return { world, rollout, service: rollout.service };
}

function standing(world: World, rollout: Rollout): string {
  return ecsOf(world).rollout(rollout).state;
}

function reason(world: World, rollout: Rollout): string {
  const { reason: text, source } = ecsOf(world).rollout(rollout).reason();
  return `${source}: ${text.replace(/\d{19}/g, '#')}`;
}

test('5A, dec. 19: the catalogue: shape and rank of every event', () => {
  const ranks = Object.keys(SERVICE_EVENTS).map((kind) => {
    const of = kind as ServiceEventKind;
    return `${kind} ${shapeOf(of)} ${rankOf(of) ?? '–'}`;
  });
  assert.deepEqual(ranks, [
    'steady-state routine –',
    'started-tasks routine –',
    'stopped-tasks routine –',
    'registered-targets routine –',
    'deregistered-targets routine –',
    'drains-connections routine –',
    'deployment-completed routine –',
    'rolling-back routine –',
    'holding routine –',
    'cannot-place-because failure 1',
    'no-instances failure 1',
    'deployment-failed failure 2',
    'alarm-detected failure 2',
    'failed-container-checks failure 3',
    'unhealthy-target failure 3',
    'no-instance-fits failure 4',
    'percentages-leave-no-room failure 4',
    'cannot-start-consistently failure 5',
  ]);
});

test('dec. 19: a reason that is given goes before the failed deployment and the complaint', () => {
  const { world, rollout } = created(
    { 'web:1': FAILS_TO_PULL },
    { deploymentConfiguration: breaker(false) },
  );
  pass(world, 60_000);
  assert.match(
    reason(world, rollout),
    /^service-event: .+ Reason: CannotPullContainerError: .+: not found\.$/,
  );
});

test('dec. 19: within a rank the newest', () => {
  const { world, rollout } = created({ 'web:1': { pull: ['not-found', 'denied'] } });
  pass(world, 60_000);
  assert.match(reason(world, rollout), /pull access denied/);
});

test('dec. 19: the failed deployment goes before the complaint', () => {
  const { world, rollout } = created(
    { 'web:1': EXITS },
    { deploymentConfiguration: breaker(false) },
  );
  pass(world, 60_000);
  const text = '(service web) (deployment ecs-svc/#) deployment failed: tasks failed to start.';
  assert.equal(reason(world, rollout), `service-event: ${text}`);
});

test('dec. 19: the complaint, where nothing better is said', () => {
  const { world, rollout } = created({ 'web:1': EXITS });
  pass(world, 60_000);
  const text = '(service web) is unable to consistently start tasks successfully.';
  assert.equal(reason(world, rollout), `service-event: ${text}`);
});

test('dec. 19: a routine event is never a reason; the deployment’s own numbers are', () => {
  const deploymentConfiguration = percents(50, 0);
  const { world, rollout } = created({}, { desiredCount: 2, deploymentConfiguration });
  pass(world, 60_000);
  const text = 'service web has 1 of 2 desired tasks running, 0 pending and 0 failed';
  assert.equal(reason(world, rollout), `handler: ${text}`);
});

test('8.14: steady at the edge that follows the call', () => {
  const { world, rollout, service } = created({});
  pass(world, 2_999);
  assert.equal(standing(world, rollout), 'in-progress');
  pass(world, 1);
  assert.equal(standing(world, rollout), 'steady');
  const again = ecsOf(world).updateService({ service, taskDefinition: 'web:1' });
  assert.equal(standing(world, again), 'steady', 'a call that changes nothing need not wait');
  const scaled = ecsOf(world).updateService({ service, desiredCount: 2 });
  assert.equal(standing(world, scaled), 'in-progress');
  pass(world, 3_000);
  assert.equal(standing(world, scaled), 'steady');
});

test('fine print f: a steady state between two looks counts although it was left again', () => {
  const { world, rollout } = created({ 'web:1': { exits: { afterMs: 3_500, code: 1 } } });
  pass(world, 5_000);
  assert.equal(standing(world, rollout), 'steady');
});

test('dec. 3, 4.26: failed tasks alone end nothing', () => {
  const { world, rollout } = created({ 'web:1': EXITS });
  pass(world, 3_600_000);
  assert.equal(standing(world, rollout), 'in-progress');
});

test('8.14: FAILED ends the wait', () => {
  const { world, rollout } = created(
    { 'web:1': EXITS },
    { deploymentConfiguration: breaker(true) },
  );
  pass(world, 60_000);
  assert.equal(standing(world, rollout), 'failed');
});

test('4.22, 8.14: a deployment that another one has replaced has failed', () => {
  const { world, rollout, service } = created({ 'web:1': FAILS_TO_PULL });
  pass(world, 1_000);
  update(world, service, { taskDefinition: register(world, 'web:2') });
  pass(world, 60_000);
  assert.equal(primary(world, service).rolloutState, 'COMPLETED');
  assert.equal(standing(world, rollout), 'failed');
});

test('8.16: a service without deployments is steady at once', () => {
  const world = createEcsWorld();
  const { taskDefinition: _, ...request } = webRequest();
  const rollout = ecsOf(world).createService({
    ...request,
    deploymentController: { type: 'EXTERNAL' },
  });
  assert.equal(standing(world, rollout), 'steady');
});

test('5.44: what was said of an earlier deployment is no reason of a later one', () => {
  const images = { 'web:1': FAILS_TO_PULL, 'web:2': EXITS };
  const { world, rollout, service } = created(images);
  pass(world, 60_000);
  assert.match(reason(world, rollout), /CannotPullContainerError/);
  const taskDefinition = register(world, 'web:2');
  const next = ecsOf(world).updateService({ service, taskDefinition });
  assert.match(reason(world, next), /^handler: /);
  pass(world, 60_000);
  assert.match(reason(world, next), /unable to consistently start tasks/);
});

/** A rollout that the breaker rolls back, to a revision whose tasks must start again. */
function rolledBack(images: Images) {
  const deploymentConfiguration = { ...percents(100, 0), ...breaker(true) };
  const { world, service } = created({ 'web:2': FAILS_TO_PULL }, { deploymentConfiguration });
  pass(world, 10_000);
  const taskDefinition = register(world, 'web:2');
  const rollout = ecsOf(world).updateService({ service, taskDefinition });
  behave(world, { 'web:2': FAILS_TO_PULL, ...images });
  pass(world, 1_500);
  assert.notEqual(primary(world, service).id, rollout.deployment);
  return { world, rollout };
}

test('4.22, 8.14, fine print h: after a rollback it has failed, once what was put back is COMPLETED', () => {
  const { world, rollout } = rolledBack({});
  assert.equal(standing(world, rollout), 'rolling-back');
  pass(world, 10_000);
  assert.equal(standing(world, rollout), 'failed');
});

test('dec. 19: the reason is the one of the failed deployment, though it has left the list', () => {
  const { world, rollout } = rolledBack({});
  pass(world, 10_000);
  assert.match(reason(world, rollout), /^service-event: .+ Reason: CannotPullContainerError: /);
});

test('fine print h: a way back that hangs is waited for', () => {
  const { world, rollout } = rolledBack({ 'web:1': FAILS_TO_PULL });
  pass(world, 3_600_000);
  assert.equal(standing(world, rollout), 'rolling-back');
});
