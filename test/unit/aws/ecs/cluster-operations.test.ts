import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forgetEnded, PRESETS } from '../../../../src/aws/ecs/index.ts';
import type { JsonObject } from '../../../../src/base/index.ts';
import {
  apiOf,
  createEcsWorld,
  createWeb,
  ecsOf,
  pass,
  refusal,
  register,
  stateOf,
} from '../../../support/ecs-world.ts';

const ARN = 'arn:aws:ecs:us-east-1:000000000000:cluster/main';

function withCluster(more: JsonObject = {}) {
  const world = createEcsWorld();
  const { cluster } = apiOf(world).createCluster({ clusterName: 'main', ...more });
  return { world, api: apiOf(world), cluster };
}

function described(world: ReturnType<typeof createEcsWorld>, ...include: string[]) {
  const { clusters } = apiOf(world).describeClusters({ clusters: ['main'], include });
  assert(Array.isArray(clusters));
  return clusters[0] as JsonObject;
}

test('CreateCluster answers an ACTIVE cluster, with Container Insights off unless it is asked for', () => {
  const { cluster } = withCluster({ tags: [{ key: 'team', value: 'a' }] });
  assert.deepEqual(cluster, {
    ...{ clusterArn: ARN, clusterName: 'main', status: 'ACTIVE' },
    ...{ registeredContainerInstancesCount: 0, runningTasksCount: 0, pendingTasksCount: 0 },
    ...{ activeServicesCount: 0, statistics: [], tags: [{ key: 'team', value: 'a' }] },
    settings: [{ name: 'containerInsights', value: 'disabled' }],
    ...{ capacityProviders: [], defaultCapacityProviderStrategy: [] },
  });
});

test('CreateCluster of one that is there answers it as it is', () => {
  const { api, cluster } = withCluster({ capacityProviders: ['FARGATE'] });
  assert.deepEqual(api.createCluster({ clusterName: 'main' })['cluster'], cluster);
});

test('CreateCluster refuses a name with other characters', () => {
  const said = refusal(() => apiOf(createEcsWorld()).createCluster({ clusterName: 'a b' }));
  const text = 'Cluster must match ^[a-zA-Z0-9\\-_]{1,255}$, but was a b';
  assert.equal(said, `InvalidParameterException: ${text}`);
});

