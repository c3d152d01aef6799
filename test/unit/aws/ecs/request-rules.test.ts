import assert from 'node:assert/strict';
import { test } from 'node:test';
import { taskDefinitionFaults } from '../../../../src/aws/ecs/index.ts';
import {
  fargateMemorySizes,
  parseCpuUnits,
  parseMemoryMebibytes,
} from '../../../../src/aws/ecs/request-rules.ts';
import { requestFaults } from '../../../../src/aws/ecs/service-rules.ts';
import type { JsonObject } from '../../../../src/base/index.ts';
import { createEcsWorld, ecsOf, register } from '../../../support/ecs-world.ts';

const NO_SUCH_SIZE = 'No Fargate configuration exists for given values.';
const BAD_CPU =
  "Invalid 'cpu' setting for task. For more information, see the Troubleshooting section of the Amazon ECS Developer Guide.";

const sizes: readonly {
  readonly cpu?: string;
  readonly memory?: string;
  readonly said: readonly string[];
}[] = [
  { cpu: '256', memory: '512', said: [] },
  { cpu: '256', memory: '2048', said: [] },
  { cpu: '.25 vCPU', memory: '0.5 GB', said: [] },
  { cpu: '1 vcpu', memory: '8gb', said: [] },
  { cpu: '16384', memory: '122880', said: [] },
  { cpu: '32768', memory: '249856', said: [] },
  { cpu: '256', memory: '4096', said: [NO_SUCH_SIZE] },
  { cpu: '512', memory: '512', said: [NO_SUCH_SIZE] },
  { cpu: '8192', memory: '17408', said: [NO_SUCH_SIZE] },
  { cpu: '32768', memory: '65536', said: [NO_SUCH_SIZE] },
  { cpu: '256', said: [NO_SUCH_SIZE] },
  { memory: '512', said: [NO_SUCH_SIZE] },
  { cpu: '300', memory: '512', said: [BAD_CPU] },
  { cpu: 'two', memory: '512', said: [BAD_CPU] },
  { cpu: '{{resolve:noecho:Cpu}}', memory: '512', said: [] },
  { cpu: '256', memory: '{{resolve:ssm-secure:/memory}}', said: [] },
];

for (const { said, ...size } of sizes) {
  test(`7.20: Fargate with ${JSON.stringify(size)}: ${said[0] ?? 'right'}`, () => {
    const faults = taskDefinitionFaults({
      requiresCompatibilities: ['FARGATE'],
      containerDefinitions: [{ name: 'app', image: 'app:1' }],
      ...size,
    });
    assert.deepEqual(
      faults.map(({ message }) => message),
      said,
    );
  });
}

test('7.20: on EC2 any size will do, and none', () => {
  const containerDefinitions = [{ name: 'app', image: 'app:1' }];
  const ec2 = { requiresCompatibilities: ['EC2'], cpu: '300', containerDefinitions };
  assert.deepEqual(taskDefinitionFaults(ec2), []);
  assert.deepEqual(taskDefinitionFaults({ containerDefinitions }), []);
});

test('7.30 to 7.37: how many sizes of memory go with each size of CPU', () => {
  const counts = [256, 512, 1024, 2048, 4096, 8192, 16384, 32768].map(
    (cpu) => fargateMemorySizes(cpu).length,
  );
  assert.deepEqual(counts, [3, 4, 7, 13, 23, 12, 12, 3]);
  assert.deepEqual(fargateMemorySizes(128), []);
});

test('sizes as people write them', () => {
  const cpu = ['256', '.25 vCPU', '0.5 vcpu', '2VCPU', 'x', ''].map(parseCpuUnits);
  assert.deepEqual(cpu, [256, 256, 512, 2048, undefined, undefined]);
  const memory = ['512', '0.5 GB', '1gb', '1 TB'].map(parseMemoryMebibytes);
  assert.deepEqual(memory, [512, 512, 1024, undefined]);
});

const HOST_PORT =
  'When networkMode=awsvpc, the host ports and container ports in port mappings must match.';
const ports: readonly {
  readonly networkMode: string;
  readonly hostPort?: number;
  readonly said: readonly string[];
}[] = [
  { networkMode: 'awsvpc', hostPort: 8080, said: [HOST_PORT] },
  { networkMode: 'awsvpc', hostPort: 80, said: [] },
  { networkMode: 'awsvpc', said: [] },
  { networkMode: 'bridge', hostPort: 8080, said: [] },
];

for (const { networkMode, hostPort, said } of ports) {
  test(`7.9: host port ${hostPort ?? 'left out'} for container port 80 with ${networkMode}`, () => {
    const mapping = { containerPort: 80, ...(hostPort === undefined ? {} : { hostPort }) };
    const containerDefinitions = [{ name: 'app', portMappings: [mapping] }];
    const faults = taskDefinitionFaults({ networkMode, containerDefinitions });
    assert.deepEqual(
      faults.map(({ message }) => message),
      said,
    );
    const at = ['containerDefinitions', 0, 'portMappings', 0, 'hostPort'];
    assert.deepEqual(
      faults.map(({ path }) => path),
      said.map(() => at),
    );
  });
}

const ESSENTIAL =
  'A dependency container with SUCCESS or COMPLETE condition cannot be an essential container';
const dependencies: readonly {
  readonly condition: string;
  readonly essential?: boolean;
  readonly said: readonly string[];
}[] = [
  { condition: 'SUCCESS', said: [ESSENTIAL] },
  { condition: 'COMPLETE', said: [ESSENTIAL] },
  { condition: 'START', said: [] },
  { condition: 'HEALTHY', said: [] },
  { condition: 'SUCCESS', essential: false, said: [] },
];

