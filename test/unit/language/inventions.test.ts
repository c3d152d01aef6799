import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/base/index.ts';
import { compiled, parameterOf, resourceOf } from './compiled.ts';

const invent = { inputs: { invent: true } };

function invented(declaration: JsonObject, name = 'Thing', resources?: JsonObject): string {
  const body: JsonObject = { Parameters: { [name]: { Type: 'String', ...declaration } } };
  const { inventions } = compiled(resources ? { ...body, Resources: resources } : body, invent);
  return inventions.find((invention) => invention.name === name)?.value ?? '';
}

const TYPES = [
  { type: 'AWS::EC2::VPC::Id', like: /^vpc-0[0-9a-f]{16}$/ },
  { type: 'AWS::EC2::Image::Id', like: /^ami-0[0-9a-f]{16}$/ },
  { type: 'AWS::EC2::Instance::Id', like: /^i-0[0-9a-f]{16}$/ },
  { type: 'AWS::EC2::Volume::Id', like: /^vol-0[0-9a-f]{16}$/ },
  { type: 'AWS::EC2::KeyPair::KeyName', like: /^thing$/ },
  { type: 'AWS::Route53::HostedZone::Id', like: /^Z[A-Z0-9]{13}$/ },
  { type: 'AWS::EC2::AvailabilityZone::Name', like: /^us-east-1a$/ },
  { type: 'List<AWS::EC2::AvailabilityZone::Name>', like: /^us-east-1a,us-east-1b$/ },
  { type: 'List<AWS::EC2::Subnet::Id>', like: /^subnet-0[0-9a-f]{16},subnet-0[0-9a-f]{16}$/ },
  { type: 'List<AWS::EC2::SecurityGroup::Id>', like: /^sg-0[0-9a-f]{16}$/ },
  { type: 'Number', like: /^\d+$/ },
  { type: 'String', like: /^thing$/ },
];

for (const { type, like } of TYPES) {
  test(`a ${type} is like ${like}`, () => assert.match(invented({ Type: type }), like));
}

const CONSTRAINTS = [
  { declaration: { AllowedValues: ['b', 'a'] }, like: /^b$/ },
  { declaration: { AllowedPattern: '[0-9]+' }, like: /^[0-9]+$/ },
  { declaration: { AllowedPattern: '^\\d{12}$' }, like: /^\d{12}$/ },
  {
    declaration: { AllowedPattern: '(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})/(\\d{1,2})' },
    like: /^10\.0\.0\.0\/16$/,
  },
  { declaration: { AllowedPattern: '[^@]+@[^@]+\\.[a-z]+' }, like: /@/ },
  {
    declaration: { AllowedPattern: 'arn:aws:iam::\\d{12}:role/.*' },
    like: /^arn:aws:iam::\d{12}:role\//,
  },
  { declaration: { AllowedPattern: 'rtb-[0-9a-f]{17}' }, like: /^rtb-[0-9a-f]{17}$/ },
  {
    declaration: { AllowedPattern: '(red|green)-[A-Z]{2}\\w+', MinLength: 12 },
    like: /^red-[A-Z]{2}\w{6,}$/,
  },
  { declaration: { MinLength: 20 }, like: /^.{20,}$/ },
  { declaration: { MaxLength: 3 }, like: /^.{1,3}$/ },
  { declaration: { Type: 'Number', MinValue: 3000, MaxValue: 3010 }, like: /^3000$/ },
];

for (const { declaration, like } of CONSTRAINTS) {
  test(`within ${JSON.stringify(declaration)}`, () => assert.match(invented(declaration), like));
}

const PROPERTIES = [
  { property: 'Cpu', like: /^256$/ },
  { property: 'Memory', like: /^512$/ },
  { property: 'DesiredCount', like: /^1$/ },
  { property: 'ContainerPort', like: /^80$/ },
  { property: 'CidrBlock', like: /^10\.0\.\d+\.0\/\d\d$/ },
  { property: 'Image', like: /nginx/ },
  { property: 'ExecutionRoleArn', like: /^arn:aws:iam::123456789012:role\/thing$/ },
  {
    property: 'TargetGroupArn',
    like: /^arn:aws:elasticloadbalancing:us-east-1:123456789012:targetgroup\//,
  },
  { property: 'VpcId', like: /^vpc-0/ },
  { property: 'SecurityGroups', like: /^sg-0/ },
  { property: 'Domain', like: /\.example\.com$/ },
];

for (const { property, like } of PROPERTIES) {
  test(`what ends in ${property} is like ${like}`, () => {
    const resources = {
      R: { Type: 'AWS::X::Y', Properties: { Deep: [{ [property]: { Ref: 'Thing' } }] } },
    };
    assert.match(invented({}, 'Thing', resources), like);
  });
}

test('a list of subnets holds two, also when its text is split', () => {
  const subnets = { 'Fn::Split': [',', { Ref: 'Thing' }] };
  const resources = { R: { Type: 'AWS::X::Y', Properties: { Subnets: subnets } } };
  assert.equal(invented({}, 'Thing', resources).split(',').length, 2);
  assert.equal(invented({ Type: 'CommaDelimitedList' }, 'SubnetIds').split(',').length, 2);
});

test('as many parts as Fn::Select asks for', () => {
  const part = { 'Fn::Select': [1, { 'Fn::Split': ['||', { Ref: 'Thing' }] }] };
  const item = { 'Fn::Select': [2, { Ref: 'Thing' }] };
  const resources = (value: JsonObject) => ({
    R: { Type: 'AWS::X::Y', Properties: { Key: value } },
  });
  assert.equal(invented({}, 'Thing', resources(part)), 'thing||thing');
  assert.equal(
    invented({ Type: 'CommaDelimitedList' }, 'Thing', resources(item)).split(',').length,
    3,
  );
});

test('a key of the mapping it chooses from', () => {
  const body = {
    Parameters: { Env: { Type: 'String' } },
    Mappings: { Sizes: { prod: { Cpu: '1' } } },
    Outputs: { O: { Value: { 'Fn::FindInMap': ['Sizes', { Ref: 'Env' }, 'Cpu'] } } },
  };
  assert.deepEqual(compiled(body, invent).inventions, [
    { kind: 'parameter', name: 'Env', value: 'prod' },
  ]);
});

test('the same template has the same inventions, each listed once', () => {
  const body = {
    Parameters: {
      Vpc: { Type: 'AWS::EC2::VPC::Id' },
      Given: { Type: 'String', Default: 'x' },
      Ami: { Type: 'AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>', Default: '/ami' },
      Name: { Type: 'AWS::SSM::Parameter::Value<String>' },
    },
    Resources: {
      R: {
        Type: 'AWS::X::Y',
        Properties: { SubnetId: { 'Fn::ImportValue': 'net' }, VpcId: { Ref: 'Vpc' } },
      },
      S: { Type: 'AWS::X::Y', Properties: { SubnetId: { 'Fn::ImportValue': 'net' } } },
    },
  };
  const first = compiled(body, invent);
  assert.deepEqual(compiled(body, invent), first);
  assert.deepEqual(
    first.inventions.map(({ kind, name }) => `${kind} ${name}`),
    ['parameter Vpc', 'ssm /ami', 'parameter Name', 'ssm /invented/Name', 'export net'],
  );
  assert.equal(first.preflightFailure, undefined);
  assert.match(String(parameterOf(first, 'Ami').value), /^ami-0/);
  assert.match(String(resourceOf(first, 'R').properties['SubnetId']), /^subnet-0/);
});
