import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  HOUR_MS,
  isObject,
  type JsonObject,
  type JsonValue,
  present,
  seedRandom,
} from '../../src/base/index.ts';
import { clusterProvider } from '../../src/providers/ecs/cluster.ts';
import { serviceProvider } from '../../src/providers/ecs/service.ts';
import type { Stabilizing } from '../../src/providers/ecs/stabilizing.ts';
import { taskDefinitionProvider } from '../../src/providers/ecs/task-definition.ts';
import {
  behave,
  breaker,
  createEcsWorld,
  ecsOf,
  type Images,
  pass,
  percents,
  register,
  stateOf,
} from '../support/ecs-world.ts';
import {
  driven,
  errorCode,
  keepsTheContract,
  type Subject,
  succeeded,
} from '../support/provider-contract.ts';
import { REGISTRY } from '../support/world.ts';

type Type = 'AWS::ECS::Cluster' | 'AWS::ECS::TaskDefinition' | 'AWS::ECS::Service';

const LIMIT: Stabilizing = {
  ...{
    limitMs: 36 * HOUR_MS,
    isSet: false,
    giveUpOn: 'nothing',
    tellsOwnReason: true,
    lookEverySeconds: 5,
  },
};

function subjectIn(world: ReturnType<typeof createEcsWorld>, type: Type, limit = LIMIT): Subject {
  const ecs = ecsOf(world);
  const random = seedRandom(type);
  const providers = {
    'AWS::ECS::Cluster': () => clusterProvider(ecs, random),
    'AWS::ECS::TaskDefinition': () => taskDefinitionProvider(ecs, random),
    'AWS::ECS::Service': () => serviceProvider(ecs, random, limit),
  };
  const facts = present(REGISTRY.facts(type), `${type} is known`);
  return { facts, provider: providers[type](), pass: (ms) => pass(world, ms) };
}

/** A world in which `web:1` is registered, as the task definition of the services below. */
function webWorld(images: Images = {}) {
  const world = createEcsWorld(images);
  register(world, 'web:1');
  return world;
}

const CONTAINER = { Name: 'app', Image: 'web:1', Memory: 128 };
const SERVICE: JsonObject = {
  TaskDefinition: 'web:1',
  LaunchType: 'FARGATE',
  NetworkConfiguration: { AwsvpcConfiguration: { Subnets: ['subnet-0aa1'] } },
};
const NAMED = { ...SERVICE, ServiceName: 'web' };

/** As a template spells it: `maximumPercent` → `MaximumPercent`. */
function capitalised(value: JsonObject): JsonObject {
  const inner = (one: JsonValue) => (isObject(one) ? capitalised(one) : one);
  const entries = Object.entries(value).map(([key, one]) => [
    `${key.charAt(0).toUpperCase()}${key.slice(1)}`,
    inner(one),
  ]);
  return Object.fromEntries(entries);
}

keepsTheContract('AWS::ECS::Cluster', {}, () => subjectIn(createEcsWorld(), 'AWS::ECS::Cluster'));
keepsTheContract('AWS::ECS::Cluster', { ClusterName: 'main' }, () =>
  subjectIn(createEcsWorld(), 'AWS::ECS::Cluster'),
);
keepsTheContract('AWS::ECS::TaskDefinition', { ContainerDefinitions: [CONTAINER] }, () =>
  subjectIn(createEcsWorld(), 'AWS::ECS::TaskDefinition'),
);
keepsTheContract(
  'AWS::ECS::TaskDefinition',
  { Family: 'web', ContainerDefinitions: [CONTAINER] },
  () => subjectIn(createEcsWorld(), 'AWS::ECS::TaskDefinition'),
);
keepsTheContract('AWS::ECS::Service', SERVICE, () => subjectIn(webWorld(), 'AWS::ECS::Service'));
keepsTheContract('AWS::ECS::Service', { ...NAMED, Cluster: 'main', DesiredCount: 2 }, () =>
  subjectIn(webWorld(), 'AWS::ECS::Service'),
);

const NAMES = [
  { type: 'AWS::ECS::Cluster', desired: { ClusterName: 'main' }, name: 'main' },
  { type: 'AWS::ECS::Service', desired: NAMED, name: 'web' },
] as const;

