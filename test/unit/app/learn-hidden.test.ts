import assert from 'node:assert/strict';
import { test } from 'node:test';
import { learnHidden } from '../../../src/app/plan-stacks.ts';
import type { StackTarget } from '../../../src/app/targets.ts';
import { createSession } from '../../support/world.ts';
import { deployingIn, targetOf } from './deploying.ts';

const PIN = `
Parameters: { Pin: { Type: String, NoEcho: true, Default: '0000' } }
Resources: { Topic: { Type: AWS::SNS::Topic, Properties: { TopicName: !Ref Pin } } }
Outputs: { Topic: { Value: !Ref Topic, Export: { Name: topic } } }
`;
const IMPORTS = `
Parameters: { Pin: { Type: String, NoEcho: true } }
Resources: { Topic: { Type: AWS::SNS::Topic, Properties: { TopicName: !ImportValue topic } } }
`;
const BROKEN = 'Resources: { Topic: { Type: No::Such::Type } }';

const rows: readonly { what: string; targets: readonly StackTarget[]; is: object }[] = [
  { what: 'a value', targets: [targetOf('web', PIN, { Pin: '1234' })], is: { 'web/Pin': '1234' } },
  { what: "the template's default", targets: [targetOf('web', PIN)], is: { 'web/Pin': '0000' } },
  {
    what: 'that of a stack which imports what comes',
    targets: [targetOf('web', PIN), targetOf('api', IMPORTS, { Pin: '1234' })],
    is: { 'web/Pin': '0000', 'api/Pin': '1234' },
  },
  {
    what: 'those beside a template that the plan will refuse',
    targets: [targetOf('bad', BROKEN), targetOf('web', PIN)],
    is: { 'web/Pin': '0000' },
  },
];

for (const { what, targets, is } of rows) {
  test(`before anything is planned, NoEcho values are known: ${what}`, () => {
    const deploying = deployingIn(createSession());
    learnHidden(deploying, targets);
    assert.deepEqual(deploying.known.hidden, is);
  });
}
