import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, ServiceArn } from '../../../../src/base/index.ts';
import type { World } from '../../../../src/world/index.ts';
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
  webRequest,
} from '../../../support/ecs-world.ts';

/** A service of `web:1` in its steady state, and a second revision that is registered only. */
function steadyWeb(more: JsonObject = {}, images: Images = {}) {
  const world = createEcsWorld(images);
  register(world, 'web:1');
  const service = createWeb(world, more);
  pass(world, 10_000);
  assert.equal(serviceState(world, service).steady, true);
  const second = register(world, 'web:2');
  return { world, service, first: primary(world, service).id, second };
}

/** Deployments, newest first: `web:2 PRIMARY IN_PROGRESS 1/2` (running of desired). */
function pictureOf(world: World, service: ServiceArn): readonly string[] {
  const view = ecsOf(world).describeService(service);
  return (view?.deployments ?? []).map(
    ({ taskDefinition, status, rolloutState, runningCount, desiredCount }) =>
      `${taskDefinition.split('/').at(-1)} ${status} ${rolloutState} ${runningCount}/${desiredCount}`,
  );
}

const NEVER_STARTS = { 'web:2': { pull: ['not-found'] } } as const;

test('2.3: the id of a deployment, which its tasks carry', () => {
  const { world, service, first } = steadyWeb();
  assert.match(first, /^ecs-svc\/[1-9]\d{18}$/);
  assert(tasksOf(world, service).every(({ deployment }) => deployment === first));
});

test('2.2, 2.4, 2.5: counts of a deployment are those of its own tasks', () => {
  const { world, service, second } = steadyWeb(
    { desiredCount: 2 },
    { 'web:2': { pull: ['ok', 'not-found'] } },
  );
  update(world, service, { taskDefinition: second });
  pass(world, 200);
  assert.deepEqual(pictureOf(world, service), [
    'web:2 PRIMARY IN_PROGRESS 1/2',
    'web:1 ACTIVE COMPLETED 2/2',
  ]);
  const view = ecsOf(world).describeService(service);
  assert.deepEqual(
    view?.deployments.map(({ failedTasks }) => failedTasks),
    [1, 0],
  );
  assert.equal(view?.runningCount, 3);
});

const { taskDefinition: _, ...withoutDefinition } = webRequest();
const others: readonly [type: string, request: JsonObject][] = [
  ['CODE_DEPLOY', { ...webRequest(), loadBalancers: [{ targetGroupArn: 'arn' }] }],
  ['EXTERNAL', withoutDefinition],
];
for (const [type, request] of others) {
  test(`2.1, 2.6, 8.34: a service under ${type} has no deployments and no rolloutState`, () => {
    const world = createEcsWorld();
    register(world, 'web:1');
    const asked = { ...request, deploymentController: { type } };
    const { service } = ecsOf(world).createService(asked);
    pass(world, 10_000);
    assert.deepEqual(ecsOf(world).describeService(service)?.deployments, []);
  });
}

test('2.7, 2.20, 2.21: IN_PROGRESS, and COMPLETED at the steady state', () => {
  const world = createEcsWorld();
  register(world, 'web:1');
  const service = createWeb(world);
  const { id } = primary(world, service);
  const standing = () => [
    primary(world, service).rolloutState,
    primary(world, service).rolloutStateReason,
  ];
  assert.deepEqual(standing(), ['IN_PROGRESS', `ECS deployment ${id} in progress.`]);
  pass(world, 2_999);
  assert.equal(standing()[0], 'IN_PROGRESS');
  pass(world, 1);
  assert.deepEqual(standing(), ['COMPLETED', `ECS deployment ${id} completed.`]);
});

test('2.10, fine print c: a task counts after 3 s, and after 10 s while its deployment has a failure', () => {
  const world = createEcsWorld({ 'web:1': { pull: ['not-found', 'ok'] } });
  register(world, 'web:1');
  const service = createWeb(world);
  pass(world, 500 + 9_999); // the second task starts after half a second
  assert.equal(primary(world, service).rolloutState, 'IN_PROGRESS');
  pass(world, 1);
  assert.equal(primary(world, service).rolloutState, 'COMPLETED');
});

