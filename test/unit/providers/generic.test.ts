import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createResourceStore } from '../../../src/aws/resources/index.ts';
import type { JsonObject, StackId } from '../../../src/base/index.ts';
import { isObject, present, SIMULATION_START_MS, seedRandom } from '../../../src/base/index.ts';
import type { GenericContext } from '../../../src/providers/generic.ts';
import { genericProvider } from '../../../src/providers/generic.ts';
import type { HandlerRequest, ProgressEvent } from '../../../src/registry/index.ts';
import { attributeOf, openRegistry, physicalIdOf } from '../../../src/registry/index.ts';
import { ROOT } from '../../support/root.ts';

const registry = openRegistry(ROOT);

function contextIn(region = 'us-east-1'): GenericContext {
  return {
    place: { accountId: '123456789012', region },
    random: seedRandom('generic'),
    store: createResourceStore(),
    nowMs: SIMULATION_START_MS,
  };
}

function request(desired: JsonObject, given: Partial<HandlerRequest> = {}): HandlerRequest {
  return {
    logicalId: 'Thing',
    stackId: 'arn:aws:cloudformation:us-east-1:123456789012:stack/demo/0' as StackId,
    stackName: 'demo',
    clientRequestToken: 'token-1',
    desired,
    startedAtMs: SIMULATION_START_MS,
    nowMs: SIMULATION_START_MS,
    ...given,
  };
}

function factsOf(typeName: string) {
  return present(registry.facts(typeName), `${typeName} is known`);
}

function modelOf(event: ProgressEvent): JsonObject {
  assert.equal(event.status, 'SUCCESS', JSON.stringify(event));
  return present('model' in event ? event.model : undefined, 'a success has a model');
}

function create(typeName: string, desired: JsonObject = {}, context = contextIn()): JsonObject {
  return modelOf(genericProvider(factsOf(typeName), context).create(request(desired)));
}

const LB =
  'arn:aws:elasticloadbalancing:us-east-1:123456789012:loadbalancer/app/web/50dc6c495c0c9188';
const RESOURCE = 'service/web/api';