test('1.9: a request that names no cluster makes, and describes, `default`', () => {
  const api = apiOf(createEcsWorld());
  assert.match(JSON.stringify(api.describeClusters({})), /"failures":\[\{.*"MISSING"/);
  api.createCluster({});
  assert.match(JSON.stringify(api.describeClusters({})), /"clusterName":"default"/);
});

test('1.8: DescribeClusters lists what is unknown under failures', () => {
  const { api } = withCluster();
  const { clusters, failures } = api.describeClusters({ clusters: [ARN, 'none'] });
  assert.equal(Array.isArray(clusters) && clusters.length, 1);
  assert.deepEqual(failures, [{ arn: ARN.replace('main', 'none'), reason: 'MISSING' }]);
});

test('DescribeClusters says what `include` names, and knows five words', () => {
  const configuration = { executeCommandConfiguration: { logging: 'NONE' } };
  const { world, api } = withCluster({ configuration, tags: [{ key: 'a', value: '1' }] });
  const plain = described(world);
  assert.deepEqual([plain['settings'], plain['tags'], plain['configuration']], [[], [], undefined]);
  const whole = described(world, 'SETTINGS', 'TAGS', 'CONFIGURATIONS', 'STATISTICS');
  assert.deepEqual(whole['configuration'], configuration);
  assert.deepEqual(whole['tags'], [{ key: 'a', value: '1' }]);
  assert.equal(Array.isArray(whole['statistics']) && whole['statistics'].length, 12);
  const said = refusal(() => api.describeClusters({ include: ['ALL'] }));
  assert.match(said, /^InvalidParameterException: include should be one of \[ATTACHMENTS,/);
});

test('2.4: a cluster counts its tasks and its ACTIVE services', () => {
  const { world } = withCluster();
  register(world, 'web:1');
  createWeb(world, { cluster: 'main', desiredCount: 2 });
  pass(world, 0, {}, PRESETS.aws);
  const starting = described(world);
  assert.deepEqual([starting['pendingTasksCount'], starting['runningTasksCount']], [2, 0]);
  pass(world, 600_000, {}, PRESETS.aws);
  const counts = described(world, 'STATISTICS');
  assert.deepEqual([counts['pendingTasksCount'], counts['runningTasksCount']], [0, 2]);
  assert.equal(counts['activeServicesCount'], 1);
  assert.match(
    JSON.stringify(counts['statistics']),
    /"runningFargateTasksCount","value":"2".*"activeFargateServiceCount","value":"1"/,
  );
});

test('UpdateCluster and UpdateClusterSettings change what they name', () => {
  const { world, api } = withCluster();
  const settings = [{ name: 'containerInsights', value: 'enabled' }];
  api.updateClusterSettings({ cluster: 'main', settings });
  api.updateCluster({ cluster: ARN, serviceConnectDefaults: { namespace: 'shop' } });
  const after = described(world, 'SETTINGS');
  assert.deepEqual(after['settings'], settings);
  assert.deepEqual(after['serviceConnectDefaults'], { namespace: 'shop' });
});

const UNKNOWN: readonly (readonly [name: string, call: () => unknown])[] = (() => {
  const api = apiOf(createEcsWorld());
  const cluster = 'none';
  return [
    ['UpdateCluster', () => api.updateCluster({ cluster })],
    ['UpdateClusterSettings', () => api.updateClusterSettings({ cluster })],
    ['PutClusterCapacityProviders', () => api.putClusterCapacityProviders({ cluster })],
    ['DeleteCluster', () => api.deleteCluster({ cluster })],
    ['DescribeServices', () => api.describeServices({ cluster, services: ['web'] })],
    ['ListServices', () => api.listServices({ cluster })],
    ['CreateService', () => api.createService({ cluster, serviceName: 'web' })],
    ['RunTask', () => api.runTask({ cluster, taskDefinition: 'web' })],
    ['StopTask', () => api.stopTask({ cluster, task: 'a' })],
    ['DescribeTasks', () => api.describeTasks({ cluster, tasks: ['a'] })],
    ['ListTasks', () => api.listTasks({ cluster })],
  ] as const;
})();

for (const [name, call] of UNKNOWN) {
  test(`1.20: ${name} in an unknown cluster`, () => {
    assert.equal(refusal(call), 'ClusterNotFoundException: Cluster not found.');
  });
}

test('DeleteCluster leaves it INACTIVE: not listed, still described, its name free', () => {
  const { world, api } = withCluster({ tags: [{ key: 'a', value: '1' }] });
  assert.deepEqual(api.listClusters({})['clusterArns'], [ARN]);
  const { cluster } = api.deleteCluster({ cluster: 'main' });
  assert.equal((cluster as JsonObject)['status'], 'INACTIVE');
  assert.deepEqual(api.listClusters({})['clusterArns'], []);
  assert.equal(described(world)['status'], 'INACTIVE');
  assert.equal(
    refusal(() => api.deleteCluster({ cluster: 'main' })),
    'ClusterNotFoundException: Cluster not found.',
  );
  api.createCluster({ clusterName: 'main' });
  assert.deepEqual(described(world, 'TAGS')['tags'], []);
});

test('1.5: what is INACTIVE is forgotten with the next command', () => {
  const { world, api } = withCluster();
  api.deleteCluster({ cluster: 'main' });
  forgetEnded(stateOf(world));
  assert.match(JSON.stringify(api.describeClusters({ clusters: ['main'] })), /MISSING/);
});

test('DeleteCluster is refused while a standalone task runs', () => {
  const { world, api } = withCluster();
  const taskDefinition = register(world, 'job:1');
  const networkConfiguration = { awsvpcConfiguration: { subnets: ['subnet-0aa1'] } };
  api.runTask({ cluster: 'main', taskDefinition, launchType: 'FARGATE', networkConfiguration });
  const said = refusal(() => api.deleteCluster({ cluster: 'main' }));
  const text = 'The Cluster cannot be deleted while Tasks are active.';
  assert.equal(said, `ClusterContainsTasksException: ${text}`);
});

test('a service that does not say what it runs on gets the default strategy of its cluster', () => {
  const item = { capacityProvider: 'FARGATE', weight: 1, base: 0 };
  const { world } = withCluster({
    ...{ capacityProviders: ['FARGATE'], defaultCapacityProviderStrategy: [item] },
  });
  register(world, 'web:1');
  const { launchType: _, ...request } = {
    ...{ serviceName: 'web', taskDefinition: 'web', launchType: 'FARGATE', desiredCount: 1 },
    ...{ cluster: 'main', networkConfiguration: { awsvpcConfiguration: { subnets: ['s'] } } },
  };
  const { service } = apiOf(world).createService(request);
  assert.deepEqual((service as JsonObject)['capacityProviderStrategy'], [item]);
  assert.equal((service as JsonObject)['launchType'], undefined);
  pass(world, 0);
  assert.equal(Object.values(stateOf(world).tasks)[0]?.launchType, 'FARGATE');
  assert.equal(ecsOf(world).listServices().length, 1);
});
