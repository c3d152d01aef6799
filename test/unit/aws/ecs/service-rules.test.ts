import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServiceFaults } from '../../../../src/aws/ecs/index.ts';
import type { JsonObject } from '../../../../src/base/index.ts';
import {
  createEcsWorld,
  ecsOf,
  refusal,
  register,
  webRequest,
} from '../../../support/ecs-world.ts';

const UNRESOLVED = '{{resolve:ssm:/value}}';

/** What a service asks for, what its task definition says where it is known, and what is said of it. */
interface Row {
  readonly rule: string;
  readonly asked: JsonObject;
  readonly of?: JsonObject;
  readonly said?: string;
  readonly at?: string;
}

const app = (more: JsonObject = {}): JsonObject => ({ name: 'app', image: 'app:1', ...more });
const definition = (more: JsonObject, ...containers: JsonObject[]): JsonObject => ({
  containerDefinitions: containers.length > 0 ? containers : [app()],
  ...more,
});
const FARGATE = { launchType: 'FARGATE' };
const NETWORK = { networkConfiguration: { awsvpcConfiguration: { subnets: ['subnet-1'] } } };
const AWSVPC = { networkMode: 'awsvpc', cpu: '256', memory: '512' };
const BRIDGE = { networkMode: 'bridge' };

const names: readonly Row[] = [
  { rule: '1.11 all that a name may have', asked: { serviceName: 'My_service-1' } },
  { rule: '1.11 a name that nobody knows', asked: { serviceName: UNRESOLVED } },
  { rule: '1.11 a name still to come', asked: { serviceName: { ref: 'Name' } } },
  ...['my service', 'a/b', 'a'.repeat(256)].map((serviceName) => ({
    rule: `1.11 the name ${serviceName.slice(0, 12)}`,
    asked: { serviceName },
    said: 'A service name has at most 255 characters: letters, digits, underscores and hyphens.',
    at: 'serviceName',
  })),
];

const provider = (capacityProvider: JsonObject[string], more: JsonObject = {}): JsonObject => ({
  capacityProvider,
  weight: 1,
  ...more,
});
const strategy = (...items: JsonObject[]): JsonObject => ({ capacityProviderStrategy: items });
const SPOT = strategy(provider('FARGATE_SPOT'));
const BOTH = 'Specifying both a launch type and capacity provider strategy is not supported';
const TWO_BASES =
  'There are multiple capacity providers in the specified capacity provider strategy with a base value defined';
const NO_WEIGHT =
  'There are no capacity providers in the capacity provider strategy with a weight value greater than zero';
const MIXED =
  'A capacity provider strategy cannot contain both Fargate and Auto Scaling group capacity providers.';

const capacity: readonly Row[] = [
  {
    rule: '1.30 launch type and capacity provider strategy exclude each other',
    asked: { ...FARGATE, ...SPOT },
    said: BOTH,
    at: 'capacityProviderStrategy',
  },
  { rule: '1.30 a strategy alone', asked: SPOT },
  { rule: '1.30 an empty strategy beside a launch type', asked: { ...FARGATE, ...strategy() } },
  {
    rule: '1.61 two providers with a base',
    asked: strategy(provider('FARGATE', { base: 1 }), provider('FARGATE_SPOT', { base: 2 })),
    said: TWO_BASES,
  },
  {
    rule: '1.61 one with a base, one with none',
    asked: strategy(provider('FARGATE', { base: 1 }), provider('FARGATE_SPOT', { base: 0 })),
  },
  {
    rule: '1.62 no provider has a weight',
    asked: strategy({ capacityProvider: 'a' }, provider('b', { weight: 0 })),
    said: NO_WEIGHT,
  },
  {
    rule: '1.62 the only one weighs 0',
    asked: strategy(provider('a', { weight: 0 })),
    said: NO_WEIGHT,
  },
  { rule: '1.62 the only one says nothing of it', asked: strategy({ capacityProvider: 'a' }) },
  {
    rule: '1.62 weights that nobody knows',
    asked: strategy(provider('a', { weight: UNRESOLVED }), provider('b', { weight: 0 })),
  },
  {
    rule: '7.12 a weight too high',
    asked: strategy(provider('a', { weight: 1001 })),
    said: 'weight must be between 0 and 1000',
    at: 'capacityProviderStrategy.0.weight',
  },
  {
    rule: '7.12 a base too high',
    asked: strategy(provider('a', { base: 100_001 })),
    said: 'base must be between 0 and 100000',
  },
  {
    rule: '7.12 the highest of both',
    asked: strategy(provider('a', { weight: 1000, base: 100_000 })),
  },
  {
    rule: '7.14 Fargate beside instances',
    asked: strategy(provider('FARGATE'), provider('a')),
    said: MIXED,
  },
  { rule: '7.14 Fargate alone', asked: strategy(provider('FARGATE'), provider('FARGATE_SPOT')) },
  { rule: '7.14 instances alone', asked: strategy(provider('a'), provider('b')) },
  {
    rule: '7.14 a name still to come',
    asked: strategy(provider('FARGATE'), provider({ ref: 'P' })),
  },
];

