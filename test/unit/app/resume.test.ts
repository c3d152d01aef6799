import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engineTurn } from '../../../src/app/parts.ts';
import { planOne } from '../../../src/app/plan-stacks.ts';
import { createRunner, isCutShort } from '../../../src/app/run-operation.ts';
import type { Session } from '../../../src/app/session.ts';
import { HOUR_MS } from '../../../src/base/index.ts';
import { createStack, type Stack } from '../../../src/engine/index.ts';
import { createSession, deployText, deskOf, PLACE } from '../../support/world.ts';
import { deployingIn, targetOf } from './deploying.ts';

const TOPIC = 'Resources: { Topic: { Type: AWS::SNS::Topic } }';

/** A stack that a command began to create, and no more. */
function begun(session: Session, stackName: string): Stack {
  const { world, registry } = session;
  const { stackId, compiled } = planOne(deployingIn(session), targetOf(stackName, TOPIC));
  const stabilizing = { limitMs: HOUR_MS, isSet: false, giveUpOn: 'nothing' } as const;
  const turn = engineTurn(world, {
    registry,
    stabilizing: { ...stabilizing, lookEverySeconds: 5 },
  });
  const request = { stackId, stackName, place: PLACE, tags: {}, model: compiled.model };
  return createStack(turn, { ...request, onFailure: 'ROLLBACK' });
}

async function resumed(session: Session, turnBack = false) {
  const runner = createRunner(deskOf(session), {}, { hidden: {}, secrets: {} }, {});
  const ended = await runner.resume(session, () => turnBack);
  await runner.close();
  assert.equal(isCutShort(runner), false);
  return ended.map(({ result }) => [result.stackName, result.status]);
}

test('what was left in the middle is gone on with, and how it ended is told', async () => {
  const session = createSession();
  const stack = begun(session, 'web');
  assert.deepEqual(await resumed(session), [['web', 'CREATE_COMPLETE']]);
  assert.deepEqual(Object.keys(session.records), [stack.operations[0]?.id]);
  const other = begun(session, 'other');
  assert.deepEqual(await resumed(session, true), [['other', 'ROLLBACK_COMPLETE']]);
  assert.deepEqual([other.operation, session.world.engine.active], [null, []]);
});

test('a folder in which a stack is under way twice, or not at all, is put right', async () => {
  const session = createSession();
  const { stack: done } = await deployText(session, TOPIC, { stackName: 'done' });
  const { stackId } = begun(session, 'web');
  session.world.engine.active.push(stackId, done.stackId);
  assert.deepEqual(await resumed(session), [['web', 'CREATE_COMPLETE']]);
  assert.deepEqual(session.world.engine.active, []);
});

test('several that were left come to their ends side by side', async () => {
  const session = createSession();
  begun(session, 'a');
  begun(session, 'b');
  assert.deepEqual(await resumed(session), [
    ['a', 'CREATE_COMPLETE'],
    ['b', 'CREATE_COMPLETE'],
  ]);
});
