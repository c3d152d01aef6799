import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOCAL_RULES, stepScheduler } from '../../../../src/aws/ecs/index.ts';
import type { JsonObject, ServiceArn } from '../../../../src/base/index.ts';
import type { World } from '../../../../src/world/index.ts';
import {
  contextOf,
  createEcsWorld,
  createWeb,
  ecsOf,
  eventTexts,
  pass,
  refusal,
  register,
  serviceState,
  stateOf,
  tasksOf,
  update,
  webRequest,
} from '../../../support/ecs-world.ts';

function withWeb(more: JsonObject = {}): { world: World; service: ServiceArn } {
  const world = createEcsWorld();
  register(world, 'web:1');
  return { world, service: createWeb(world, more) };
}

test('1.1, 1.2: a service is ACTIVE at once, its tasks are placed later', () => {
  const { world, service } = withWeb({ desiredCount: 2 });
  assert.equal(serviceState(world, service).status, 'ACTIVE');
  assert.equal(tasksOf(world, service).length, 0);
  pass(world, 0);
  assert.equal(tasksOf(world, service).length, 2);
});

test('1.1, 1.3: a service that is deleted drains: it is not listed, but can be described', () => {
  const { world, service } = withWeb();
  pass(world, 10_000);
  ecsOf(world).deleteService({ service, force: true });
  assert.equal(serviceState(world, service).status, 'DRAINING');
  assert.deepEqual(ecsOf(world).listServices(), []);
  assert.equal(ecsOf(world).describeService(service)?.runningCount, 1);
});

/** A turn of the scheduler over a runtime that takes its time: nothing stops yet. */
function stepWithSlowRuntime(world: World): void {
  const runtime = {
    feedsHealth: false,
    start: () => undefined,
    stop: () => undefined,
    observations: () => [],
  };
  stepScheduler({ ...contextOf(world), runtime, targets: undefined, rulesOf: () => LOCAL_RULES });
}

test('1.1, 1.4: it is INACTIVE once every task is stopping, though none has stopped', () => {
  const { world, service } = withWeb({ desiredCount: 2 });
  pass(world, 10_000);
  ecsOf(world).deleteService({ service, force: true });
  stepWithSlowRuntime(world);
  assert.deepEqual(
    tasksOf(world, service).map(({ phase }) => phase),
    ['stopping', 'stopping'],
  );
  assert.equal(serviceState(world, service).status, 'INACTIVE');
  assert.equal(ecsOf(world).describeService(service), undefined);
});

test('1.7: the name of an INACTIVE service is free, even while its last tasks stop', () => {
  const { world, service } = withWeb({ desiredCount: 2 });
  pass(world, 10_000);
  ecsOf(world).deleteService({ service, force: true });
  stepWithSlowRuntime(world);
  const again = createWeb(world, { desiredCount: 1 });
  assert.equal(again, service);
  const [task] = tasksOf(world, service);
  const because = { kind: 'asked-to-stop' } as const;
  const seen = [
    { type: 'stopped', task: task?.id ?? assert.fail(), because, containers: [] },
  ] as const;
  const runtime = {
    feedsHealth: false,
    start: () => undefined,
    stop: () => undefined,
    observations: () => seen,
  };
  stepScheduler({ ...contextOf(world), runtime, targets: undefined, rulesOf: () => LOCAL_RULES });
  assert.deepEqual(serviceState(world, service).deployments[0]?.counts, {
    ...{ starting: 1, running: 0, counting: 0, unhealthy: 0, stopping: 0 },
  });
});

test('1.8: an unknown service is nothing to describe, and no error', () => {
  const arn = 'arn:aws:ecs:us-east-1:000000000000:service/default/none' as ServiceArn;
  assert.equal(ecsOf(createEcsWorld()).describeService(arn), undefined);
});

test('1.9: a service without a cluster is in `default`', () => {
  const { service } = withWeb();
  assert.match(service, /:service\/default\/web$/);
});

test('1.20: a cluster that nobody knows cannot be deleted', () => {
  const said = refusal(() => ecsOf(createEcsWorld()).deleteCluster('none'));
  assert.equal(said, 'ClusterNotFoundException: Cluster not found.');
});