const OLD = { platformVersion: '1.3.0' };
const platforms: readonly Row[] = [
  {
    rule: '1.45 a platform version on EC2',
    asked: { launchType: 'EC2', platformVersion: 'LATEST' },
    said: 'The platform version must be null when specifying an EC2 launch type.',
    at: 'platformVersion',
  },
  { rule: '1.45 a platform version without a launch type', asked: { platformVersion: 'LATEST' } },
  { rule: '1.45 none on EC2', asked: { launchType: 'EC2' } },
  { rule: '1.81 a version there is', asked: { ...FARGATE, platformVersion: '1.4.0' } },
  { rule: '1.81 a version that nobody knows', asked: { ...FARGATE, platformVersion: UNRESOLVED } },
  {
    rule: '1.81 a version there is not',
    asked: { ...SPOT, platformVersion: '9.9.9' },
    said: 'The specified platform version does not exist.',
  },
  {
    rule: '1.81 a size that the version does not know',
    asked: { ...FARGATE, ...NETWORK, ...OLD },
    of: definition({ ...AWSVPC, cpu: '8 vCPU', memory: '16 GB' }),
    said: 'Task definitions of 8192 CPU units and more need platform version 1.4.0 or later.',
  },
  {
    rule: '1.81 one that it does',
    asked: { ...FARGATE, ...NETWORK, ...OLD },
    of: definition(AWSVPC),
  },
];

const placed = (...placementStrategy: JsonObject[]): JsonObject => ({ placementStrategy });
const bound = (...placementConstraints: JsonObject[]): JsonObject => ({ placementConstraints });
const DISTINCT = { type: 'distinctInstance' };
const RANDOM = { type: 'random' };
const LONG = { type: 'memberOf', expression: 'a'.repeat(2001) };

const placement: readonly Row[] = [
  {
    rule: '1.44 a placement strategy on Fargate',
    asked: { ...FARGATE, ...placed(RANDOM) },
    said: 'Placement strategies are not supported with FARGATE launch type.',
    at: 'placementStrategy',
  },
  {
    rule: '1.44 a placement constraint on Fargate',
    asked: { ...FARGATE, ...bound(DISTINCT) },
    said: 'Placement constraints are not supported with FARGATE launch type.',
    at: 'placementConstraints',
  },
  { rule: '1.44 none on Fargate', asked: { ...FARGATE, ...placed(), ...bound() } },
  {
    rule: '1.67 a field of `random`',
    asked: placed({ ...RANDOM, field: 'cpu' }),
    said: 'random field should not be specified',
    at: 'placementStrategy.0.field',
  },
  { rule: '1.67 `random` without one', asked: placed(RANDOM) },
  {
    rule: '1.68 an expression of `distinctInstance`',
    asked: bound({ ...DISTINCT, expression: 'a' }),
    said: 'distinctInstance expression should not be specified',
  },
  { rule: '1.68 `distinctInstance` without one', asked: bound(DISTINCT) },
  {
    rule: '1.69 six strategies',
    asked: placed(...Array<JsonObject>(6).fill(RANDOM)),
    said: 'Maximum number of strategies is 5',
  },
  { rule: '1.69 five strategies', asked: placed(...Array<JsonObject>(5).fill(RANDOM)) },
  { rule: '7.6 packing by memory', asked: placed({ type: 'binpack', field: 'MEMORY' }) },
  {
    rule: '7.6 packing by something else',
    asked: placed({ type: 'binpack', field: 'disk' }),
    said: "strategy.field 'disk' is not supported with strategy.type 'binpack'.",
  },
  {
    rule: '7.6 a long expression',
    asked: bound(LONG),
    said: 'Placement constraint expression is longer than 2000 characters.',
  },
  {
    rule: '7.6 spreading over zones',
    asked: placed({ type: 'spread', field: 'attribute:ecs.availability-zone' }),
  },
];

