import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cannotPlaceMessage,
  failureCode,
  placeTask,
  reserve,
  strategyFaults,
  type TaskRequirements,
} from '../../../../src/aws/ecs/placement/index.ts';
import type { JsonValue } from '../../../../src/base/index.ts';
import {
  FREE_TASK,
  GROUP,
  type InstanceSketch,
  instanceOf,
  type RuleSketch,
  rulesOf,
} from '../../../support/container-instances.ts';

type Sketches = { readonly [id: string]: InstanceSketch };

const [A, B] = ['us-east-1a', 'us-east-1b'];
const byZone: JsonValue = [{ type: 'spread', field: 'attribute:ecs.availability-zone' }];
const byInstance: JsonValue = [{ type: 'spread', field: 'instanceId' }];
const byHost: JsonValue = [{ type: 'spread', field: 'host' }];
const byMemory: JsonValue = [{ type: 'binpack', field: 'memory' }];
const byCpu: JsonValue = [{ type: 'binpack', field: 'CPU' }];
const distinct: JsonValue = [{ type: 'distinctInstance' }];
const member = (expression: string): JsonValue => [{ type: 'memberOf', expression }];

const choices: readonly {
  readonly when: string;
  readonly on: Sketches;
  readonly by?: RuleSketch;
  readonly then: string; // where as many tasks go as there are letters, one after the other
}[] = [
  { when: 'nothing tells them apart', on: { x: {}, y: {} }, then: 'x y x y' },
  { when: 'zones are uneven', on: { x: { zone: A, tasks: 2 }, y: { zone: B } }, then: 'y y x y' },
  {
    when: 'no strategy is given: zones, and in a zone the emptiest',
    on: { x: { zone: A, tasks: 1 }, y: { zone: A }, z: { zone: B, tasks: 2 } },
    then: 'y x z y',
  },
  {
    when: 'spread has only the zone',
    on: { x: { zone: A }, y: { zone: A }, z: { zone: B } },
    by: { strategies: byZone },
    then: 'x z x z',
  },
  {
    when: 'spread counts tasks on draining instances',
    on: { x: { zone: A }, y: { zone: B }, z: { zone: A, status: 'DRAINING', tasks: 2 } },
    by: { strategies: byZone },
    then: 'y y x y',
  },
  {
    when: 'an attribute is not everywhere',
    on: { x: { attributes: { rack: '1' } }, y: {}, z: {} },
    by: { strategies: [{ type: 'spread', field: 'attribute:rack' }] },
    then: 'x y x y',
  },
  {
    when: 'spread by instance',
    on: { x: { tasks: 1 }, y: {} },
    by: { strategies: byInstance },
    then: 'y x y',
  },
  {
    when: 'spread by host',
    on: { x: { tasks: 1 }, y: {} },
    by: { strategies: byHost },
    then: 'y x y',
  },
  {
    when: 'binpack by memory',
    on: { x: {}, y: { memoryMebibytes: 250 }, z: { memoryMebibytes: 300 } },
    by: { strategies: byMemory },
    then: 'y y z z z x',
  },
  {
    when: 'binpack by CPU',
    on: { x: { cpuUnits: 300 }, y: { cpuUnits: 200 } },
    by: { strategies: byCpu },
    then: 'y y x x',
  },
  {
    when: 'zones come first and memory second',
    on: { x: { zone: A }, y: { zone: A, memoryMebibytes: 500 }, z: { zone: B } },
    by: { strategies: [...(byZone as JsonValue[]), ...(byMemory as JsonValue[])] },
    then: 'y z y z',
  },
  {
    when: 'strategies are best effort',
    on: { x: { zone: A, tasks: 9 }, y: { zone: B, memoryMebibytes: 50 } },
    then: 'x x',
  },
  {
    when: 'instances are distinct',
    on: { x: {}, y: {} },
    by: { constraints: distinct },
    then: 'x y -',
  },
  {
    when: 'constraints bind',
    on: { x: {}, y: { attributes: { stack: 'prod' } } },
    by: { constraints: member('attribute:stack == prod') },
    then: 'y y',
  },
  {
    when: 'tasks keep away from a group',
    on: { x: { tasks: 1 }, y: {} },
    by: { constraints: member(`not(task:group == ${GROUP})`) },
    then: 'y -',
  },
];

const TASK: TaskRequirements = { ...FREE_TASK, cpuUnits: 100, memoryMebibytes: 100 };

for (const { when, on, by, then } of choices) {
  test(`7.6 when ${when}: ${then}`, () => {
    const instances = Object.entries(on).map(([id, sketch]) => instanceOf(id, sketch));
    const rules = rulesOf(by);
    const placed = then.split(' ').map(() => {
      const placement = placeTask(instances, TASK, rules);
      if ('failure' in placement) return '-';
      reserve(placement.instance, TASK, GROUP);
      return placement.instance.id;
    });
    assert.equal(placed.join(' '), then);
  });
}

test('7.6 random is drawn from the given state alone', () => {
  const instances = [...'abcdefgh'].map((id) => instanceOf(id));
  const draw = (seed: string) => {
    const rules = rulesOf({ strategies: [{ type: 'random' }], seed });
    return Array.from({ length: 8 }, () => {
      const placement = placeTask(instances, TASK, rules);
      return 'instance' in placement ? placement.instance.id : '-';
    }).join('');
  };
  assert.equal(draw('1'), draw('1'));
  assert.notEqual(draw('1'), draw('2'));
});

