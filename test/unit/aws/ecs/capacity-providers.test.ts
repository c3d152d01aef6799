import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextProvider, strategyFaults } from '../../../../src/aws/ecs/capacity-strategy.ts';
import type { StrategyItem } from '../../../../src/aws/ecs/model.ts';
import type { JsonObject } from '../../../../src/base/index.ts';
import {
  apiOf,
  createEcsWorld,
  createWeb,
  ecsOf,
  refusal,
  register,
} from '../../../support/ecs-world.ts';

const GROUP =
  'arn:aws:autoscaling:us-east-1:000000000000:autoScalingGroup:1:autoScalingGroupName/a';

function of(name: string, autoScalingGroupArn = `${GROUP}-${name}`): JsonObject {
  return { name, autoScalingGroupProvider: { autoScalingGroupArn } };
}

function named(api: ReturnType<typeof apiOf>, name: string): JsonObject {
  const { capacityProviders } = api.describeCapacityProviders({ capacityProviders: [name] });
  assert(Array.isArray(capacityProviders));
  return capacityProviders[0] as JsonObject;
}

test('FARGATE and FARGATE_SPOT are always there, and stay', () => {
  const api = apiOf(createEcsWorld());
  const { capacityProviders } = api.describeCapacityProviders({});
  assert.deepEqual(
    (capacityProviders as JsonObject[]).map(({ name, status }) => [name, status]),
    [
      ['FARGATE', 'ACTIVE'],
      ['FARGATE_SPOT', 'ACTIVE'],
    ],
  );
  const said = refusal(() => api.deleteCapacityProvider({ capacityProvider: 'FARGATE' }));
  assert.match(said, /^InvalidParameterException: /);
});

test('CreateCapacityProvider answers how the group scales where nobody says', () => {
  const { capacityProvider } = apiOf(createEcsWorld()).createCapacityProvider(of('big'));
  assert.deepEqual(capacityProvider, {
    capacityProviderArn: 'arn:aws:ecs:us-east-1:000000000000:capacity-provider/big',
    ...{ name: 'big', status: 'ACTIVE', updateStatus: 'CREATE_COMPLETE' },
    type: 'EC2_AUTOSCALING',
    autoScalingGroupProvider: {
      ...{ managedTerminationProtection: 'DISABLED', managedDraining: 'ENABLED' },
      autoScalingGroupArn: `${GROUP}-big`,
      managedScaling: {
        ...{ status: 'DISABLED', targetCapacity: 100, minimumScalingStepSize: 1 },
        ...{ maximumScalingStepSize: 10_000, instanceWarmupPeriod: 300 },
      },
    },
    tags: [],
  });
});

const REFUSED: readonly { readonly request: JsonObject; readonly says: RegExp }[] = [
  { request: of('aws-big'), says: /^InvalidParameterException: The name of a capacity provider/ },
  { request: of('fargate2'), says: /^InvalidParameterException: The name of a capacity provider/ },
  { request: { name: 'big2' }, says: /^InvalidParameterException: An Auto Scaling group must/ },
  { request: of('big'), says: /^ok$/ },
  { request: of('big', GROUP), says: /^ClientException: The capacity provider big already exists/ },
  {
    request: of('other', `${GROUP}-big`),
    says: /^ClientException: The specified Auto Scaling group ARN is already being used/,
  },
];

for (const { request, says } of REFUSED) {
  test(`CreateCapacityProvider beside big: ${JSON.stringify(request)}: ${String(says)}`, () => {
    const api = apiOf(createEcsWorld());
    api.createCapacityProvider(of('big'));
    assert.match(
      refusal(() => api.createCapacityProvider(request)),
      says,
    );
  });
}

test('UpdateCapacityProvider changes how the group scales, and not which group it is', () => {
  const api = apiOf(createEcsWorld());
  api.createCapacityProvider(of('big'));
  const autoScalingGroupProvider = { managedScaling: { status: 'ENABLED', targetCapacity: 80 } };
  api.updateCapacityProvider({ name: 'big', autoScalingGroupProvider });
  const { updateStatus, autoScalingGroupProvider: after } = named(api, 'big');
  const { autoScalingGroupArn, managedScaling } = after as JsonObject;
  assert.deepEqual([updateStatus, autoScalingGroupArn], ['UPDATE_COMPLETE', `${GROUP}-big`]);
  const { targetCapacity, minimumScalingStepSize } = managedScaling as JsonObject;
  assert.deepEqual([targetCapacity, minimumScalingStepSize], [80, 1]);
});

test('DeleteCapacityProvider is refused while a cluster has it, and leaves it INACTIVE', () => {
  const api = apiOf(createEcsWorld());
  api.createCapacityProvider(of('big'));
  api.createCluster({ clusterName: 'main', capacityProviders: ['big'] });
  const remove = () => refusal(() => api.deleteCapacityProvider({ capacityProvider: 'big' }));
  assert.match(remove(), /^ClientException: .* is associated with cluster: main\./);
  const none = { capacityProviders: [], defaultCapacityProviderStrategy: [] };
  api.putClusterCapacityProviders({ cluster: 'main', ...none });
  assert.equal(remove(), 'ok');
  assert.equal(named(api, 'big')['status'], 'INACTIVE');
  assert.match(remove(), /The specified capacity provider was not found\./);
});