const balanced = (...loadBalancers: JsonObject[]): JsonObject => ({ loadBalancers });
const CLASSIC = { loadBalancerName: 'classic', containerName: 'app', containerPort: 80 };
const GROUP = { targetGroupArn: 'arn:tg', containerName: 'app', containerPort: 80 };
const WEB = app({ portMappings: [{ containerPort: 80, name: 'http' }] });
const ON_CLASSIC = 'Classic Load Balancers are not supported with Fargate';
const GRACE = { healthCheckGracePeriodSeconds: 30 };
const NO_BALANCER =
  'Health check grace period is only valid for services configured to use load balancers';

const balancers: readonly Row[] = [
  {
    rule: '1.31 a container that is not there',
    asked: balanced({ ...GROUP, containerName: 'none' }),
    of: definition(BRIDGE, WEB),
    said: 'The container none does not exist in the task definition.',
    at: 'loadBalancers.0.containerName',
  },
  { rule: '1.31 one that is', asked: balanced(GROUP), of: definition(BRIDGE, WEB) },
  {
    rule: '1.31 a container whose name is still to come',
    asked: balanced({ ...GROUP, containerName: 'none' }),
    of: definition(BRIDGE, app({ name: { ref: 'Name' } })),
  },
  {
    rule: '1.32 a port that it does not map',
    asked: balanced({ ...GROUP, containerPort: 81 }),
    of: definition(BRIDGE, WEB),
    said: 'The container app did not have a container port 81 defined.',
    at: 'loadBalancers.0.containerPort',
  },
  {
    rule: '1.32 a port that may lie in its range',
    asked: balanced(GROUP),
    of: definition(BRIDGE, app({ portMappings: [{ containerPortRange: '70-90' }] })),
  },
  {
    rule: '1.34 a Classic balancer and a target group in one entry',
    asked: balanced({ ...GROUP, ...CLASSIC }),
    said: 'loadBalancerName and targetGroupArn cannot both be specified',
    at: 'loadBalancers.0.loadBalancerName',
  },
  { rule: '1.34 one entry each', asked: balanced(GROUP, CLASSIC) },
  {
    rule: '1.35 a Classic balancer on Fargate',
    asked: { ...FARGATE, ...balanced(CLASSIC) },
    said: ON_CLASSIC,
  },
  { rule: '1.35 … through a strategy', asked: { ...SPOT, ...balanced(CLASSIC) }, said: ON_CLASSIC },
  { rule: '1.35 … on EC2', asked: { launchType: 'EC2', ...balanced(CLASSIC) } },
  {
    rule: '1.36 a grace period without anything to check',
    asked: GRACE,
    of: definition(BRIDGE),
    said: NO_BALANCER,
    at: 'healthCheckGracePeriodSeconds',
  },
  { rule: '1.36 none', asked: { healthCheckGracePeriodSeconds: 0 }, of: definition(BRIDGE) },
  {
    rule: '1.36 behind a balancer',
    asked: { ...GRACE, ...balanced(GROUP) },
    of: definition(BRIDGE, WEB),
  },
  {
    rule: '1.36 with a check of the container',
    asked: GRACE,
    of: definition(BRIDGE, app({ healthCheck: { command: ['CMD', 'true'] } })),
  },
  { rule: '1.36 of a task definition that is not known', asked: GRACE },
];

