import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SIMULATION_START_MS } from '../../../src/base/index.ts';
import { stackResult } from '../../../src/result/index.ts';
import { createEngineRun, type TestResource } from '../../support/engine-run.ts';

/** The result of a create, or of the delete that follows it. */
function resultOf(
  kind: 'CREATE' | 'DELETE',
  resources: { readonly [logicalId: string]: TestResource },
) {
  const run = createEngineRun({ resources });
  const stack = run.create();
  run.run();
  if (kind === 'DELETE') {
    run.delete(stack);
    run.run();
  }
  return stackResult({
    ...{ stack, kind, record: run.turn.record, changes: 2, currentServices: [] },
    startedAtMs: SIMULATION_START_MS,
    finishedAtMs: run.turn.nowMs,
    undetermined: false,
    runtime: 'simulation' as const,
    cutOff: false,
  });
}

test('decision 20: a way back that fails adds its reason to that of the first failure', () => {
  const { failure, status } = resultOf('CREATE', {
    A: { deleteFails: true },
    B: { dependsOn: ['A'], createFails: 'after-id', message: 'no room' },
  });
  assert.equal(status, 'ROLLBACK_FAILED');
  assert.deepEqual(
    [failure?.logicalId, failure?.reason, failure?.then],
    ['B', 'no room', 'it went wrong'],
  );
});

test('decision 20: a delete has no way back, so another failure in it is none of `then`', () => {
  const { failure, status } = resultOf('DELETE', {
    A: { deleteFails: true },
    B: { deleteFails: true },
  });
  assert.equal(status, 'DELETE_FAILED');
  assert.equal(failure?.reason, 'it went wrong');
  assert.equal(failure?.then, null);
});
