import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/base/index.ts';
import { present, seedRandom } from '../../../src/base/index.ts';
import { nameProperty, resourceName } from '../../../src/providers/generic-names.ts';
import { openRegistry } from '../../../src/registry/index.ts';
import { ROOT } from '../../support/root.ts';

const registry = openRegistry(ROOT);
const LONG = 'a-stack-with-a-name-that-goes-on-and-on-for-longer-than-most-services-allow-at-all';

const names: { type: string; stack?: string; desired?: JsonObject; name: RegExp; max: number }[] = [
  { type: 'AWS::ECS::Cluster', name: /^demo-Thing-[A-Za-z0-9]{12}$/, max: 255 }, // I2
  { type: 'AWS::SSM::Parameter', name: /^CFN-Thing-[A-Za-z0-9]{12}$/, max: 255 }, // I3 and below
  {
    type: 'AWS::S3::Bucket',
    stack: LONG,
    name: /^a-stack-[a-z0-9-]+-thing-[a-z0-9]{12}$/,
    max: 63,
  },
  { type: 'AWS::IAM::Role', stack: LONG, name: /^a-stack-.*-Thing-\w{12}$/, max: 64 },
  { type: 'AWS::IAM::ManagedPolicy', stack: LONG, name: /-Thing-\w{12}$/, max: 128 },
  {
    type: 'AWS::ElasticLoadBalancingV2::TargetGroup',
    stack: LONG,
    name: /^a-stack-wi\w*-?-Thing-\w{12}$/,
    max: 32,
  },
  {
    type: 'AWS::SQS::Queue',
    stack: LONG,
    desired: { FifoQueue: true },
    name: /-Thing-\w{12}\.fifo$/,
    max: 80,
  },
  { type: 'AWS::SQS::Queue', desired: { QueueName: 'orders' }, name: /^orders$/, max: 80 },
  { type: 'AWS::Lambda::Function', stack: LONG, name: /-Thing-\w{12}$/, max: 64 },
];
for (const { type, stack = 'demo', desired = {}, name, max } of names) {
  test(`I2, I3: ${type} in ${stack.slice(0, 7)} ${JSON.stringify(desired)}`, () => {
    const facts = present(registry.facts(type), 'the type is known');
    const request = { stackName: stack, logicalId: 'Thing', desired };
    const made = resourceName(facts, request, seedRandom('names'));
    assert.match(made, name);
    assert(made.length <= max, `${made} has ${made.length} characters`);
  });
}

const properties: [string, string | undefined][] = [
  ['AWS::SQS::Queue', 'QueueName'],
  ['AWS::SSM::Parameter', 'Name'],
  ['AWS::Logs::LogStream', 'LogStreamName'], // not LogGroupName, whose stream it is
  ['AWS::RDS::DBInstance', 'DBInstanceIdentifier'],
  ['AWS::ElasticLoadBalancingV2::LoadBalancer', 'Name'],
  ['AWS::IAM::Policy', undefined], // PolicyName changes in place
  ['AWS::EC2::VPC', undefined],
];
for (const [type, property] of properties) {
  test(`the name of ${type} is fixed by ${property ?? 'nothing'}`, () => {
    assert.equal(nameProperty(present(registry.facts(type), 'the type is known')), property);
  });
}