const failures: readonly {
  readonly rule: string;
  readonly on: Sketches;
  readonly task?: Partial<TaskRequirements>;
  readonly by?: RuleSketch;
  readonly says: string;
  readonly code?: string;
}[] = [
  { rule: '5.15', on: {}, says: 'Reason: No Container Instances were found in your cluster.' },
  {
    rule: '5.15 draining instances are none',
    on: { x: { status: 'DRAINING' } },
    says: 'Reason: No Container Instances were found in your cluster.',
  },
  {
    rule: '5.54',
    on: { x: {} },
    task: { cpuUnits: 1025 },
    says: 'The closest matching (container-instance x) has insufficient CPU units available.',
    code: 'RESOURCE:CPU',
  },
  {
    rule: '5.55',
    on: { x: {} },
    task: { memoryMebibytes: 961 },
    says: 'The closest matching (container-instance x) has insufficient memory available.',
    code: 'RESOURCE:MEMORY',
  },
  {
    rule: '5.56, 7.11',
    on: { x: {} },
    task: { ports: ['22/tcp'] },
    says: 'The closest matching (container-instance x) is already using a port required by your task.',
    code: 'RESOURCE:PORTS',
  },
  {
    rule: '5.57',
    on: { x: { agentConnected: false } },
    says: 'The closest matching (container-instance x) encountered error "AGENT".',
    code: 'AGENT',
  },
  {
    rule: '5.58',
    on: { x: {} },
    task: { attributes: [{ name: 'ecs.os-type', value: 'windows' }] },
    says: 'The closest matching (container-instance x) is missing an attribute required by your task.',
    code: 'ATTRIBUTE',
  },
  {
    rule: '5.60',
    on: { x: { enis: 0 } },
    task: { enis: 1 },
    says: 'The closest matching (container-instance x) has reached the maximum number of ports/ENIs.',
    code: 'RESOURCE:ENI',
  },
  {
    rule: '5.60, 7.10 of ports',
    on: { x: {} },
    task: { ports: Array.from({ length: 95 }, (_, at) => `${9000 + at}/tcp`) },
    says: 'The closest matching (container-instance x) has reached the maximum number of ports/ENIs.',
    code: 'RESOURCE:PORTS',
  },
  {
    rule: '6.62 of memberOf',
    on: { x: {} },
    by: { constraints: member('attribute:stack exists') },
    says: 'The closest matching (container-instance x) encountered error "MemberOf placement constraint unsatisfied.".',
    code: 'MemberOf placement constraint unsatisfied.',
  },
  {
    rule: '6.62 of distinctInstance',
    on: { x: { tasks: 1 } },
    by: { constraints: distinct },
    says: 'The closest matching (container-instance x) encountered error "DistinctInstance placement constraint unsatisfied.".',
    code: 'DistinctInstance placement constraint unsatisfied.',
  },
  {
    rule: '5.15 the closest one fails the latest check',
    on: {
      v: { agentConnected: false },
      w: { cpuUnits: 10 },
      x: { memoryMebibytes: 9 },
      y: { cpuUnits: 9 },
    },
    says: 'The closest matching (container-instance x) has insufficient memory available.',
  },
  {
    rule: '5.15 the first registered of two that are equally close',
    on: { x: { memoryMebibytes: 9 }, y: { memoryMebibytes: 99 } },
    says: 'The closest matching (container-instance x) has insufficient memory available.',
  },
];

for (const { rule, on, task, by, says, code } of failures) {
  test(`${rule}: ${says}`, () => {
    const instances = Object.entries(on).map(([id, sketch]) => instanceOf(id, sketch));
    const placement = placeTask(instances, { ...TASK, ...task }, rulesOf(by));
    assert('failure' in placement, 'it was placed');
    const { failure } = placement;
    assert.equal(
      cannotPlaceMessage('web', failure),
      `(service web) was unable to place a task because no container instance met all of its requirements. ${says} For more information, see the Troubleshooting section of the Amazon ECS Developer Guide.`,
    );
    if (code === undefined) return;
    assert.equal(failure.type === 'none-fits' && failureCode(failure.shortfall), code, '6.63');
  });
}

test('5.55 a failure has the numbers', () => {
  const instance = instanceOf('x');
  const task = { ...FREE_TASK, memoryMebibytes: 640 };
  reserve(instance, task, GROUP);
  assert.deepEqual(placeTask([instance], task, rulesOf()), {
    failure: {
      type: 'none-fits',
      closest: 'x',
      shortfall: { type: 'memory', amounts: { needed: 640, remaining: 320, registered: 960 } },
    },
  });
});

test('7.6, 1.69: strategies that are refused', () => {
  const faults = (strategies: JsonValue) =>
    strategyFaults(strategies).map(({ path, message }) => `${path.join('/')}: ${message}`);
  assert.deepEqual(faults([...(byZone as JsonValue[]), { type: 'random' }]), []);
  assert.deepEqual(
    faults([{ type: 'binpack', field: 'disk' }, { type: 'spread' }, { type: 'pile' }]),
    [
      "placementStrategy/0/field: strategy.field 'disk' is not supported with strategy.type 'binpack'.",
      "placementStrategy/1/field: strategy.field '' is not supported with strategy.type 'spread'.",
      "placementStrategy/2/type: strategy.type 'pile' is not supported.",
    ],
  );
  const six = Array.from({ length: 6 }, () => ({ type: 'random' }));
  assert.deepEqual(faults(six), ['placementStrategy: Maximum number of strategies is 5']);
});
