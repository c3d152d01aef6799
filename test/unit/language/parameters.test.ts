import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/base/index.ts';
import { compiled, parameterOf, refusalOf } from './compiled.ts';

const parametersOf = (declaration: JsonObject, value?: string, type = 'String') => {
  const body = { Parameters: { P: { Type: type, ...declaration } } };
  return { body, inputs: value === undefined ? {} : { parameters: { P: value } } };
};

function shown(declaration: JsonObject, value?: string, type?: string) {
  const { body, inputs } = parametersOf(declaration, value, type);
  return parameterOf(compiled(body, { inputs }), 'P');
}

test('P1 a value given goes before the default', () => {
  const parameter = { type: 'String', shown: 'b', value: 'b', noEcho: false };
  assert.deepEqual(shown({ Default: 'a' }, 'b'), parameter);
  assert.equal(shown({ Default: 'a' }).value, 'a');
  assert.equal(shown({ Default: '' }).value, '');
});

test('P1 lists are split and trimmed', () => {
  assert.deepEqual(shown({}, 'a, b ,c', 'List<AWS::EC2::Subnet::Id>').value, ['a', 'b', 'c']);
  assert.deepEqual(shown({}, '1,2', 'List<Number>').value, ['1', '2']);
  assert.deepEqual(shown({}, '', 'CommaDelimitedList').value, ['']);
});

test('P17 NoEcho shows asterisks and keeps a placeholder', () => {
  const value = '{{resolve:noecho:demo/P}}';
  const parameter = { type: 'String', shown: '****', value, noEcho: true };
  assert.deepEqual(shown({ NoEcho: true }, 'secret'), parameter);
});

const BROKEN = [
  {
    rule: 'P5',
    type: 'Number',
    declaration: {},
    value: 'x',
    message: "Parameter 'P' must be a number.",
  },
  {
    rule: 'P5',
    type: 'List<Number>',
    declaration: {},
    value: '1,x',
    message: "Parameter 'P' must be a number.",
  },
  {
    rule: 'P6',
    declaration: { AllowedValues: ['a', 'b'] },
    value: 'c',
    message: "Parameter 'P' must be one of AllowedValues",
  },
  {
    rule: 'P6',
    type: 'CommaDelimitedList',
    declaration: { AllowedValues: ['a', 'b'] },
    value: 'a,c',
    message: "Parameter 'P' must be one of AllowedValues",
  },
  {
    rule: 'P7',
    declaration: { AllowedPattern: '[a-z]+' },
    value: 'ab1',
    message: "Parameter 'P' must match pattern [a-z]+",
  },
  {
    rule: 'P8',
    declaration: { MaxLength: '2' },
    value: 'abc',
    message: "Parameter 'P' must contain at most 2 characters",
  },
  {
    rule: 'P8',
    declaration: { MinLength: 2 },
    value: 'a',
    message: "Parameter 'P' must contain at least 2 characters",
  },
  {
    rule: 'P9',
    type: 'Number',
    declaration: { MinValue: 2 },
    value: '1',
    message: "Parameter 'P' must be a number not less than 2",
  },
  {
    rule: 'P9',
    type: 'Number',
    declaration: { MaxValue: 2 },
    value: '3',
    message: "Parameter 'P' must be a number not greater than 2",
  },
  {
    rule: 'P10',
    declaration: { MinLength: 2, ConstraintDescription: 'two or more' },
    value: 'a',
    message: 'Parameter P failed to satisfy constraint: two or more',
  },
];

for (const { rule, type, declaration, value, message } of BROKEN) {
  test(`${rule} ${message}`, () => {
    const { body, inputs } = parametersOf(declaration, value, type);
    assert.equal(refusalOf(body, { inputs }).message, message);
  });
}

test('P2 a pattern has to match the whole value; numbers compare as numbers', () => {
  assert.equal(shown({ AllowedPattern: 'a|b' }, 'b').value, 'b');
  assert.equal(shown({ AllowedValues: [1, 2] }, '2.0', 'Number').value, '2.0');
});

test('P2 a pattern that cannot be read here is taken to fit, and told', () => {
  const { body, inputs } = parametersOf({ AllowedPattern: '(?<!a)++b' }, 'b');
  assert.equal(compiled(body, { inputs }).assumptions.length, 1);
});

