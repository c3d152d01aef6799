import type { Place } from '../base/index.ts';
import { hostedZoneId, inventedArn, kebab, resourceId } from './invent-ids.ts';
import type { Purpose } from './purpose.ts';

/** What a guess is made from. */
interface GuessContext {
  readonly purpose: Purpose;
  /** Seed of ids: the name, and the item of a list. */
  readonly seed: string;
  /** How many values were invented before: keeps the blocks of subnets apart. */
  readonly ordinal: number;
  readonly item: number;
  readonly place: Place;
  readonly zones: readonly string[];
}

type Guess = (context: GuessContext) => string;

/** Values of AWS's own parameter types (P1). */
const BY_TYPE: Readonly<Record<string, Guess>> = {
  'AWS::EC2::AvailabilityZone::Name': zone,
  'AWS::EC2::Image::Id': ({ seed }) => resourceId('ami', seed),
  'AWS::EC2::Instance::Id': ({ seed }) => resourceId('i', seed),
  'AWS::EC2::KeyPair::KeyName': ({ purpose }) => kebab(purpose.name),
  'AWS::EC2::SecurityGroup::GroupName': ({ seed }) => kebab(seed),
  'AWS::EC2::SecurityGroup::Id': ({ seed }) => resourceId('sg', seed),
  'AWS::EC2::Subnet::Id': ({ seed }) => resourceId('subnet', seed),
  'AWS::EC2::VPC::Id': ({ seed }) => resourceId('vpc', seed),
  'AWS::EC2::Volume::Id': ({ seed }) => resourceId('vol', seed),
  'AWS::Route53::HostedZone::Id': ({ seed }) => hostedZoneId(seed),
  'AWS::SSM::Parameter::Name': ({ purpose }) => `/invented/${purpose.name}`,
};

/** Endings of property and parameter names, most telling first; case does not matter. */
const BY_ENDING: readonly (readonly [RegExp, Guess])[] = [
  [/bootstrapversion$/i, () => '32'],
  [/arns?$|servicetoken$/i, ({ purpose, seed, place }) => inventedArn(hints(purpose), seed, place)],
  [/rolename$/i, ({ purpose }) => kebab(purpose.name)],
  [/role$/i, ({ purpose, seed, place }) => inventedArn(['Role', ...hints(purpose)], seed, place)],
  [/^CidrCount$/, () => '8'],
  [/^CidrHostBits$/, () => '8'],
  [/cidr(block|ip|range|s)?$/i, cidr],
  [/vpc(id)?$/i, ({ seed }) => resourceId('vpc', seed)],
  [/subnet(id|identifier)?s?(list)?\d*$/i, ({ seed }) => resourceId('subnet', seed)],
  [/(securitygroup|sg)(id)?s?(list)?\d*$/i, ({ seed }) => resourceId('sg', seed)],
  [/hosted_?zone(id)?$/i, ({ seed }) => hostedZoneId(seed)],
  [/availability_?zones?\d*$|az\d*$/i, zone],
  [/ami(id)?$|imageid$/i, ({ seed }) => resourceId('ami', seed)],
  [/image(uri|url|identifier|name)?$/i, () => 'public.ecr.aws/docker/library/nginx:latest'],
  [/imagetag$|tag$/i, () => 'latest'],
  [/instancetype$|instanceclass$|nodetype$/i, instanceType],
  [/volumeid$/i, ({ seed }) => resourceId('vol', seed)],
  [/instanceid$/i, ({ seed }) => resourceId('i', seed)],
  [/filesystem(id)?$/i, ({ seed }) => resourceId('fs', seed)],
  [/route_?tables?(id)?s?$/i, ({ seed }) => resourceId('rtb', seed)],
  [/cpu$/i, () => '256'],
  [/memory(size|reservation)?$/i, () => '512'],
  [/max(capacity|size|count)$/i, () => '2'],
  [/(desired|min)(capacity|size|count)$|count$/i, () => '1'],
  [/httpsport$/i, () => '443'],
  [/port$/i, () => '80'],
  [/(days|retention)$/i, () => '7'],
  [/priority$/i, ({ ordinal }) => String(ordinal + 1)],
  [/(timeout|interval|seconds|period|ttl)$/i, () => '30'],
  [/email(address)?$/i, () => 'user@example.com'],
  [/password$|secret$|token$/i, () => 'Invented1Passw0rd'],
  [/healthcheckpath$|path$/i, () => '/'],
  [/ur[il]$|endpoint$/i, ({ purpose }) => `https://${kebab(purpose.name)}.example.com`],
  [
    /domain(name)?$|fqdn$|host(name)?$|dns(name)?$/i,
    ({ purpose }) => `${kebab(purpose.name)}.example.com`,
  ],
  [/bucket(name)?$/i, ({ purpose }) => kebab(purpose.name)],
  [/account(id)?$/i, ({ place }) => place.accountId],
  [/region$/i, ({ place }) => place.region],
  [/username$|user$/i, () => 'invented'],
  [/loggroup(name)?$/i, ({ purpose }) => `/invented/${kebab(purpose.name)}`],
];

function hints({ property, name }: Purpose): string[] {
  return property === undefined ? [name] : [property, name];
}

/**
 * Values that may fit, best first: of the parameter's own type, of the property it ends in, of
 * its name, then of the forms that patterns commonly ask for.
 */
export function guesses(type: string, context: GuessContext): readonly string[] {
  const ofType = BY_TYPE[type];
  if (ofType !== undefined) return [ofType(context)];
  const told = hints(context.purpose).flatMap((name) => {
    const rule = BY_ENDING.find(([ending]) => ending.test(name));
    return rule === undefined ? [] : [rule[1](context)];
  });
  if (type === 'Number') return [...told, '1', '2', '10', '80', '1024', '0'];
  const word = kebab(context.purpose.name);
  return [...told, word, word.replaceAll('-', ''), context.purpose.name, ...COMMON];
}

/** What patterns ask for: digits, switches, addresses, names with rules of their own. */
const COMMON: readonly string[] = [
  'invented',
  'Invented1',
  'INVENTED',
  '1',
  '10',
  '123456789012',
  'true',
  'yes',
  'enabled',
  '10.0.0.0/16',
  '10.0.0.1',
  'user@example.com',
  'example.com',
  'https://example.com',
  'arn:aws:iam::123456789012:role/invented',
  'us-east-1',
  '/invented',
  '1.0.0',
  'Invented1Passw0rd!',
  '',
];

function zone({ zones, item, place }: GuessContext): string {
  return zones[item % Math.max(zones.length, 1)] ?? `${place.region}${'abc'.charAt(item % 3)}`;
}

/** A block of its own for each subnet, the whole network for a VPC. */
function cidr({ purpose, ordinal, item }: GuessContext): string {
  if (purpose.property === 'CidrIp') return '10.0.0.0/8';
  const isDivided = purpose.type !== 'AWS::EC2::Subnet' && purpose.property === 'CidrBlock';
  const isNetwork = isDivided || /vpc/i.test(purpose.name);
  return isNetwork ? '10.0.0.0/16' : `10.0.${(ordinal + item) % 256}.0/24`;
}

function instanceType({ purpose }: GuessContext): string {
  const about = `${purpose.type ?? ''} ${purpose.name}`;
  if (/RDS|DB|Database/.test(about)) return 'db.t3.micro';
  return /ElastiCache|Cache|Redis/.test(about) ? 'cache.t3.micro' : 't3.micro';
}
