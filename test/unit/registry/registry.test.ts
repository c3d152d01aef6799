import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isObject } from '../../../src/base/index.ts';
import type { HandlerOperation } from '../../../src/registry/index.ts';
import { attributeNames, openRegistry } from '../../../src/registry/index.ts';
import { ROOT } from '../../support/root.ts';

const registry = openRegistry(ROOT);

function factsOf(typeName: string) {
  const facts = registry.facts(typeName);
  assert(facts !== undefined, `${typeName} is known`);
  return facts;
}

test('I5: what replaces an ECS service', () => {
  const { createOnly, conditionalCreateOnly } = factsOf('AWS::ECS::Service');
  const replacing = ['/Cluster', '/Role', '/SchedulingStrategy', '/ServiceName'];
  assert.deepEqual(new Set(createOnly), new Set(replacing));
  assert.deepEqual(conditionalCreateOnly, ['/LaunchType']);
});

test('I5: every property of a task definition but its tags replaces it', () => {
  const { schema, createOnly, readOnly } = factsOf('AWS::ECS::TaskDefinition');
  const properties = isObject(schema['properties']) ? Object.keys(schema['properties']) : [];
  const settable = properties.filter((name) => !readOnly.includes(name) && name !== 'Tags');
  assert.deepEqual(
    settable.filter((name) => !createOnly.includes(`/${name}`)),
    [],
  );
});

const references = [
  { type: 'AWS::ECS::Service', id: 'ServiceArn|Cluster', ref: 'ServiceArn' },
  { type: 'AWS::EC2::EIP', id: 'PublicIp|AllocationId', ref: 'PublicIp' },
  { type: 'AWS::SQS::Queue', id: 'QueueUrl', ref: 'QueueUrl' },
  { type: 'AWS::ApplicationAutoScaling::ScalingPolicy', id: 'Arn|ScalableDimension', ref: 'Arn' },
  { type: 'AWS::IAM::Role', id: 'RoleName', ref: 'RoleName' },
];
for (const { type, id, ref } of references) {
  test(`I-table: ${type} is known by ${id}, and Ref answers ${ref}`, () => {
    const facts = factsOf(type);
    assert.deepEqual([facts.primaryIdentifier.join('|'), facts.ref.join('|')], [id, ref]);
  });
}

test('R13: read-only properties are those that Fn::GetAtt answers and nobody may set', () => {
  const { readOnly, attributes } = factsOf('AWS::EC2::Subnet');
  assert(readOnly.includes('SubnetId') && attributes.includes('SubnetId'));
  assert(!readOnly.includes('AvailabilityZone') && attributes.includes('AvailabilityZone'));
});

test('a nested create-only property has a pointer, with * for the items of a list', () => {
  const { createOnly } = factsOf('AWS::EFS::AccessPoint');
  assert(createOnly.includes('/CreationInfo/OwnerUid') || createOnly.includes('/CreationInfo'));
  const { createOnly: ofSnapshot } = factsOf('AWS::RedshiftServerless::Snapshot');
  assert(ofSnapshot.includes('/Tags/*/Key'));
});

test('R23: the types that only warn of unknown keys', () => {
  const lenient = ['AWS::ECS::TaskDefinition', 'AWS::Timestream::Table'];
  for (const type of lenient) assert.equal(factsOf(type).lenient, true);
  assert.equal(factsOf('AWS::ECS::Service').lenient, undefined);
});

test('T32: Custom::* is known, what needs a transform is not', () => {
  assert.equal(factsOf('Custom::Anything').typeName, 'Custom::Anything');
  assert.deepEqual(factsOf('Custom::Anything').ref, ['PhysicalResourceId']);
  assert.equal(registry.facts('AWS::Serverless::Function'), undefined);
  assert.equal(registry.facts('AWS::ECS::Servcie'), undefined);
  assert.equal(registry.facts('toString'), undefined);
});

test('K11: types of CloudFormation itself are known', () => {
  const names = ['Stack', 'WaitCondition', 'WaitConditionHandle', 'CustomResource', 'Macro'];
  for (const name of names) factsOf(`AWS::CloudFormation::${name}`);
  factsOf('AWS::CDK::Metadata');
});

test('Fn::GetAtt may ask a custom resource and a nested stack for any name', () => {
  assert.equal(attributeNames(factsOf('Custom::Thing')), undefined);
  assert.equal(attributeNames(factsOf('AWS::CloudFormation::Stack')), undefined);
  const names = attributeNames(factsOf('AWS::ECS::Cluster'));
  const allowed = ['Arn', 'ClusterName', 'Invalid'].map((name) => names?.includes(name));
  assert.deepEqual(allowed, [true, true, false], 'attributes and properties, nothing else');
});

test('type names are sorted and lead to facts of that name', () => {
  const names = registry.typeNames();
  assert(names.length > 1_800);
  assert(names.every((name, index) => index === 0 || (names[index - 1] ?? '') < name));
  for (const name of names.filter((_, index) => index % 50 === 0)) {
    assert.equal(factsOf(name).typeName, name);
  }
});

test('asking twice answers the same facts', () => {
  assert.equal(registry.facts('AWS::SNS::Topic'), registry.facts('AWS::SNS::Topic'));
});

const durations: [string, HandlerOperation, number, number][] = [
  ['AWS::EC2::VPC', 'create', 13, 120],
  ['AWS::EC2::VPC', 'delete', 2, 120],
  ['AWS::ECS::Service', 'create', 0, 2160], // its scheduler takes the time; E2
  ['AWS::ECS::Service', 'delete', 0, 30],
  ['AWS::QuickSight::Theme', 'create', 2, 120], // no row of its own
  ['Custom::Anything', 'create', 10, 120],
];
for (const [type, operation, seconds, minutes] of durations) {
  test(`decision 22, R1: ${operation} of ${type} takes ${seconds} s, ${minutes} min at most`, () => {
    assert.equal(registry.typicalSeconds(type, operation), seconds);
    assert.equal(registry.handlerTimeoutMinutes(type, operation), minutes);
  });
}
