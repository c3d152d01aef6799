import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  briefly,
  createEngineRun,
  secondsAt,
  type TestResource,
} from '../../support/engine-run.ts';

type Resources = { readonly [logicalId: string]: TestResource };

const ROLLBACK = 'Rollback requested by user.';

/** Creates a stack and follows it to its end. */
function created(
  resources: Resources,
  asked: Parameters<ReturnType<typeof createEngineRun>['create']>[0] = {},
) {
  const run = createEngineRun({ resources });
  const stack = run.create(asked);
  run.run();
  return { run, stack, lines: briefly(run.events()) };
}

/** Events of some resources only, without those of CONFIGURATION_COMPLETE. */
function linesOf(lines: readonly string[], ...names: readonly string[]): readonly string[] {
  return lines.filter((line) => names.includes(line.split(' ')[2] ?? ''));
}

test('L14: in progress, in progress with its id, complete', () => {
  const { run, lines } = created({ A: { createTakes: 5 } });
  assert.deepEqual(linesOf(lines, 'A'), [
    '0 CREATE_IN_PROGRESS A',
    '0 CREATE_IN_PROGRESS A Resource creation Initiated',
    '5 CREATE_COMPLETE A',
  ]);
  const ids = run.events().flatMap((event) => ('physicalId' in event ? [event.physicalId] : []));
  assert.deepEqual(ids, ['', 'a-1', 'a-1']);
});

test('L16: a dependent starts at CONFIGURATION_COMPLETE, not at CREATE_COMPLETE', () => {
  const { lines } = created({
    Service: { createTakes: 100, configurationComplete: true },
    Alarm: { dependsOn: ['Service'] },
  });
  assert.deepEqual(linesOf(lines, 'Alarm', 'demo'), [
    '0 CREATE_IN_PROGRESS demo User Initiated',
    '0 CREATE_IN_PROGRESS Alarm',
    '0 CREATE_IN_PROGRESS Alarm Resource creation Initiated',
    '0 CREATE_COMPLETE Alarm',
    '0 CREATE_IN_PROGRESS demo Eventual consistency check initiated',
    '100 CREATE_COMPLETE demo',
  ]);
});

test('L16: without that event it starts at CREATE_COMPLETE, and the stack says nothing in between', () => {
  const { lines } = created({ Service: { createTakes: 100 }, Alarm: { dependsOn: ['Service'] } });
  assert.deepEqual(linesOf(lines, 'Alarm', 'demo'), [
    '0 CREATE_IN_PROGRESS demo User Initiated',
    '100 CREATE_IN_PROGRESS Alarm',
    '100 CREATE_IN_PROGRESS Alarm Resource creation Initiated',
    '100 CREATE_COMPLETE Alarm',
    '100 CREATE_COMPLETE demo',
  ]);
});

test('L16: a dependent that fails cancels the service that still stabilises', () => {
  const { lines } = created({
    Service: { createTakes: 'never', configurationComplete: true },
    Alarm: { dependsOn: ['Service'], createTakes: 2, createFails: 'before-id' },
  });
  assert.equal(linesOf(lines, 'Service')[3], '2 CREATE_FAILED Service Resource creation cancelled');
  assert.equal(lines.at(-1), '2 ROLLBACK_COMPLETE demo');
});

test('L16: a dependent waits for every one it depends on', () => {
  const { lines } = created({
    A: { createTakes: 5, configurationComplete: true },
    B: { createTakes: 9 },
    C: { dependsOn: ['A', 'B'] },
  });
  assert.equal(linesOf(lines, 'C')[0], '9 CREATE_IN_PROGRESS C');
});

test('L18: a stack without resources begins and is complete', () => {
  assert.deepEqual(created({}).lines, [
    '0 CREATE_IN_PROGRESS demo User Initiated',
    '0 CREATE_COMPLETE demo',
  ]);
});

test('L20: siblings in flight are cancelled, and what has not started says nothing', () => {
  const { lines, run } = created({
    Bad: { createTakes: 3, createFails: 'after-id' },
    Slow: { createTakes: 60 },
    Done: { createTakes: 1 },
    Later: { dependsOn: ['Slow'] },
  });
  assert.deepEqual(linesOf(lines, 'Later'), []);
  assert(lines.includes('3 CREATE_FAILED Slow Resource creation cancelled'));
  const what = `The following resource(s) failed to create: [Bad, Slow]. ${ROLLBACK}`;
  assert(lines.includes(`3 ROLLBACK_IN_PROGRESS demo ${what}`));
  assert.equal(run.calls.filter(({ logicalId }) => logicalId === 'Later').length, 0);
});

test('L21: the first failure carries the cause, the cancelled ones carry none', () => {
  const { run } = created({
    Bad: { createTakes: 3, createFails: 'after-id' },
    Slow: { createTakes: 60 },
  });
  const causes = run.events().flatMap((event) => (event.cause === undefined ? [] : [event]));
  assert.equal(causes.length, 1);
  assert.deepEqual(causes[0]?.cause, { reason: 'it went wrong', source: 'handler' });
  assert(causes[0]?.type === 'stack-resource' && causes[0].logicalId === 'Bad');
});

