import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createResourceStore } from '../../src/aws/resources/index.ts';
import type { JsonObject } from '../../src/base/index.ts';
import { present, SIMULATION_START_MS, seedRandom } from '../../src/base/index.ts';
import { genericProvider } from '../../src/providers/generic.ts';
import { openRegistry } from '../../src/registry/index.ts';
import {
  driven,
  errorCode,
  keepsTheContract,
  type Subject,
  succeeded,
} from '../support/provider-contract.ts';
import { ROOT } from '../support/root.ts';

const registry = openRegistry(ROOT);

/** Types of every kind: named, numbered, known by an ARN, by a URL, by what they belong to. */
const TYPES: readonly { readonly type: string; readonly desired?: JsonObject }[] = [
  { type: 'AWS::ApplicationAutoScaling::ScalingPolicy', desired: { PolicyName: 'p' } },
  { type: 'AWS::AutoScaling::AutoScalingGroup', desired: { MinSize: '1', MaxSize: '2' } },
  { type: 'AWS::CertificateManager::Certificate', desired: { DomainName: 'example.com' } },
  { type: 'AWS::CloudFront::Distribution' },
  { type: 'AWS::CloudWatch::Alarm', desired: { AlarmName: 'high' } },
  { type: 'AWS::Cognito::UserPool' },
  { type: 'AWS::DynamoDB::Table', desired: { TableName: 'orders' } },
  { type: 'AWS::EC2::EIP' },
  { type: 'AWS::EC2::InternetGateway' },
  { type: 'AWS::EC2::LaunchTemplate' },
  { type: 'AWS::EC2::NatGateway', desired: { SubnetId: 'subnet-1' } },
  {
    type: 'AWS::EC2::Route',
    desired: { RouteTableId: 'rtb-1', DestinationCidrBlock: '0.0.0.0/0' },
  },
  { type: 'AWS::EC2::RouteTable', desired: { VpcId: 'vpc-1' } },
  { type: 'AWS::EC2::SecurityGroup', desired: { GroupDescription: 'd', VpcId: 'vpc-1' } },
  { type: 'AWS::EC2::Subnet', desired: { VpcId: 'vpc-1', CidrBlock: '10.0.1.0/24' } },
  { type: 'AWS::EC2::SubnetRouteTableAssociation', desired: { SubnetId: 's', RouteTableId: 'r' } },
  { type: 'AWS::EC2::VPC', desired: { CidrBlock: '10.0.0.0/16' } },
  { type: 'AWS::EC2::VPCEndpoint', desired: { VpcId: 'vpc-1', ServiceName: 's3' } },
  { type: 'AWS::EC2::VPCGatewayAttachment', desired: { VpcId: 'vpc-1', InternetGatewayId: 'i' } },
  { type: 'AWS::ECR::Repository' },
  { type: 'AWS::EFS::FileSystem' },
  { type: 'AWS::ElasticLoadBalancingV2::LoadBalancer', desired: { Subnets: ['a', 'b'] } },
  { type: 'AWS::ElasticLoadBalancingV2::TargetGroup', desired: { Port: 80 } },
  { type: 'AWS::Events::Rule', desired: { ScheduleExpression: 'rate(1 day)' } },
  { type: 'AWS::IAM::InstanceProfile', desired: { Roles: ['r'] } },
  { type: 'AWS::IAM::ManagedPolicy', desired: { PolicyDocument: {} } },
  { type: 'AWS::IAM::Policy', desired: { PolicyName: 'p', PolicyDocument: {} } },
  { type: 'AWS::IAM::Role', desired: { AssumeRolePolicyDocument: {} } },
  { type: 'AWS::KMS::Key' },
  { type: 'AWS::Lambda::Function', desired: { Code: {}, Role: 'r' } },
  { type: 'AWS::Lambda::Permission', desired: { FunctionName: 'f' } },
  { type: 'AWS::Logs::LogGroup', desired: { RetentionInDays: 7 } },
  { type: 'AWS::RDS::DBInstance' },
  { type: 'AWS::Route53::RecordSet', desired: { Name: 'a.example.com', Type: 'A' } },
  { type: 'AWS::S3::Bucket' },
  { type: 'AWS::S3::BucketPolicy', desired: { Bucket: 'b', PolicyDocument: {} } },
  { type: 'AWS::SNS::Topic' },
  { type: 'AWS::SQS::Queue' },
  { type: 'AWS::SSM::Parameter', desired: { Type: 'String', Value: 'v' } },
  { type: 'AWS::SecretsManager::Secret' },
  { type: 'AWS::ServiceDiscovery::PrivateDnsNamespace', desired: { Name: 'local', Vpc: 'vpc-1' } },
  { type: 'AWS::StepFunctions::StateMachine', desired: { RoleArn: 'r' } },
  { type: 'AWS::WAFv2::WebACL', desired: { Scope: 'REGIONAL' } },
  { type: 'AWS::CDK::Metadata', desired: { Analytics: 'x' } },
  { type: 'AWS::CloudFormation::WaitConditionHandle' },
  { type: 'Custom::Thing', desired: { ServiceToken: 't' } },
];

