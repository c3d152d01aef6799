import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../../src/base/index.ts';
import { createEcsWorld, ecsOf, percents, refusal, register } from '../../../support/ecs-world.ts';

/** How a service was created, what an update asks of it, and what is said of that. */
interface Row {
  readonly rule: string;
  readonly created?: JsonObject;
  readonly asked: JsonObject;
  readonly said?: string;
}

const NETWORK = { networkConfiguration: { awsvpcConfiguration: { subnets: ['subnet-1'] } } };
const OTHER_NETWORK = { networkConfiguration: { awsvpcConfiguration: { subnets: ['subnet-2'] } } };
const BALANCED = {
  loadBalancers: [{ targetGroupArn: 'arn:tg', containerName: 'app', containerPort: 80 }],
};
const CODE_DEPLOY = {
  deploymentController: { type: 'CODE_DEPLOY' },
  launchType: 'FARGATE',
  ...BALANCED,
};
const EXTERNAL = { deploymentController: { type: 'EXTERNAL' }, taskDefinition: null };
const FARGATE = { launchType: 'FARGATE' };
const strategy = (...names: string[]): JsonObject => ({
  capacityProviderStrategy: names.map((capacityProvider) => ({ capacityProvider, weight: 1 })),
});
const SPOT = strategy('FARGATE_SPOT');
const FORCE = { forceNewDeployment: true };

const byCodeDeploy = (what: string) =>
  `${what} on services with a CODE_DEPLOY deployment controller. Use AWS CodeDeploy to trigger a new deployment.`;
const byTaskSets = (what: string) =>
  `Unable to update ${what} on services with an EXTERNAL deployment controller.`;
const MUST_FORCE =
  'When switching from launch type to capacity provider strategy on an existing service, or making a change to a capacity provider strategy on a service that is already using one, you must force a new deployment.';
const NO_LAUNCH_TYPE =
  'No launch type to fall back to for empty capacity provider strategy. Your service was not created with a launch type.';
const NOT_AT_100 =
  "The service couldn't be updated because Availability Zone Rebalancing does not support maximumPercent <= 100 % as deployment configuration.";

const ENABLED = { availabilityZoneRebalancing: 'ENABLED' };
const at = (maximum: number): JsonObject => ({ deploymentConfiguration: percents(maximum, 0) });

const rows: readonly Row[] = [
  {
    rule: '1.56 CODE_DEPLOY: another task definition',
    created: CODE_DEPLOY,
    asked: { taskDefinition: 'web:2' },
    said: byCodeDeploy('Unable to update task definition'),
  },
  { rule: '1.56 CODE_DEPLOY: the same', created: CODE_DEPLOY, asked: { taskDefinition: 'web:1' } },
  {
    rule: '1.56 CODE_DEPLOY: the family of the same',
    created: { ...CODE_DEPLOY, taskDefinition: 'web' },
    asked: { taskDefinition: 'web' },
  },
  {
    rule: '1.57 CODE_DEPLOY: another network',
    created: CODE_DEPLOY,
    asked: OTHER_NETWORK,
    said: byCodeDeploy('Unable to update network parameters'),
  },
  { rule: '1.57 CODE_DEPLOY: the same', created: CODE_DEPLOY, asked: NETWORK },
  {
    rule: '1.58 CODE_DEPLOY: a deployment by force',
    created: CODE_DEPLOY,
    asked: FORCE,
    said: byCodeDeploy('Cannot force a new deployment'),
  },
  {
    rule: '2.31 CODE_DEPLOY: a platform version',
    created: CODE_DEPLOY,
    asked: { platformVersion: '1.3.0' },
    said: byCodeDeploy('Unable to update platformVersion'),
  },
  {
    rule: '2.31 CODE_DEPLOY: the platform version it has by default',
    created: CODE_DEPLOY,
    asked: { platformVersion: 'LATEST' },
  },
  {
    rule: '2.31 CODE_DEPLOY: what it accepts',
    created: CODE_DEPLOY,
    asked: {
      ...{ desiredCount: 2, ...at(150), healthCheckGracePeriodSeconds: 9 },
      ...{ enableECSManagedTags: true, propagateTags: 'SERVICE', placementStrategy: [] },
      ...{ serviceRegistries: [], enableExecuteCommand: true },
    },
  },
  {
    rule: '2.31 CODE_DEPLOY: nothing that it was not created with',
    created: CODE_DEPLOY,
    asked: BALANCED,
  },
  {
    rule: '2.32 EXTERNAL: percentages',
    created: EXTERNAL,
    asked: at(150),
    said: byTaskSets('deploymentConfiguration'),
  },
  {
    rule: '2.32 EXTERNAL: another network',
    created: EXTERNAL,
    asked: OTHER_NETWORK,
    said: byTaskSets('network parameters'),
  },
  {
    rule: '2.32 EXTERNAL: what it accepts',
    created: EXTERNAL,
    asked: { desiredCount: 2, propagateTags: 'SERVICE' },
  },
  {
    rule: '1.46 EXTERNAL: a task definition',
    created: EXTERNAL,
    asked: { taskDefinition: 'web' },
    said: 'TaskDefinition must be blank',
  },
  {
    rule: '1.59 from a launch type to a strategy',
    created: FARGATE,
    asked: SPOT,
    said: MUST_FORCE,
  },
  { rule: '1.59, 2.53 … by force', created: FARGATE, asked: { ...SPOT, ...FORCE } },
  {
    rule: '1.59, 2.53 to another strategy',
    created: SPOT,
    asked: strategy('FARGATE'),
    said: MUST_FORCE,
  },
  {
    rule: '1.59 to the same, with defaults written out',
    created: SPOT,
    asked: {
      capacityProviderStrategy: [{ capacityProvider: 'FARGATE_SPOT', weight: 1, base: 0 }],
    },
  },
  {
    rule: '1.60 to no strategy, with nothing to fall back to',
    created: SPOT,
    asked: { ...strategy(), ...FORCE },
    said: NO_LAUNCH_TYPE,
  },
  { rule: '1.60 to no strategy where there was none', asked: strategy() },
  {
    rule: '1.77 to 100 percent while rebalancing',
    created: ENABLED,
    asked: at(100),
    said: NOT_AT_100,
  },
  {
    rule: '1.77 to rebalancing at 100 percent',
    created: at(100),
    asked: ENABLED,
    said: NOT_AT_100,
  },
  {
    rule: '1.77 to 100 percent without rebalancing any more',
    created: ENABLED,
    asked: { ...at(100), availabilityZoneRebalancing: 'DISABLED' },
  },
  { rule: '1.13 to 100 percent where nothing was said of it', asked: at(100) },
  {
    rule: '1.37 a minimum above 100',
    asked: { deploymentConfiguration: { minimumHealthyPercent: 101 } },
    said: 'minimumHealthyPercent must be at most 100',
  },
  {
    rule: '1.14 a negative desired count',
    asked: { desiredCount: -1 },
    said: 'desiredCount must be at least 0',
  },
];

