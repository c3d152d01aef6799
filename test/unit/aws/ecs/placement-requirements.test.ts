import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  release,
  requirementsOf,
  reserve,
  type TaskRequirements,
} from '../../../../src/aws/ecs/placement/index.ts';
import { registerTaskDefinition } from '../../../../src/aws/ecs/task-definitions.ts';
import type { JsonObject } from '../../../../src/base/index.ts';
import { FREE_TASK, GROUP, instanceOf } from '../../../support/container-instances.ts';
import { contextOf, createEcsWorld } from '../../../support/ecs-world.ts';

function requirements(request: JsonObject): TaskRequirements {
  const context = contextOf(createEcsWorld());
  return requirementsOf(registerTaskDefinition(context, { family: 'web', ...request }));
}

function container(fields: JsonObject, name = 'app'): JsonObject {
  const isSized = 'memory' in fields || 'memoryReservation' in fields;
  return { name, image: 'web:1', ...(isSized ? {} : { memoryReservation: 64 }), ...fields };
}

const PORTS: JsonObject = {
  portMappings: [
    { containerPort: 80, hostPort: 8080 },
    { containerPort: 81, hostPort: 0 },
    { containerPort: 82 },
    { containerPort: 53, hostPort: 53, protocol: 'udp' },
    { containerPort: 83, hostPort: 8080 },
  ],
};

const rows: readonly {
  readonly rule: string;
  readonly of: JsonObject;
  readonly is: Partial<TaskRequirements>;
}[] = [
  {
    rule: '7.6: the size of the task goes before those of its containers',
    of: { cpu: '.5 vCPU', memory: '1GB', containerDefinitions: [container({ cpu: 1, memory: 2 })] },
    is: { cpuUnits: 512, memoryMebibytes: 1024 },
  },
  {
    rule: '7.6: else the containers are added up, the memory reservation before the limit',
    of: {
      containerDefinitions: [
        container({ cpu: 100, memory: 512, memoryReservation: 256 }, 'a'),
        container({ memory: 128 }, 'b'),
        container({ cpu: 10, memoryReservation: 64 }, 'c'),
      ],
    },
    is: { cpuUnits: 110, memoryMebibytes: 448 },
  },
  {
    rule: '7.10: bridge mode takes the fixed host ports, each once',
    of: { containerDefinitions: [container(PORTS)] },
    is: { ports: ['8080/tcp', '53/udp'], enis: 0 },
  },
  {
    rule: '7.10: host mode takes the container ports',
    of: {
      networkMode: 'host',
      containerDefinitions: [container({ portMappings: [{ containerPort: 80 }] })],
    },
    is: { ports: ['80/tcp'], enis: 0 },
  },
  {
    rule: '7.10: awsvpc takes an interface and no port',
    of: {
      networkMode: 'awsvpc',
      containerDefinitions: [container({ portMappings: [{ containerPort: 80 }] })],
    },
    is: { ports: [], enis: 1 },
  },
  {
    rule: '5.58: without a platform any instance will do',
    of: { containerDefinitions: [container({})] },
    is: { attributes: [] },
  },
  {
    rule: '5.58: a platform that is named asks for its attributes',
    of: {
      runtimePlatform: { operatingSystemFamily: 'LINUX', cpuArchitecture: 'ARM64' },
      containerDefinitions: [container({})],
    },
    is: {
      attributes: [
        { name: 'ecs.os-type', value: 'linux' },
        { name: 'ecs.cpu-architecture', value: 'arm64' },
      ],
    },
  },
  {
    rule: '5.58: a volume driver is an attribute',
    of: {
      volumes: [
        { name: 'a', dockerVolumeConfiguration: { driver: 'rexray/ebs:latest' } },
        { name: 'b', host: {} },
      ],
      containerDefinitions: [container({})],
    },
    is: { attributes: [{ name: 'ecs.capability.docker-plugin.rexray/ebs.latest' }] },
  },
];

for (const { rule, of, is } of rows) {
  test(rule, () => {
    const actual = requirements(of);
    for (const key of Object.keys(is) as (keyof TaskRequirements)[]) {
      assert.deepEqual(actual[key], is[key], key);
    }
  });
}

test('7.6: the constraints of a task definition are read', () => {
  const [constraint] = requirements({
    placementConstraints: [{ type: 'memberOf', expression: 'attribute:stack == prod' }],
    containerDefinitions: [container({})],
  }).constraints;
  assert.equal(constraint?.text, 'attribute:stack == prod');
});

test('7.10: a new instance holds the reserved ports and is Linux on x86_64', () => {
  const instance = instanceOf('a', { volumePlugins: ['rexray/ebs'] });
  assert.deepEqual(Object.keys(instance.usedPorts), [
    ...['22/tcp', '2375/tcp', '2376/tcp', '51678/tcp', '51679/tcp', '51680/tcp'],
  ]);
  assert.deepEqual(instance.attributes, {
    'ecs.os-type': 'linux',
    'ecs.cpu-architecture': 'x86_64',
    'ecs.capability.docker-plugin.local': '',
    'ecs.capability.docker-plugin.rexray/ebs': '',
  });
});

test('7.10: what a task takes is given back', () => {
  const instance = instanceOf('a', { enis: 2 });
  const before = structuredClone(instance);
  const task = {
    ...FREE_TASK,
    cpuUnits: 24,
    memoryMebibytes: 60,
    ports: ['80/tcp'],
    enis: 1,
  } as const;
  reserve(instance, task, GROUP);
  assert.deepEqual(instance.remaining, { cpuUnits: 1000, memoryMebibytes: 900, enis: 1 });
  assert.equal(instance.usedPorts['80/tcp'], true);
  assert.deepEqual([instance.tasksByGroup, instance.taskCount], [{ [GROUP]: 1 }, 1]);
  release(instance, task, GROUP);
  assert.deepEqual(instance, before);
});

test('7.10: a task that does not fit, and one that is not there, are defects of the caller', () => {
  const instance = instanceOf('a');
  assert.throws(() => reserve(instance, { ...FREE_TASK, cpuUnits: 1025 }, GROUP), /fits/);
  assert.throws(() => reserve(instanceOf('b'), { ...FREE_TASK, ports: ['22/tcp'] }, GROUP), /free/);
  assert.throws(() => release(instanceOf('c'), FREE_TASK, GROUP), /reserved/);
});