for (const { type, desired, name } of NAMES) {
  test(`R6, L33: a second ${type} of the same name already exists`, () => {
    const { last, provider } = driven(subjectIn(webWorld(), type), desired);
    succeeded(last('create'));
    assert.deepEqual(last('create', { clientRequestToken: 'second' }), {
      status: 'FAILED',
      errorCode: 'AlreadyExists',
      message: `Resource of type '${type}' with identifier '${name}' already exists.`,
    });
    assert.equal(provider.list().length, 1);
  });
}

const CREATE_ONLY = [
  { type: 'AWS::ECS::Cluster', before: { ClusterName: 'a' }, after: { ClusterName: 'b' } },
  { type: 'AWS::ECS::Service', before: NAMED, after: { ...NAMED, ServiceName: 'other' } },
  { type: 'AWS::ECS::Service', before: NAMED, after: { ...NAMED, Cluster: 'other' } },
  { type: 'AWS::ECS::Service', before: NAMED, after: { ...NAMED, SchedulingStrategy: 'DAEMON' } },
] as const;

for (const { type, before, after } of CREATE_ONLY) {
  test(`R7, 8.13: ${type} is not updatable to ${JSON.stringify(after)}`, () => {
    const { last } = driven(subjectIn(webWorld(), type), before);
    const previous = succeeded(last('create'));
    assert.equal(errorCode(last('update', { desired: after, previous })), 'NotUpdatable');
  });
}

test('R7: what an update leaves out is gone from the model', () => {
  const tags = { Tags: [{ Key: 'a', Value: '1' }] };
  const { last } = driven(subjectIn(webWorld(), 'AWS::ECS::Cluster'), {
    ClusterName: 'a',
    ...tags,
  });
  const previous = succeeded(last('create'));
  const after = succeeded(last('update', { desired: { ClusterName: 'a' }, previous }));
  assert.deepEqual(Object.keys(after), ['ClusterName', 'Arn']);
});

test('R2, I5: a task definition has no update; another registration is another revision', () => {
  const desired = { Family: 'web', ContainerDefinitions: [CONTAINER] };
  const { last, provider } = driven(
    subjectIn(createEcsWorld(), 'AWS::ECS::TaskDefinition'),
    desired,
  );
  assert.equal(provider.update, undefined);
  succeeded(last('create'));
  const second = succeeded(last('create', { clientRequestToken: 'second' }));
  assert.match(String(second['TaskDefinitionArn']), /\/web:2$/);
});

test('L16, fine print f: the first answer has the configuration applied, then it looks every 5 s', () => {
  const { all } = driven(subjectIn(webWorld(), 'AWS::ECS::Service'), NAMED);
  const said = all('create').map((event) =>
    event.status === 'IN_PROGRESS'
      ? [event.callbackDelaySeconds, event.configurationComplete === true]
      : event.status,
  );
  assert.deepEqual(said, [[5, true], 'SUCCESS']); // steady after 3 s, seen after 5
});

test('8.14, R10: it is done only when the service is steady', () => {
  const images = { 'web:1': { pull: ['not-found', 'not-found', 'ok'] } } as const;
  const { all } = driven(subjectIn(webWorld(images), 'AWS::ECS::Service'), NAMED);
  assert.equal(all('create').length, 4); // at 0, 5, 10 and 15 s; it counts from 11.5 s on
});

const NEVER_STARTS = { 'web:1': { pull: ['not-found'] } } as const;

test('8.29, dec. 18, 19: NotStabilized, with the service’s own reason', () => {
  const desired = { ...NAMED, DeploymentConfiguration: capitalised(breaker(false)) };
  const { last, provider } = driven(
    subjectIn(webWorld(NEVER_STARTS), 'AWS::ECS::Service'),
    desired,
  );
  const event = last('create');
  assert(event.status === 'FAILED');
  assert.equal(event.errorCode, 'NotStabilized');
  const reason =
    /^\(service web\) was unable to place a task\. Reason: CannotPullContainerError: .+\.$/;
  assert.match(event.cause?.reason ?? '', reason);
  assert.equal(event.message, `service web did not stabilize: ${event.cause?.reason}`);
  assert.deepEqual([event.cause?.source, event.cause?.limit], ['service-event', undefined]);
  // R6: it names what was made, which a rollback must delete.
  assert.deepEqual(provider.list().length, 1);
  assert.match(String(event.model?.['ServiceArn']), /service\/default\/web$/);
});