const ROLE = { role: 'arn:aws:iam::1:role/ecs' };
const LINKED = {
  role: 'arn:aws:iam::1:role/aws-service-role/ecs.amazonaws.com/AWSServiceRoleForECS',
};
const roles: readonly Row[] = [
  {
    rule: '1.63 a role with awsvpc',
    asked: { ...ROLE, ...NETWORK, ...balanced(GROUP) },
    of: definition(AWSVPC, WEB),
    said: 'You cannot specify an IAM role for services that require a service linked role.',
    at: 'role',
  },
  {
    rule: '1.63 the linked role itself',
    asked: { ...LINKED, ...NETWORK, ...balanced(GROUP) },
    of: definition(AWSVPC, WEB),
  },
  {
    rule: '1.63 a role with bridge',
    asked: { ...ROLE, ...balanced(GROUP) },
    of: definition(BRIDGE, WEB),
  },
  {
    rule: '1.64 a role without a balancer',
    asked: ROLE,
    said: 'IAM roles are only valid for services configured to use load balancers.',
  },
  { rule: '1.64 balancers still to come', asked: { ...ROLE, loadBalancers: { 'fn::if': [] } } },
];

const registered = (...serviceRegistries: JsonObject[]): JsonObject => ({ serviceRegistries });
const registries: readonly Row[] = [
  {
    rule: '1.53 a registry with the EXTERNAL launch type',
    asked: { launchType: 'EXTERNAL', ...registered({ registryArn: 'r' }) },
    said: 'Service registries are not supported for external launch type.',
  },
  {
    rule: '1.65 two registries',
    asked: registered({ registryArn: 'r' }, { registryArn: 's' }),
    said: 'service registries can have at most 1 items',
  },
  { rule: '1.65 one registry', asked: registered({ registryArn: 'r', port: 80 }) },
  {
    rule: '7.15 a port and a container port',
    asked: registered({ registryArn: 'r', port: 80, containerName: 'app', containerPort: 80 }),
    said: 'A service registry has either a port, or a container name and a container port.',
  },
  {
    rule: '7.15 a container that is not there',
    asked: registered({ registryArn: 'r', containerName: 'none', containerPort: 80 }),
    of: definition(BRIDGE),
    said: 'The container none does not exist in the task definition.',
  },
];

const connected = (...services: JsonObject[]): JsonObject => ({
  serviceConnectConfiguration: { enabled: true, namespace: 'apps', services },
});
const HTTP = { portName: 'http' };
const alias = (more: JsonObject): JsonObject => ({
  ...HTTP,
  clientAliases: [{ port: 80, ...more }],
});
const BAD_DNS = 'The DNS name that you provided is invalid';
const BAD_DISCOVERY =
  'A discovery name has at most 64 characters: lowercase letters, digits, underscores and hyphens, no hyphen first.';

const connect: readonly Row[] = [
  {
    rule: '1.71 a port that no container names',
    asked: connected({ portName: 'grpc' }),
    of: definition(BRIDGE, WEB),
    said: 'portName(grpc) does not refer to any named PortMapping in the container definitions',
    at: 'serviceConnectConfiguration.services.0.portName',
  },
  { rule: '1.71 one that a container names', asked: connected(HTTP), of: definition(BRIDGE, WEB) },
  {
    rule: '1.71 Service Connect switched off',
    asked: { serviceConnectConfiguration: { enabled: false, services: [{ portName: 'grpc' }] } },
    of: definition(BRIDGE, WEB),
  },
  {
    rule: '1.72 two client aliases',
    asked: connected({ ...HTTP, clientAliases: [{ port: 80 }, { port: 81 }] }),
    said: '2 clientAliases exceeds the max limit of 1',
  },
  {
    rule: '1.73 a DNS name in capitals',
    asked: connected(alias({ dnsName: 'Web' })),
    said: BAD_DNS,
  },
  { rule: '1.73 a hyphen first', asked: connected(alias({ dnsName: '-web' })), said: BAD_DNS },
  {
    rule: '1.73 a long DNS name',
    asked: connected(alias({ dnsName: 'a'.repeat(128) })),
    said: BAD_DNS,
  },
  { rule: '1.73 all that it may have', asked: connected(alias({ dnsName: 'web_1.apps-x.local' })) },
  { rule: '1.73 a DNS name that nobody knows', asked: connected(alias({ dnsName: UNRESOLVED })) },
  {
    rule: '7.16 an alias without a port',
    asked: connected({ ...HTTP, clientAliases: [{ dnsName: 'web' }] }),
    said: 'A client alias needs a port.',
  },
  {
    rule: '7.16 a discovery name with a dot',
    asked: connected({ ...HTTP, discoveryName: 'web.apps' }),
    said: BAD_DISCOVERY,
  },
  { rule: '7.16 a discovery name', asked: connected({ ...HTTP, discoveryName: 'web-1' }) },
  {
    rule: '7.16 one name twice',
    asked: connected(HTTP, { portName: 'grpc', discoveryName: 'http' }),
    said: 'The discovery name http is used twice in the Service Connect namespace.',
  },
];