test('L22: rollback deletes in reverse order, and one without an id only says that it is gone', () => {
  const { lines } = created({
    A: { deleteTakes: 1 },
    B: { dependsOn: ['A'], deleteTakes: 1 },
    C: { dependsOn: ['B'], createFails: 'before-id' },
  });
  assert.deepEqual(lines.slice(-7), [
    `0 ROLLBACK_IN_PROGRESS demo The following resource(s) failed to create: [C]. ${ROLLBACK}`,
    '0 DELETE_COMPLETE C',
    '0 DELETE_IN_PROGRESS B',
    '1 DELETE_COMPLETE B',
    '1 DELETE_IN_PROGRESS A',
    '2 DELETE_COMPLETE A',
    '2 ROLLBACK_COMPLETE demo',
  ]);
});

test('L23: what failed after it had an id is deleted, and when that fails too the rollback has failed', () => {
  const { run, lines } = created({
    A: { createFails: 'after-id', deleteFails: true },
    B: { dependsOn: ['A'] },
  });
  assert.equal(linesOf(lines, 'A').filter((line) => line.includes('DELETE_FAILED')).length, 1);
  const last = run.events().at(-1);
  assert.equal(last?.status, 'ROLLBACK_FAILED');
  assert.equal(last?.statusReason, 'The following resource(s) failed to delete: [A]. ');
});

test('L24: with DO_NOTHING independent branches run to their end, dependents of the failed one do not start', () => {
  const { run, lines } = created(
    {
      Bad: { createTakes: 1, createFails: 'before-id' },
      Worse: { createTakes: 7, createFails: 'before-id' },
      Slow: { createTakes: 30 },
      AfterSlow: { dependsOn: ['Slow'] },
      AfterBad: { dependsOn: ['Bad'] },
    },
    { onFailure: 'DO_NOTHING' },
  );
  assert.equal(linesOf(lines, 'AfterSlow').at(-1), '30 CREATE_COMPLETE AfterSlow');
  assert.deepEqual(linesOf(lines, 'AfterBad'), []);
  assert.equal(run.events().at(-1)?.status, 'CREATE_FAILED');
  const reason = 'The following resource(s) failed to create: [Bad, Worse]. ';
  assert.equal(run.events().at(-1)?.statusReason, reason);
});

test('L25: with DELETE the stack is deleted', () => {
  const { lines, stack } = created(
    { A: {}, Bad: { dependsOn: ['A'], createFails: 'before-id' } },
    { onFailure: 'DELETE' },
  );
  const what = 'The following resource(s) failed to create: [Bad]. Delete requested by user.';
  assert(lines.includes(`0 DELETE_IN_PROGRESS demo ${what}`));
  assert.equal(lines.at(-1), '0 DELETE_COMPLETE demo');
  assert.notEqual(stack.deletedAtMs, null);
});

test('L27: the timeout cancels what is in flight and rolls back', () => {
  const { lines, run } = created(
    { Slow: { createTakes: 'never' }, Done: {} },
    { timeoutInMinutes: 10 },
  );
  const said = `Stack creation time exceeded the specified timeout. ${ROLLBACK}`;
  assert(lines.includes('600 CREATE_FAILED Slow Resource creation cancelled'));
  assert(lines.includes(`600 ROLLBACK_IN_PROGRESS demo ${said}`));
  const { cause } = run.events().find(({ status }) => status === 'ROLLBACK_IN_PROGRESS') ?? {};
  assert.equal(cause?.limit, 'set');
});

test('L27: with rollback disabled the timeout leaves the stack as it is', () => {
  const asked = { timeoutInMinutes: 1, onFailure: 'DO_NOTHING' } as const;
  const { lines } = created({ Slow: { createTakes: 'never' } }, asked);
  const said = 'Stack creation time exceeded the specified timeout.';
  assert.equal(lines.at(-1), `60 CREATE_FAILED demo ${said}`);
});

test('L27: a create that ends in the instant of its timeout is complete', () => {
  const { lines } = created({ A: { createTakes: 60 } }, { timeoutInMinutes: 1 });
  assert.equal(lines.at(-1), '60 CREATE_COMPLETE demo');
});

test('L43: an interrupted create cancels what is in flight and rolls back, DO_NOTHING or not', () => {
  for (const onFailure of ['ROLLBACK', 'DO_NOTHING'] as const) {
    const run = createEngineRun({
      resources: { Done: {}, Slow: { createTakes: 100, deleteTakes: 5 } },
    });
    run.create({ onFailure });
    run.run(7);
    run.interrupt();
    run.run();
    const lines = briefly(run.events());
    assert(lines.includes('7 CREATE_FAILED Slow Resource creation cancelled'));
    assert(
      lines.includes(`7 ROLLBACK_IN_PROGRESS demo Stack creation was interrupted. ${ROLLBACK}`),
    );
    assert.equal(lines.at(-1), '12 ROLLBACK_COMPLETE demo');
  }
});

