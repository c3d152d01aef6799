import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../../../src/base/index.ts';
import { compiled, parameterOf, refusalOf } from './compiled.ts';

const PARAMETERS: JsonObject = {
  Env: { Type: 'String', Default: 'prod' },
  Zones: { Type: 'CommaDelimitedList', Default: 'a,b' },
};
const equal = (left: JsonValue, right: JsonValue) => ({ 'Fn::Equals': [left, right] });
const isProd = equal({ Ref: 'Env' }, 'prod');

const CONDITIONS: readonly { condition: JsonValue; holds: boolean }[] = [
  { condition: isProd, holds: true },
  { condition: equal({ Ref: 'Env' }, 'Prod'), holds: false },
  { condition: equal('1', 1), holds: true },
  { condition: equal(true, 'true'), holds: true },
  { condition: equal({ 'Fn::Select': [0, { Ref: 'Zones' }] }, 'a'), holds: true },
  { condition: { 'Fn::Not': [isProd] }, holds: false },
  { condition: { 'Fn::And': [isProd, { Condition: 'Other' }] }, holds: true },
  { condition: { 'Fn::And': [isProd, { 'Fn::Not': [isProd] }] }, holds: false },
  { condition: { 'Fn::Or': [{ 'Fn::Not': [isProd] }, isProd] }, holds: true },
  { condition: { Condition: 'Other' }, holds: true },
];

for (const { condition, holds } of CONDITIONS) {
  test(`F23 ${JSON.stringify(condition)} is ${holds}`, () => {
    const { model } = compiled({
      Parameters: PARAMETERS,
      Conditions: { C: condition, Other: isProd },
    });
    assert.deepEqual(model.conditions, { C: holds, Other: true });
  });
}

const ERROR = 'Template error: ';
const REFUSED: readonly { rule: string; condition: JsonValue; message: string }[] = [
  {
    rule: 'F23',
    condition: { 'Fn::Equals': ['a'] },
    message: `${ERROR}every Fn::Equals object requires a list of 2 string parameters.`,
  },
  {
    rule: 'F23',
    condition: equal({ Ref: 'Zones' }, 'a'),
    message: `${ERROR}every Fn::Equals object requires a list of 2 string parameters.`,
  },
  {
    rule: 'F23',
    condition: { 'Fn::And': [isProd] },
    message: `${ERROR}every Fn::And object requires a list of at least 2 and at most 10 boolean parameters.`,
  },
  {
    rule: 'F23',
    condition: { 'Fn::Or': Array.from({ length: 11 }, () => isProd) },
    message: `${ERROR}every Fn::Or object requires a list of at least 2 and at most 10 boolean parameters.`,
  },
  {
    rule: 'F23',
    condition: { 'Fn::Not': isProd },
    message: `${ERROR}every Fn::Not object requires one boolean parameter.`,
  },
  {
    rule: 'F24',
    condition: true,
    message:
      'Template format error: Conditions can only be boolean operations on parameters and other conditions',
  },
  {
    rule: 'F24',
    condition: { Condition: 'C' },
    message: 'Template format error: Circular dependency between conditions: [C]',
  },
  {
    rule: 'F4',
    condition: equal({ 'Fn::ImportValue': 'x' }, 'a'),
    message: `${ERROR}Cannot use Fn::ImportValue in Conditions.`,
  },
  {
    rule: 'F4',
    condition: { 'Fn::If': ['C', 'a', 'b'] },
    message: `${ERROR}Cannot use Fn::If in Conditions.`,
  },
  {
    rule: 'F23',
    condition: { Condition: 'Missing' },
    message:
      'Template format error: Unresolved condition dependencies [Missing] in the Conditions block of the template',
  },
];

for (const { rule, condition, message } of REFUSED) {
  test(`${rule} ${message}`, () => {
    const body = { Parameters: PARAMETERS, Conditions: { C: condition } };
    assert.equal(refusalOf(body).message, message);
  });
}

const contains = (list: JsonValue, value: JsonValue) => ({ 'Fn::Contains': [list, value] });

const RULES: readonly { assertion: JsonValue; when?: JsonValue; holds: boolean }[] = [
  { assertion: contains(['prod', 'test'], { Ref: 'Env' }), holds: true },
  { assertion: contains(['test'], { Ref: 'Env' }), holds: false },
  { assertion: contains(['test'], { Ref: 'Env' }), when: { 'Fn::Not': [isProd] }, holds: true },
  { assertion: { 'Fn::Not': [contains(['1', '2'], '32')] }, holds: true },
  { assertion: { 'Fn::EachMemberIn': [{ Ref: 'Zones' }, ['a', 'b', 'c']] }, holds: true },
  { assertion: { 'Fn::EachMemberIn': [{ Ref: 'Zones' }, ['a']] }, holds: false },
  { assertion: { 'Fn::EachMemberEquals': [{ Ref: 'Zones' }, 'a'] }, holds: false },
  { assertion: { 'Fn::EachMemberEquals': [['a', 'a'], 'a'] }, holds: true },
  { assertion: contains({ 'Fn::RefAll': 'String' }, 'prod'), holds: true },
];

for (const { assertion, when, holds } of RULES) {
  test(`P20 ${JSON.stringify(assertion)} ${holds ? 'holds' : 'fails'}`, () => {
    const rule = {
      ...(when === undefined ? {} : { RuleCondition: when }),
      Assertions: [{ Assert: assertion, AssertDescription: 'Choose another.' }],
    };
    const body = { Parameters: PARAMETERS, Rules: { R: rule } };
    if (holds) assert.deepEqual(compiled(body).assumptions, []);
    else assert.equal(refusalOf(body).message, 'Rule R failed: Choose another.');
  });
}

test('P20 what only AWS can tell is taken to hold, and told', () => {
  const assertion = { 'Fn::EachMemberEquals': [{ 'Fn::ValueOf': ['Zones', 'VpcId'] }, 'x'] };
  const body = { Parameters: PARAMETERS, Rules: { R: { Assertions: [{ Assert: assertion }] } } };
  assert.deepEqual(compiled(body).assumptions, ['The rule R holds: only AWS can evaluate it.']);
});

test('K10 the bootstrap version of the CDK', () => {
  const body = {
    Parameters: {
      BootstrapVersion: {
        Type: 'AWS::SSM::Parameter::Value<String>',
        Default: '/cdk-bootstrap/hnb659fds/version',
      },
    },
    Rules: {
      CheckBootstrapVersion: {
        Assertions: [
          {
            Assert: {
              'Fn::Not': [contains(['1', '2', '3', '4', '5'], { Ref: 'BootstrapVersion' })],
            },
            AssertDescription: 'too old',
          },
        ],
      },
    },
  };
  const store = (value: string) => ({
    lookups: { ssmParameter: () => ({ type: 'String', value }) },
  });
  assert.equal(parameterOf(compiled(body, store('32')), 'BootstrapVersion').value, '32');
  assert.equal(refusalOf(body, store('5')).message, 'Rule CheckBootstrapVersion failed: too old');
  assert.equal(
    refusalOf(body).message,
    'Unable to fetch parameters [/cdk-bootstrap/hnb659fds/version] from parameter store for this account.',
  );
});
