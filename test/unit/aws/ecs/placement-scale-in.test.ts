import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseTasksToStop, strategiesOf } from '../../../../src/aws/ecs/placement/index.ts';
import type { JsonValue, TaskId } from '../../../../src/base/index.ts';
import { type InstanceSketch, instanceOf } from '../../../support/container-instances.ts';

const [A, B] = ['us-east-1a', 'us-east-1b'];
const zones: JsonValue = { type: 'spread', field: 'attribute:ecs.availability-zone' };
const memory: JsonValue = { type: 'binpack', field: 'memory' };

interface Row {
  readonly when: string;
  /** How many tasks are on it, and what it is. */
  readonly on: { readonly [id: string]: readonly [tasks: number, InstanceSketch] };
  readonly by?: readonly JsonValue[];
  readonly then: string; // the tasks that stop, in order; `-`: there is none left
}

const rows: readonly Row[] = [
  {
    when: 'a zone has more',
    on: { x: [1, { zone: A }], y: [2, { zone: B }], z: [1, { zone: B }] },
    then: 'y1 y2 x1 z1 -',
  },
  {
    when: 'one drains, though its zone has fewer',
    on: { x: [3, { zone: A }], y: [1, { zone: B, status: 'DRAINING' }] },
    then: 'y1 x1',
  },
  {
    when: 'only the zone is spread over',
    on: { x: [1, { zone: A }], y: [2, { zone: A }], z: [2, { zone: B }] },
    by: [zones],
    then: 'x1 y1 z1 y2',
  },
  {
    when: 'tasks are packed by memory',
    on: { x: [2, { memoryMebibytes: 100 }], y: [2, { memoryMebibytes: 300 }] },
    by: [memory],
    then: 'y1 y2 x1',
  },
  {
    when: 'what was stopped makes the difference',
    on: { x: [2, { memoryMebibytes: 310 }], y: [2, { memoryMebibytes: 300 }] },
    by: [memory],
    then: 'x1 x2 y1 y2',
  },
  {
    when: 'zones come first, memory second',
    on: {
      w: [1, { zone: A, memoryMebibytes: 100 }],
      x: [2, { zone: A, memoryMebibytes: 300 }],
      y: [2, { zone: B, memoryMebibytes: 900 }],
    },
    by: [zones, memory],
    then: 'x1 y1 x2',
  },
  {
    when: 'any will do',
    on: { x: [1, {}], y: [1, {}] },
    by: [{ type: 'random' }],
    then: 'x1 y1 -',
  },
];

for (const { when, on, by, then } of rows) {
  test(`7.8 when ${when}: ${then}`, () => {
    const running = Object.entries(on).map(([id, [count, sketch]]) => ({
      instance: instanceOf(id, sketch),
      tasks: Array.from({ length: count }, (_, at) => `${id}${at + 1}` as TaskId),
    }));
    const strategies = strategiesOf(by === undefined ? undefined : [...by]);
    const requirements = { cpuUnits: 50, memoryMebibytes: 50 };
    const expected = then.split(' ');
    const chosen = chooseTasksToStop(running, expected.length, { strategies, requirements });
    assert.deepEqual(
      chosen,
      expected.filter((task) => task !== '-'),
    );
  });
}