test('R5: a handler is called again when its delay is over, with its context and the same token', () => {
  const { run } = created({ A: { createTakes: 150 } });
  const [first, second, ...more] = run.calls;
  assert.equal(more.length, 0);
  assert.equal(first?.callbackContext, undefined);
  assert.deepEqual(second?.callbackContext, { id: 'a-1' });
  assert.equal(secondsAt(second?.atMs ?? first?.atMs ?? run.turn.nowMs), 150);
  assert.equal(first?.token, second?.token);
});

test('R5, R18: a handler that never ends is given up at its timeout, counted from the first call', () => {
  const resources = {
    Early: { createTakes: 30 },
    A: { createTakes: 'never', dependsOn: ['Early'] },
  } as const;
  const run = createEngineRun({ resources, handlerTimeoutMinutes: 20 });
  run.create();
  run.run();
  const failed = run.events().find(({ status }) => status === 'CREATE_FAILED');
  const token = run.calls.find(({ logicalId }) => logicalId === 'A')?.token;
  assert.equal(
    failed?.statusReason,
    `Resource timed out waiting for completion (RequestToken: ${token})`,
  );
  assert.equal(secondsAt(failed?.atMs ?? run.turn.nowMs), 30 + 20 * 60);
  assert.equal(failed?.cause?.limit, 'default');
});

test('R6: a first answer that is FAILED without a model leaves no physical id', () => {
  const { run } = created({ A: { createFails: 'before-id' } });
  const ids = run.events().flatMap((event) => ('physicalId' in event ? [event.physicalId] : []));
  assert.deepEqual(ids, ['', '', '']);
  assert.deepEqual(
    run.calls.map(({ handler }) => handler),
    ['create'],
  );
});

test('R6: a first answer that is FAILED with a model names what must be deleted', () => {
  const { run, lines } = created({ A: { createFails: 'after-id' } });
  assert.equal(linesOf(lines, 'A')[1], '0 CREATE_IN_PROGRESS A Resource creation Initiated');
  assert.deepEqual(
    run.calls.map(({ handler }) => handler),
    ['create', 'delete'],
  );
});

test('R16: the reason of a failed handler, word for word', () => {
  const { run } = created({
    A: { createFails: 'after-id', errorCode: 'AlreadyExists', message: 'it exists' },
  });
  const failed = run.events().find(({ status }) => status === 'CREATE_FAILED');
  const token = run.calls[0]?.token;
  assert.equal(
    failed?.statusReason,
    `Resource handler returned message: "it exists" (RequestToken: ${token}, HandlerErrorCode: AlreadyExists)`,
  );
});

test('F1: properties are resolved when the dependencies are there', () => {
  const { run } = created({
    A: { createTakes: 3, attributes: { Arn: 'arn:a' } },
    B: { dependsOn: ['A'], properties: { A: { Ref: 'A' }, Arn: { 'Fn::GetAtt': ['A', 'Arn'] } } },
  });
  const call = run.calls.find(({ logicalId }) => logicalId === 'B');
  assert.deepEqual(call?.desired, { A: 'a-1', Arn: 'arn:a' });
});

test('0.5: a property that cannot be resolved fails its resource before the handler is called', () => {
  const { run, lines } = created({
    A: {},
    B: { dependsOn: ['A'], properties: { X: { 'Fn::GetAtt': ['A', 'Nothing'] } } },
  });
  assert.equal(linesOf(lines, 'B')[1], "0 CREATE_FAILED B Attribute 'Nothing' does not exist");
  assert(run.calls.every(({ logicalId }) => logicalId === 'A'));
});

test('0.4: what is wrong before the first resource rolls back, or with DO_NOTHING fails', () => {
  const preflightFailure = 'No export named vpc found';
  const back = created({ A: {} }, { preflightFailure });
  assert.deepEqual(back.lines.slice(1), [
    `0 ROLLBACK_IN_PROGRESS demo ${preflightFailure}. ${ROLLBACK}`,
    '0 ROLLBACK_COMPLETE demo',
  ]);
  const left = created({ A: {} }, { preflightFailure, onFailure: 'DO_NOTHING' });
  assert.equal(left.lines.at(-1), `0 CREATE_FAILED demo ${preflightFailure}.`);
  assert.equal(left.run.calls.length, 0);
});

test('equal runs give equal records', () => {
  const of = () =>
    created({ A: { createTakes: 3 }, B: { dependsOn: ['A'], createFails: 'after-id' } });
  assert.equal(JSON.stringify(of().run.turn.record), JSON.stringify(of().run.turn.record));
});

test('500 resources in parallel cost what happens to them: two calls each, a round an instant', () => {
  const of = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`R${at}`, { createTakes: at + 1, deleteTakes: 1 }]),
    );
  for (const count of [250, 500]) {
    const { run, stack } = created(of(count));
    assert.equal(run.calls.length, 2 * count);
    assert(run.rounds() <= count + 5, `${run.rounds()} rounds for ${count} instants`);
    run.delete(stack);
    const before = run.rounds();
    run.run();
    assert.equal(run.calls.length, 4 * count);
    assert(run.rounds() - before <= 5);
  }
});