for (const { condition, essential, said } of dependencies) {
  const kind = essential === false ? 'a container that is not essential' : 'an essential container';
  test(`6.21, 6.7: ${condition} of ${kind}: ${said[0] ?? 'right'}`, () => {
    const dependency = { name: 'dep', ...(essential === undefined ? {} : { essential }) };
    const app = { name: 'app', dependsOn: [{ containerName: 'dep', condition }] };
    const faults = taskDefinitionFaults({ containerDefinitions: [dependency, app] });
    assert.deepEqual(
      faults.map(({ message }) => message),
      said,
    );
  });
}

test('RegisterTaskDefinition counts revisions of a family, and throws the first fault', () => {
  const world = createEcsWorld();
  assert.match(register(world, 'web:1'), /task-definition\/web:1$/);
  assert.match(register(world, 'web:2'), /task-definition\/web:2$/);
  const containerDefinitions = [{ name: 'app', image: 'app:1' }];
  const bad = {
    ...{ family: 'web', requiresCompatibilities: ['FARGATE'], cpu: '1', memory: '1' },
    containerDefinitions,
  };
  assert.throws(() => ecsOf(world).registerTaskDefinition(bad), {
    code: 'ClientException',
    message: BAD_CPU,
  });
  assert.match(register(world, 'web:3'), /task-definition\/web:3$/);
});

const containers: readonly (readonly [what: string, definitions: JsonObject[], said: string[]])[] =
  [
    ['one', [{ name: 'app' }], []],
    ['none', [], ['Container definitions should not be null or empty.']],
    [
      'two of one name',
      [{ name: 'app' }, { name: 'app', essential: false }],
      ['Container names must be unique: app is used twice.'],
    ],
    [
      'none essential',
      [{ name: 'app', essential: false }],
      ['At least one container must be essential.'],
    ],
  ];
for (const [what, containerDefinitions, said] of containers) {
  test(`6.7: a task definition with containers: ${what}`, () => {
    const messages = taskDefinitionFaults({ containerDefinitions }).map(({ message }) => message);
    assert.deepEqual(messages, said);
  });
}

test('Fargate runs in a network of its own only', () => {
  const request = {
    ...{ requiresCompatibilities: ['FARGATE'], networkMode: 'bridge', cpu: '256', memory: '512' },
    containerDefinitions: [{ name: 'app' }],
  };
  assert.match(taskDefinitionFaults(request)[0]?.message ?? '', /only supports network mode/);
});

const DAEMON = { schedulingStrategy: 'DAEMON' };
const under = (type: string): JsonObject => ({ deploymentController: { type } });
const BREAKER = { deploymentConfiguration: { deploymentCircuitBreaker: { enable: true } } };
const ALARMS = { deploymentConfiguration: { alarms: { enable: true } } };
const OFF = {
  deploymentConfiguration: {
    deploymentCircuitBreaker: { enable: false },
    alarms: { enable: false },
  },
};
const BALANCED = { loadBalancers: [{ targetGroupArn: 'arn' }] };

const services: readonly (readonly [rule: string, request: JsonObject, said: RegExp | null])[] = [
  ['nothing is wrong', { desiredCount: 0 }, null],
  ['a negative desired count', { desiredCount: -1 }, /desiredCount must be at least 0/],
  ['1.38', { ...DAEMON, desiredCount: 0 }, /does not support a desired count for services/],
  ['1.38 without one', DAEMON, null],
  [
    '1.40',
    { ...DAEMON, deploymentConfiguration: { maximumPercent: 200 } },
    /does not support values above 100 for maximumPercent/,
  ],
  ['1.41', { ...DAEMON, launchType: 'FARGATE' }, /does not support the FARGATE launch type/],
  [
    '1.42',
    { ...DAEMON, ...under('CODE_DEPLOY') },
    /^The CODE_DEPLOY .* DAEMON scheduling strategy/,
  ],
  ['1.43', { ...DAEMON, ...under('EXTERNAL') }, /^The EXTERNAL .* DAEMON scheduling strategy/],
  ['1.46', { ...under('EXTERNAL'), taskDefinition: 'web' }, /^TaskDefinition must be blank/],
  ['1.46 without one', under('EXTERNAL'), null],
  ['1.48', under('CODE_DEPLOY'), /requires an Application Load Balancer or Network Load Balancer/],
  ['1.48 with one', { ...under('CODE_DEPLOY'), ...BALANCED }, null],
  [
    '1.49',
    { ...under('CODE_DEPLOY'), ...BALANCED, ...BREAKER },
    /^Deployment circuit breaker feature is only supported with ECS deployment controller/,
  ],
  ['1.49, 1.50 switched off', { ...under('EXTERNAL'), ...OFF }, null],
  ['1.49, 1.50 under ECS', { ...BREAKER }, null],
  [
    '1.50',
    { ...under('EXTERNAL'), ...ALARMS },
    /^Alarm based rollback feature is only supported with ECS deployment controller/,
  ],
  [
    '1.51',
    { ...under('EXTERNAL'), serviceConnectConfiguration: { enabled: true } },
    /^Service Connect feature is only supported with ECS \(rolling update\) deployment/,
  ],
];
for (const [rule, request, said] of services) {
  test(`CreateService, ${rule}: ${said ?? 'taken'}`, () => {
    const [fault] = requestFaults(request);
    if (said === null) assert.equal(fault, undefined);
    else assert.match(fault?.message ?? '', said);
  });
}

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
