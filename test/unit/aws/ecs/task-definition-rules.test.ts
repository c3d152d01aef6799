import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  fargateMemorySizes,
  parseCpuUnits,
  parseMemoryMebibytes,
} from '../../../../src/aws/ecs/fargate-sizes.ts';
import { taskDefinitionFaults } from '../../../../src/aws/ecs/index.ts';
import type { JsonObject } from '../../../../src/base/index.ts';
import { createEcsWorld, ecsOf, register } from '../../../support/ecs-world.ts';

const UNRESOLVED = '{{resolve:ssm-secure:/value}}';
const NO_SUCH_SIZE = 'No Fargate configuration exists for given values.';
const BAD_CPU =
  "Invalid 'cpu' setting for task. For more information, see the Troubleshooting section of the Amazon ECS Developer Guide.";
const ESSENTIAL =
  'A dependency container with SUCCESS or COMPLETE condition cannot be an essential container';

/** A picture of a task definition: its containers, what else it says, and what is said of it. */
interface Row {
  readonly rule: string;
  readonly containers?: readonly JsonObject[];
  readonly with?: JsonObject;
  readonly said?: string;
  readonly at?: string;
}

const ON_FARGATE = { requiresCompatibilities: ['FARGATE'], cpu: '256', memory: '512' };
const WINDOWS = { runtimePlatform: { operatingSystemFamily: 'WINDOWS_SERVER_2022_CORE' } };

/** A container `app` with a memory limit; `more` adds to it. */
function app(more: JsonObject = {}): JsonObject {
  return { name: 'app', image: 'app:1', memory: 64, ...more };
}

function port(hostPort: number, containerPort = 80): JsonObject {
  return { portMappings: [{ containerPort, hostPort }] };
}

function waits(name: string, ...dependencies: string[]): JsonObject {
  const dependsOn = dependencies.map((dependency) => {
    const [containerName = '', condition = 'START'] = dependency.split(' ');
    return { containerName, condition };
  });
  return app({ name, dependsOn });
}

function outOfRange(setting: string, min: number, max: number): string {
  return `the '${setting}' setting for container 'app' must be between ${min} and ${max}`;
}

const awsvpc = { networkMode: 'awsvpc' };
const bridge = { networkMode: 'bridge' };
const host = { networkMode: 'host' };
const EFS = { volumes: [{ name: 'data' }] };

const sizes: readonly Row[] = [
  { rule: '7.20 the smallest size', with: { cpu: '256', memory: '512' } },
  { rule: '7.20 several memory sizes go with one CPU size', with: { cpu: '256', memory: '2048' } },
  { rule: '7.20 sizes in vCPU and GB', with: { cpu: '.25 vCPU', memory: '0.5 GB' } },
  { rule: '7.20 sizes in lower case', with: { cpu: '1 vcpu', memory: '8gb' } },
  { rule: '7.36 the largest of 16 vCPU', with: { cpu: '16384', memory: '122880' } },
  { rule: '7.37 the largest size', with: { cpu: '32768', memory: '249856' } },
  { rule: '7.30 too much memory', with: { memory: '4096' }, said: NO_SUCH_SIZE, at: 'memory' },
  { rule: '7.31 too little memory', with: { cpu: '512' }, said: NO_SUCH_SIZE },
  { rule: '7.35 between two steps', with: { cpu: '8192', memory: '17408' }, said: NO_SUCH_SIZE },
  { rule: '7.37 no such step', with: { cpu: '32768', memory: '65536' }, said: NO_SUCH_SIZE },
  { rule: '7.20 no CPU', with: { cpu: '' }, said: NO_SUCH_SIZE, at: 'cpu' },
  { rule: '7.20 no memory', with: { memory: '' }, said: NO_SUCH_SIZE, at: 'memory' },
  { rule: '7.20 no such CPU size', with: { cpu: '300' }, said: BAD_CPU, at: 'cpu' },
  { rule: '7.20 a CPU size in words', with: { cpu: 'two' }, said: BAD_CPU },
  { rule: '7.20 a CPU size that nobody knows', with: { cpu: UNRESOLVED } },
  { rule: '7.20 a memory size that nobody knows', with: { memory: UNRESOLVED } },
  { rule: '7.20 a CPU size still to come', with: { cpu: { ref: 'Cpu' } } },
  { rule: '7.20 a network mode that nobody knows', with: { networkMode: UNRESOLVED } },
  {
    rule: '7.20 a network shared with the host',
    with: bridge,
    said: 'Fargate only supports network mode ‘awsvpc’.',
    at: 'networkMode',
  },
  { rule: '7.32 Windows on 1 vCPU', with: { ...WINDOWS, cpu: '1024', memory: '2048' } },
  { rule: '7.32 Windows on less', with: WINDOWS, said: NO_SUCH_SIZE, at: 'cpu' },
].map((row) => ({ ...row, with: { ...ON_FARGATE, ...row.with } }));