test('fine print c: a failure lengthens the window of every task of the deployment', () => {
  const world = createEcsWorld({ 'web:1': { pull: ['ok', 'not-found', 'ok'] } });
  register(world, 'web:1');
  const service = createWeb(world, { desiredCount: 2 });
  pass(world, 9_999);
  assert.deepEqual(primary(world, service).counts, {
    starting: 0,
    running: 2,
    counting: 0,
    unhealthy: 0,
    stopping: 0,
  });
  pass(world, 1);
  assert.deepEqual(primary(world, service).counts, {
    starting: 0,
    running: 1,
    counting: 1,
    unhealthy: 0,
    stopping: 0,
  });
});

test('2.9: steady with one deployment and its desired count, all of it counting', () => {
  const images = { 'web:2': { pull: ['ok', 'not-found', 'not-found', 'ok'] } } as const;
  const { world, service, second } = steadyWeb({ desiredCount: 2 }, images);
  update(world, service, { taskDefinition: second });
  pass(world, 11_499); // the second of the new tasks runs since 1.5 s, and needs 10 s
  assert.equal(primary(world, service).counts.counting, 1);
  assert.equal(serviceState(world, service).steady, false);
  pass(world, 1);
  assert.deepEqual(pictureOf(world, service), ['web:2 PRIMARY COMPLETED 2/2']);
  assert.equal(serviceState(world, service).steady, true);
});

test('2.12: while the new deployment starts nothing, the old tasks run on', () => {
  const { world, service, second } = steadyWeb({ desiredCount: 2 }, NEVER_STARTS);
  const tasks = tasksOf(world, service).map(({ id }) => id);
  update(world, service, { taskDefinition: second });
  pass(world, 3_600_000);
  assert.equal(pictureOf(world, service)[1], 'web:1 ACTIVE COMPLETED 2/2');
  const serving = tasksOf(world, service).filter(({ phase }) => phase === 'counting');
  assert.deepEqual(
    serving.map(({ id }) => id),
    tasks,
  );
});

test('2.11: the old deployment leaves the list with its last task', () => {
  const { world, service, second } = steadyWeb();
  update(world, service, { taskDefinition: second });
  pass(world, 2_999);
  assert.deepEqual(pictureOf(world, service), [
    'web:2 PRIMARY IN_PROGRESS 1/1',
    'web:1 ACTIVE COMPLETED 1/1',
  ]);
  pass(world, 1);
  assert.deepEqual(pictureOf(world, service), ['web:2 PRIMARY COMPLETED 1/1']);
});

test('2.13: an update during a rollout makes a third deployment, and all others drain', () => {
  const { world, service, second } = steadyWeb({}, NEVER_STARTS);
  update(world, service, { taskDefinition: second });
  pass(world, 1_000);
  const third = register(world, 'web:3');
  assert.equal(primary(world, service).failedTasks, 2);
  update(world, service, { taskDefinition: third });
  assert.equal(primary(world, service).failedTasks, 0);
  assert.deepEqual(pictureOf(world, service), [
    'web:3 PRIMARY IN_PROGRESS 0/1',
    'web:2 ACTIVE IN_PROGRESS 0/0',
    'web:1 ACTIVE COMPLETED 1/1',
  ]);
  pass(world, 10_000);
  assert.deepEqual(pictureOf(world, service), ['web:3 PRIMARY COMPLETED 1/1']);
});

test('2.14, 2.51: forceNewDeployment alone makes a deployment of the same task definition', () => {
  const { world, service, first } = steadyWeb();
  update(world, service, { taskDefinition: 'web:1', forceNewDeployment: true });
  assert.notEqual(primary(world, service).id, first);
  assert.equal(pictureOf(world, service)[0], 'web:1 PRIMARY IN_PROGRESS 0/1');
});

const NETWORK = { awsvpcConfiguration: { subnets: ['subnet-0bb2'] } };
const changes: readonly { readonly request: JsonObject; readonly starts: boolean }[] = [
  { request: { taskDefinition: 'web:2' }, starts: true },
  { request: { networkConfiguration: NETWORK }, starts: true },
  { request: { platformVersion: '1.4.0' }, starts: true },
  { request: { serviceRegistries: [{ registryArn: 'r' }] }, starts: true },
  { request: { serviceConnectConfiguration: { enabled: true } }, starts: true },
  { request: { volumeConfigurations: [{ name: 'v' }] }, starts: true },
  { request: { vpcLatticeConfigurations: [{ portName: 'p' }] }, starts: true },
  { request: {}, starts: false },
  { request: { taskDefinition: 'web:1' }, starts: false },
  { request: { desiredCount: 3 }, starts: false },
  { request: { deploymentConfiguration: percents(150, 50) }, starts: false },
  { request: { healthCheckGracePeriodSeconds: 0 }, starts: false },
  { request: { enableExecuteCommand: true }, starts: false },
  { request: { propagateTags: 'SERVICE' }, starts: false },
  { request: { placementStrategy: [] }, starts: false },
];

