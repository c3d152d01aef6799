import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planDaemon, type TaskRequirements } from '../../../../src/aws/ecs/placement/index.ts';
import {
  FREE_TASK,
  type InstanceSketch,
  instanceOf,
  rulesOf,
} from '../../../support/container-instances.ts';

const task: TaskRequirements = {
  ...FREE_TASK,
  memoryMebibytes: 100,
  attributes: [{ name: 'ecs.os-type', value: 'linux' }],
};
const prod = { attributes: { stack: 'prod' } };
const onProd = [
  { type: 'distinctInstance' },
  { type: 'memberOf', expression: 'attribute:stack == prod' },
];

interface Row {
  readonly when: string;
  readonly on: { readonly [id: string]: InstanceSketch };
  readonly constrained?: true;
  readonly then: string; // desired count: starts / stops / what the closest lacks
}

const rows: readonly Row[] = [
  { when: 'the cluster is empty', on: {}, then: '0: / / ' },
  { when: 'it is new', on: { x: {}, y: {} }, then: '2: x y / / ' },
  { when: 'one has its task', on: { x: { tasks: 1 }, y: {} }, then: '2: y / / ' },
  { when: 'one drains', on: { x: { tasks: 1, status: 'DRAINING' }, y: {} }, then: '1: y / x / ' },
  { when: 'one drains without a task', on: { x: { status: 'DRAINING' } }, then: '0: / / ' },
  { when: 'one is too full', on: { x: { memoryMebibytes: 9 }, y: {} }, then: '2: y / / memory' },
  { when: 'an agent is away', on: { x: { agentConnected: false } }, then: '1: / / agent' },
  {
    when: 'an agent is away from its task',
    on: { x: { agentConnected: false, tasks: 1 } },
    then: '1: / / ',
  },
  {
    when: 'a system is another',
    on: { x: { attributes: { 'ecs.os-type': 'windows' } }, y: {} },
    then: '1: y / / ',
  },
  {
    when: 'constraints leave one',
    on: { x: prod, y: {}, z: { tasks: 1 } },
    constrained: true,
    then: '1: x / z / ',
  },
  {
    when: 'a task stands where it should',
    on: { x: { ...prod, tasks: 1 } },
    constrained: true,
    then: '1: / / ',
  },
];

for (const { when, on, constrained, then } of rows) {
  test(`7.6 DAEMON when ${when}: ${then}`, () => {
    const instances = Object.entries(on).map(([id, sketch]) => instanceOf(id, sketch));
    const rules = rulesOf(constrained ? { constraints: onProd } : {});
    const { desiredCount, start, stop, failure } = planDaemon(instances, task, rules);
    const ids = (list: readonly { readonly id: string }[]) =>
      list.map(({ id }) => `${id} `).join('');
    const lacks = failure?.type === 'none-fits' ? failure.shortfall.type : '';
    assert.equal(`${desiredCount}: ${ids(start)}/ ${ids(stop)}/ ${lacks}`, then);
  });
}
