import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ContainerInstance,
  chooseTasksToStop,
  distribute,
  type PlacementRules,
  placeTask,
  release,
  reserve,
  type TaskRequirements,
} from '../../../../src/aws/ecs/placement/index.ts';
import {
  type JsonValue,
  nextBelow,
  type RandomState,
  seedRandom,
  type TaskId,
} from '../../../../src/base/index.ts';
import { FREE_TASK, GROUP, instanceOf, rulesOf } from '../../../support/container-instances.ts';

const SEEDS = 200;

function forEachSeed(run: (random: RandomState, seed: number) => void): void {
  const one = process.env['SEED'];
  const seeds =
    one === undefined ? Array.from({ length: SEEDS }, (_, at) => at + 1) : [Number(one)];
  for (const seed of seeds) {
    try {
      run(seedRandom(`placement ${seed}`), seed);
    } catch (error) {
      throw new Error(`SEED=${seed}: ${String(error)}`, { cause: error });
    }
  }
}

function pick<Item>(random: RandomState, items: readonly [Item, ...Item[]]): Item {
  return items[nextBelow(random, items.length)] ?? items[0];
}

function drawInstances(random: RandomState): readonly ContainerInstance[] {
  return Array.from({ length: 1 + nextBelow(random, 6) }, (_, at) =>
    instanceOf(`i${at}`, {
      zone: pick(random, ['a', 'b', 'c']),
      cpuUnits: 256 * (1 + nextBelow(random, 8)),
      memoryMebibytes: 480 * (1 + nextBelow(random, 4)),
      status: pick(random, ['ACTIVE', 'ACTIVE', 'ACTIVE', 'DRAINING']),
      ...(nextBelow(random, 2) === 0 ? {} : { enis: nextBelow(random, 4) }),
    }),
  );
}

function drawTask(random: RandomState): TaskRequirements {
  return {
    ...FREE_TASK,
    cpuUnits: nextBelow(random, 5) * 64,
    memoryMebibytes: nextBelow(random, 5) * 60,
    enis: pick(random, [0, 1]),
    ports: pick(random, [[], [], ['80/tcp'], ['80/tcp', '80/udp'], ['51678/tcp']]),
  };
}

const STRATEGIES: readonly [JsonValue, ...JsonValue[]] = [
  [],
  [{ type: 'random' }],
  [{ type: 'binpack', field: 'memory' }],
  [
    { type: 'spread', field: 'instanceId' },
    { type: 'binpack', field: 'cpu' },
  ],
];

function drawRules(random: RandomState): PlacementRules {
  const constraints = pick<JsonValue>(random, [[], [], [{ type: 'distinctInstance' }]]);
  return rulesOf({ constraints, strategies: pick(random, STRATEGIES) });
}

interface Placed {
  readonly instance: ContainerInstance;
  readonly task: TaskRequirements;
}

/** Every book of an instance against the tasks that are really on it. */
function assertBooks(instance: ContainerInstance, placed: readonly Placed[]): void {
  const here = placed.filter((one) => one.instance === instance).map(({ task }) => task);
  const { registered, remaining, usedPorts, taskCount, tasksByGroup } = instance;
  const total = (amount: (task: TaskRequirements) => number) =>
    here.reduce((sum, task) => sum + amount(task), 0);
  assert(remaining.cpuUnits >= 0 && remaining.memoryMebibytes >= 0);
  assert.equal(remaining.cpuUnits + total(({ cpuUnits }) => cpuUnits), registered.cpuUnits);
  const memory = remaining.memoryMebibytes + total(({ memoryMebibytes }) => memoryMebibytes);
  assert.equal(memory, registered.memoryMebibytes);
  if (registered.enis === null || remaining.enis === null) {
    assert.equal(remaining.enis, registered.enis);
  } else {
    assert(remaining.enis >= 0);
    assert.equal(remaining.enis + total(({ enis }) => enis), registered.enis);
  }
  assert.equal(Object.keys(usedPorts).length, 6 + total(({ ports }) => ports.length));
  assert.equal(taskCount, here.length);
  assert.deepEqual(tasksByGroup, here.length === 0 ? {} : { [GROUP]: here.length });
}

/**
 * Goal: whatever is placed and stopped, no instance holds more than it has, constraints hold, a task
 * that fails to be placed fits nowhere, and an instance whose tasks have gone is as it was.
 */