test('a cluster with services, or with tasks that still stop, cannot be deleted', () => {
  const { world, service } = withWeb();
  pass(world, 10_000);
  const remove = () => refusal(() => ecsOf(world).deleteCluster('default'));
  assert.match(remove(), /^ClusterContainsServicesException: /);
  ecsOf(world).deleteService({ service, force: true });
  assert.match(remove(), /^ClusterContainsServicesException: /);
  stepWithSlowRuntime(world);
  assert.match(remove(), /^ClusterContainsTasksException: /);
});

test('a cluster that is deleted with nothing in it is gone', () => {
  const world = createEcsWorld();
  ecsOf(world).createCluster({ clusterName: 'main' });
  ecsOf(world).deleteCluster('main');
  assert.equal(ecsOf(world).describeCluster('main'), undefined);
});

test('1.21, 1.22: an update or delete of what is not there, an update of what is going', () => {
  const { world, service } = withWeb();
  const unknown = { service: 'none' };
  const notFound = 'ServiceNotFoundException: Service not found.';
  assert.equal(
    refusal(() => ecsOf(world).updateService(unknown)),
    notFound,
  );
  assert.equal(
    refusal(() => ecsOf(world).deleteService(unknown)),
    notFound,
  );
  ecsOf(world).deleteService({ service, force: true });
  const notActive = 'ServiceNotActiveException: Service was not ACTIVE.';
  assert.equal(
    refusal(() => update(world, service)),
    notActive,
  );
});

test('1.23, 1.24, 1.25: a second create of a name, by what has become of the first', () => {
  const { world, service } = withWeb({ clientToken: 'a' });
  const create = (clientToken: string) =>
    refusal(() => ecsOf(world).createService({ ...webRequest(), clientToken }));
  assert.equal(create('a'), 'ok');
  assert.equal(Object.keys(stateOf(world).services).length, 1);
  assert.equal(create('b'), 'InvalidParameterException: Creation of service was not idempotent.');
  ecsOf(world).deleteService({ service, force: true });
  const draining = 'InvalidParameterException: Unable to Start a service that is still Draining.';
  assert.equal(create('b'), draining);
  pass(world, 0);
  assert.equal(create('b'), 'ok');
});

test('1.6, 1.26: a delete needs a desired count of 0, or force', () => {
  const { world, service } = withWeb();
  const remove = (more: JsonObject) =>
    refusal(() => ecsOf(world).deleteService({ service, ...more }));
  const scaled =
    'InvalidParameterException: The service cannot be stopped while it is scaled above 0.';
  assert.equal(remove({}), scaled);
  update(world, service, { desiredCount: 0 });
  assert.equal(remove({}), 'ok');
});

const NETWORK = 'Network Configuration';
const requests: readonly {
  readonly rule: string;
  readonly definition?: JsonObject;
  readonly request?: JsonObject;
  readonly leaveOut?: string;
  readonly said: string;
}[] = [
  {
    rule: 'name',
    request: { serviceName: '' },
    leaveOut: 'serviceName',
    said: 'Service name cannot be empty.',
  },
  { rule: 'definition', leaveOut: 'taskDefinition', said: 'TaskDefinition can not be blank.' },
  {
    rule: '1.27',
    leaveOut: 'networkConfiguration',
    said: `${NETWORK} must be provided when networkMode 'awsvpc' is specified.`,
  },
  {
    rule: '1.28',
    definition: { networkMode: 'bridge', requiresCompatibilities: ['EC2'] },
    said: `${NETWORK} is not valid for the given networkMode of this task definition.`,
  },
  {
    rule: '1.31',
    request: { loadBalancers: [{ containerName: 'nginx', containerPort: 80 }] },
    said: 'The container nginx does not exist in the task definition.',
  },
  {
    rule: '1.32',
    request: { loadBalancers: [{ containerName: 'app', containerPort: 81 }] },
    said: 'The container app did not have a container port 81 defined.',
  },
  {
    rule: '1.37',
    request: { deploymentConfiguration: { minimumHealthyPercent: 150 } },
    said: 'minimumHealthyPercent must be at most 100',
  },
];

