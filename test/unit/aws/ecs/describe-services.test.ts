import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forgetEnded, PRESETS } from '../../../../src/aws/ecs/index.ts';
import type { JsonObject } from '../../../../src/base/index.ts';
import {
  apiOf,
  createEcsWorld,
  createWeb,
  pass,
  refusal,
  register,
  stateOf,
  update,
} from '../../../support/ecs-world.ts';

const ARN = 'arn:aws:ecs:us-east-1:000000000000';

function withWeb(more: JsonObject = {}) {
  const world = createEcsWorld();
  register(world, 'web:1');
  const service = createWeb(world, more);
  return { world, api: apiOf(world), service };
}

function described(api: ReturnType<typeof apiOf>, ...include: string[]): JsonObject {
  const { services } = api.describeServices({ services: ['web'], include });
  assert(Array.isArray(services));
  return services[0] as JsonObject;
}

test('DescribeServices answers a service with its settings and deployments', () => {
  const { world, api } = withWeb({
    enableECSManagedTags: true,
    tags: [{ key: 'a', value: '1' }],
    deploymentConfiguration: {
      alarms: { alarmNames: ['slow'], enable: true, rollback: false },
      deploymentCircuitBreaker: {
        ...{ enable: true, rollback: true },
        thresholdConfiguration: { type: 'COUNT', value: 5 },
      },
    },
  });
  pass(world, 60_000);
  const { events, deployments, ...service } = described(api, 'TAGS');
  const networkConfiguration = {
    awsvpcConfiguration: {
      ...{ securityGroups: [], assignPublicIp: 'DISABLED', subnets: ['subnet-0aa1'] },
    },
  };
  assert.deepEqual(service, {
    ...{ serviceArn: `${ARN}:service/default/web`, serviceName: 'web', status: 'ACTIVE' },
    ...{ clusterArn: `${ARN}:cluster/default`, desiredCount: 1, runningCount: 1, pendingCount: 0 },
    ...{ taskDefinition: `${ARN}:task-definition/web:1`, launchType: 'FARGATE' },
    ...{ platformFamily: 'Linux', networkConfiguration, loadBalancers: [], serviceRegistries: [] },
    ...{ schedulingStrategy: 'REPLICA', deploymentController: { type: 'ECS' } },
    deploymentConfiguration: {
      ...{ maximumPercent: 200, minimumHealthyPercent: 100, strategy: 'ROLLING' },
      alarms: { alarmNames: ['slow'], enable: true, rollback: false },
      deploymentCircuitBreaker: {
        ...{ enable: true, rollback: true },
        thresholdConfiguration: { type: 'COUNT', value: 5 },
      },
    },
    ...{ healthCheckGracePeriodSeconds: 0, placementConstraints: [], placementStrategy: [] },
    ...{ enableECSManagedTags: true, propagateTags: 'NONE', enableExecuteCommand: false },
    ...{ createdAt: 946_684_800, tags: [{ key: 'a', value: '1' }] },
  });
  const [deployment] = deployments as JsonObject[];
  const { id, rolloutStateReason } = deployment ?? {};
  assert.deepEqual(deployment, {
    ...{ id, status: 'PRIMARY', taskDefinition: `${ARN}:task-definition/web:1` },
    ...{ rolloutState: 'COMPLETED', rolloutStateReason, createdAt: 946_684_800 },
    ...{ desiredCount: 1, runningCount: 1, pendingCount: 0, failedTasks: 0 },
    ...{ launchType: 'FARGATE', platformFamily: 'Linux', networkConfiguration },
    ...{ loadBalancers: [], serviceRegistries: [] },
  });
  const messages = (events as JsonObject[]).map(({ message }) => String(message));
  assert.match(messages[0] ?? '', /steady state/); // 1.10: newest first
  assert.match(messages.at(-1) ?? '', /has started 1 tasks/);
});

