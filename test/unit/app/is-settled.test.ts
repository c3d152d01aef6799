import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSettled } from '../../../src/app/run-world.ts';
import { addMs, present } from '../../../src/base/index.ts';
import type { DockerTask } from '../../../src/runtime/docker/index.ts';
import { createSession, deployText, KEY } from '../../support/world.ts';

const rows: readonly {
  when: string;
  /** Seconds since the operation ended; absent: it goes on. */
  over?: number;
  phase?: DockerTask['phase'];
  isInterrupted?: boolean;
  is: boolean;
}[] = [
  { when: 'its operation goes on', is: false },
  { when: 'its operation goes on after Ctrl-C', isInterrupted: true, is: false },
  { when: 'its containers are at rest', over: 0, phase: 'up', is: true },
  { when: 'one is prepared still', over: 9, phase: 'preparing', is: false },
  { when: 'one stops still', over: 9, phase: 'ending', is: false },
  { when: 'one is prepared for too long', over: 10, phase: 'preparing', is: true },
  { when: 'nobody wants to wait', over: 0, phase: 'ending', isInterrupted: true, is: true },
];

for (const { when, over, phase = 'up', isInterrupted = false, is } of rows) {
  test(`a stack is ${is ? '' : 'not '}settled when ${when}`, async () => {
    const { world } = createSession();
    const { stack } = await deployText({ ...createSession(), world }, TOPIC);
    const task = { owner: { stackName: 'demo' }, phase, containers: {} } as unknown as DockerTask;
    const docker = { [KEY]: { tasks: { t: task } } } as unknown as typeof world.docker;
    const nowMs = addMs(world.nowMs, (over ?? 0) * 1000);
    const operation = over === undefined ? present(underWay(stack), 'one') : null;
    assert.equal(
      isSettled({ ...world, docker, nowMs }, { ...stack, operation }, isInterrupted),
      is,
    );
  });
}

const TOPIC = 'Resources: { Topic: { Type: AWS::SNS::Topic } }';

function underWay(stack: Awaited<ReturnType<typeof deployText>>['stack']) {
  return { id: stack.operations[0]?.id } as unknown as typeof stack.operation;
}
