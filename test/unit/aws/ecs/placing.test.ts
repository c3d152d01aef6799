import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEcs, registerInstances, type Timing } from '../../../../src/aws/ecs/index.ts';
import type { JsonObject, ServiceArn } from '../../../../src/base/index.ts';
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
  stateOf,
  tasksOf,
  update,
  webRequest,
} from '../../../support/ecs-world.ts';

// What `placing.ts` makes of the decisions of `placement/`: tasks of a service on known instances.

interface Sketch {
  readonly memory?: number; // MiB; a task takes 256
  readonly zone?: string;
  readonly group?: string;
}

function addInstances(world: World, sketches: readonly Sketch[]): void {
  registerInstances(
    contextOf(world),
    'default',
    sketches.map(({ memory = 1024, zone = 'a', group }) => ({
      ...{ cpuUnits: 4096, memoryMebibytes: memory },
      attributes: { 'ecs.availability-zone': zone },
      ...(group === undefined ? {} : { group }),
    })),
  );
}

const ON_EC2: JsonObject = { serviceName: 'web', taskDefinition: 'web', launchType: 'EC2' };

interface Placed {
  readonly on: readonly Sketch[];
  readonly service?: JsonObject;
  readonly hostPort?: number;
  readonly timing?: Timing;
}

/** A service `web` on EC2, at the end of the instant in which it was created. */
function placed({ on, service, hostPort, timing = 'local' }: Placed) {
  const world = createEcsWorld();
  addInstances(world, on);
  stateOf(world).assumesInstances = false;
  const ports = hostPort === undefined ? [] : [{ containerPort: 80, hostPort }];
  const app = { name: 'app', image: 'web:1', memory: 256, portMappings: ports };
  const request = { family: 'web', networkMode: 'bridge', containerDefinitions: [app] };
  const ecs = createEcs(contextOf(world, timing));
  ecs.registerTaskDefinition(request);
  const { service: arn } = ecs.createService({ ...ON_EC2, desiredCount: 1, ...service });
  pass(world, 0);
  return { world, service: arn };
}

/** Tasks by instance, in order of registration: `2 1 0`. */
function picture(world: World, service: ServiceArn): string {
  const tasks = tasksOf(world, service).filter(({ phase }) => phase !== 'stopping');
  const on = (id: string) => tasks.filter(({ placement }) => placement.instance === id).length;
  return (stateOf(world).instances['default'] ?? []).map(({ id }) => on(id)).join(' ');
}

/** Events that a task was not placed, with instances unnamed. */
function refusals(world: World, service: ServiceArn): readonly string[] {
  return eventTexts(world, service)
    .filter((text) => text.includes('unable to place'))
    .map((text) => text.replace(/[0-9a-f]{32}/, '#'));
}

const NO_INSTANCE =
  '(service web) was unable to place a task because no container instance met all of its requirements.';
const MORE =
  'For more information, see the Troubleshooting section of the Amazon ECS Developer Guide.';

test('5.15, 5.55: a task without room is none and no failed one; said once, and tried when there is room', () => {
  const { world, service } = placed({ on: [{ memory: 600 }], service: { desiredCount: 3 } });
  pass(world, 3_600_000);
  assert.equal(picture(world, service), '2');
  assert.equal(primary(world, service).failedTasks, 0);
  const why = 'The closest matching (container-instance #) has insufficient memory available.';
  assert.deepEqual(refusals(world, service), [`0 ${NO_INSTANCE} ${why} ${MORE}`]);
  addInstances(world, [{}]);
  pass(world, 0);
  assert.equal(picture(world, service), '2 1');
  pass(world, 10_000);
  assert.equal(primary(world, service).rolloutState, 'COMPLETED');
});

test('5.15: room that another service gives up is taken', () => {
  const { world, service } = placed({ on: [{ memory: 600 }], service: { desiredCount: 2 } });
  const other = { ...ON_EC2, serviceName: 'other', desiredCount: 1 };
  const { service: waiting } = createEcs(contextOf(world)).createService(other);
  pass(world, 60_000);
  assert.deepEqual([picture(world, service), picture(world, waiting)], ['2', '0']);
  update(world, service, { desiredCount: 1 });
  pass(world, 0);
  assert.deepEqual([picture(world, service), picture(world, waiting)], ['1', '1']);
});

test('5.15: a cluster without instances is a reason of its own', () => {
  const { world, service } = placed({ on: [] });
  const why = 'Reason: No Container Instances were found in your cluster.';
  assert.deepEqual(refusals(world, service), [`0 ${NO_INSTANCE} ${why} ${MORE}`]);
});

test('7.11, 10.14, 5.56: on AWS a taken host port keeps a task from being placed, and is no failure', () => {
  const { world, service } = placed({
    ...{ on: [{}], hostPort: 8080, timing: 'aws' },
    service: { desiredCount: 2 },
  });
  pass(world, 600_000);
  assert.equal(picture(world, service), '1');
  assert.equal(primary(world, service).failedTasks, 0);
  assert.match(refusals(world, service)[0] ?? '', /is already using a port required by your task/);
});

test('7.11, 10.14, dec. 14a: under `local` it is a start that fails, and counts', () => {
  const { world, service } = placed({ on: [{}], hostPort: 8080, service: { desiredCount: 2 } });
  pass(world, 600);
  assert.equal(primary(world, service).failedTasks, 2);
  assert.match(refusals(world, service)[0] ?? '', /port is already allocated/);
});

