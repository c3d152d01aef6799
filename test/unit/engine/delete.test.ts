import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StackId } from '../../../src/base/index.ts';
import { stacksUnderWay } from '../../../src/engine/index.ts';
import type { ResourceModel } from '../../../src/language/index.ts';
import { briefly, createEngineRun, type TestResource } from '../../support/engine-run.ts';

type Resources = { readonly [logicalId: string]: TestResource };

/** Creates a stack, deletes it, and answers what the deletion told. */
function deleted(resources: Resources, options: { readonly handlerTimeoutMinutes?: number } = {}) {
  const run = createEngineRun({ resources, ...options });
  const stack = run.create();
  run.run();
  const told = run.events().length;
  run.delete(stack);
  run.run();
  return { run, stack, lines: briefly(run.events().slice(told)) };
}

test('L44: resources go in reverse order, in parallel where nothing depends', () => {
  const { lines, stack } = deleted({
    A: { deleteTakes: 1 },
    B: { dependsOn: ['A'], deleteTakes: 2 },
    C: { dependsOn: ['A'], deleteTakes: 3 },
  });
  assert.deepEqual(lines, [
    '0 DELETE_IN_PROGRESS demo User Initiated',
    '0 DELETE_IN_PROGRESS C',
    '0 DELETE_IN_PROGRESS B',
    '2 DELETE_COMPLETE B',
    '3 DELETE_COMPLETE C',
    '3 DELETE_IN_PROGRESS A',
    '4 DELETE_COMPLETE A',
    '4 DELETE_COMPLETE demo',
  ]);
  assert.notEqual(stack.deletedAtMs, null);
});

test('L45: what a resource that stays depends on is left alone, the others go', () => {
  const { run, lines } = deleted({
    Cluster: {},
    Service: { dependsOn: ['Cluster'], deleteTakes: 5, deleteFails: true },
    Other: { deleteTakes: 9 },
    AlsoBad: { deleteFails: true },
  });
  assert(!lines.some((line) => line.includes(' Cluster')));
  assert(lines.includes('9 DELETE_COMPLETE Other'));
  assert.equal(run.events().at(-1)?.status, 'DELETE_FAILED');
  const reason = 'The following resource(s) failed to delete: [AlsoBad, Service]. ';
  assert.equal(run.events().at(-1)?.statusReason, reason);
});

test('L45: deleting again tries what is left, and only that', () => {
  const { run, stack } = deleted({ A: { deleteFails: true }, B: {} });
  const calls = run.calls.length;
  run.delete(stack);
  run.run();
  assert.deepEqual(
    run.calls.slice(calls).map(({ logicalId }) => logicalId),
    ['A'],
  );
  assert.equal(stack.status, 'DELETE_FAILED');
});

test('L46: RetainResources skips the resource that cannot be deleted', () => {
  const { run, stack } = deleted({ A: { deleteFails: true }, B: { dependsOn: ['A'] } });
  const told = run.events().length;
  run.delete(stack, ['A']);
  run.run();
  assert.deepEqual(briefly(run.events().slice(told)), [
    '0 DELETE_IN_PROGRESS demo User Initiated',
    '0 DELETE_SKIPPED A',
    '0 DELETE_COMPLETE demo',
  ]);
});

test('L47: NotFound on delete is success', () => {
  const { lines, stack } = deleted({ A: { deleteFails: true, errorCode: 'NotFound' } });
  assert.equal(lines.at(-2), '0 DELETE_COMPLETE A');
  assert.equal(stack.status, 'DELETE_COMPLETE');
});

test('R18: a delete that never ends is given up at its timeout', () => {
  const { lines } = deleted({ A: { deleteTakes: 'never' } }, { handlerTimeoutMinutes: 30 });
  assert.match(
    lines.at(-2) ?? '',
    /^1800 DELETE_FAILED A Resource timed out waiting for completion \(RequestToken: [-0-9a-f]{36}\)$/,
  );
});