const attached = (name: JsonObject[string]): JsonObject => ({ volumeConfigurations: [{ name }] });
const volumes: readonly Row[] = [
  {
    rule: '1.74 a volume that the task definition does not have',
    asked: attached('data'),
    of: definition(BRIDGE),
    said: "The volume name 'data' in your request does not have a matching volume in your Task Definition",
    at: 'volumeConfigurations.0.name',
  },
  {
    rule: '1.74 one that it has',
    asked: attached('data'),
    of: definition({ ...BRIDGE, volumes: [{ name: 'data' }] }),
  },
  { rule: '1.74 one that nobody knows', asked: attached(UNRESOLVED), of: definition(BRIDGE) },
];

const networks: readonly Row[] = [
  {
    rule: '1.27 awsvpc without a network',
    asked: {},
    of: definition(AWSVPC),
    said: "Network Configuration must be provided when networkMode 'awsvpc' is specified.",
  },
  {
    rule: '1.27 a network mode still to come',
    asked: {},
    of: definition({ networkMode: { ref: 'M' } }),
  },
  {
    rule: '1.28 a network with bridge',
    asked: NETWORK,
    of: definition(BRIDGE),
    said: 'Network Configuration is not valid for the given networkMode of this task definition.',
  },
  {
    rule: '1.27 a network still to come',
    asked: { networkConfiguration: { ref: 'N' } },
    of: definition(AWSVPC),
  },
];

const DAEMON = { schedulingStrategy: 'DAEMON' };
const under = (type: string): JsonObject => ({ deploymentController: { type } });
const configured = (deploymentConfiguration: JsonObject): JsonObject => ({
  deploymentConfiguration,
});
const BREAKER = { deploymentCircuitBreaker: { enable: true } };
const ALARMS = { alarms: { enable: true } };
const OFF = { deploymentCircuitBreaker: { enable: false }, alarms: { enable: false } };
const onlyEcs = (feature: string, controller = 'ECS') =>
  `${feature} feature is only supported with ${controller} deployment controller. Update to ECS deployment controller and try again.`;