const OUTSIDE_EC2 =
  "Invalid 'cpu' setting for task: on instances it is between 128 and 196608 CPU units.";
const instances: readonly Row[] = [
  { rule: '7.21 no CPU size', with: {} },
  { rule: '7.21 any size within', with: { requiresCompatibilities: ['EC2'], cpu: '300' } },
  { rule: '7.21 the least', with: { cpu: '128' } },
  { rule: '7.21 the most', with: { cpu: '192 vCPU' } },
  { rule: '7.21 too little', with: { cpu: '64' }, said: OUTSIDE_EC2, at: 'cpu' },
  { rule: '7.21 too much', with: { cpu: '196609' }, said: OUTSIDE_EC2 },
  { rule: '7.21 a size that nobody knows', with: { cpu: UNRESOLVED } },
];

const memory: readonly Row[] = [
  {
    rule: 'memory: a limit above the task’s',
    containers: [app({ memory: 600 })],
    with: ON_FARGATE,
    said: "The 'memory' setting for container 'app' is greater than for the task",
    at: 'containerDefinitions.0.memory',
  },
  { rule: 'memory: a limit as the task’s', containers: [app({ memory: 512 })], with: ON_FARGATE },
  { rule: 'memory: a limit that nobody knows', containers: [app({ memory: UNRESOLVED })] },
  { rule: 'memory: a task limit that nobody knows', with: { memory: UNRESOLVED } },
  {
    rule: 'memory: a reservation above the task’s limit',
    containers: [app({ memoryReservation: 2000, memory: null })],
    with: { memory: '1 GB' },
    said: "The 'memoryReservation' setting for container 'app' is greater than for the task",
  },
  {
    rule: 'memory: a reservation above the limit',
    containers: [app({ memoryReservation: 65 })],
    said: "Invalid setting for container 'app'. 'memory' must be greater than or equal to 'memoryReservation'.",
    at: 'containerDefinitions.0.memoryReservation',
  },
  { rule: 'memory: a reservation as the limit', containers: [app({ memoryReservation: 64 })] },
  {
    rule: 'memory: no memory at all',
    containers: [{ name: 'app' }],
    said: "Invalid setting for container 'app'. At least one of 'memory' or 'memoryReservation' must be specified.",
    at: 'containerDefinitions.0',
  },
  {
    rule: 'memory: memory of the task alone',
    containers: [{ name: 'app' }],
    with: { memory: '512' },
  },
  { rule: 'memory: a reservation alone', containers: [{ name: 'app', memoryReservation: 64 }] },
];

const MUST_MATCH = (mode: string) =>
  `When networkMode=${mode}, the host ports and container ports in port mappings must match.`;
const AT_PORT = 'containerDefinitions.0.portMappings.0.hostPort';
const ports: readonly Row[] = [
  {
    rule: '7.9 another port on the host, awsvpc',
    containers: [app(port(8080))],
    with: awsvpc,
    said: MUST_MATCH('awsvpc'),
    at: AT_PORT,
  },
  { rule: '7.9 the same port, awsvpc', containers: [app(port(80))], with: awsvpc },
  { rule: '7.9 SSH has a port of its own, awsvpc', containers: [app(port(22, 22))], with: awsvpc },
  { rule: '7.9 a port to be chosen, awsvpc', containers: [app(port(0))], with: awsvpc },
  {
    rule: '7.9 no host port, awsvpc',
    containers: [app({ portMappings: [{ containerPort: 80 }] })],
    with: awsvpc,
  },
  {
    rule: '7.10 another port on the host, host',
    containers: [app(port(8080))],
    with: host,
    said: MUST_MATCH('host'),
    at: AT_PORT,
  },
  { rule: '7.10 the same port, host', containers: [app(port(80))], with: host },
  { rule: '7.10 another port on the host, bridge', containers: [app(port(8080))], with: bridge },
  { rule: '7.10 a reserved port, bridge', containers: [app(port(22))], with: bridge },
  {
    rule: '7.10 ports without a network',
    containers: [app(port(80))],
    with: { networkMode: 'none' },
    said: 'Port mappings are not supported when networkMode=none.',
    at: 'containerDefinitions.0.portMappings',
  },
  { rule: '7.10 neither ports nor a network', with: { networkMode: 'none' } },
];