for (const rollback of [false, true]) {
  const rule = rollback ? '4.33' : '4.30';
  test(`${rule}, 4.16: a create fails as soon as its deployment is FAILED, rollback: ${rollback}`, () => {
    const configuration = capitalised(breaker(rollback));
    const desired = { ...NAMED, DeploymentConfiguration: configuration };
    const { all } = driven(subjectIn(webWorld(NEVER_STARTS), 'AWS::ECS::Service'), desired);
    const said = all('create').map(({ status }) => status);
    assert.deepEqual(said, ['IN_PROGRESS', 'FAILED']); // FAILED at 1.5 s, seen at 5 s
  });
}

const AWS_TEXTS = [
  {
    rule: '8.20 a breaker that trips',
    desired: { ...NAMED, DeploymentConfiguration: capitalised(breaker(false)) },
    errorCode: 'GeneralServiceException',
    message: "Error occurred during operation 'ECS Deployment Circuit Breaker was triggered'.",
  },
  {
    rule: '8.21 a wait that is given up',
    desired: NAMED,
    errorCode: 'NotStabilized',
    message: 'Exceeded attempts to wait',
  },
] as const;

for (const { rule, desired, errorCode, message } of AWS_TEXTS) {
  test(`${rule}: AWS’s own sentence (8.28, 10.19), and the service’s reason beside it (10.20)`, () => {
    const end = (tellsOwnReason: boolean) => {
      const limit = { ...LIMIT, limitMs: HOUR_MS, tellsOwnReason };
      const subject = subjectIn(webWorld(NEVER_STARTS), 'AWS::ECS::Service', limit);
      const event = driven(subject, desired).last('create');
      assert(event.status === 'FAILED');
      return event;
    };
    const [aws, own] = [end(false), end(true)];
    assert.deepEqual([aws.errorCode, aws.message], [errorCode, message]);
    assert.equal(own.message, `service web did not stabilize: ${own.cause?.reason}`);
    assert.equal(aws.cause?.reason, own.cause?.reason);
  });
}

test('8.11, 8.12, 10.21: a create or update may take 36 h, a delete 30 minutes', () => {
  const minutes = (['create', 'update', 'delete'] as const).map((operation) =>
    REGISTRY.handlerTimeoutMinutes('AWS::ECS::Service', operation),
  );
  assert.deepEqual(minutes, [36 * 60, 36 * 60, 30]);
});

test('3.8: the percentages that the CDK writes hold, as any that the template says', () => {
  const world = webWorld();
  const configuration = capitalised(percents(200, 50));
  const desired = { ...NAMED, DesiredCount: 4, DeploymentConfiguration: configuration };
  succeeded(driven(subjectIn(world, 'AWS::ECS::Service'), desired).last('create'));
  const [service] = Object.values(stateOf(world).services);
  const { maximumPercent, minimumHealthyPercent } = service?.configuration ?? assert.fail();
  assert.deepEqual([maximumPercent, minimumHealthyPercent], [200, 50]);
});

test('fine print h: a way back that hangs ends at the limit, as a failure and not as a hang', () => {
  const world = webWorld();
  const limit = { ...LIMIT, limitMs: HOUR_MS };
  const configuration = capitalised({ ...percents(100, 0), ...breaker(true) });
  const desired = { ...NAMED, DeploymentConfiguration: configuration };
  const { last } = driven(subjectIn(world, 'AWS::ECS::Service', limit), desired);
  const previous = succeeded(last('create'));
  const next = { ...desired, TaskDefinition: register(world, 'web:2') };
  behave(world, { 'web:*': { pull: ['not-found'] } });
  const event = last('update', { desired: next, previous });
  assert(event.status === 'FAILED');
  assert.equal(event.cause?.limit, undefined);
  assert.match(event.cause?.reason ?? '', /CannotPullContainerError/);
});