const scaledIn: readonly {
  when: string;
  on: readonly Sketch[];
  strategy?: JsonObject[];
  from: string;
  then: string;
}[] = [
  {
    when: 'zones stay in balance, though the oldest task is elsewhere',
    on: [{ zone: 'b' }, { zone: 'a' }, { zone: 'a' }],
    from: '1 1 1',
    then: '1 0 1',
  },
  {
    when: 'binpack empties the instance with the most room left',
    on: [{ memory: 600 }, { memory: 1024 }],
    strategy: [{ type: 'binpack', field: 'memory' }],
    from: '2 1',
    then: '2 0',
  },
];

for (const { when, on, strategy, from, then } of scaledIn) {
  test(`7.8 scale-in: ${when}`, () => {
    const asked = strategy === undefined ? {} : { placementStrategy: strategy };
    const { world, service } = placed({ on, service: { desiredCount: 3, ...asked } });
    assert.equal(picture(world, service), from);
    update(world, service, { desiredCount: 2 });
    pass(world, 0);
    assert.equal(picture(world, service), then);
  });
}

test('3.6, 7.6 DAEMON: one task on each instance, one that registers later and one that drains included', () => {
  const { desiredCount: _, ...daemon } = { ...ON_EC2, desiredCount: 1 };
  const world = createEcsWorld();
  addInstances(world, [{}, {}]);
  const app = { name: 'app', image: 'web:1', memory: 256 };
  const ecs = createEcs(contextOf(world));
  ecs.registerTaskDefinition({ family: 'web', networkMode: 'bridge', containerDefinitions: [app] });
  const asked = { ...daemon, schedulingStrategy: 'DAEMON' };
  const { service } = ecs.createService(asked);
  pass(world, 10_000);
  assert.equal(picture(world, service), '1 1');
  assert.equal(serviceState(world, service).desiredCount, 2);
  addInstances(world, [{}]);
  pass(world, 10_000);
  assert.equal(picture(world, service), '1 1 1');
  const [first] = stateOf(world).instances['default'] ?? [];
  if (first !== undefined) first.status = 'DRAINING';
  update(world, service);
  pass(world, 10_000);
  assert.equal(picture(world, service), '0 1 1');
  const { configuration, desiredCount, steady } = serviceState(world, service);
  assert.deepEqual([desiredCount, steady], [2, true]);
  assert.deepEqual([configuration.maximumPercent, configuration.minimumHealthyPercent], [100, 0]);
});

test('3.6 DAEMON: an update stops the old task of an instance before the new one starts', () => {
  const { desiredCount: _, ...daemon } = { ...ON_EC2, desiredCount: 1 };
  const world = createEcsWorld();
  addInstances(world, [{}, {}]);
  const app = { name: 'app', image: 'web:1', memory: 600 }; // two of them do not fit
  const ecs = createEcs(contextOf(world));
  const definition = { family: 'web', networkMode: 'bridge', containerDefinitions: [app] };
  ecs.registerTaskDefinition(definition);
  const { service } = ecs.createService({ ...daemon, schedulingStrategy: 'DAEMON' });
  pass(world, 10_000);
  const { arn } = createEcs(contextOf(world)).registerTaskDefinition(definition);
  update(world, service, { taskDefinition: arn });
  pass(world, 10_000);
  assert.equal(picture(world, service), '1 1');
  assert.equal(primary(world, service).rolloutState, 'COMPLETED');
  assert.equal(primary(world, service).revision.taskDefinition, arn);
});

/** How many tasks of the service have each value: `a 2, b 1`. */
function shares(
  world: World,
  service: ServiceArn,
  key: 'subnet' | 'capacityProvider',
): { [value: string]: number } {
  const counts: { [value: string]: number } = {};
  for (const { placement } of tasksOf(world, service)) {
    const value = String(placement[key]);
    counts[value] = (counts[value] ?? 0) + 1;
  }
  return counts;
}

test('7.7: on Fargate the subnets of a service take turns, also when it grows again', () => {
  const world = createEcsWorld();
  register(world, 'web:1');
  const networkConfiguration = { awsvpcConfiguration: { subnets: ['a', 'b', 'c'] } };
  const service = createWeb(world, { desiredCount: 5, networkConfiguration });
  pass(world, 10_000);
  assert.deepEqual(shares(world, service, 'subnet'), { a: 2, b: 2, c: 1 });
  update(world, service, { desiredCount: 3 }); // the oldest go: `a` and `b`
  pass(world, 10_000);
  update(world, service, { desiredCount: 6 });
  pass(world, 10_000);
  assert.deepEqual(shares(world, service, 'subnet'), { a: 2, b: 2, c: 2 });
});

test('7.12, 7.13: the base first, then by weight, also when the service grows', () => {
  const world = createEcsWorld();
  register(world, 'web:1');
  const { launchType: _, ...request } = webRequest();
  const capacityProviderStrategy = [
    { capacityProvider: 'FARGATE', base: 2, weight: 1 },
    { capacityProvider: 'FARGATE_SPOT', weight: 4 },
  ];
  const asked = { ...request, desiredCount: 2, capacityProviderStrategy };
  const { service } = createEcs(contextOf(world)).createService(asked);
  pass(world, 10_000);
  assert.deepEqual(shares(world, service, 'capacityProvider'), { FARGATE: 2 });
  update(world, service, { desiredCount: 7 });
  pass(world, 10_000);
  assert.deepEqual(shares(world, service, 'capacityProvider'), { FARGATE: 3, FARGATE_SPOT: 4 });
});

test('7.12: a provider whose instances are known places its tasks on these alone', () => {
  const { launchType: _, ...request } = ON_EC2;
  const { world, service } = placed({
    on: [{ group: 'small' }, { group: 'large' }],
    service: {
      ...request,
      ...{ launchType: null, desiredCount: 2 },
      capacityProviderStrategy: [{ capacityProvider: 'large', weight: 1 }],
    },
  });
  assert.equal(picture(world, service), '0 2');
});
