import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS, type JsonObject, present } from '../../src/base/index.ts';
import { createProviders } from '../../src/providers/index.ts';
import type { World } from '../../src/world/index.ts';
import {
  apiOf,
  contextOf,
  createEcsWorld,
  createWeb,
  ecsOf,
  pass,
  register,
} from '../support/ecs-world.ts';
import { driven, keepsTheContract, type Subject, succeeded } from '../support/provider-contract.ts';
import { KEY, REGISTRY } from '../support/world.ts';

const PROVIDER = 'AWS::ECS::CapacityProvider';
const ASSOCIATIONS = 'AWS::ECS::ClusterCapacityProviderAssociations';

function subjectIn(world: World, type: string): Subject {
  const stabilizing = {
    ...{ limitMs: 36 * HOUR_MS, isSet: false, giveUpOn: 'nothing' as const },
    ...{ tellsOwnReason: true, lookEverySeconds: 5 },
  };
  const account = present(world.accounts[KEY], 'the world has its account');
  const context = { account, ecs: contextOf(world), registry: REGISTRY, stabilizing };
  const provider = createProviders({ ...context, takesTime: true })(type);
  const facts = present(REGISTRY.facts(type), `${type} is known`);
  return { facts, provider, pass: (ms) => pass(world, ms) };
}

const GROUP = { AutoScalingGroupProvider: { AutoScalingGroupArn: 'group' } };
const SPOT = { capacityProvider: 'FARGATE_SPOT', weight: 1 };
const ON_SPOT: JsonObject = {
  ...{ Cluster: 'main', CapacityProviders: ['FARGATE', 'FARGATE_SPOT'] },
  DefaultCapacityProviderStrategy: [{ CapacityProvider: 'FARGATE_SPOT', Weight: 1 }],
};

keepsTheContract(PROVIDER, GROUP, () => subjectIn(createEcsWorld(), PROVIDER));
keepsTheContract(PROVIDER, { Name: 'big', ...GROUP }, () => subjectIn(createEcsWorld(), PROVIDER));
keepsTheContract(PROVIDER, { Name: 'ours', ManagedInstancesProvider: {} }, () =>
  subjectIn(createEcsWorld(), PROVIDER),
);
keepsTheContract(ASSOCIATIONS, ON_SPOT, () => subjectIn(createEcsWorld(), ASSOCIATIONS));

test('R6, R7: ECS knows the provider of a template, and how it scales by now', () => {
  const world = createEcsWorld();
  const { last } = driven(subjectIn(world, PROVIDER), { Name: 'big', ...GROUP });
  const previous = succeeded(last('create'));
  const desired = {
    AutoScalingGroupProvider: {
      ...{ AutoScalingGroupArn: 'group', ManagedScaling: { Status: 'ENABLED' } },
    },
    ...{ Name: 'big', Tags: [{ Key: 'a', Value: '1' }] },
  };
  succeeded(last('update', { desired, previous }));
  const answer = apiOf(world).describeCapacityProviders({ include: ['TAGS'] });
  assert.match(
    JSON.stringify(answer),
    /"name":"big".*"status":"ENABLED".*\{"key":"a","value":"1"\}/,
  );
  last('delete', { previous });
  assert.match(JSON.stringify(apiOf(world).describeCapacityProviders({})), /"INACTIVE"/);
});

test('a refusal of ECS leaves nothing', () => {
  const { last, provider } = driven(subjectIn(createEcsWorld(), PROVIDER), {
    ...{ Name: 'aws-big', ...GROUP },
  });
  const event = last('create');
  assert(event.status === 'FAILED');
  assert.match(event.message, /^Invalid request provided: Create CapacityProvider: The name/);
  assert.deepEqual(provider.list(), []);
});

test('a service of a cluster with an association runs on its default strategy, and keeps it', () => {
  const world = createEcsWorld();
  apiOf(world).createCluster({ clusterName: 'main' });
  const { all, last } = driven(subjectIn(world, ASSOCIATIONS), ON_SPOT);
  const previous = succeeded(last('create'));
  register(world, 'web:1');
  const { service } = ecsOf(world).createService({
    ...{ cluster: 'main', serviceName: 'web', taskDefinition: 'web', desiredCount: 1 },
    networkConfiguration: { awsvpcConfiguration: { subnets: ['subnet-0aa1'] } },
  });
  const { services } = apiOf(world).describeServices({ cluster: 'main', services: ['web'] });
  const [described] = services as JsonObject[];
  assert.deepEqual(described?.['capacityProviderStrategy'], [{ ...SPOT, base: 0 }]);
  const said = all('delete', { previous });
  assert.equal(said.length, 1, 'at once');
  const end = said.at(-1);
  assert(end?.status === 'FAILED');
  assert.equal(end.message, 'The specified capacity provider is in use and cannot be removed.');
  ecsOf(world).deleteService({ service, force: true });
  pass(world, 60_000);
  assert.equal(last('delete', { previous }).status, 'SUCCESS');
  assert.deepEqual(ecsOf(world).describeCluster('main')?.capacityProviders, []);
});

test('R7: what a cluster’s update leaves out of its providers goes; those of an association stay', () => {
  const world = createEcsWorld();
  const desired = { ClusterName: 'main', CapacityProviders: ['FARGATE'] };
  const cluster = driven(subjectIn(world, 'AWS::ECS::Cluster'), desired);
  const previous = succeeded(cluster.last('create'));
  const providers = () => ecsOf(world).describeCluster('main')?.capacityProviders;
  assert.deepEqual(providers(), ['FARGATE']);
  const tagged = { ClusterName: 'main', Tags: [{ Key: 'a', Value: '1' }] };
  const after = succeeded(cluster.last('update', { desired: tagged, previous }));
  assert.deepEqual(providers(), []);
  succeeded(driven(subjectIn(world, ASSOCIATIONS), ON_SPOT).last('create'));
  succeeded(cluster.last('update', { desired: { ClusterName: 'main' }, previous: after }));
  assert.deepEqual(providers(), ['FARGATE', 'FARGATE_SPOT']);
  const resourceArn = 'arn:aws:ecs:us-east-1:000000000000:cluster/main';
  assert.deepEqual(apiOf(world).listTagsForResource({ resourceArn })['tags'], []);
});

test('dec. 6: an association with a cluster outside the template takes it to exist', () => {
  const world = createEcsWorld();
  const { last } = driven(subjectIn(world, ASSOCIATIONS), { ...ON_SPOT, Cluster: 'theirs' });
  succeeded(last('create'));
  assert.match(JSON.stringify(world.record.entries), /ECS cluster theirs exists/);
  createWeb(world, { cluster: 'theirs' });
});