test('R16: a delete that fails says so in the words of a handler', () => {
  const { lines } = deleted({
    A: { deleteFails: true, errorCode: 'ResourceConflict', message: 'in use' },
  });
  assert.match(
    lines.at(-2) ?? '',
    /message: "in use" \(RequestToken: .+, HandlerErrorCode: ResourceConflict\)$/,
  );
});

// A3, A10: what becomes of a resource, by its policy and by what the stack does.
const GONE = ['DELETE_IN_PROGRESS', 'DELETE_COMPLETE'];
const KEPT = ['DELETE_SKIPPED'];
const policies: readonly {
  readonly policy: ResourceModel['deletionPolicy'];
  readonly whenRolledBack: readonly string[];
  readonly whenDeleted: readonly string[];
}[] = [
  { policy: 'Delete', whenRolledBack: GONE, whenDeleted: GONE },
  { policy: 'Retain', whenRolledBack: KEPT, whenDeleted: KEPT },
  { policy: 'RetainExceptOnCreate', whenRolledBack: GONE, whenDeleted: KEPT },
  { policy: 'Snapshot', whenRolledBack: GONE, whenDeleted: GONE },
];

for (const { policy, whenRolledBack, whenDeleted } of policies) {
  test(`A3, A10: DeletionPolicy ${policy} when a create rolls back: ${whenRolledBack.at(-1)}`, () => {
    const run = createEngineRun({
      resources: {
        A: { deletionPolicy: policy },
        Bad: { dependsOn: ['A'], createFails: 'before-id' },
      },
    });
    const stack = run.create();
    run.run();
    assert.deepEqual(deletionOf('A', run), whenRolledBack);
    assert.equal(stack.status, 'ROLLBACK_COMPLETE');
  });

  test(`A3, A10: DeletionPolicy ${policy} when the stack is deleted: ${whenDeleted.at(-1)}`, () => {
    const { run, stack } = deleted({ A: { deletionPolicy: policy } });
    assert.deepEqual(deletionOf('A', run), whenDeleted);
    assert.equal(stack.status, 'DELETE_COMPLETE');
  });
}

test('A3: what never got an id is not kept, whatever its policy', () => {
  const resources = { A: { deletionPolicy: 'Retain', createFails: 'before-id' } } as const;
  const run = createEngineRun({ resources });
  run.create();
  run.run();
  assert.deepEqual(deletionOf('A', run), ['DELETE_COMPLETE']);
});

test('A4: what a kept resource depends on goes all the same', () => {
  const { lines } = deleted({ A: {}, B: { dependsOn: ['A'], deletionPolicy: 'Retain' } });
  assert.deepEqual(lines.slice(1, 4), [
    '0 DELETE_SKIPPED B',
    '0 DELETE_IN_PROGRESS A',
    '0 DELETE_COMPLETE A',
  ]);
});

function deletionOf(logicalId: string, run: ReturnType<typeof createEngineRun>) {
  return run.events().flatMap((event) => {
    const isOne = event.type === 'stack-resource' && event.logicalId === logicalId;
    return isOne && event.status.startsWith('DELETE') ? [event.status] : [];
  });
}

test('a stack has one operation at a time', () => {
  const run = createEngineRun({ resources: { A: { createTakes: 5 } } });
  const stack = run.create();
  assert.throws(() => run.delete(stack), /defect: a stack has one operation at a time/);
  assert.deepEqual(run.turn.state.active, [stack.stackId]);
});

test('what is under way is told once, and a list that holds more is put right', () => {
  const run = createEngineRun({ resources: { A: { createTakes: 5 } } });
  const done = run.create({}, 'done');
  run.run();
  const stack = run.create();
  const { state } = run.turn;
  state.active.push(done.stackId, stack.stackId, 'gone' as StackId);
  assert.deepEqual(stacksUnderWay(state), [stack]);
  assert.deepEqual(state.active, [stack.stackId]);
});
