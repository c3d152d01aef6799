import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../../src/base/index.ts';
import { present } from '../../../../src/base/index.ts';
import {
  breaker,
  createEcsWorld,
  createWeb,
  ecsOf,
  type Images,
  pass,
  percents,
  register,
  update,
} from '../../../support/ecs-world.ts';

const CRASHES: Images = { 'web:1': { exits: { afterMs: 1_000, code: 1 } } };

const pictures: readonly {
  when: string;
  images?: Images;
  configuration?: JsonObject;
  desired?: number;
  seconds: number;
  certainty: string | undefined;
}[] = [
  { when: 'two tasks failed alike', images: CRASHES, seconds: 3, certainty: undefined },
  { when: 'three tasks failed alike', images: CRASHES, seconds: 6, certainty: 'likely' },
  {
    when: 'a circuit breaker counts them',
    images: CRASHES,
    configuration: breaker(false),
    desired: 8, // it takes four
    seconds: 2,
    certainty: undefined,
  },
  {
    when: 'the ceiling is below the desired count',
    configuration: percents(50, 0),
    desired: 2,
    seconds: 10,
    certainty: 'proven',
  },
  {
    when: 'tasks still settle',
    configuration: percents(50, 0),
    desired: 2,
    seconds: 2,
    certainty: undefined,
  },
  { when: 'all is well', seconds: 10, certainty: undefined },
];

for (const { when, images, configuration = {}, desired = 1, seconds, certainty } of pictures) {
  test(`dec. 5: when ${when} there is ${certainty ?? 'no'} hang`, () => {
    const world = createEcsWorld(images);
    register(world, 'web:1');
    const more = { desiredCount: desired, deploymentConfiguration: configuration };
    const service = createWeb(world, more);
    const watched = present(ecsOf(world).currentRollout(service), 'it is there');
    pass(world, seconds * 1_000);
    assert.equal(ecsOf(world).rollout(watched).hang()?.certainty, certainty);
  });
}

test('dec. 5: a percent pair that cannot move is a proven hang of an update', () => {
  const world = createEcsWorld();
  register(world, 'web:1');
  const service = createWeb(world, { deploymentConfiguration: percents(100, 100) });
  pass(world, 10_000);
  const watched = ecsOf(world).updateService({ service, taskDefinition: register(world, 'web:2') });
  pass(world, 1_000);
  const hang = ecsOf(world).rollout(watched).hang();
  assert.equal(hang?.certainty, 'proven');
  assert.match(hang.because, /^nothing may start and nothing may stop at 100 and 100 percent of 1/);
  update(world, service, { deploymentConfiguration: percents(200, 100) });
  pass(world, 1_000);
  assert.equal(ecsOf(world).rollout(watched).hang(), undefined);
});
