import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS, type JsonObject, present } from '../../src/base/index.ts';
import { primaryTaskSetProvider } from '../../src/providers/ecs/primary-task-set.ts';
import type { Stabilizing } from '../../src/providers/ecs/stabilizing.ts';
import { taskSetProvider } from '../../src/providers/ecs/task-set.ts';
import { createEcsWorld, ecsOf, type Images, pass, register } from '../support/ecs-world.ts';
import {
  driven,
  errorCode,
  keepsTheContract,
  type Subject,
  succeeded,
} from '../support/provider-contract.ts';
import { PLACE, REGISTRY } from '../support/world.ts';

const WAITING: Stabilizing = {
  ...{ limitMs: HOUR_MS, isSet: false, giveUpOn: 'nothing', tellsOwnReason: true },
  lookEverySeconds: 5,
};
const OF_WEB = { Cluster: 'default', Service: 'web' };
const TASK_SET: JsonObject = {
  ...{ ...OF_WEB, TaskDefinition: 'web:1', LaunchType: 'FARGATE' },
  Scale: { Unit: 'PERCENT', Value: 50 },
  NetworkConfiguration: { AwsVpcConfiguration: { Subnets: ['subnet-0aa1'] } },
};

/** A world with a service of three tasks under EXTERNAL, and a task definition for its sets. */
function externalWorld(images: Images = {}) {
  const world = createEcsWorld(images);
  register(world, 'web:1');
  const deploymentController = { type: 'EXTERNAL' };
  ecsOf(world).createService({ serviceName: 'web', desiredCount: 3, deploymentController });
  return world;
}

function taskSets(world = externalWorld()): Subject {
  const facts = present(REGISTRY.facts('AWS::ECS::TaskSet'), 'the type is known');
  const provider = taskSetProvider(ecsOf(world), PLACE, WAITING);
  return { facts, provider, pass: (ms) => pass(world, ms) };
}

keepsTheContract('AWS::ECS::TaskSet', TASK_SET, () => taskSets());
keepsTheContract('AWS::ECS::TaskSet', { ...TASK_SET, ExternalId: 'blue' }, () => taskSets());

test('8.33: the create of a task set waits for its steady state', () => {
  const said = driven(taskSets(), TASK_SET).all('create');
  assert.deepEqual(
    said.map(({ status }) => status),
    ['IN_PROGRESS', 'SUCCESS'],
  );
});

test('a task set that does not become stable says why, at its limit', () => {
  const world = externalWorld({ 'web:1': { exits: { afterMs: 1_000, code: 1 } } });
  const answer = driven(taskSets(world), TASK_SET).last('create');
  assert(answer.status === 'FAILED');
  assert.match(answer.message, /^task set ecs-svc\/\d+ of service web did not stabilize: /);
  assert.deepEqual(answer.cause, {
    reason: '(service web) is unable to consistently start tasks successfully.',
    ...{ source: 'service-event', limit: 'default' },
  });
});

test('3.14: an update to another scale waits for it', () => {
  const world = externalWorld();
  const { last } = driven(taskSets(world), TASK_SET);
  const previous = succeeded(last('create'));
  const desired = { ...TASK_SET, Scale: { Unit: 'PERCENT', Value: 100 } };
  const after = succeeded(last('update', { desired, previous }));
  assert.equal(after['Id'], previous['Id']);
  const [set] = ecsOf(world).api.describeTaskSets({ service: 'web' })['taskSets'] as JsonObject[];
  assert.deepEqual([set?.['computedDesiredCount'], set?.['runningCount']], [3, 3]);
});

test('R7: everything but the scale of a task set is made anew', () => {
  const { last } = driven(taskSets(), TASK_SET);
  const previous = succeeded(last('create'));
  const desired = { ...TASK_SET, ExternalId: 'other' };
  assert.equal(errorCode(last('update', { desired, previous })), 'NotUpdatable');
});

test('the delete of a task set ends with its last task', () => {
  const world = externalWorld();
  const { last } = driven(taskSets(world), TASK_SET);
  const previous = succeeded(last('create'));
  assert.equal(last('delete', { previous }).status, 'SUCCESS');
  assert.deepEqual(ecsOf(world).api.describeTaskSets({ service: 'web' })['taskSets'], []);
});

test('a primary task set makes a task set PRIMARY, and leaves it so when it is deleted', () => {
  const world = externalWorld();
  const { Id: id } = succeeded(driven(taskSets(world), TASK_SET).last('create'));
  const facts = present(REGISTRY.facts('AWS::ECS::PrimaryTaskSet'), 'the type is known');
  const subject = { facts, provider: primaryTaskSetProvider(ecsOf(world)) };
  const { last, provider, request } = driven(subject, { ...OF_WEB, TaskSetId: id ?? '' });
  const previous = succeeded(last('create'));
  assert.deepEqual(provider.list(), ['default|web']);
  assert.deepEqual(provider.read(request({ previous })), { status: 'SUCCESS', model: previous });
  assert.equal(last('delete', { previous }).status, 'SUCCESS');
  const [set] = ecsOf(world).api.describeTaskSets({ service: 'web' })['taskSets'] as JsonObject[];
  assert.equal(set?.['status'], 'PRIMARY');
});

test('a primary task set that is not there', () => {
  const facts = present(REGISTRY.facts('AWS::ECS::PrimaryTaskSet'), 'the type is known');
  const subject = { facts, provider: primaryTaskSetProvider(ecsOf(externalWorld())) };
  const { last } = driven(subject, { ...OF_WEB, TaskSetId: 'ecs-svc/1' });
  assert.equal(errorCode(last('create')), 'NotFound');
});
