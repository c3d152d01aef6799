import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  constraintFaults,
  parseExpression,
  reserve,
} from '../../../../src/aws/ecs/placement/index.ts';
import { isMember } from '../../../../src/aws/ecs/placement/is-member.ts';
import { FREE_TASK, instanceOf } from '../../../support/container-instances.ts';

const instance = instanceOf('a', {
  zone: 'us-east-1a',
  ec2InstanceId: 'i-abcd1234',
  agentVersion: '1.14.5',
  attributes: { 'ecs.instance-type': 't2.small', stack: 'prod', rank: '10', bare: '', note: 'a b' },
});
reserve(instance, FREE_TASK, 'service:production');
reserve(instance, FREE_TASK, 'database');

const members = [
  // The examples of the developer guide.
  { of: 'attribute:ecs.instance-type == t2.small', is: true },
  { of: 'attribute:ecs.availability-zone in [us-east-1a, us-east-1b]', is: true },
  {
    of: 'attribute:ecs.instance-type =~ g2.* and attribute:ecs.availability-zone != us-east-1d',
    is: false,
  },
  { of: 'task:group == service:production', is: true },
  { of: 'not(task:group == database)', is: false },
  { of: 'runningTasksCount == 1', is: false },
  { of: 'agentVersion < 1.14.5', is: false },
  { of: 'registeredAt < 2018-02-13', is: false },
  { of: "ec2InstanceId in ['i-abcd1234', 'i-wxyx7890']", is: true },
  // Every operator, as a sign and as a word.
  { of: 'attribute:stack==prod', is: true },
  { of: 'attribute:stack equals prod', is: true },
  { of: 'attribute:stack != prod', is: false },
  { of: 'attribute:stack not_equals test', is: true },
  { of: 'attribute:stack in [test]', is: false },
  { of: 'attribute:stack !in [test]', is: true },
  { of: 'attribute:stack not_in [test, prod]', is: false },
  { of: 'attribute:stack exists', is: true },
  { of: 'attribute:bare exists', is: true },
  { of: 'attribute:stack !exists', is: false },
  { of: 'attribute:gone not_exists', is: true },
  { of: 'attribute:ecs.instance-type =~ t2.*', is: true },
  { of: 'attribute:ecs.instance-type matches t2', is: false }, // the whole value
  { of: 'attribute:ecs.instance-type =~ t[23]\\.small|m5.*', is: true },
  { of: "attribute:ecs.instance-type =~ 't(2|3).*'", is: true },
  { of: 'attribute:stack =~ (?i)', is: 'a regular expression' }, // a parenthesis stands in quotes
  { of: "attribute:stack =~ '(?i)PROD'", is: true },
  { of: 'attribute:ecs.instance-type !~ t2.*', is: false },
  { of: 'attribute:ecs.instance-type not_matches g2.*', is: true },
  { of: 'attribute:rank > 9', is: true }, // as numbers where both are
  { of: 'attribute:rank less_than 9', is: false },
  { of: 'attribute:note == "a b"', is: true },
  { of: 'agentVersion >= 1.14', is: true },
  { of: 'agentVersion greater_than 1.9.9', is: true },
  { of: 'agentVersion < 1.51', is: true },
  { of: 'registeredAt == 2018-06-18T22:28:28', is: true },
  { of: 'registeredAt <= 2018-06-18T22:28:28+00:00', is: true },
  { of: 'runningTasksCount greater_than_equal 2', is: true },
  { of: 'agentConnected == true', is: true },
  { of: 'agentConnected in [false]', is: false },
  { of: 'task:group =~ service:.*', is: true },
  { of: 'task:group != database', is: false },
  { of: 'task:group exists', is: true },
  // What is not there is neither equal nor unequal.
  { of: 'attribute:gone == x', is: false },
  { of: 'attribute:gone != x', is: false },
  { of: 'attribute:gone !in [x]', is: false },
  { of: 'attribute:gone !~ x', is: false },
  { of: 'not(attribute:gone == x)', is: true },
  { of: 'attribute:toString exists', is: false },
  // What binds closer.
  { of: 'attribute:stack == prod or attribute:gone exists and attribute:gone exists', is: true },
  { of: '(attribute:stack == prod or attribute:gone exists) and attribute:gone exists', is: false },
  { of: 'attribute:gone exists || attribute:stack == prod && attribute:rank == 10', is: true },
  { of: 'not attribute:gone exists and attribute:stack == prod', is: true },
  { of: '!(attribute:gone exists)&&!!(attribute:stack == prod)', is: true },
  { of: ' ( ( attribute:stack == prod ) ) ', is: true },
  // What cannot be read.
  { of: '', is: 'expected an attribute or a field, not the end @1' },
  { of: 'attribute:stack', is: 'expected an operator after attribute:stack, not the end @16' },
  { of: 'attribute:stack = prod', is: 'an operator after attribute:stack, not “=” @17' },
  { of: 'attribute:stack ==', is: 'expected a value, not the end @19' },
  { of: 'attribute:stack == my stack', is: '“and”, “or” or the end, not “stack” @23' },
  { of: 'attribute:stack in prod', is: 'a list such as [a, b], not “prod” @20' },
  { of: 'attribute:stack in [a, b', is: 'expected “,” or “]”, not the end @25' },
  { of: 'attribute:stack in []', is: 'expected a value, not “]” @21' },
  { of: '(attribute:stack == prod', is: 'expected “)”, not the end @25' },
  { of: 'attribute:stack == prod)', is: 'the end, not “)” @24' },
  { of: 'attribute:stack == prod and', is: 'an attribute or a field, not the end @28' },
  { of: 'attribute:stack =~ *', is: 'expected a regular expression, not “*” @20' },
  { of: "attribute:stack =~ 'a)(b'", is: 'expected a regular expression, not “a)(b” @20' },
  { of: 'stack == prod', is: 'did you mean “attribute:stack”? @1' },
  { of: 'ec2InstanceID == i-1', is: 'did you mean “ec2InstanceId”? @1' },
  { of: 'ec2InstanceId > i-1', is: 'after ec2InstanceId, not “>” @15' },
  { of: 'task:group < a', is: 'after task:group, not “<” @12' },
  { of: 'agentConnected == yes', is: 'expected true or false, not “yes” @19' },
  { of: 'agentVersion < new', is: 'expected a version such as 1.14.5, not “new” @16' },
  { of: 'runningTasksCount < few', is: 'expected a whole number, not “few” @21' },
  { of: 'registeredAt < June', is: 'expected a date such as 2018-06-18' },
] as const;

