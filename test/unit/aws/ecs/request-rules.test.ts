import assert from 'node:assert/strict';
import { test } from 'node:test';
import { taskDefinitionFaults } from '../../../../src/aws/ecs/index.ts';
import {
  fargateMemorySizes,
  parseCpuUnits,
  parseMemoryMebibytes,
} from '../../../../src/aws/ecs/request-rules.ts';
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
];

for (const { said, ...size } of sizes) {
  test(`7.20: Fargate with ${JSON.stringify(size)}: ${said[0] ?? 'right'}`, () => {
    const faults = taskDefinitionFaults({ requiresCompatibilities: ['FARGATE'], ...size });
    assert.deepEqual(
      faults.map(({ message }) => message),
      said,
    );
  });
}

test('7.20: on EC2 any size will do, and none', () => {
  assert.deepEqual(taskDefinitionFaults({ requiresCompatibilities: ['EC2'], cpu: '300' }), []);
  assert.deepEqual(taskDefinitionFaults({}), []);
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
  const bad = { family: 'web', requiresCompatibilities: ['FARGATE'], cpu: '1', memory: '1' };
  assert.throws(() => ecsOf(world).registerTaskDefinition(bad), {
    code: 'ClientException',
    message: BAD_CPU,
  });
  assert.match(register(world, 'web:3'), /task-definition\/web:3$/);
});
