import type { JsonObject, JsonValue, RandomState } from '../base/index.ts';
import { ALPHANUMERIC, isObject, nextText } from '../base/index.ts';
import type { TypeFacts } from '../registry/index.ts';
import { generatedName } from './names.ts';

const SUFFIX_LENGTH = 12;

/** Ceilings of generated names in characters (I3); of other types their schema says it. */
const LENGTH_MAX: Readonly<Record<string, number>> = {
  'AWS::IAM::Role': 64,
  'AWS::IAM::User': 64,
  'AWS::IAM::Policy': 128,
  'AWS::IAM::ManagedPolicy': 128,
  'AWS::IAM::InstanceProfile': 128,
  'AWS::S3::Bucket': 63,
  'AWS::ElasticLoadBalancingV2::LoadBalancer': 32,
  'AWS::ElasticLoadBalancingV2::TargetGroup': 32,
  'AWS::ElasticLoadBalancing::LoadBalancer': 32,
  'AWS::SQS::Queue': 80,
  'AWS::CloudWatch::Alarm': 255,
  'AWS::Lambda::Function': 64,
  'AWS::RDS::DBInstance': 63,
  'AWS::RDS::DBCluster': 63,
};
const LENGTH_MAX_DEFAULT = 255;
const LENGTH_MIN = 20; // room for the suffix and something to tell names apart by

/** DNS-like names, which are lower case (I3), and the names of databases, which AWS lowers. */
const LOWER_CASE =
  /^AWS::((S3::Bucket|ECR::Repository)$|(RDS|DocDB|Neptune|Redshift|ElastiCache)::|OpenSearch)/;

/** Who wants a name, and where from. */
export interface NameRequest {
  readonly stackName: string;
  readonly logicalId: string;
  readonly desired: JsonObject;
}

/**
 * The name of a resource: the one its properties fix, or a generated one, `demo-Svc-JrwYBzxovGfr`
 * (I2, I3).
 */
export function resourceName(facts: TypeFacts, request: NameRequest, random: RandomState): string {
  const property = nameProperty(facts);
  const fixed = property === undefined ? undefined : request.desired[property];
  if (typeof fixed === 'string') return fixed;
  return madeUpName(facts, property, request, random);
}

/**
 * The property that fixes the resource's own name: `Name`, `QueueName`, `DBInstanceIdentifier` …
 * One that can change in place is a label and no name, like the PolicyName of an inline policy.
 */
export function nameProperty(facts: TypeFacts): string | undefined {
  const fixing = Object.keys(propertiesOf(facts)).filter(
    (name) => !facts.readOnly.includes(name) && isFixing(facts, name),
  );
  return (
    fixing.find((name) => facts.ref.includes(name) && isOwn(facts, name)) ??
    fixing.find((name) => name.endsWith('Name') && isOwn(facts, name))
  );
}

function isFixing({ ref, createOnly }: TypeFacts, name: string): boolean {
  return ref.includes(name) || createOnly.includes(`/${name}`);
}

/** Whether an identifier is the resource's own and not that of what it belongs to. */
export function isOwn(facts: TypeFacts, part: string): boolean {
  if (part === 'Name' || part === 'Id' || part === 'Identifier') return true;
  if (facts.primaryIdentifier.length === 1 && facts.primaryIdentifier[0] === part) return true;
  const stem = part.replace(/(Name|Id|Identifier|Arn|ARN)$/, '');
  return stem !== part && shortName(facts).toLowerCase().endsWith(stem.toLowerCase());
}

/** `Queue` of `AWS::SQS::Queue`. */
export function shortName({ typeName }: TypeFacts): string {
  return typeName.split('::').at(-1) ?? typeName;
}

export function propertiesOf({ schema }: TypeFacts): JsonObject {
  return isObject(schema['properties']) ? schema['properties'] : {};
}

function madeUpName(
  facts: TypeFacts,
  property: string | undefined,
  request: NameRequest,
  random: RandomState,
): string {
  const { typeName } = facts;
  const { logicalId, desired } = request;
  const suffix = () => nextText(random, SUFFIX_LENGTH, ALPHANUMERIC);
  if (typeName === 'AWS::SSM::Parameter') return `CFN-${logicalId}-${suffix()}`;
  if (typeName === 'AWS::SecretsManager::Secret') return `${logicalId}-${suffix()}`;
  const schema = property === undefined ? undefined : propertiesOf(facts)[property];
  const ending = desired['FifoQueue'] === true || desired['FifoTopic'] === true ? '.fifo' : '';
  const lengthMax = lengthLimit(typeName, schema) - ending.length;
  const name = generatedName(request, random, lengthMax);
  return fitting(LOWER_CASE.test(typeName) ? name.toLowerCase() : name, schema) + ending;
}

function lengthLimit(typeName: string, schema: JsonValue | undefined): number {
  const limit = isObject(schema) ? schema['maxLength'] : undefined;
  const ofSchema = typeof limit === 'number' ? Math.max(limit, LENGTH_MIN) : LENGTH_MAX_DEFAULT;
  return LENGTH_MAX[typeName] ?? ofSchema;
}

/** The name in the first spelling that the property's own pattern takes. */
function fitting(name: string, schema: JsonValue | undefined): string {
  const pattern = isObject(schema) ? schema['pattern'] : undefined;
  if (typeof pattern !== 'string') return name;
  const spellings = [name, name.toLowerCase(), name.replaceAll('-', '_'), name.replaceAll('-', '')];
  return spellings.find((spelling) => new RegExp(pattern, 'u').test(spelling)) ?? name;
}