const controllers: readonly Row[] = [
  { rule: '1.14 a desired count of 0', asked: { desiredCount: 0 } },
  {
    rule: '1.14 a negative one',
    asked: { desiredCount: -1 },
    said: 'desiredCount must be at least 0',
  },
  {
    rule: '1.37 a minimum above 100',
    asked: configured({ minimumHealthyPercent: 150 }),
    said: 'minimumHealthyPercent must be at most 100',
  },
  {
    rule: '1.38 a DAEMON with a desired count',
    asked: { ...DAEMON, desiredCount: 0 },
    said: 'The daemon scheduling strategy does not support a desired count for services.',
  },
  { rule: '1.38 a DAEMON without one', asked: DAEMON },
  {
    rule: '1.39 a DAEMON with a placement strategy',
    asked: { ...DAEMON, ...placed(RANDOM) },
    said: 'The daemon scheduling strategy does not support placement strategies',
  },
  { rule: '1.39 a DAEMON with a placement constraint', asked: { ...DAEMON, ...bound(DISTINCT) } },
  {
    rule: '1.40 a DAEMON with a maximum above 100',
    asked: { ...DAEMON, ...configured({ maximumPercent: 200 }) },
    said: 'The daemon scheduling strategy does not support values above 100 for maximumPercent',
  },
  {
    rule: '1.41 a DAEMON on Fargate',
    asked: { ...DAEMON, ...FARGATE },
    said: 'The daemon scheduling strategy does not support the FARGATE launch type.',
    at: 'launchType',
  },
  {
    rule: '1.42 a DAEMON under CODE_DEPLOY',
    asked: { ...DAEMON, ...under('CODE_DEPLOY'), ...balanced(GROUP) },
    said: 'The CODE_DEPLOY deployment controller type is not supported for services using the DAEMON scheduling strategy.',
  },
  {
    rule: '1.43 a DAEMON under EXTERNAL',
    asked: { ...DAEMON, ...under('EXTERNAL') },
    said: 'The EXTERNAL deployment controller type is not supported for services using the DAEMON scheduling strategy.',
  },
  {
    rule: '1.46 EXTERNAL with a task definition',
    asked: { ...under('EXTERNAL'), taskDefinition: 'web' },
    said: 'TaskDefinition must be blank',
  },
  { rule: '1.46 EXTERNAL without one', asked: under('EXTERNAL') },
  {
    rule: '1.47 EXTERNAL with a balancer',
    asked: { ...under('EXTERNAL'), ...balanced(GROUP) },
    said: 'LoadBalancers must be empty or null',
  },
  {
    rule: '1.47 EXTERNAL with an empty list of them',
    asked: { ...under('EXTERNAL'), ...balanced() },
  },
  {
    rule: '1.48 CODE_DEPLOY without a balancer',
    asked: under('CODE_DEPLOY'),
    said: 'the service requires an Application Load Balancer or Network Load Balancer',
  },
  { rule: '1.48 CODE_DEPLOY with one', asked: { ...under('CODE_DEPLOY'), ...balanced(GROUP) } },
  {
    rule: '1.49 a circuit breaker under CODE_DEPLOY',
    asked: { ...under('CODE_DEPLOY'), ...balanced(GROUP), ...configured(BREAKER) },
    said: onlyEcs('Deployment circuit breaker'),
    at: 'deploymentConfiguration.deploymentCircuitBreaker',
  },
  {
    rule: '1.49 a breaker and alarms switched off',
    asked: { ...under('EXTERNAL'), ...configured(OFF) },
  },
  { rule: '1.49 a breaker and alarms under ECS', asked: configured({ ...BREAKER, ...ALARMS }) },
  {
    rule: '1.50 alarms under EXTERNAL',
    asked: { ...under('EXTERNAL'), ...configured(ALARMS) },
    said: onlyEcs('Alarm based rollback'),
  },
  {
    rule: '1.51 Service Connect under CODE_DEPLOY',
    asked: { ...under('CODE_DEPLOY'), ...balanced(GROUP), ...connected() },
    said: onlyEcs('Service Connect', 'ECS (rolling update)'),
  },
  {
    rule: '1.52 Service Connect under EXTERNAL',
    asked: { ...under('EXTERNAL'), ...connected() },
    said: 'The EXTERNAL deployment controller type is not supported for services using Service Connect.',
  },
];

const ENABLED = { availabilityZoneRebalancing: 'ENABLED' };
const NOT_CREATED =
  "The service couldn't be created because Availability Zone Rebalancing does not support maximumPercent <= 100 % as deployment configuration.";
const rebalancing: readonly Row[] = [
  { rule: '1.77 rebalancing at 200 percent', asked: ENABLED },
  {
    rule: '1.77 rebalancing at 100 percent',
    asked: { ...ENABLED, ...configured({ maximumPercent: 100 }) },
    said: NOT_CREATED,
  },
  { rule: '1.78 100 percent, and nothing said', asked: configured({ maximumPercent: 100 }) },
];

const tables = [
  ...[names, networks, capacity, platforms, placement, balancers, roles, registries, connect],
  ...[volumes, controllers, rebalancing],
];
for (const { rule, asked, of, said, at } of tables.flat()) {
  test(`${rule}: ${said ?? 'taken'}`, () => {
    const faults = createServiceFaults(asked, of);
    assert.deepEqual(
      faults.map(({ message }) => message),
      said === undefined ? [] : [said],
    );
    if (at !== undefined) assert.equal(faults[0]?.path.join('.'), at);
  });
}