for (const { of, is } of members) {
  test(`7.6 memberOf: “${of}” ${typeof is === 'string' ? 'is refused' : `is ${is}`}`, () => {
    const parsed = parseExpression(of);
    if (typeof is === 'string') {
      assert('fault' in parsed, 'it was read');
      assert(`${parsed.fault} @${parsed.at}`.includes(is), `${parsed.fault} @${parsed.at}`);
    } else {
      assert('expression' in parsed, 'fault' in parsed ? parsed.fault : '');
      assert.equal(isMember(instance, parsed.expression), is);
    }
  });
}

test('7.6 memberOf: an expression of the greatest length is read', () => {
  const deep = `${'('.repeat(950)}attribute:x exists${')'.repeat(950)}`;
  assert('expression' in parseExpression(deep));
});

const lists = [
  { of: [{ type: 'distinctInstance' }], faults: [] },
  { of: [{ type: 'memberOf', expression: 'attribute:x exists' }], faults: [] },
  { of: [{ type: 'memberOf', expression: '{{resolve:ssm:/expression}}' }], faults: [] },
  {
    of: [{ type: 'distinctInstance' }, { type: 'memberOf', expression: 'attribute:x is y' }],
    faults: [
      'placementConstraints/1/expression: Invalid expression in placement constraint: expected an operator after attribute:x, not “is”, at character 13 of “attribute:x is y”.',
    ],
  },
  {
    of: [{ type: 'memberOf', expression: `attribute:x == ${'y'.repeat(2000)}` }],
    faults: [
      'placementConstraints/0/expression: Placement constraint expression is longer than 2000 characters.',
    ],
  },
  {
    of: [{ type: 'near' }],
    faults: ["placementConstraints/0/type: constraint.type 'near' is not supported."],
  },
  {
    of: Array.from({ length: 11 }, () => ({ type: 'distinctInstance' })),
    faults: ['placementConstraints: Maximum number of constraints is 10'],
  },
];

for (const [at, { of, faults }] of lists.entries()) {
  test(`7.6 constraint list ${at} has ${faults.length} faults`, () => {
    const found = constraintFaults(of, 'service');
    assert.deepEqual(
      found.map(({ path, message }) => `${path.join('/')}: ${message}`),
      faults,
    );
  });
}

test('7.6 a task definition takes no distinctInstance', () => {
  const [fault] = constraintFaults([{ type: 'distinctInstance' }], 'task definition');
  assert.equal(fault?.message, "constraint.type 'distinctInstance' is not supported.");
});
