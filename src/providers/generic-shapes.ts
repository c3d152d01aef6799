import type { JsonObject, JsonValue } from '../base/index.ts';
import {
  ALPHANUMERIC,
  arnOf,
  DIGITS,
  nextHex32,
  nextText,
  nextUuid,
  partitionOf,
  urlSuffixOf,
} from '../base/index.ts';
import type { Shape } from './generic-shapes-network.ts';
import { NETWORK_SHAPES } from './generic-shapes-network.ts';
import type { Making } from './generic-values.ts';
import { lower, ownArn, textOf, upper } from './generic-values.ts';

const named: Shape = ({ name }) => ({ Id: name });

/** Storage, identity, functions and CloudFormation's own types (table of section 6). */
const SERVICE_SHAPES: Readonly<Record<string, Shape>> = {
  'AWS::IAM::Role': ({ random }) => ({ RoleId: `AROA${upper(random, 17)}` }),
  'AWS::IAM::ManagedPolicy': ({ random }) => ({
    PolicyId: `ANPA${upper(random, 17)}`,
    DefaultVersionId: 'v1',
    IsAttachable: true,
  }),
  'AWS::IAM::Policy': named,
  'AWS::IAM::UserToGroupAddition': named,
  'AWS::IAM::AccessKey': ({ random }) => ({ SecretAccessKey: nextText(random, 40, ALPHANUMERIC) }),
  'AWS::Logs::LogGroup': (making) => ({ Arn: `${ownArn(making)}:*` }),
  'AWS::S3::Bucket': bucketValues,
  'AWS::SQS::Queue': ({ place, name }) => ({
    QueueUrl: `https://sqs.${place.region}.${urlSuffixOf(place.region)}/${place.accountId}/${name}`,
  }),
  'AWS::SQS::QueuePolicy': named,
  'AWS::SNS::TopicPolicy': named,
  'AWS::SNS::Subscription': ({ desired, random }) => {
    const arn = `${textOf(desired['TopicArn']) ?? ''}:${nextUuid(random)}`;
    return { Arn: arn, Id: arn };
  },
  'AWS::SecretsManager::Secret': ({ place, name, random }) => ({
    Id: arnOf('secretsmanager', place, `secret:${name}-${nextText(random, 6, ALPHANUMERIC)}`),
  }),
  'AWS::ECR::Repository': ({ place: { accountId, region }, name }) => ({
    RepositoryUri: `${accountId}.dkr.ecr.${region}.${urlSuffixOf(region)}/${name}`,
  }),
  'AWS::ApplicationAutoScaling::ScalingPolicy': scalingPolicyValues,
  'AWS::AppRunner::Service': appRunnerValues,
  'AWS::Lambda::Permission': named,
  'AWS::Lambda::Version': ({ desired, place }) => ({
    FunctionArn: `${functionArn(desired['FunctionName'], place)}:1`,
    Version: '1',
  }),
  'AWS::Lambda::Alias': ({ desired, place, name }) => ({
    AliasArn: `${functionArn(desired['FunctionName'], place)}:${name}`,
  }),
  'AWS::Lambda::CodeSigningConfig': ({ place, random }) => {
    const id = `csc-${lower(random, 17)}`;
    return {
      CodeSigningConfigId: id,
      CodeSigningConfigArn: arnOf('lambda', place, `code-signing-config:${id}`),
    };
  },
  'AWS::CertificateManager::Certificate': ({ place, random }) => {
    const arn = arnOf('acm', place, `certificate/${nextUuid(random)}`);
    return { Id: arn, CertificateArn: arn };
  },
  'AWS::RDS::DBInstance': databaseValues,
  'AWS::RDS::DBCluster': databaseValues,
  'AWS::CDK::Metadata': ({ random }) => ({ Id: nextUuid(random) }),
  'AWS::CloudFormation::WaitConditionHandle': handleValues,
  'AWS::CloudFormation::WaitCondition': ({ name, random }) => ({
    Id: name,
    Data: JSON.stringify({ [lower(random, 12)]: 'signalled' }),
  }),
  'AWS::CloudFormation::HookVersion': versionValues('hook'),
  'AWS::CloudFormation::ModuleVersion': versionValues('module'),
  'AWS::CloudFormation::ResourceVersion': versionValues('resource'),
  'AWS::CloudFormation::Stack': ({ place, name, random }) => ({
    StackId: arnOf('cloudformation', place, `stack/${name}/${nextUuid(random)}`),
  }),
};