for (const { request, starts } of changes) {
  const rule = starts ? '2.50' : '2.52';
  test(`${rule}: an update with ${JSON.stringify(request)} starts ${starts ? 'a' : 'no'} deployment`, () => {
    const world = createEcsWorld();
    register(world, 'web:1', { volumes: [{ name: 'v' }] });
    const service = createWeb(world);
    const first = primary(world, service).id;
    register(world, 'web:2', { volumes: [{ name: 'v' }] });
    update(world, service, request);
    assert.equal(primary(world, service).id !== first, starts);
  });
}

test('2.30: an empty list takes balancers and registries away; what is absent stays', () => {
  const settings = {
    loadBalancers: [{ targetGroupArn: 'arn', containerName: 'app', containerPort: 80 }],
    serviceRegistries: [{ registryArn: 'r' }],
    placementConstraints: [],
  };
  const world = createEcsWorld();
  const app = { name: 'app', image: 'web:1', portMappings: [{ containerPort: 80 }] };
  register(world, 'web:1', { containerDefinitions: [app] });
  const service = createWeb(world, settings);
  const requested = () => {
    const { loadBalancers, serviceRegistries } = serviceState(world, service).request;
    return { loadBalancers, serviceRegistries };
  };
  const first = primary(world, service).id;
  const { placementConstraints: _, ...kept } = settings;
  update(world, service, { desiredCount: 2 });
  assert.deepEqual(requested(), kept);
  assert.equal(primary(world, service).id, first);
  update(world, service, { loadBalancers: [], serviceRegistries: [] });
  assert.deepEqual(requested(), { loadBalancers: [], serviceRegistries: [] });
  assert.notEqual(primary(world, service).id, first);
});

test('2.15: scaling changes the desired count of a COMPLETED deployment, which stays COMPLETED', () => {
  const { world, service, first } = steadyWeb();
  update(world, service, { desiredCount: 3 });
  pass(world, 1_000);
  assert.deepEqual(pictureOf(world, service), ['web:1 PRIMARY COMPLETED 3/3']);
  pass(world, 10_000);
  assert.equal(primary(world, service).id, first);
  const steady = eventTexts(world, service).filter((text) => text.includes('steady state'));
  assert.equal(steady.length, 2, 'the service has left its steady state and come back (f)');
});

test('2.16: a breaker does not watch a COMPLETED deployment', () => {
  const { world, service } = steadyWeb(
    { deploymentConfiguration: breaker(true) },
    { 'web:1': { exits: { afterMs: 12_000, code: 1 } } },
  );
  behave(world, { 'web:1': { exits: { afterMs: 5_000, code: 1 } } });
  pass(world, 600_000);
  assert(primary(world, service).failedTasks > 3);
  assert.equal(primary(world, service).rolloutState, 'COMPLETED');
});

test('2.8, 2.17: back to a deployment that still has tasks: it is PRIMARY again, nothing is replaced', () => {
  const { world, service, first, second } = steadyWeb({ desiredCount: 2 }, NEVER_STARTS);
  const tasks = tasksOf(world, service).map(({ id }) => id);
  update(world, service, { taskDefinition: second });
  pass(world, 1_000);
  update(world, service, { taskDefinition: 'web:1' });
  assert.equal(primary(world, service).id, first);
  assert.equal(primary(world, service).rolloutStateReason, `ECS deployment ${first} in progress.`);
  pass(world, 1_000);
  assert.deepEqual(pictureOf(world, service), ['web:1 PRIMARY COMPLETED 2/2']);
  assert.deepEqual(
    tasksOf(world, service).map(({ id }) => id),
    tasks,
  );
});

test('2.17: what holds no tasks any more is a new deployment', () => {
  const { world, service, first, second } = steadyWeb();
  update(world, service, { taskDefinition: second });
  pass(world, 10_000);
  update(world, service, { taskDefinition: 'web:1' });
  assert.notEqual(primary(world, service).id, first);
});