const WEB = {
  ...{ name: 'app', image: 'web:1' },
  portMappings: [{ containerPort: 80, name: 'http' }],
};

function createdWith(more: JsonObject) {
  const world = createEcsWorld();
  register(world, 'web:1', { containerDefinitions: [WEB] });
  const whole = {
    serviceName: 'web',
    taskDefinition: 'web:1',
    desiredCount: 1,
    ...NETWORK,
    ...more,
  };
  const given = Object.entries(whole).filter(([, value]) => value !== null);
  const { service } = ecsOf(world).createService(Object.fromEntries(given));
  return { world, service };
}

for (const { rule, created = {}, asked, said } of rows) {
  test(`${rule}: ${said ?? 'taken'}`, () => {
    const { world, service } = createdWith(created);
    register(world, 'web:2', { containerDefinitions: [WEB] });
    const answer = refusal(() => ecsOf(world).updateService({ service, ...asked }));
    assert.equal(answer, said === undefined ? 'ok' : `InvalidParameterException: ${said}`);
  });
}

test('1.60: a service that has a launch type goes back to it, by force', () => {
  const { world, service } = createdWith(FARGATE);
  const back = { service, ...strategy() };
  ecsOf(world).updateService({ service, ...SPOT, ...FORCE });
  assert.equal(
    refusal(() => ecsOf(world).updateService(back)),
    `InvalidParameterException: ${MUST_FORCE}`,
  );
  assert.equal(
    refusal(() => ecsOf(world).updateService({ ...back, ...FORCE })),
    'ok',
  );
});

test('7.16: the protocol of a port that clients know stays as it is', () => {
  const serviceConnectConfiguration = {
    ...{ enabled: true, namespace: 'apps', services: [{ portName: 'http' }] },
  };
  const { world, service } = createdWith({ serviceConnectConfiguration });
  const portMappings = [{ containerPort: 80, name: 'http', appProtocol: 'http' }];
  register(world, 'web:2', { containerDefinitions: [{ ...WEB, portMappings }] });
  assert.equal(
    refusal(() => ecsOf(world).updateService({ service, taskDefinition: 'web:2' })),
    'InvalidParameterException: The appProtocol of port http cannot be changed in a service that uses Service Connect.',
  );
});

test('an update that is refused changes nothing', () => {
  const { world, service } = createdWith(FARGATE);
  const before = structuredClone(world);
  refusal(() => ecsOf(world).updateService({ service, desiredCount: 5, ...SPOT }));
  assert.deepEqual(world, before);
});
