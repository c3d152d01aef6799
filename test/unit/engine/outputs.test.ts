import assert from 'node:assert/strict';
import { test } from 'node:test';
import { briefly, createEngineRun } from '../../support/engine-run.ts';

const resources = { A: { attributes: { List: ['x', 'y'], Port: 80, Nested: { Name: 'n' } } } };

function attribute(name: string) {
  return { value: { 'Fn::GetAtt': ['A', name] } };
}

test('outputs take their values when every resource is there; a list is joined', () => {
  const outputs = {
    Id: { value: { Ref: 'A' } },
    List: attribute('List'),
    Port: attribute('Port'),
    Name: attribute('Nested.Name'),
  };
  const run = createEngineRun({ resources, outputs });
  const stack = run.create();
  assert.deepEqual(stack.outputs, {});
  run.run();
  assert.deepEqual(stack.outputs, { Id: 'a-1', List: 'x,y', Port: '80', Name: 'n' });
});

test('C13: an export of another stack cannot be exported again', () => {
  const outputs = { Url: { value: { Ref: 'A' }, exportName: 'url' } };
  const run = createEngineRun({ resources, outputs });
  const first = run.create({}, 'first');
  run.run();
  assert.deepEqual(first.exports, { url: 'a-1' });
  const second = run.create({}, 'second');
  run.run();
  const said =
    'Export with name url is already exported by stack first. Rollback requested by user.';
  const told = run.events().find(({ status }) => status === 'ROLLBACK_IN_PROGRESS');
  assert.equal(told?.statusReason, said);
  assert.equal(told?.cause?.source, 'engine');
  assert.equal(second.status, 'ROLLBACK_COMPLETE');
  assert.deepEqual([second.outputs, second.exports], [{}, {}]);
});

test('C13: an export is free again once its stack is deleted', () => {
  const outputs = { Url: { value: { Ref: 'A' }, exportName: 'url' } };
  const run = createEngineRun({ resources, outputs });
  const first = run.create({}, 'first');
  run.run();
  run.delete(first);
  run.run();
  const second = run.create({}, 'second');
  run.run();
  assert.equal(second.status, 'CREATE_COMPLETE');
});

const endings = [
  { onFailure: 'ROLLBACK', last: '0 ROLLBACK_COMPLETE demo' },
  { onFailure: 'DELETE', last: '0 DELETE_COMPLETE demo' },
  { onFailure: 'DO_NOTHING', last: "0 CREATE_FAILED demo Attribute 'Nothing' does not exist." },
] as const;

for (const { onFailure, last } of endings) {
  test(`an output that cannot be resolved fails the stack, with ${onFailure}`, () => {
    const run = createEngineRun({ resources, outputs: { Url: attribute('Nothing') } });
    const stack = run.create({ onFailure });
    run.run();
    assert.equal(briefly(run.events()).at(-1), last);
    assert.deepEqual(stack.outputs, {});
  });
}