test('2.17: with force it is a new deployment too', () => {
  const { world, service, first, second } = steadyWeb();
  update(world, service, { taskDefinition: second });
  pass(world, 100);
  update(world, service, { taskDefinition: 'web:1', forceNewDeployment: true });
  assert.notEqual(primary(world, service).id, first);
});

test('2.17, 4.13: a deployment that is taken up again replaces what a user stopped of it', () => {
  const { world, service, second } = steadyWeb({ desiredCount: 2 }, NEVER_STARTS);
  update(world, service, { taskDefinition: second });
  pass(world, 100);
  const task = tasksOf(world, service).find(({ phase }) => phase === 'counting');
  ecsOf(world).stopTask({ task: task?.id ?? '' });
  pass(world, 100);
  update(world, service, { taskDefinition: 'web:1' });
  pass(world, 20_000);
  assert.deepEqual(pictureOf(world, service), ['web:1 PRIMARY COMPLETED 2/2']);
});

test('2.40: "deployment completed." stands before "has reached a steady state."', () => {
  const { world, service } = steadyWeb();
  assert.deepEqual(eventTexts(world, service).slice(-2), [
    '3 (service web) (deployment ecs-svc/#) deployment completed.',
    '3 (service web) has reached a steady state.',
  ]);
});

test('fine print f: a steady state is left when a task dies, and said again when it is back', () => {
  const { world, service } = steadyWeb({}, { 'web:1': { exits: { afterMs: 20_000, code: 1 } } });
  behave(world, {});
  pass(world, 60_000);
  assert.deepEqual(eventTexts(world, service).slice(-3), [
    '3 (service web) has reached a steady state.',
    '20.5 (service web) has started 1 tasks: (task).',
    '30.5 (service web) has reached a steady state.',
  ]);
});

test('fine print i: a task of an earlier deployment that dies is not replaced from its revision', () => {
  const images = { 'web:1': { exits: { afterMs: 15_000, code: 1 } } } as const;
  const { world, service, second } = steadyWeb(
    { desiredCount: 2, deploymentConfiguration: percents(100, 100) },
    images,
  );
  update(world, service, { taskDefinition: second });
  pass(world, 3_000);
  const told = eventTexts(world, service).length;
  assert.equal(pictureOf(world, service)[1], 'web:1 ACTIVE COMPLETED 2/2');
  pass(world, 60_000); // the newest deployment fills the gap that the ceiling did not leave before
  assert.deepEqual(pictureOf(world, service), ['web:2 PRIMARY COMPLETED 2/2']);
  assert.deepEqual(eventTexts(world, service).slice(told), [
    '15 (service web) has started 2 tasks: (task) (task).',
    '18 (service web) (deployment ecs-svc/#) deployment completed.',
    '18 (service web) has reached a steady state.',
  ]);
});

test('fine print i: it counts as failed in its own deployment', () => {
  const images = { 'web:1': { exits: { afterMs: 15_000, code: 1 } }, ...NEVER_STARTS };
  const { world, service, second } = steadyWeb({ desiredCount: 2 }, images);
  update(world, service, { taskDefinition: second });
  pass(world, 2_000); // until 12 s
  tasksOf(world, service).forEach(({ id }, at) => {
    if (at === 0) ecsOf(world).stopTask({ task: id }); // one is left, and dies at 15 s
  });
  pass(world, 2_999);
  assert.deepEqual(
    serviceState(world, service).deployments.map(({ counts }) => counts.counting),
    [0, 1],
  );
  assert.equal(serviceState(world, service).deployments[1]?.failedTasks, 0);
});

test('4.14, 2.52: after a rollback by the breaker an update of the count starts no deployment', () => {
  const { world, service, first, second } = steadyWeb(
    { deploymentConfiguration: breaker(true) },
    NEVER_STARTS,
  );
  update(world, service, { taskDefinition: second });
  pass(world, 10_000);
  assert.equal(primary(world, service).id, first);
  update(world, service, { desiredCount: 2 });
  pass(world, 10_000);
  assert.deepEqual(pictureOf(world, service), ['web:1 PRIMARY COMPLETED 2/2']);
});

test('2.52: an update that names no task definition keeps the revision, though a newer one exists', () => {
  const { world, service, first } = steadyWeb(); // `web`, of which there are two revisions by now
  update(world, service, { desiredCount: 2 });
  assert.equal(primary(world, service).id, first);
});
