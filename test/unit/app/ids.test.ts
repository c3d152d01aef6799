import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planOne } from '../../../src/app/plan-stacks.ts';
import { SIMULATION_START_MS } from '../../../src/base/index.ts';
import {
  beginOperation,
  createDockerWorld,
  createWorld,
  type World,
} from '../../../src/world/index.ts';
import { createSession, PLACE } from '../../support/world.ts';
import { deployingIn, targetOf } from './deploying.ts';

const TOPIC = targetOf('web', 'Resources: { Topic: { Type: AWS::SNS::Topic } }');
const docker = (home: string) => createDockerWorld(home, SIMULATION_START_MS);

/** What ids of the first operation on a stack of the name are made from. */
function draws(world: World) {
  const { stackId } = planOne(deployingIn(createSession(world)), TOPIC);
  beginOperation(world, PLACE, 'web', 1);
  return { stackId, random: world.random };
}

test('a name that is used in simulation and with containers has ids of its own in each', () => {
  const each = [draws(createWorld()), draws(docker('one')), draws(docker('two'))];
  assert.equal(new Set(each.map(({ stackId }) => stackId)).size, 3);
  assert.equal(new Set(each.map(({ random }) => JSON.stringify(random))).size, 3);
  assert.deepEqual(draws(createWorld()), each[0], 'and the same ones again');
});