for (const isSet of [false, true]) {
  test(`dec. 4, 5: the limit that ${isSet ? 'the command set' : 'nobody set'} ends the wait`, () => {
    const limit = { ...LIMIT, limitMs: 61_000, isSet };
    const { all } = driven(subjectIn(webWorld(NEVER_STARTS), 'AWS::ECS::Service', limit), NAMED);
    const said = all('create');
    const event = said.at(-1);
    assert(event?.status === 'FAILED');
    assert.equal(event.cause?.limit, isSet ? 'set' : 'default');
    assert.equal(said.length, 14, 'the last look is at the limit itself'); // 0, 5, … 60, 61 s
  });
}

test('8.24, 8.25: what ECS refuses fails at once, in its words, and makes nothing', () => {
  const desired = { ServiceName: 'web', TaskDefinition: 'web:1', LaunchType: 'FARGATE' };
  const { all, provider } = driven(subjectIn(webWorld(), 'AWS::ECS::Service'), desired);
  assert.deepEqual(all('create'), [
    {
      status: 'FAILED',
      errorCode: 'InvalidRequest',
      message:
        "Invalid request provided: Create Service: Network Configuration must be provided when networkMode 'awsvpc' is specified.",
    },
  ]);
  assert.deepEqual(provider.list(), []);
});

test('6.21, 8.24: what RegisterTaskDefinition refuses, as CloudFormation words it', () => {
  const app = { ...CONTAINER, DependsOn: [{ ContainerName: 'init', Condition: 'SUCCESS' }] };
  const desired = { ContainerDefinitions: [{ ...CONTAINER, Name: 'init' }, app] };
  const { last } = driven(subjectIn(createEcsWorld(), 'AWS::ECS::TaskDefinition'), desired);
  const event = last('create');
  assert(event.status === 'FAILED');
  assert.equal(
    event.message,
    'Invalid request provided: Create TaskDefinition: A dependency container with SUCCESS or COMPLETE condition cannot be an essential container',
  );
});

test('1.59, 2.33: CloudFormation forces the deployment that another capacity provider needs', () => {
  const world = webWorld();
  const { LaunchType: _, ...named }: JsonObject = NAMED;
  const on = (CapacityProvider: string) => ({
    ...{ ...named, CapacityProviderStrategy: [{ CapacityProvider, Weight: 1 }] },
  });
  const { last } = driven(subjectIn(world, 'AWS::ECS::Service'), on('FARGATE'));
  const previous = succeeded(last('create'));
  succeeded(last('update', { desired: on('FARGATE_SPOT'), previous }));
});

test('1.67: `PlacementStrategies` are the API’s `placementStrategy`', () => {
  const strategies = [{ Type: 'random', Field: 'cpu' }];
  const { LaunchType: _, ...named }: JsonObject = NAMED;
  const desired = { ...named, PlacementStrategies: strategies };
  const event = driven(subjectIn(webWorld(), 'AWS::ECS::Service'), desired).last('create');
  assert(event.status === 'FAILED');
  assert.equal(
    event.message,
    'Invalid request provided: Create Service: random field should not be specified',
  );
});

test('1.14: CloudFormation asks for one task where the template says nothing', () => {
  const world = webWorld();
  succeeded(driven(subjectIn(world, 'AWS::ECS::Service'), NAMED).last('create'));
  const [arn] = ecsOf(world).listServices();
  assert(arn !== undefined);
  assert.equal(ecsOf(world).describeService(arn)?.desiredCount, 1);
});

test('a cluster that still holds a service cannot be deleted', () => {
  const world = webWorld();
  const cluster = driven(subjectIn(world, 'AWS::ECS::Cluster'), { ClusterName: 'main' });
  const previous = succeeded(cluster.last('create'));
  const service = driven(subjectIn(world, 'AWS::ECS::Service'), { ...NAMED, Cluster: 'main' });
  succeeded(service.last('create', { clientRequestToken: 'service' }));
  const event = cluster.last('delete', { previous });
  assert.equal(errorCode(event), 'ResourceConflict');
});