test('P3 all missing values are named together', () => {
  const body = {
    Parameters: {
      A: { Type: 'String' },
      B: { Type: 'String', Default: 'x' },
      C: { Type: 'Number' },
    },
  };
  assert.equal(refusalOf(body).message, 'Parameters: [A, C] must have values');
});

test('P4 values for parameters that do not exist', () => {
  const inputs = { parameters: { Q: '1', Rr: '2' } };
  const { message, hint } = refusalOf({ Parameters: { R: { Type: 'String' } } }, { inputs });
  assert.equal(message, 'Parameters: [Q, Rr] do not exist in the template');
  assert.equal(hint, 'did you mean "R"?');
});

test('P18 a default with an SSM reference names its version', () => {
  const { body } = parametersOf({ Default: '{{resolve:ssm:name}}' });
  const message = 'Template error: parameter P should not contain ssm versionless resolver';
  assert.equal(refusalOf(body).message, message);
  assert.equal(shown({ Default: '{{resolve:ssm:name:2}}' }).value, '{{resolve:ssm:name:2}}');
});

const DECLARATIONS = [
  {
    declaration: { Type: 1 },
    message: 'Template format error: Every Parameters object must contain a Type member.',
  },
  {
    declaration: { Type: 'Text' },
    message: 'Template format error: Unrecognized parameter type: Text',
  },
  {
    declaration: { Default: ['a'] },
    message: 'Template format error: Every Default member must be a string.',
  },
  {
    declaration: { AllowedValues: 'a' },
    message: 'Template format error: Every AllowedValues member must be a list of strings.',
  },
  {
    declaration: { MinLength: 'a' },
    message: 'Template format error: Every MinLength member must be a number.',
  },
  { declaration: { Value: 'a' }, message: "Invalid template parameter property 'Value'" },
];

for (const { declaration, message } of DECLARATIONS) {
  test(`P1 ${message}`, () =>
    assert.equal(refusalOf(parametersOf(declaration).body).message, message));
}

const STORE: Readonly<Record<string, { type: string; value: string }>> = {
  '/ami': { type: 'String', value: 'ami-1' },
  '/ami:3': { type: 'String', value: 'ami-3' },
  '/list': { type: 'StringList', value: 'a,b, c ,d' },
  '/secret': { type: 'SecureString', value: 'x' },
};
const lookups = { ssmParameter: (name: string) => STORE[name] };
const ssm = (inner: string) => `AWS::SSM::Parameter::Value<${inner}>`;

test('P13, P14, P15 SSM parameters give their value and show their name', () => {
  const valueIn = (inner: string, name: string) => {
    const { body, inputs } = parametersOf({}, name, ssm(inner));
    return parameterOf(compiled(body, { inputs, lookups }), 'P');
  };
  assert.deepEqual(valueIn('String', '/ami'), {
    type: ssm('String'),
    shown: '/ami',
    value: 'ami-1',
    noEcho: false,
  });
  assert.equal(valueIn('AWS::EC2::Image::Id', '/ami:3').value, 'ami-3');
  assert.deepEqual(valueIn('List<String>', '/list').value, ['a', 'b', 'c', 'd']);
});

test('P12 constraints apply to the name of an SSM parameter', () => {
  const { body, inputs } = parametersOf({ AllowedPattern: '/a.*' }, '/ami', ssm('String'));
  assert.equal(parameterOf(compiled(body, { inputs, lookups }), 'P').value, 'ami-1');
});

const SSM_REFUSED = [
  {
    inner: 'String',
    name: '/none',
    message: 'Unable to fetch parameters [/none] from parameter store for this account.',
  },
  {
    inner: 'String',
    name: '/list',
    message: 'Types for SSM parameters [/list] defined in CFN template and SSM are incompatible',
  },
  {
    inner: 'List<String>',
    name: '/ami',
    message: 'Types for SSM parameters [/ami] defined in CFN template and SSM are incompatible',
  },
  {
    inner: 'String',
    name: '/secret',
    message:
      'Parameters [/secret] referenced by template have types not supported by CloudFormation.',
  },
];

for (const { inner, name, message } of SSM_REFUSED) {
  test(`P13 ${message}`, () => {
    const { body, inputs } = parametersOf({}, name, ssm(inner));
    assert.equal(refusalOf(body, { inputs, lookups }).message, message);
  });
}
