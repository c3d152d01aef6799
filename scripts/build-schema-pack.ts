/**
 * Writes `dist/schema-pack/`: the facts of every CloudFormation resource type, as one file of
 * deflated blobs and an index, and compiled validators of the types that ECS stacks are made of.
 *
 * Sources: the type database of `@aws-cdk/aws-service-spec`; patterns, lengths and ranges from the
 * declarations of `@awboost/cfn-resource-types`; `data/schema-overrides.json` where both are wrong
 * or silent. Equal inputs give equal files.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { transformSync } from 'esbuild';
import type { PackEntry, TypeFacts } from '../src/registry/index.ts';
import { createAjv, formatIndex, PACK_FILES, validatorFile } from '../src/registry/index.ts';
import { factsOfAll } from './schema-pack-facts.ts';
import { readOverlay } from './schema-pack-overlay.ts';
import { applyOverrides } from './schema-pack-overrides.ts';

/**
 * Types whose validators are compiled at build time: what ECS stacks are made of, and what public
 * templates use often. Compiling one at run time costs more than the whole of a small simulation.
 */
const PRECOMPILED = [
  /^AWS::(ECS|ElasticLoadBalancingV2|ServiceDiscovery|ApplicationAutoScaling|AppMesh|EFS)::/,
  /^AWS::EC2::(VPC|Subnet|RouteTable|Route|SecurityGroup|InternetGateway|NatGateway|EIP|FlowLog)$/,
  /^AWS::EC2::(SubnetRouteTableAssociation|VPCGatewayAttachment|VPCEndpoint|LaunchTemplate)$/,
  /^AWS::EC2::(SecurityGroup(In|E)gress|Instance)$/,
  /^AWS::IAM::(Role|Policy|ManagedPolicy|InstanceProfile|User|AccessKey)$/,
  /^AWS::AutoScaling::(AutoScalingGroup|LaunchConfiguration|LifecycleHook|ScalingPolicy)$/,
  /^AWS::(Logs::(LogGroup|LogStream)|SSM::Parameter|CloudWatch::Alarm|ECR::Repository)$/,
  /^AWS::(Events::(Rule|EventBus)|S3::(Bucket|BucketPolicy)|SQS::(Queue|QueuePolicy))$/,
  /^AWS::(SNS::(Topic|TopicPolicy|Subscription)|Route53::(RecordSet|RecordSetGroup|HostedZone))$/,
  /^AWS::Lambda::(Function|Permission|Version|EventSourceMapping)$/,
  /^AWS::ApiGateway::(RestApi|Deployment|Stage|Method|Resource|Account)$/,
  /^AWS::(DynamoDB::Table|Kinesis::Stream|KMS::(Key|Alias)|SecretsManager::Secret)$/,
  /^AWS::(RDS::(DBInstance|DBCluster|DBSubnetGroup)|ElasticLoadBalancing::LoadBalancer)$/,
  /^AWS::(Cognito::UserPool(Client|Domain)?|CertificateManager::Certificate|AppRunner::Service)$/,
  /^AWS::(CDK::Metadata|StepFunctions::StateMachine|CodeBuild::Project|CodePipeline::Pipeline)$/,
  /^AWS::CloudFormation::(Stack|WaitCondition|WaitConditionHandle|CustomResource)$/,
];

const ROOT = packageRoot(dirname(fileURLToPath(import.meta.url)));
const target = join(ROOT, 'dist/schema-pack');

const overrides: unknown = JSON.parse(
  readFileSync(join(ROOT, 'data/schema-overrides.json'), 'utf8'),
);
const overlay = readOverlay(join(ROOT, 'node_modules/@awboost/cfn-resource-types/lib'));
const types = applyOverrides(factsOfAll(overlay), overrides);
mkdirSync(join(target, PACK_FILES.validators), { recursive: true });
writeTypes(types);
writeValidators(types.filter(isPrecompiled));

/** The nearest folder upwards that holds `package.json`: the compiled script lies below `dist`. */
function packageRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : packageRoot(dirname(folder));
}

function isPrecompiled({ typeName }: TypeFacts): boolean {
  return PRECOMPILED.some((pattern) => pattern.test(typeName));
}

function writeTypes(all: readonly TypeFacts[]): void {
  const blobs: Buffer[] = [];
  const entries: PackEntry[] = [];
  let offset = 0;
  for (const facts of all) {
    const blob = deflateRawSync(JSON.stringify(facts), { level: 9 });
    const { typeName } = facts;
    entries.push({ typeName, offset, length: blob.length, precompiled: isPrecompiled(facts) });
    offset += blob.length;
    blobs.push(blob);
  }
  writeIfChanged(PACK_FILES.blobs, Buffer.concat(blobs));
  writeIfChanged(PACK_FILES.index, Buffer.from(formatIndex(entries)));
}

function writeValidators(precompiled: readonly TypeFacts[]): void {
  const files = new Set(precompiled.map(({ typeName }) => validatorFile(typeName)));
  for (const name of readdirSync(join(target, PACK_FILES.validators))) {
    const file = join(PACK_FILES.validators, name);
    if (!files.has(file)) rmSync(join(target, file));
  }
  for (const { typeName, schema } of precompiled) {
    const ajv = createAjv('source');
    const code = standaloneCode.default(ajv, ajv.compile(schema));
    // Half the time of a small deploy's checks is the reading of this code.
    const { code: small } = transformSync(code, { minify: true, format: 'cjs', target: 'node20' });
    writeIfChanged(validatorFile(typeName), Buffer.from(small));
  }
}

/** Leaves a file alone that holds this already, so that one in use is not replaced for nothing. */
function writeIfChanged(file: string, content: Buffer): void {
  const path = join(target, file);
  if (!existsSync(path) || !readFileSync(path).equals(content)) writeFileSync(path, content);
}
