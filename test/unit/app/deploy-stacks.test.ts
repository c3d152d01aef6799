import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deployStacks } from '../../../src/app/deploy-stacks.ts';
import { createRunner, type Ended, type Runner } from '../../../src/app/run-operation.ts';
import type { Session } from '../../../src/app/session.ts';
import type { DeployRequest } from '../../../src/app/use-cases.ts';
import { SIMULATION_START_MS } from '../../../src/base/index.ts';
import { engineLost } from '../../../src/diagnosis/index.ts';
import type { Stack } from '../../../src/engine/index.ts';
import { findingResult, refusedResult } from '../../../src/result/index.ts';
import { createDockerWorld } from '../../../src/world/index.ts';
import { createSession, deployText, deskOf } from '../../support/world.ts';
import { deployingIn, targetOf } from './deploying.ts';

const TOPIC = 'Resources: { Topic: { Type: AWS::SNS::Topic } }';
const SERVICE = `
Resources:
  Task: { Type: AWS::ECS::TaskDefinition, Properties: { ContainerDefinitions: [{ Name: a, Image: 'a:1', Memory: 64 }] } }
  Service: { Type: AWS::ECS::Service, Properties: { TaskDefinition: !Ref Task } }
`;
const FAILURE = { logicalId: 'Topic', reason: 'it stays', source: 'engine', then: null } as const;

/** A removal that does not come about. */
async function stays(_: Session, stack: Stack): Promise<Ended> {
  const result = refusedResult(stack.stackName, null);
  const { stackId } = stack;
  return {
    stack,
    result: { ...result, stackId, status: 'DELETE_FAILED', verdict: 'failed', failure: FAILURE },
    findings: [findingResult(engineLost('it stays'), stack.stackName)],
    assumptions: [],
  };
}

/** Deploys stacks of these names in a simulated world, with some of the runner replaced. */
async function deployed(
  session: Session,
  names: readonly string[],
  replaced: Partial<Runner>,
  request: Partial<DeployRequest> = {},
) {
  const deploying = deployingIn(session, request);
  const runner = createRunner(deskOf(session), {}, deploying.known, {});
  const targets = names.map((name) => targetOf(name, TOPIC));
  const done = await deployStacks(deploying, targets, undefined, { ...runner, ...replaced });
  return done.map(({ result, findings }) => ({
    ends: [result.stackName, result.status, result.verdict, result.failure?.reason],
    codes: findings.map(({ code }) => code),
  }));
}

test('a stack is not made anew beside what is left of it', async () => {
  const session = createSession();
  const { stack } = await deployText(session, TOPIC, { stackName: 'web' });
  stack.status = 'ROLLBACK_COMPLETE';
  assert.deepEqual(await deployed(session, ['web', 'next'], { remove: stays }), [
    { ends: ['web', 'DELETE_FAILED', 'failed', 'it stays'], codes: ['ENGINE-LOST'] },
  ]);
  assert.deepEqual(Object.keys(session.world.engine.stacks), [stack.stackId]);
  assert.deepEqual(Object.keys(session.world.settings), [stack.stackId]);
});

test('--rm: a removal that fails is told, with the status that the stack is left in', async () => {
  const session = createSession();
  assert.deepEqual(await deployed(session, ['web'], { remove: stays }, { remove: true }), [
    { ends: ['web', 'DELETE_FAILED', 'failed', 'it stays'], codes: ['ENGINE-LOST'] },
  ]);
});

test('--rm: one that succeeds leaves the result as it was', async () => {
  const session = createSession();
  assert.deepEqual(await deployed(session, ['a', 'b'], {}, { remove: true }), [
    { ends: ['a', 'CREATE_COMPLETE', 'stable', undefined], codes: [] },
    { ends: ['b', 'CREATE_COMPLETE', 'stable', undefined], codes: [] },
  ]);
});

test('without its engine a command begins nothing more, and says so', async () => {
  const session = createSession();
  const runner = createRunner(deskOf(session), {}, { hidden: {}, secrets: {} }, {});
  let lost: string | undefined;
  const losing: Runner = {
    ...runner,
    get lost() {
      return lost;
    },
    async create(...asked) {
      const ended = await runner.create(...asked);
      lost = 'gone';
      return ended;
    },
    remove: () => assert.fail('nothing is removed'),
  };
  const targets = ['a', 'b'].map((name) => targetOf(name, TOPIC));
  const deploying = deployingIn(session, { remove: true });
  const done = await deployStacks(deploying, targets, undefined, losing);
  assert.deepEqual(
    done.map(({ result, findings }) => [result.stackName, result.verdict, findings[0]?.code]),
    [['a', 'undetermined', 'ENGINE-LOST']],
  );
});

const follows: readonly { what: string; template: string; isGone?: true; follows: boolean }[] = [
  { what: 'a service runs', template: SERVICE, follows: true },
  { what: 'there is no service', template: TOPIC, follows: false },
  { what: 'the stack is deleted', template: SERVICE, isGone: true, follows: false },
];

for (const row of follows) {
  test(`--follow ${row.follows ? 'follows' : 'ends at once'} where ${row.what}`, async () => {
    const made = await deployText(createSession(), row.template, { stackName: 'web' });
    if (row.isGone) made.stack.deletedAtMs = SIMULATION_START_MS;
    const session = createSession(createDockerWorld('home', SIMULATION_START_MS));
    let followed = false;
    const follow = async () => {
      followed = true;
    };
    await deployed(session, ['web'], { create: async () => made, follow }, { follow: true });
    assert.equal(followed, row.follows);
  });
}
