import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EpochMs, OperationId, StackId } from '../../../src/base/index.ts';
import type { ResourceEvent, StackEvent } from '../../../src/events/index.ts';
import { differences, type ExpectedEvent, type Sequence } from '../../support/event-sequences.ts';

// The comparison itself: what it lets pass, and what it does not.

const STACK_ID = 'arn:aws:cloudformation:us-east-1:000000000000:stack/demo/1' as StackId;

const of = { atMs: 0 as EpochMs, eventId: 'e', stackId: STACK_ID, stackName: 'demo' };
const operationId = 'o' as OperationId;

function stackTold(status: StackEvent['status'], statusReason?: string): StackEvent {
  const reason = statusReason === undefined ? {} : { statusReason };
  return { type: 'stack', ...of, operationId, status, ...reason };
}

function told(
  logicalId: string,
  status: ResourceEvent['status'],
  more: Partial<ResourceEvent> = {},
): ResourceEvent {
  const resourceType = 'AWS::SNS::Topic';
  const physicalId = `${logicalId}-id`;
  return {
    type: 'stack-resource',
    ...of,
    operationId,
    logicalId,
    resourceType,
    physicalId,
    status,
    ...more,
  };
}

function expected(logicalId: string, status: string, more: Partial<ExpectedEvent> = {}) {
  const stack = logicalId === '$STACK';
  return {
    ...{ logicalId, status, reason: null, detailedStatus: null },
    type: stack ? 'AWS::CloudFormation::Stack' : 'AWS::SNS::Topic',
    physicalId: stack ? '$STACK_ID' : `$${logicalId}.1`,
    ...more,
  };
}

const AS_DEPENDS = {
  A: { type: 'AWS::SNS::Topic' },
  B: { type: 'AWS::SNS::Topic', dependsOn: ['A'] },
};
const INDEPENDENT = { A: { type: 'AWS::SNS::Topic' }, B: { type: 'AWS::SNS::Topic' } };

function sequence(events: readonly ExpectedEvent[], more: Partial<Sequence> = {}): Sequence {
  return {
    ...{ id: 's', evidence: 'recorded', request: {}, resources: INDEPENDENT, mustPrecede: [] },
    ...{ finalStackStatus: 'CREATE_COMPLETE', events },
    ...more,
  };
}

const twoCreated = [
  expected('A', 'CREATE_IN_PROGRESS'),
  expected('A', 'CREATE_COMPLETE'),
  expected('B', 'CREATE_IN_PROGRESS'),
  expected('B', 'CREATE_COMPLETE'),
  expected('$STACK', 'CREATE_COMPLETE'),
];
const early = { detailedStatus: 'CONFIGURATION_COMPLETE' as const, statusReason: 'x' };
const interleaved = [
  told('B', 'CREATE_IN_PROGRESS'),
  told('A', 'CREATE_IN_PROGRESS'),
  told('A', 'CREATE_IN_PROGRESS', early),
  told('B', 'CREATE_COMPLETE'),
  told('A', 'CREATE_COMPLETE'),
  stackTold('CREATE_COMPLETE'),
];
const inPair = { mustPrecede: [['A:CREATE_COMPLETE', 'B:CREATE_IN_PROGRESS']] as const };
const failedList = 'The following resource(s) failed to create: [B, A]. ';

const rows: readonly {
  readonly when: string;
  readonly told: readonly (StackEvent | ResourceEvent)[];
  readonly should: Sequence;
  readonly agree: boolean;
}[] = [
  { when: 'others interleave', told: interleaved, should: sequence(twoCreated), agree: true },
  {
    when: 'a pair is broken',
    told: interleaved,
    should: sequence(twoCreated, inPair),
    agree: false,
  },
  {
    when: 'a dependent begins before its dependency is there',
    told: interleaved,
    should: sequence(twoCreated, { resources: AS_DEPENDS }),
    agree: false,
  },
  {
    when: 'L16: a dependent begins once the configuration is complete',
    told: [
      told('A', 'CREATE_IN_PROGRESS'),
      told('A', 'CREATE_IN_PROGRESS', early),
      told('B', 'CREATE_IN_PROGRESS'),
      told('B', 'CREATE_COMPLETE'),
      told('A', 'CREATE_COMPLETE'),
      stackTold('CREATE_COMPLETE'),
    ],
    should: sequence(twoCreated, { resources: AS_DEPENDS }),
    agree: true,
  },
  {
    when: 'an event stands on the other side of one of the stack',
    told: [...interleaved.slice(0, -2), stackTold('CREATE_COMPLETE'), told('A', 'CREATE_COMPLETE')],
    should: sequence(twoCreated),
    agree: false,
  },
  {
    when: 'an event is missing',
    told: interleaved.slice(1),
    should: sequence(twoCreated),
    agree: false,
  },
  {
    when: 'a physical id changes',
    told: [told('A', 'CREATE_IN_PROGRESS'), told('A', 'CREATE_COMPLETE', { physicalId: 'other' })],
    should: sequence(twoCreated.slice(0, 2)),
    agree: false,
  },
  {
    when: 'a reason is there that should not',
    told: [told('A', 'CREATE_IN_PROGRESS', { statusReason: 'why' })],
    should: sequence(twoCreated.slice(0, 1)),
    agree: false,
  },
  {
    when: 'only the order in brackets differs',
    told: [stackTold('CREATE_FAILED', failedList)],
    should: sequence([
      expected('$STACK', 'CREATE_FAILED', { reason: failedList.replace('B, A', 'A, B') }),
    ]),
    agree: true,
  },
  {
    when: 'the blank at the end is missing',
    told: [stackTold('CREATE_FAILED', failedList.trimEnd())],
    should: sequence([expected('$STACK', 'CREATE_FAILED', { reason: failedList })]),
    agree: false,
  },
  {
    when: 'a placeholder stands for a text',
    told: [told('A', 'CREATE_FAILED', { statusReason: 'no (RequestToken: 1-2)' })],
    should: sequence([expected('A', 'CREATE_FAILED', { reason: 'no (RequestToken: $UUID)' })]),
    agree: true,
  },
];

for (const { when, told: is, should, agree } of rows) {
  test(`sequences ${agree ? 'agree' : 'differ'} when ${when}`, () => {
    assert.equal(differences(is, should).length === 0, agree, differences(is, should).join('\n'));
  });
}