test('PutClusterCapacityProviders: a provider that a service uses stays', () => {
  const world = createEcsWorld();
  const api = apiOf(world);
  const strategy = [{ capacityProvider: 'FARGATE_SPOT', weight: 1 }];
  const both = ['FARGATE', 'FARGATE_SPOT'];
  api.createCluster({ clusterName: 'main', capacityProviders: both });
  register(world, 'web:1');
  const request = {
    ...{ cluster: 'main', serviceName: 'web', taskDefinition: 'web', desiredCount: 1 },
    networkConfiguration: { awsvpcConfiguration: { subnets: ['s'] } },
  };
  api.createService({ ...request, capacityProviderStrategy: strategy });
  const put = (capacityProviders: string[]) =>
    refusal(() =>
      api.putClusterCapacityProviders({
        ...{ cluster: 'main', capacityProviders, defaultCapacityProviderStrategy: [] },
      }),
    );
  const said = 'The specified capacity provider is in use and cannot be removed.';
  assert.equal(put(['FARGATE']), `ResourceInUseException: ${said}`);
  assert.equal(put(['FARGATE_SPOT']), 'ok');
});

test('a default strategy names providers of the cluster', () => {
  const defaultCapacityProviderStrategy = [{ capacityProvider: 'FARGATE', weight: 1 }];
  const said = refusal(() =>
    apiOf(createEcsWorld()).createCluster({ defaultCapacityProviderStrategy }),
  );
  assert.match(said, /^InvalidParameterException: .* not associated with the cluster\.$/);
});

test('a provider that nobody made is taken to exist, until somebody makes it', () => {
  const world = createEcsWorld();
  apiOf(world).createCluster({ capacityProviders: ['theirs'] });
  assert.match(JSON.stringify(world.record.entries), /capacity provider theirs exists/);
  assert.equal(named(apiOf(world), 'theirs')['status'], 'ACTIVE');
  assert.equal(
    refusal(() => apiOf(world).createCapacityProvider(of('theirs'))),
    'ok',
  );
  assert.notEqual(ecsOf(world).describeCluster('default'), undefined);
  createWeb(world);
});

const item = (capacityProvider: string, weight = 0, base = 0): StrategyItem => ({
  ...{ capacityProvider, weight, base },
});

const faults: readonly {
  readonly rule: string;
  readonly items: StrategyItem[];
  readonly says: RegExp;
}[] = [
  { rule: '7.12', items: [item('a', 1_001)], says: /weight .* between 0 and 1000/ },
  { rule: '7.12', items: [item('a', 1, 100_001)], says: /base .* between 0 and 100000/ },
  {
    rule: '7.12',
    items: Array.from({ length: 21 }, (_, n) => item(`a${n}`, 1)),
    says: /at most 20 items/,
  },
  { rule: '1.61', items: [item('a', 1, 1), item('b', 1, 1)], says: /^There are multiple capacity/ },
  { rule: '1.62', items: [item('a'), item('b')], says: /^There are no capacity providers/ },
  { rule: '7.14', items: [item('FARGATE', 1), item('a', 1)], says: /cannot mix Fargate/ },
];

for (const { rule, items, says } of faults) {
  test(`${rule}: ${String(says)}`, () => {
    const said = strategyFaults(items);
    assert.equal(said.length, 1);
    assert.match(said[0] ?? '', says);
  });
}

const spreads = [
  { items: [item('a', 1), item('b', 4)], count: 5, then: 'a:1 b:4' },
  { items: [item('a', 1), item('b', 1)], count: 3, then: 'a:2 b:1' },
  { items: [item('a', 1, 2), item('b', 1)], count: 4, then: 'a:3 b:1' },
  { items: [item('a', 0, 2), item('b', 1)], count: 4, then: 'a:2 b:2' },
  { items: [item('a', 0), item('b', 1)], count: 2, then: 'b:2' },
] as const;

for (const { items, count, then } of spreads) {
  const strategy = items
    .map((one) => `${one.capacityProvider} ${one.weight}/${one.base}`)
    .join(', ');
  test(`7.12, 7.13: ${count} tasks over ${strategy}: ${then}`, () => {
    const placed = new Map<string, number>();
    for (let i = 0; i < count; i += 1) {
      const provider = nextProvider(items, placed) ?? assert.fail();
      placed.set(provider, (placed.get(provider) ?? 0) + 1);
    }
    const said = [...placed]
      .map(([name, n]) => `${name}:${n}`)
      .sort((a, b) => a.localeCompare(b))
      .join(' ');
    assert.equal(said, then);
  });
}