test('1.8: an unknown service is listed under failures, and no error', () => {
  const { api } = withWeb();
  const { services, failures } = api.describeServices({ services: ['none', 'web'] });
  assert.equal((services as JsonObject[]).length, 1);
  assert.deepEqual(failures, [{ arn: `${ARN}:service/default/none`, reason: 'MISSING' }]);
});

test('DescribeServices asks for one to ten services of one cluster', () => {
  const { api, service } = withWeb();
  api.createCluster({ clusterName: 'main' });
  const ask = (request: JsonObject) => refusal(() => api.describeServices(request));
  assert.match(ask({ services: [] }), /^InvalidParameterException: Services can not be blank/);
  const eleven = Array<string>(11).fill('web');
  assert.match(ask({ services: eleven }), /^InvalidParameterException: Services can have at most/);
  const said = 'Invalid identifier: Identifier is for cluster default. Your cluster is main';
  assert.equal(ask({ cluster: 'main', services: [service] }), `InvalidParameterException: ${said}`);
});

test('1.3, 1.5: a deleted service leaves ListServices; it is described as INACTIVE until the next command', () => {
  const { world, api } = withWeb();
  pass(world, 60_000);
  const { service } = api.deleteService({ service: 'web', force: true });
  assert.equal((service as JsonObject)['status'], 'DRAINING');
  assert.deepEqual(api.listServices({})['serviceArns'], []);
  pass(world, 60_000);
  const { status, runningCount, desiredCount } = described(api);
  assert.deepEqual([status, runningCount, desiredCount], ['INACTIVE', 0, 0]);
  forgetEnded(stateOf(world));
  assert.match(JSON.stringify(api.describeServices({ services: ['web'] })), /MISSING/);
});

test('2.3, 2.4, 2.5: each deployment counts its own tasks, which carry its id', () => {
  const { world, api, service } = withWeb({ desiredCount: 2 });
  pass(world, 60_000);
  register(world, 'web:2');
  update(world, service, { taskDefinition: 'web' });
  pass(world, 0, {}, PRESETS.aws); // whose tasks take their time
  const deployments = described(api)['deployments'] as JsonObject[];
  const counts = deployments.map(({ status, desiredCount, pendingCount, runningCount }) => [
    ...[status, desiredCount, pendingCount, runningCount],
  ]);
  assert.deepEqual(counts, [
    ['PRIMARY', 2, 2, 0],
    ['ACTIVE', 2, 0, 2],
  ]);
  for (const { id } of deployments) {
    const { taskArns } = api.listTasks({ startedBy: String(id) });
    assert.equal((taskArns as string[]).length, 2);
  }
});

test('2.1: other controllers report no deployments', () => {
  const { api } = withWeb();
  const request = {
    ...{ serviceName: 'outside', deploymentController: { type: 'EXTERNAL' }, desiredCount: 1 },
    launchType: 'FARGATE',
  };
  const { service } = api.createService(request);
  assert.deepEqual((service as JsonObject)['deployments'], []);
});

test('ListServices: by launch type and strategy, ten to a page', () => {
  const { world, api } = withWeb();
  for (let i = 0; i < 11; i += 1) createWeb(world, { serviceName: `web${i}` });
  const first = api.listServices({ launchType: 'FARGATE' });
  assert.equal((first['serviceArns'] as string[]).length, 10);
  const second = api.listServices({ nextToken: first['nextToken'] ?? '' });
  assert.equal((second['serviceArns'] as string[]).length, 2);
  assert.equal(second['nextToken'], undefined);
  assert.deepEqual(api.listServices({ launchType: 'EC2' }), { serviceArns: [] });
  assert.deepEqual(api.listServices({ schedulingStrategy: 'DAEMON' }), { serviceArns: [] });
});

test('CreateService and UpdateService answer the service', () => {
  const { api } = withWeb();
  const { service } = api.updateService({ service: 'web', desiredCount: 3 });
  assert.equal((service as JsonObject)['desiredCount'], 3);
});