/** The table of section 6: what Ref and Fn::GetAtt answer. */
const shapes: {
  type: string;
  desired?: JsonObject;
  ref: RegExp;
  attributes?: { [name: string]: RegExp };
}[] = [
  {
    type: 'AWS::EC2::VPC',
    desired: { CidrBlock: '10.1.0.0/16' },
    ref: /^vpc-[0-9a-f]{17}$/,
    attributes: { CidrBlock: /^10\.1\.0\.0\/16$/, DefaultSecurityGroup: /^sg-[0-9a-f]{17}$/ },
  },
  {
    type: 'AWS::EC2::Subnet',
    desired: { VpcId: 'vpc-1' },
    ref: /^subnet-[0-9a-f]{17}$/,
    attributes: { AvailabilityZone: /^us-east-1a$/, AvailabilityZoneId: /^use1-az1$/ },
  },
  {
    type: 'AWS::EC2::SecurityGroup',
    ref: /^sg-[0-9a-f]{17}$/,
    attributes: { GroupId: /^sg-[0-9a-f]{17}$/, VpcId: /^vpc-/ },
  },
  { type: 'AWS::EC2::RouteTable', ref: /^rtb-[0-9a-f]{17}$/ },
  {
    type: 'AWS::EC2::Route',
    desired: { RouteTableId: 'rtb-1', DestinationCidrBlock: '0.0.0.0/0' },
    ref: /^rtb-1\|0\.0\.0\.0\/0$/,
  },
  { type: 'AWS::EC2::SubnetRouteTableAssociation', ref: /^rtbassoc-[0-9a-f]{17}$/ },
  { type: 'AWS::EC2::InternetGateway', ref: /^igw-[0-9a-f]{17}$/ },
  {
    type: 'AWS::EC2::VPCGatewayAttachment',
    desired: { VpcId: 'vpc-1', InternetGatewayId: 'igw-1' },
    ref: /^IGW\|vpc-1$/,
  },
  { type: 'AWS::EC2::NatGateway', ref: /^nat-[0-9a-f]{17}$/ },
  {
    type: 'AWS::EC2::EIP',
    ref: /^\d+\.\d+\.\d+\.\d+$/,
    attributes: { AllocationId: /^eipalloc-[0-9a-f]{17}$/ },
  },
  { type: 'AWS::EC2::VPCEndpoint', ref: /^vpce-[0-9a-f]{17}$/ },
  {
    type: 'AWS::EC2::LaunchTemplate',
    ref: /^lt-[0-9a-f]{17}$/,
    attributes: { LatestVersionNumber: /^1$/ },
  },
  { type: 'AWS::AutoScaling::AutoScalingGroup', ref: /^demo-Thing-\w{12}$/ },
  {
    type: 'AWS::IAM::Role',
    desired: { Path: '/service/' },
    ref: /^demo-Thing-\w{12}$/,
    attributes: {
      Arn: /^arn:aws:iam::123456789012:role\/service\/demo-Thing-\w{12}$/,
      RoleId: /^AROA[A-Z0-9]{17}$/,
    },
  },
  { type: 'AWS::IAM::Policy', desired: { PolicyName: 'p' }, ref: /^demo-Thing-\w{12}$/ },
  {
    type: 'AWS::IAM::ManagedPolicy',
    ref: /^arn:aws:iam::123456789012:policy\/demo-Thing-\w{12}$/,
    attributes: { AttachmentCount: /^0$/, IsAttachable: /^true$/ },
  },
  {
    type: 'AWS::IAM::InstanceProfile',
    ref: /^demo-Thing-\w{12}$/,
    attributes: { Arn: /:instance-profile\/demo-Thing-\w{12}$/ },
  },
  {
    type: 'AWS::Logs::LogGroup',
    ref: /^demo-Thing-\w{12}$/,
    attributes: { Arn: /^arn:aws:logs:us-east-1:123456789012:log-group:demo-Thing-\w{12}:\*$/ },
  },
  {
    type: 'AWS::ElasticLoadBalancingV2::LoadBalancer',
    desired: { SecurityGroups: ['sg-1'] },
    ref: /:loadbalancer\/app\/demo-Thing-\w{12}\/[0-9a-f]{16}$/,
    attributes: {
      DNSName: /^demo-Thing-\w{12}-\d{10}\.us-east-1\.elb\.amazonaws\.com$/,
      LoadBalancerFullName: /^app\/demo-Thing-\w{12}\/[0-9a-f]{16}$/,
      LoadBalancerName: /^demo-Thing-\w{12}$/,
      CanonicalHostedZoneID: /^Z[A-Z0-9]+$/,
      SecurityGroups: /^sg-1$/,
    },
  },
  {
    type: 'AWS::ElasticLoadBalancingV2::LoadBalancer',
    desired: { Type: 'network', Scheme: 'internal', Name: 'nlb' },
    ref: /:loadbalancer\/net\/nlb\/[0-9a-f]{16}$/,
    attributes: { DNSName: /^internal-nlb-[0-9a-f]{16}\.elb\.us-east-1\.amazonaws\.com$/ },
  },
  {
    type: 'AWS::ElasticLoadBalancingV2::Listener',
    desired: { LoadBalancerArn: LB },
    ref: /:listener\/app\/web\/50dc6c495c0c9188\/[0-9a-f]{16}$/,
  },
  {
    type: 'AWS::ElasticLoadBalancingV2::ListenerRule',
    desired: { ListenerArn: `${LB.replace(':loadbalancer/', ':listener/')}/0123456789abcdef` },
    ref: /:listener-rule\/app\/web\/50dc6c495c0c9188\/0123456789abcdef\/[0-9a-f]{16}$/,
    attributes: { IsDefault: /^false$/ },
  },
  {
    type: 'AWS::ElasticLoadBalancingV2::TargetGroup',
    ref: /:targetgroup\/demo-Thing-\w{12}\/[0-9a-f]{16}$/,
    attributes: { TargetGroupFullName: /^targetgroup\/demo-Thing-\w{12}\/[0-9a-f]{16}$/ },
  },
  {
    type: 'AWS::S3::Bucket',
    ref: /^demo-thing-[a-z0-9]{12}$/,
    attributes: {
      Arn: /^arn:aws:s3:::demo-thing-/,
      DomainName: /^demo-thing-[a-z0-9]{12}\.s3\.amazonaws\.com$/,
      RegionalDomainName: /\.s3\.us-east-1\.amazonaws\.com$/,
      WebsiteURL: /^http:\/\/demo-thing-/,
    },
  },
  {
    type: 'AWS::SQS::Queue',
    desired: { FifoQueue: true },
    ref: /^https:\/\/sqs\.us-east-1\.amazonaws\.com\/123456789012\/demo-Thing-\w{12}\.fifo$/,
    attributes: { Arn: /^arn:aws:sqs:us-east-1:123456789012:demo-/, QueueName: /\.fifo$/ },
  },
  {
    type: 'AWS::SNS::Topic',
    desired: { TopicName: 'alerts', DisplayName: 'Alerts' },
    ref: /^arn:aws:sns:us-east-1:123456789012:alerts$/,
    attributes: { TopicName: /^alerts$/, DisplayName: /^Alerts$/ },
  },
  {
    type: 'AWS::SSM::Parameter',
    desired: { Type: 'String', Value: 'v' },
    ref: /^CFN-Thing-\w{12}$/,
    attributes: { Type: /^String$/, Value: /^v$/ },
  },
  { type: 'AWS::SecretsManager::Secret', ref: /:secret:Thing-\w{12}-\w{6}$/ },
  {
    type: 'AWS::ServiceDiscovery::Service',
    desired: { Name: 'api' },
    ref: /^srv-[a-z0-9]{16}$/,
    attributes: { Arn: /:service\/srv-[a-z0-9]{16}$/, Name: /^api$/ },
  },
  {
    type: 'AWS::ServiceDiscovery::PrivateDnsNamespace',
    desired: { Name: 'local' },
    ref: /^ns-[a-z0-9]{16}$/,
    attributes: { HostedZoneId: /^Z[A-Z0-9]+$/ },
  },
  {
    type: 'AWS::ApplicationAutoScaling::ScalableTarget',
    desired: {
      ResourceId: RESOURCE,
      ScalableDimension: 'ecs:service:DesiredCount',
      ServiceNamespace: 'ecs',
    },
    ref: /^service\/web\/api\|ecs:service:DesiredCount\|ecs$/,
    attributes: { Id: /^service\/web\/api\|ecs:service:DesiredCount\|ecs$/ },
  },
  {
    type: 'AWS::ApplicationAutoScaling::ScalingPolicy',
    desired: { PolicyName: 'p', ScalingTargetId: `${RESOURCE}|ecs:service:DesiredCount|ecs` },
    ref: /^arn:aws:autoscaling:.*:scalingPolicy:[0-9a-f-]{36}:resource\/ecs\/service\/web\/api:policyName\/p$/,
  },
  {
    type: 'AWS::CloudWatch::Alarm',
    ref: /^demo-Thing-\w{12}$/,
    attributes: { Arn: /^arn:aws:cloudwatch:us-east-1:123456789012:alarm:demo-Thing-\w{12}$/ },
  },
  {
    type: 'AWS::Lambda::Function',
    ref: /^demo-Thing-\w{12}$/,
    attributes: { Arn: /:function:demo/ },
  },
  {
    type: 'AWS::ECR::Repository',
    desired: { RepositoryName: 'api' },
    ref: /^api$/,
    attributes: { RepositoryUri: /^123456789012\.dkr\.ecr\.us-east-1\.amazonaws\.com\/api$/ },
  },
  {
    type: 'AWS::AppRunner::Service',
    ref: /^arn:aws:apprunner:us-east-1:123456789012:service\/demo-Thing-\w{12}\/[0-9a-f]{32}$/,
    attributes: { ServiceUrl: /\.us-east-1\.awsapprunner\.com$/, Status: /^RUNNING$/ },
  },
  {
    type: 'AWS::CloudFormation::WaitConditionHandle',
    ref: /^https:\/\/cloudformation-waitcondition-us-east-1\.s3\.amazonaws\.com\/arn%3Aaws/,
  },
  { type: 'AWS::CloudFormation::WaitCondition', ref: /^demo-Thing-/, attributes: { Data: /^\{"/ } },
  { type: 'AWS::CDK::Metadata', ref: /^[0-9a-f]{8}-/ },
  {
    type: 'Custom::Anything',
    desired: { ServiceToken: 'arn:f', Data: 'a property of its own' },
    ref: /^demo-Thing-\w{12}$/,
    attributes: { Url: /^Thing-Url$/ },
  },
  {
    type: 'AWS::RDS::DBInstance',
    desired: { Engine: 'postgres' },
    ref: /^demo-thing-[a-z0-9]{12}$/,
    attributes: { 'Endpoint.Address': /\.rds\.amazonaws\.com$/, 'Endpoint.Port': /^5432$/ },
  },
];
for (const { type, desired = {}, ref, attributes = {} } of shapes) {
  test(`I-table: ${type}${desired['Type'] === 'network' ? ' (network)' : ''}`, () => {
    const model = create(type, desired);
    assert.match(physicalIdOf(factsOf(type), model), ref);
    for (const [name, pattern] of Object.entries(attributes)) {
      assert.match(String(attributeOf(factsOf(type), model, name)), pattern, name);
    }
  });
}

test('every attribute answers with its type: numbers, booleans and lists as such', () => {
  const policy = create('AWS::IAM::ManagedPolicy');
  assert.equal(policy['AttachmentCount'], 0);
  assert.equal(policy['IsAttachable'], true);
  assert(Array.isArray(create('AWS::EC2::VPC')['CidrBlockAssociations']));
  assert(isObject(create('AWS::RDS::DBInstance')['Endpoint']));
});

test('what would have to be set up first, and was not, has no attributes', () => {
  const bucket = create('AWS::S3::Bucket');
  assert.equal(bucket['MetadataTableConfiguration'], undefined);
});

test('partitions and domains are those of the region', () => {
  const context = contextIn('cn-north-1');
  const model = create('AWS::S3::Bucket', { BucketName: 'b' }, context);
  assert.equal(model['Arn'], 'arn:aws-cn:s3:::b');
  assert.equal(model['DomainName'], 'b.s3.amazonaws.com.cn');
});

test('equal random states make equal resources', () => {
  assert.deepEqual(create('AWS::EC2::VPC'), create('AWS::EC2::VPC'));
});

test('R17: a fixed name that is taken fails in the words of the contract', () => {
  const context = contextIn();
  create('AWS::SSM::Parameter', { Name: '/web/url' }, context);
  const provider = genericProvider(factsOf('AWS::SSM::Parameter'), context);
  const second = request({ Name: '/web/url' }, { clientRequestToken: 'token-2' });
  assert.deepEqual(provider.create(second), {
    status: 'FAILED',
    errorCode: 'AlreadyExists',
    message: "Resource of type 'AWS::SSM::Parameter' with identifier '/web/url' already exists.",
  });
});

test('two inline policies of one name are two resources', () => {
  const context = contextIn();
  const provider = genericProvider(factsOf('AWS::IAM::Policy'), context);
  for (const logicalId of ['A', 'B']) {
    assert.equal(provider.create(request({ PolicyName: 'p' }, { logicalId })).status, 'SUCCESS');
  }
});

test('L34: a wait condition cannot be updated', () => {
  const context = contextIn();
  const previous = create('AWS::CloudFormation::WaitCondition', {}, context);
  const provider = genericProvider(factsOf('AWS::CloudFormation::WaitCondition'), context);
  assert.deepEqual(provider.update?.(request({ Count: 2 }, { previous })), {
    status: 'FAILED',
    errorCode: 'NotUpdatable',
    message: 'Update to resource type AWS::CloudFormation::WaitCondition is not supported',
  });
});

test('an update makes a new version of a launch template', () => {
  const context = contextIn();
  const previous = create('AWS::EC2::LaunchTemplate', { VersionDescription: 'a' }, context);
  const provider = genericProvider(factsOf('AWS::EC2::LaunchTemplate'), context);
  const event = provider.update?.(request({ VersionDescription: 'b' }, { previous }));
  assert.equal(modelOf(present(event, 'it can be updated'))['LatestVersionNumber'], '2');
});

test('the store is plain data', () => {
  const context = contextIn();
  create('AWS::SQS::Queue', {}, context);
  assert.deepEqual(JSON.parse(JSON.stringify(context.store)), context.store);
});
