import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../../src/base/index.ts';
import { createEcsWorld, createWeb, register, update } from '../../../support/ecs-world.ts';

const many = (count: number, name: string) => Array.from({ length: count }, (_, at) => name + at);
const network = (subnets: number, securityGroups: number) => ({
  networkConfiguration: {
    awsvpcConfiguration: {
      subnets: many(subnets, 'subnet-'),
      securityGroups: many(securityGroups, 'sg-'),
    },
  },
});
const groups = (count: number) =>
  many(count, 'arn:group/').map((targetGroupArn) => ({
    ...{ targetGroupArn, containerName: 'app', containerPort: 80 },
  }));

/** `said`: what is told of the request, beside what else is taken for granted. */
const rows: readonly { rule: string; service?: JsonObject; task?: JsonObject; said?: string }[] = [
  { rule: '9.2', service: network(16, 5) },
  {
    rule: '9.2',
    service: network(17, 5),
    said: "service web asks for 17 subnets, above AWS's quota of 16",
  },
  {
    rule: '9.2',
    service: network(16, 6),
    said: "service web asks for 6 security groups, above AWS's quota of 5",
  },
  {
    rule: '9.15',
    service: { desiredCount: 5_001 },
    said: "service web asks for 5001 tasks, above AWS's quota of 5000",
  },
  {
    rule: '9.9',
    service: { desiredCount: 1_001, serviceRegistries: [{ registryArn: 'arn:registry' }] },
    said: "service web asks for 1001 tasks with service discovery, above AWS's quota of 1000",
  },
  {
    rule: '9.19',
    service: { loadBalancers: groups(6) },
    said: "service web asks for 6 target groups, above AWS's quota of 5",
  },
  {
    rule: '9.4',
    service: {
      launchType: null,
      capacityProviderStrategy: many(21, 'FARGATE').map(() => ({
        ...{ capacityProvider: 'FARGATE', weight: 1 },
      })),
    },
    said: "service web asks for 21 capacity providers in a strategy, above AWS's quota of 20",
  },
  {
    rule: '9.21',
    task: {
      containerDefinitions: [{ name: 'app', image: 'web:1', command: ['x'.repeat(65_536)] }],
    },
    said: "task definition web asks for 65711 bytes of a task definition, above AWS's quota of 65536",
  },
  {
    rule: '9.18',
    task: {
      containerDefinitions: [
        { name: 'app', image: 'web:1' },
        ...many(10, 'side').map((name) => ({ name, image: 'side:1' })),
      ],
    },
    said: "task definition web asks for 11 containers, above AWS's quota of 10",
  },
];

function quotasIn(world: ReturnType<typeof createEcsWorld>): readonly string[] {
  return world.record.entries.flatMap((event) =>
    event.type === 'assumption' && event.text.includes('quota') ? [event.text] : [],
  );
}

for (const { rule, service = {}, task = {}, said } of rows) {
  test(`${rule}: ${said ?? 'within its quotas nothing is said'}`, () => {
    const world = createEcsWorld();
    register(world, 'web:1', {
      containerDefinitions: [
        { name: 'app', image: 'web:1', portMappings: [{ containerPort: 80 }] },
      ],
      ...task,
    });
    createWeb(world, service);
    assert.deepEqual(quotasIn(world), said === undefined ? [] : [said]);
  });
}

test('9.15: an update may go above a quota too', () => {
  const world = createEcsWorld();
  register(world, 'web:1');
  const service = createWeb(world);
  update(world, service, { desiredCount: 6_000 });
  assert.deepEqual(quotasIn(world), ["service web asks for 6000 tasks, above AWS's quota of 5000"]);
});