test('1.14: a REPLICA service names its desired count, one of an EXTERNAL controller need not', () => {
  const world = createEcsWorld();
  register(world, 'web:1');
  const { desiredCount: _, ...asked } = webRequest();
  assert.equal(
    refusal(() => ecsOf(world).createService(asked)),
    'InvalidParameterException: desiredCount is required for services with the REPLICA scheduling strategy.',
  );
  const external = { serviceName: 'ext', ...under('EXTERNAL') };
  assert.equal(
    refusal(() => ecsOf(world).createService(external)),
    'ok',
  );
});

test('1.81: an unknown platform version has an exception of its own', () => {
  const world = createEcsWorld();
  register(world, 'web:1');
  const asked = { ...webRequest(), platformVersion: '9.9.9' };
  assert.match(
    refusal(() => ecsOf(world).createService(asked)),
    /^PlatformUnknownException: /,
  );
});

/** A cluster with a Service Connect namespace, or none, and a task definition with a named port. */
function connectedWorld(namespace?: string) {
  const world = createEcsWorld();
  ecsOf(world).createCluster({
    clusterName: 'default',
    ...(namespace === undefined ? {} : { serviceConnectDefaults: { namespace } }),
  });
  register(world, 'web:1', { containerDefinitions: [WEB] });
  const create = (serviceName: string, configuration: JsonObject) =>
    refusal(() =>
      ecsOf(world).createService({
        ...{ ...webRequest(), serviceName },
        serviceConnectConfiguration: { enabled: true, ...configuration },
      }),
    );
  return { world, create };
}

const MISSING = 'InvalidParameterException: Namespace is missing';
const TAKEN =
  'InvalidParameterException: The discovery name http is used twice in the Service Connect namespace.';

test('1.70: Service Connect needs a namespace, its own or its cluster’s', () => {
  assert.equal(connectedWorld().create('web', {}), MISSING);
  assert.equal(connectedWorld().create('web', { namespace: 'apps' }), 'ok');
  assert.equal(connectedWorld('apps').create('web', {}), 'ok');
});

test('1.70: a cluster that is given a namespace later has one', () => {
  const { world, create } = connectedWorld();
  ecsOf(world).api.updateCluster({
    cluster: 'default',
    serviceConnectDefaults: { namespace: 'apps' },
  });
  assert.equal(create('web', {}), 'ok');
});

test('1.70: what a cluster outside the template has by default is not known', () => {
  const world = createEcsWorld();
  register(world, 'web:1');
  const asked = { ...webRequest(), serviceConnectConfiguration: { enabled: true } };
  assert.equal(
    refusal(() => ecsOf(world).createService(asked)),
    'ok',
  );
});

test('7.16: a discovery name is used once in a namespace', () => {
  const { create } = connectedWorld('apps');
  const services = [HTTP];
  assert.equal(create('web', { services }), 'ok');
  assert.equal(create('api', { services }), TAKEN);
  assert.equal(create('api', { services, namespace: 'apps' }), TAKEN);
  assert.equal(create('api', { services, namespace: 'others' }), 'ok');
  assert.equal(create('db', { services: [{ ...HTTP, discoveryName: 'db' }] }), 'ok');
});

test('a task definition that cannot run on Fargate, asked to', () => {
  const world = createEcsWorld();
  ecsOf(world).registerTaskDefinition({
    ...{ family: 'ec2', networkMode: 'bridge' },
    containerDefinitions: [{ name: 'app', image: 'app:1', memory: 64 }],
  });
  const asked = {
    serviceName: 'web',
    taskDefinition: 'ec2',
    launchType: 'FARGATE',
    desiredCount: 1,
  };
  assert.throws(() => ecsOf(world).createService(asked), {
    message: 'Task definition does not support launch_type FARGATE.',
  });
});

test('a blank task definition is none', () => {
  const asked = { serviceName: 'web', taskDefinition: '', desiredCount: 1 };
  assert.throws(() => ecsOf(createEcsWorld()).createService(asked), {
    message: 'TaskDefinition can not be blank.',
  });
});