for (const { rule, definition, request, leaveOut, said } of requests) {
  test(`${rule}: a create is refused, and leaves nothing: ${said}`, () => {
    const world = createEcsWorld();
    const app = { name: 'app', image: 'web:1', portMappings: [{ containerPort: 80 }] };
    register(world, 'web:1', { containerDefinitions: [app], ...definition });
    const whole = Object.entries({ ...webRequest(), ...request });
    const asked = Object.fromEntries(whole.filter(([key]) => key !== leaveOut));
    const answer = refusal(() => ecsOf(world).createService(asked));
    assert.equal(answer, `InvalidParameterException: ${said}`);
    assert.deepEqual(stateOf(world).services, {});
  });
}

test('an update is checked as a create is, and what is refused changes nothing', () => {
  const { world, service } = withWeb({ desiredCount: 2 });
  pass(world, 10_000);
  const bad = { desiredCount: 5, loadBalancers: [{ containerName: 'nginx', containerPort: 80 }] };
  assert.match(
    refusal(() => update(world, service, bad)),
    /container nginx does not exist/,
  );
  const { desiredCount, deployments } = serviceState(world, service);
  assert.deepEqual([desiredCount, deployments.length], [2, 1]);
});

test('1.75: an INACTIVE task definition takes no new service; the one that runs it may still scale', () => {
  const { world, service } = withWeb();
  const second = register(world, 'web:2');
  const [first] = ecsOf(world).listTaskDefinitions();
  ecsOf(world).deregisterTaskDefinition(first?.arn ?? '');
  ecsOf(world).deregisterTaskDefinition(second);
  assert.equal(
    refusal(() => update(world, service, { desiredCount: 3 })),
    'ok',
  );
  const inactive = 'ClientException: TaskDefinition is inactive';
  assert.equal(
    refusal(() => update(world, service, { taskDefinition: second })),
    inactive,
  );
  assert.equal(
    refusal(() => createWeb(world, { serviceName: 'other', taskDefinition: second })),
    inactive,
  );
});

test('dec. 6: a cluster and a task definition outside the template are assumed, and said', () => {
  const world = createEcsWorld();
  const asked = { cluster: 'main', serviceName: 'web', taskDefinition: 'other:3', desiredCount: 1 };
  const { service } = ecsOf(world).createService(asked);
  pass(world, 10_000);
  const said = world.record.entries.flatMap((event) =>
    event.type === 'assumption' ? [event.text] : [],
  );
  assert(said.some((text) => text.startsWith('ECS cluster main exists')));
  assert(said.some((text) => text.startsWith('task definition other:3 exists')));
  assert.equal(serviceState(world, service).steady, true);
  assert.deepEqual(ecsOf(world).listClusters(), []);
  assert.deepEqual(ecsOf(world).listTaskDefinitions(), []);
});

test('5.40, 1.10, 9.1: of a service the newest 100 events are kept', () => {
  const world = createEcsWorld({ 'web:1': { exits: { afterMs: 1_000, code: 1 } } });
  register(world, 'web:1');
  const service = createWeb(world);
  pass(world, 2 * 3_600_000);
  const texts = eventTexts(world, service);
  assert.equal(texts.length, 100);
  assert.match(texts.at(-1) ?? '', /^71\d\d(\.\d+)? /);
});

test('1.12, 3.5, 3.6: the percentages of a service that says nothing, REPLICA and DAEMON', () => {
  const { world, service } = withWeb();
  const { desiredCount: _, launchType: __, ...asked } = webRequest();
  const daemon = ecsOf(world).createService({
    ...asked,
    ...{ serviceName: 'agent', schedulingStrategy: 'DAEMON' },
  }).service;
  const { maximumPercent, minimumHealthyPercent } = serviceState(world, service).configuration;
  assert.deepEqual([maximumPercent, minimumHealthyPercent], [200, 100]);
  const { configuration } = serviceState(world, daemon);
  assert.deepEqual([configuration.maximumPercent, configuration.minimumHealthyPercent], [100, 0]);
});
