import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOCAL_RULES } from '../../../../src/aws/ecs/index.ts';
import {
  createEcsWorld,
  createWeb,
  ecsOf,
  eventTexts,
  type Images,
  pass,
  primary,
  register,
  tasksOf,
  update,
} from '../../../support/ecs-world.ts';

/** Seconds at which tasks were started. */
function starts(images: Images, seconds: number, desiredCount = 1): readonly number[] {
  const world = createEcsWorld(images);
  register(world, 'web:1');
  const service = createWeb(world, { desiredCount });
  pass(world, seconds * 1_000);
  return startsOf(eventTexts(world, service));
}

function startsOf(texts: readonly string[]): readonly number[] {
  return texts.filter((text) => text.includes('has started')).map(Number.parseFloat);
}

test('7.4: after each failed start the wait doubles, from half a second to thirty', () => {
  const expected = [0, 0.5, 1.5, 3.5, 7.5, 15.5, 31.5, 61.5, 91.5];
  assert.deepEqual(starts({ 'web:1': { pull: ['not-found'] } }, 100), expected);
});

test('7.4: after an exit as after a failed start, from the end of the task', () => {
  const expected = [0, 2.5, 5.5, 9.5, 15.5, 25.5];
  assert.deepEqual(starts({ 'web:1': { exits: { afterMs: 2_000, code: 1 } } }, 30), expected);
});

test('fine print b: the wait holds back every placement of the deployment', () => {
  const world = createEcsWorld({ 'web:1': { pull: ['ok', 'not-found'] } });
  register(world, 'web:1');
  const service = createWeb(world, { desiredCount: 2 });
  pass(world, 100);
  update(world, service, { desiredCount: 4 }); // two more, which wait as the failed one does
  pass(world, 399);
  assert.equal(tasksOf(world, service).length, 1);
  pass(world, 1);
  assert.deepEqual(startsOf(eventTexts(world, service)), [0, 0.5]);
  assert.equal(primary(world, service).failedTasks, 4);
});

test('fine print b: failures in one instant count each, and the wait is the one of the newest', () => {
  // Three fail at once: 500 ms · 2², then six: 500 ms · 2⁵.
  assert.deepEqual(starts({ 'web:1': { pull: ['not-found'] } }, 20, 3), [0, 2, 18]);
});

test('fine print b: a deliberate stop changes nothing', () => {
  const world = createEcsWorld({ 'web:1': { pull: ['ok', 'not-found'] } });
  register(world, 'web:1');
  const service = createWeb(world, { desiredCount: 2 });
  pass(world, 100);
  const before = primary(world, service).blockedUntilMs;
  const [task] = tasksOf(world, service);
  ecsOf(world).stopTask({ task: task?.id ?? '' });
  pass(world, 100);
  assert.equal(primary(world, service).blockedUntilMs, before);
  assert.equal(primary(world, service).failedTasks, 1);
});

test('7.3: a new deployment does not wait for the failures of the one before', () => {
  const world = createEcsWorld({ 'web:1': { pull: ['not-found'] } });
  register(world, 'web:1');
  const service = createWeb(world);
  pass(world, 40_000);
  update(world, service, { taskDefinition: register(world, 'web:2') });
  pass(world, 0);
  assert.equal(startsOf(eventTexts(world, service)).at(-1), 40);
});

test('2.10, 7.4: after a steady state the first failure waits half a second again', () => {
  const world = createEcsWorld({
    'web:1': { pull: ['not-found', 'not-found', 'ok'], exits: { afterMs: 20_000, code: 1 } },
  });
  register(world, 'web:1');
  const service = createWeb(world);
  pass(world, 30_000); // starts at 1.5 s, counts from 11.5 s on, ends at 21.5 s
  assert.deepEqual(startsOf(eventTexts(world, service)), [0, 0.5, 1.5, 22]);
});

test('10.17, 4.13: rules in which StopTask is repaired replace the task at once', () => {
  const world = createEcsWorld();
  register(world, 'web:1');
  const service = createWeb(world);
  const rules = { ...LOCAL_RULES, replacesUserStopped: true };
  pass(world, 10_000, {}, rules);
  const [task] = tasksOf(world, service);
  ecsOf(world).stopTask({ task: task?.id ?? '' });
  pass(world, 10_000, {}, rules);
  assert.deepEqual(startsOf(eventTexts(world, service)), [0, 10]);
  assert.equal(primary(world, service).failedTasks, 0);
});
