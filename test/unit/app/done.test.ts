import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterLoss, hasServices, isUp } from '../../../src/app/done.ts';
import { engineLost } from '../../../src/diagnosis/index.ts';
import { findingResult, refusedResult, type StackResult } from '../../../src/result/index.ts';

const FAILURE = { logicalId: 'Web', reason: 'no', source: 'engine', then: null } as const;
const result = (changes: Partial<StackResult>): StackResult => ({
  ...refusedResult('web', null),
  status: 'CREATE_COMPLETE',
  ...changes,
});

const ups: readonly { what: string; changes: Partial<StackResult>; is: boolean }[] = [
  { what: 'a stable one', changes: {}, is: true },
  { what: 'one that would only be checked', changes: { status: null }, is: true },
  {
    what: 'one that hangs on what is not simulated',
    changes: { verdict: 'undetermined' },
    is: true,
  },
  {
    what: 'one that this machine did not let up',
    changes: { verdict: 'undetermined', status: 'ROLLBACK_COMPLETE', failure: FAILURE },
    is: false,
  },
  {
    what: 'one whose services are down on this machine',
    changes: { verdict: 'undetermined', failure: FAILURE },
    is: false,
  },
  {
    what: 'one that was cut off',
    changes: { verdict: 'undetermined', status: 'CREATE_IN_PROGRESS' },
    is: false,
  },
  { what: 'a failed one', changes: { verdict: 'failed', status: 'ROLLBACK_COMPLETE' }, is: false },
  { what: 'one that would hang', changes: { verdict: 'would-hang' }, is: false },
];

for (const { what, changes, is } of ups) {
  test(`${what} ${is ? 'lets' : 'does not let'} the next stack follow`, () => {
    assert.equal(isUp(result(changes)), is);
  });
}

const SERVICE = 'AWS::ECS::Service';
const held: readonly { what: string; type: string; status: string; is: boolean }[] = [
  { what: 'a service', type: SERVICE, status: 'CREATE_COMPLETE', is: true },
  { what: 'one that did not come up', type: SERVICE, status: 'CREATE_FAILED', is: true },
  { what: 'one that is gone', type: SERVICE, status: 'DELETE_COMPLETE', is: false },
  { what: 'something else', type: 'AWS::SNS::Topic', status: 'CREATE_COMPLETE', is: false },
];

for (const { what, type, status, is } of held) {
  test(`a stack that holds ${what} is ${is ? '' : 'not '}followed`, () => {
    const resources = { Web: { type, status } } as unknown as Parameters<typeof hasServices>[0];
    assert.equal(hasServices({ resources } as unknown as typeof resources), is);
  });
}

test('a lost engine is told once, at the last stack, which may have come up', () => {
  const all = ['a', 'b'].map((stackName) => ({ result: result({ stackName }), findings: [] }));
  const told = afterLoss(all, 'gone');
  assert.deepEqual(
    told.map((one) => [one.result.verdict, one.findings.map(({ code }) => code)]),
    [
      ['stable', []],
      ['undetermined', ['ENGINE-LOST']],
    ],
  );
  assert.equal(afterLoss(told, 'gone'), told);
  assert.equal(afterLoss(all, undefined), all);
  const cutOff = { ...all[0], result: result({}), findings: [findingResult(engineLost('x'), 'a')] };
  const later = [cutOff, { result: result({}), findings: [] }];
  assert.equal(afterLoss(later, 'gone'), later);
});