const BAD_NAME =
  'A container name has at most 255 characters: letters, digits, underscores and hyphens.';
const lists: readonly Row[] = [
  { rule: '6.7 one container' },
  {
    rule: '6.7 no container',
    containers: [],
    said: 'Container definitions should not be null or empty.',
    at: 'containerDefinitions',
  },
  {
    rule: '6.7 two containers of one name',
    containers: [app(), app()],
    said: 'Container names must be unique within a task definition: app is used twice.',
    at: 'containerDefinitions.1.name',
  },
  {
    rule: '6.7 two names that nobody knows',
    containers: [app({ name: UNRESOLVED }), app({ name: UNRESOLVED })],
  },
  {
    rule: '6.7 two names still to come',
    containers: [app({ name: { ref: 'A' } }), app({ name: { ref: 'A' } })],
  },
  { rule: '6.7 containers still to come', with: { containerDefinitions: { 'fn::split': [] } } },
  {
    rule: '6.7 none essential',
    containers: [app({ essential: false })],
    said: 'At least one container must be essential.',
  },
  { rule: '6.7 one that may be essential', containers: [app({ essential: UNRESOLVED })] },
  { rule: '6.7 a name with a space', containers: [app({ name: 'my app' })], said: BAD_NAME },
  { rule: '6.7 a long name', containers: [app({ name: 'a'.repeat(256) })], said: BAD_NAME },
  { rule: '6.7 a name with all that is allowed', containers: [app({ name: 'My_app-1' })] },
];

const dependencies: readonly Row[] = [
  ...['SUCCESS', 'COMPLETE'].map((condition) => ({
    rule: `6.21 ${condition} of an essential container`,
    containers: [app({ name: 'dep' }), waits('app', `dep ${condition}`)],
    said: ESSENTIAL,
    at: 'containerDefinitions.1.dependsOn.0',
  })),
  {
    rule: '6.21 SUCCESS of one that is not essential',
    containers: [app({ name: 'dep', essential: false }), waits('app', 'dep SUCCESS')],
  },
  {
    rule: '6.21 SUCCESS of one that may be essential',
    containers: [app({ name: 'dep', essential: UNRESOLVED }), waits('app', 'dep SUCCESS')],
  },
  {
    rule: '6.25 START of an essential one',
    containers: [app({ name: 'dep' }), waits('app', 'dep START')],
  },
  {
    rule: '6.29 HEALTHY of one without a check',
    containers: [app({ name: 'dep' }), waits('app', 'dep HEALTHY')],
  },
  {
    rule: '6.25 of a container that is not there',
    containers: [waits('app', 'none START')],
    said: 'Cannot depend on container none because it does not exist',
    at: 'containerDefinitions.0.dependsOn.0.containerName',
  },
  { rule: '6.25 of a container that nobody knows', containers: [waits('app', UNRESOLVED)] },
  {
    rule: '6.25 among containers that nobody knows',
    containers: [app({ name: UNRESOLVED }), waits('app', 'x')],
  },
  {
    rule: '6.25 of itself',
    containers: [waits('app', 'app START')],
    said: 'Container app cannot depend on itself.',
  },
  {
    rule: '6.25 in a cycle of three',
    containers: [app({ name: 'd' }), waits('a', 'b'), waits('b', 'c'), waits('c', 'a', 'd')],
    said: 'Containers depend on each other in a cycle: a waits for itself.',
    at: 'containerDefinitions.1.dependsOn',
  },
  {
    rule: '6.25 of one that two wait for',
    containers: [waits('a', 'b', 'c'), waits('b', 'd'), waits('c', 'd'), app({ name: 'd' })],
  },
];

const mounts: readonly Row[] = [
  {
    rule: 'volumes: a mount of a volume that is not there',
    containers: [app({ mountPoints: [{ sourceVolume: 'other' }] })],
    with: EFS,
    said: "Unknown volume 'other'.",
    at: 'containerDefinitions.0.mountPoints.0.sourceVolume',
  },
  {
    rule: 'volumes: a mount of one that is',
    containers: [app({ mountPoints: [{ sourceVolume: 'data' }] })],
    with: EFS,
  },
  {
    rule: 'volumes: a mount of one that nobody knows',
    containers: [
      app({ mountPoints: [{ sourceVolume: UNRESOLVED }, { sourceVolume: { ref: 'V' } }] }),
    ],
    with: EFS,
  },
  {
    rule: 'volumes: a mount where a volume’s name is still to come',
    containers: [app({ mountPoints: [{ sourceVolume: 'other' }] })],
    with: { volumes: [{ name: { ref: 'V' } }] },
  },
  {
    rule: 'volumes: volumes from a container that is not there',
    containers: [app({ volumesFrom: [{ sourceContainer: 'none' }] })],
    said: "Unknown container 'none' in volumesFrom.",
    at: 'containerDefinitions.0.volumesFrom.0.sourceContainer',
  },
  {
    rule: 'volumes: volumes from one that is',
    containers: [app({ volumesFrom: [{ sourceContainer: 'data' }] }), app({ name: 'data' })],
  },
];