test('7.6, 7.10: never above what an instance has; reserve and release undo each other', () => {
  let [placements, refusals] = [0, 0];
  forEachSeed((random) => {
    const instances = drawInstances(random);
    const before = structuredClone(instances);
    const rules = drawRules(random);
    const placed: Placed[] = [];
    for (let turn = 0; turn < 60; turn += 1) {
      if (placed.length > 0 && nextBelow(random, 3) === 0) {
        const [gone] = placed.splice(nextBelow(random, placed.length), 1);
        if (gone !== undefined) release(gone.instance, gone.task, GROUP);
      } else {
        const task = drawTask(random);
        const placement = placeTask(instances, task, rules);
        if ('instance' in placement) {
          assert.equal(placement.instance.status, 'ACTIVE');
          reserve(placement.instance, task, GROUP);
          placed.push({ instance: placement.instance, task });
          placements += 1;
        } else {
          for (const one of instances) assert('failure' in placeTask([one], task, rules));
          refusals += 1;
        }
      }
      for (const instance of instances) assertBooks(instance, placed);
      if (!rules.constraints.some(({ type }) => type === 'distinctInstance')) continue;
      for (const { tasksByGroup } of instances) assert((tasksByGroup[GROUP] ?? 0) <= 1);
    }
    for (const { instance, task } of placed) release(instance, task, GROUP);
    assert.deepEqual(instances, before);
  });
  // A draw that never meets one of these would promise less than it seems to.
  if (process.env['SEED'] === undefined) assert(placements > 1000 && refusals > 1000);
});

test('7.6, 7.8: by default zones differ by one task at most, whatever comes and goes', () => {
  forEachSeed((random) => {
    const zones = ['a', 'b', 'c'].slice(0, 2 + nextBelow(random, 2));
    const instances = zones.flatMap((zone) => [
      instanceOf(`${zone}1`, { zone }),
      instanceOf(`${zone}2`, { zone }),
    ]);
    const rules = rulesOf();
    const tasks = new Map(instances.map((instance) => [instance, [] as TaskId[]]));
    let last = 0;
    for (let turn = 0; turn < 20; turn += 1) {
      const count = 1 + nextBelow(random, 4);
      if (nextBelow(random, 2) === 0) {
        for (let i = 0; i < count; i += 1) {
          const placement = placeTask(instances, FREE_TASK, rules);
          assert('instance' in placement);
          reserve(placement.instance, FREE_TASK, GROUP);
          last += 1;
          tasks.get(placement.instance)?.push(`${last}` as TaskId);
        }
      } else {
        const running = [...tasks].map(([instance, of]) => ({ instance, tasks: of }));
        const { strategies } = rules;
        const chosen = chooseTasksToStop(running, count, { strategies, requirements: FREE_TASK });
        assert.equal(new Set(chosen).size, chosen.length);
        for (const [instance, of] of tasks) {
          const stay = of.filter((task) => !chosen.includes(task));
          for (let i = stay.length; i < of.length; i += 1) release(instance, FREE_TASK, GROUP);
          tasks.set(instance, stay);
        }
      }
      const counts = zones.map((zone) =>
        [...tasks].reduce((sum, [{ id }, of]) => sum + (id.startsWith(zone) ? of.length : 0), 0),
      );
      assert(Math.max(...counts) - Math.min(...counts) <= 1, counts.join(' '));
    }
  });
});

test('7.12, 7.13: a distribution sums up, fills the base first, and is the same in two steps', () => {
  forEachSeed((random) => {
    const bearer = nextBelow(random, 4);
    const strategy = Array.from({ length: 1 + nextBelow(random, 5) }, (_, at) => ({
      provider: `p${at}`,
      weight: at === 0 ? 1 + nextBelow(random, 5) : nextBelow(random, 6),
      base: at === bearer ? nextBelow(random, 10) : 0,
    }));
    const placed = Object.fromEntries(
      strategy.map(({ provider }) => [provider, nextBelow(random, 8)] as const),
    );
    const count = nextBelow(random, 50);
    const given = distribute(strategy, placed, count);
    assert.equal(
      given.reduce((sum, tasks) => sum + tasks, 0),
      count,
    );

    for (const [at, { provider, weight, base }] of strategy.entries()) {
      const missing = Math.max(0, base - (placed[provider] ?? 0));
      const tasks = given[at] ?? 0;
      assert(tasks >= Math.min(missing, count));
      if (weight === 0) assert.equal(tasks, Math.min(missing, count));
    }
    const first = nextBelow(random, count + 1);
    const half = distribute(strategy, placed, first);
    const between = Object.fromEntries(
      strategy.map(({ provider }, at) => [provider, (placed[provider] ?? 0) + (half[at] ?? 0)]),
    );
    const rest = distribute(strategy, between, count - first);
    assert.deepEqual(
      half.map((tasks, at) => tasks + (rest[at] ?? 0)),
      given,
    );
  });
});