/** The values a type's table row gives; none where names say enough. */
export function shapedValues(making: Making): JsonObject {
  const { typeName, attributes } = making.facts;
  const shape = NETWORK_SHAPES[typeName] ?? SERVICE_SHAPES[typeName];
  if (shape !== undefined) return shape(making);
  return attributes.includes('*') ? customValues(making) : {};
}

/** Any attribute may be asked of a custom resource: `attributeOf` makes it from the logical id. */
function customValues({ name, logicalId }: Making): JsonObject {
  return { PhysicalResourceId: name, LogicalResourceId: logicalId };
}

/** Versions of registered types: `…:type/resource/Example-Web-Site/00000172`. */
function versionValues(kind: string): Shape {
  return ({ desired, place, random }) => {
    const version = nextText(random, 3, DIGITS).padStart(8, '0'); // drawn: a type has many
    const typeName = textOf(desired['TypeName'] ?? desired['ModuleName']) ?? kind;
    const path = `type/${kind}/${typeName.replaceAll('::', '-')}`;
    return {
      Arn: arnOf('cloudformation', place, `${path}/${version}`),
      TypeArn: arnOf('cloudformation', place, path),
      TypeVersionArn: arnOf('cloudformation', place, `${path}/${version}`),
      VersionId: version,
    };
  };
}

function bucketValues({ place, name }: Making): JsonObject {
  const suffix = urlSuffixOf(place.region);
  return {
    Arn: `arn:${partitionOf(place.region)}:s3:::${name}`,
    DomainName: `${name}.s3.${suffix}`,
    DualStackDomainName: `${name}.s3.dualstack.${place.region}.${suffix}`,
    RegionalDomainName: `${name}.s3.${place.region}.${suffix}`,
    WebsiteURL: `http://${name}.s3-website-${place.region}.${suffix}`,
  };
}

function scalingPolicyValues({ desired, place, name, random }: Making): JsonObject {
  const [resource, , namespace] = (textOf(desired['ScalingTargetId']) ?? '').split('|');
  const owner = textOf(desired['ServiceNamespace']) ?? namespace ?? 'ecs';
  const scaled = textOf(desired['ResourceId']) ?? resource ?? '';
  const path = `scalingPolicy:${nextUuid(random)}:resource/${owner}/${scaled}:policyName/${name}`;
  return { Arn: arnOf('autoscaling', place, path) };
}

function appRunnerValues({ place, name, random }: Making): JsonObject {
  const id = nextHex32(random);
  return {
    ServiceArn: arnOf('apprunner', place, `service/${name}/${id}`),
    ServiceId: id,
    ServiceUrl: `${lower(random, 10)}.${place.region}.awsapprunner.com`,
    Status: 'RUNNING',
  };
}

function functionArn(name: JsonValue | undefined, place: Making['place']): string {
  const given = textOf(name) ?? '';
  return given.startsWith('arn:') ? given : arnOf('lambda', place, `function:${given}`);
}

function databaseValues({ desired, place, name, random }: Making): JsonObject {
  const engine = textOf(desired['Engine']) ?? '';
  const usual = /postgres/.test(engine) ? 5432 : /sqlserver/.test(engine) ? 1433 : 3306;
  const domain = `${lower(random, 12)}.${place.region}.rds.${urlSuffixOf(place.region)}`;
  const port = String(desired['Port'] ?? (/oracle/.test(engine) ? 1521 : usual));
  return {
    Endpoint: { Address: `${name}.${domain}`, Port: port },
    ReadEndpoint: { Address: `${name}.ro-${domain}` },
  };
}

function handleValues({ place, stackId, stackName, logicalId, random }: Making): JsonObject {
  const host = `cloudformation-waitcondition-${place.region}.s3.${urlSuffixOf(place.region)}`;
  const path = `${encodeURIComponent(stackId)}/${stackName}/${logicalId}`;
  const signature = nextText(random, 28, ALPHANUMERIC);
  const query = `AWSAccessKeyId=AKIA${upper(random, 16)}&Signature=${signature}`;
  return { Id: `https://${host}/${path}?${query}` };
}