function subject(type: string): Subject {
  const facts = present(registry.facts(type), `${type} is known`);
  const context = {
    place: { accountId: '123456789012', region: 'us-east-1' },
    random: seedRandom(type),
    store: createResourceStore(),
    nowMs: SIMULATION_START_MS,
  };
  return { facts, provider: genericProvider(facts, context) };
}

function setUp(type: string, desired: JsonObject) {
  return driven(subject(type), desired);
}

for (const { type, desired = {} } of TYPES) keepsTheContract(type, desired, () => subject(type));

/** Types whose identifiers the user may fix, so that a second one can ask for the same. */
const FIXED = [
  { type: 'AWS::CloudWatch::Alarm', desired: { AlarmName: 'high' } },
  { type: 'AWS::DynamoDB::Table', desired: { TableName: 'orders' } },
  { type: 'AWS::ECR::Repository', desired: { RepositoryName: 'api' } },
  { type: 'AWS::Events::Rule', desired: { Name: 'nightly' } },
  { type: 'AWS::EC2::Route', desired: { RouteTableId: 'r', DestinationCidrBlock: '0.0.0.0/0' } },
  { type: 'AWS::IAM::Role', desired: { RoleName: 'task' } },
  { type: 'AWS::Logs::LogGroup', desired: { LogGroupName: '/ecs/api' } },
  { type: 'AWS::S3::Bucket', desired: { BucketName: 'assets' } },
  { type: 'AWS::S3::BucketPolicy', desired: { Bucket: 'assets' } },
  { type: 'AWS::SNS::Topic', desired: { TopicName: 'alerts' } },
  { type: 'AWS::SQS::Queue', desired: { QueueName: 'orders' } },
];
for (const { type, desired } of FIXED) {
  test(`R6: a second ${type} of the same identifier already exists`, () => {
    const { provider, request } = setUp(type, desired);
    succeeded(provider.create(request()));
    const second = provider.create(request({ clientRequestToken: 'second' }));
    assert.equal(errorCode(second), 'AlreadyExists');
    assert.equal(provider.list().length, 1);
  });
}

test('R7: a create-only change that reaches update is refused', () => {
  const { provider, request } = setUp('AWS::EC2::Subnet', { VpcId: 'vpc-1' });
  const previous = succeeded(provider.create(request()));
  const event = provider.update?.(request({ desired: { VpcId: 'vpc-2' }, previous }));
  assert.equal(errorCode(event), 'NotUpdatable');
});

test('R7: a list is replaced in full', () => {
  const tags = [{ Key: 'a', Value: '1' }];
  const { provider, request } = setUp('AWS::SNS::Topic', { Tags: [...tags, ...tags] });
  const previous = succeeded(provider.create(request()));
  const after = succeeded(provider.update?.(request({ desired: { Tags: tags }, previous })));
  assert.deepEqual(after['Tags'], tags);
});