const check = (more: JsonObject) => [app({ healthCheck: { command: ['CMD', 'true'], ...more } })];
const restart = (more: JsonObject) => [app({ restartPolicy: { enabled: true, ...more } })];
const codes = (count: number) => Array.from({ length: count }, (_, code) => code);

const settings: readonly Row[] = [
  ...(
    [
      ['6.70', 'interval', 5, 300],
      ['6.71', 'timeout', 2, 60],
      ['6.72', 'retries', 1, 10],
      ['6.73', 'startPeriod', 0, 300],
    ] as const
  ).flatMap(([rule, setting, min, max]) => {
    const said = outOfRange(setting, min, max);
    return [
      { rule: `${rule} ${setting} too low`, containers: check({ [setting]: min - 1 }), said },
      { rule: `${rule} ${setting} lowest`, containers: check({ [setting]: min }) },
      { rule: `${rule} ${setting} highest`, containers: check({ [setting]: max }) },
      {
        rule: `${rule} ${setting} too high`,
        containers: check({ [setting]: max + 1 }),
        said,
        at: `containerDefinitions.0.healthCheck.${setting}`,
      },
      { rule: `${rule} ${setting} unknown`, containers: check({ [setting]: UNRESOLVED }) },
    ];
  }),
  {
    rule: '6.30 a command as AWS’s own templates have it',
    containers: check({ command: ['/healthcheck'] }),
  },
  {
    rule: '6.40 a short attempt period',
    containers: restart({ restartAttemptPeriod: 59 }),
    said: outOfRange('restartAttemptPeriod', 60, 1800),
    at: 'containerDefinitions.0.restartPolicy.restartAttemptPeriod',
  },
  {
    rule: '6.40 a long attempt period',
    containers: restart({ restartAttemptPeriod: 1801 }),
    said: outOfRange('restartAttemptPeriod', 60, 1800),
  },
  {
    rule: '6.40 as much as is allowed',
    containers: restart({ restartAttemptPeriod: 1800, ignoredExitCodes: codes(50) }),
  },
  {
    rule: '6.40 too many exit codes',
    containers: restart({ ignoredExitCodes: codes(51) }),
    said: "The 'ignoredExitCodes' setting for container 'app' can have at most 50 items",
  },
  ...(
    [
      ['6.11', 'startTimeout'],
      ['6.10', 'stopTimeout'],
    ] as const
  ).flatMap(([rule, setting]) => {
    const said = outOfRange(setting, 2, 120);
    const at = `containerDefinitions.0.${setting}`;
    return [
      {
        rule: `${rule} ${setting} of 1 s`,
        containers: [app({ [setting]: 1 })],
        with: ON_FARGATE,
        said,
        at,
      },
      {
        rule: `${rule} ${setting} of 120 s`,
        containers: [app({ [setting]: 120 })],
        with: ON_FARGATE,
      },
      {
        rule: `${rule} ${setting} of 121 s`,
        containers: [app({ [setting]: 121 })],
        with: ON_FARGATE,
        said,
      },
      { rule: `${rule} ${setting} of 900 s on EC2`, containers: [app({ [setting]: 900 })] },
    ];
  }),
];

const tables = [sizes, instances, memory, ports, lists, dependencies, mounts, settings];
for (const { rule, containers = [app()], with: more = {}, said, at } of tables.flat()) {
  test(`${rule}: ${said ?? 'taken'}`, () => {
    const faults = taskDefinitionFaults({ containerDefinitions: [...containers], ...more });
    assert.deepEqual(
      faults.map(({ message }) => message),
      said === undefined ? [] : [said],
    );
    if (at !== undefined) assert.equal(faults[0]?.path.join('.'), at);
  });
}

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
  const sizes = ['512', '0.5 GB', '1gb', '1 TB'].map(parseMemoryMebibytes);
  assert.deepEqual(sizes, [512, 512, 1024, undefined]);
});

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
