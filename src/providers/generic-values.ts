import type { EpochMs, JsonObject, JsonValue, Place, RandomState } from '../base/index.ts';
import {
  DIGITS,
  HEX,
  isObject,
  nextBelow,
  nextText,
  nextUuid,
  partitionOf,
  toRfc3339,
  urlSuffixOf,
} from '../base/index.ts';
import type { TypeFacts } from '../registry/index.ts';
import { isOwn, propertiesOf, shortName } from './generic-names.ts';

/** One resource on its way into being: what its values are made from. */
export interface Making {
  readonly facts: TypeFacts;
  readonly desired: JsonObject;
  readonly place: Place;
  readonly random: RandomState;
  readonly nowMs: EpochMs;
  readonly stackName: string;
  readonly stackId: string;
  readonly logicalId: string;
  readonly name: string; // fixed or generated
  readonly id: string; // what the service would number it with: vpc-0a1b…
}

const LOWER_ALPHANUMERIC = 'abcdefghijklmnopqrstuvwxyz0123456789';
const UPPER_ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** `ecs` of `AWS::ECS::Service`: the service's part of ARNs and host names. */
export function serviceOf({ typeName }: TypeFacts): string {
  return (typeName.split('::')[1] ?? typeName).toLowerCase();
}

/** The text at a property that should hold one; undefined when it holds none. */
export function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The resource's ARN, from the template of the type database or in the usual shape. */
export function ownArn(making: Making): string {
  const { facts, place, name } = making;
  const partition = partitionOf(place.region);
  if (facts.arnTemplate === undefined) {
    const resource = `${kebab(shortName(facts))}/${name}`;
    return `arn:${partition}:${serviceOf(facts)}:${place.region}:${place.accountId}:${resource}`;
  }
  return facts.arnTemplate.replace(/\$\{(\w+)\}/g, (_, variable: string) => {
    if (variable === 'Partition') return partition;
    if (variable === 'Region') return place.region;
    if (variable === 'Account') return place.accountId;
    return arnPart(making, variable);
  });
}

function arnPart({ facts, desired, name, id }: Making, variable: string): string {
  const given = desired[variable];
  if (typeof given === 'string' || typeof given === 'number') return String(given);
  if (variable.endsWith('NameWithPath')) {
    return `${(textOf(desired['Path']) ?? '/').slice(1)}${name}`;
  }
  if (variable === 'ParameterNameWithoutLeadingSlash') return name.replace(/^\//, '');
  const isId = variable.endsWith('Id') && facts.primaryIdentifier.some((part) => /Id$/.test(part));
  return isId ? id : name;
}

/** Something plausible for an attribute: the type is its schema's, the shape its name's. */
export function valueFor(making: Making, attribute: string): JsonValue {
  const schema = schemaAt(making.facts, attribute);
  const step = attribute.split('.').at(-1) ?? attribute;
  if (Array.isArray(schema['enum'])) return chosenOf(schema['enum']);
  switch (schema['type']) {
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return numberFor(making, step);
    case 'array':
      return listFor(making, step, schema['items']);
    case 'object':
      return {};
    default:
      return textFor(making, attribute, step);
  }
}

/** The schema of a dotted path; nested values that nobody describes are texts. */
export function schemaAt(facts: TypeFacts, path: string): JsonObject {
  const { definitions } = facts.schema;
  let schema: JsonObject = { properties: propertiesOf(facts) };
  for (const step of path.split('.')) {
    const { properties } = schema;
    const child = isObject(properties) ? properties[step] : undefined;
    if (!isObject(child)) return { type: 'string' };
    const reference = textOf(child['$ref'])?.slice('#/definitions/'.length);
    const defined = isObject(definitions) && reference ? definitions[reference] : child;
    schema = isObject(defined) ? defined : child;
  }
  return schema;
}

/** Of the values a status may have, the one that says that all is well. */
function chosenOf(values: readonly JsonValue[]): JsonValue {
  const good = /^(active|available|enabled|created|completed?|ready|running|deployed|success)$/i;
  return values.find((value) => good.test(String(value))) ?? values[0] ?? '';
}

function numberFor(making: Making, step: string): number {
  if (/(Time|At|Date|Timestamp)$/.test(step)) return Math.floor(making.nowMs / 1000);
  if (/Count$/.test(step)) return 0;
  return /Port$/.test(step) ? Number(portFor(making)) : 1;
}

function listFor(making: Making, step: string, items: JsonValue | undefined): JsonValue[] {
  const isText = isObject(items) && items['type'] === 'string' && items['enum'] === undefined;
  const single = step.replace(/s$/, '');
  return isText ? [textFor(making, single, single)] : [];
}

function textFor(making: Making, attribute: string, step: string): string {
  const { facts, place, random, name, id, nowMs } = making;
  const own = attribute === step && isOwn(facts, step);
  if (/(Arn|ARN)$/.test(step)) return own || step === 'Arn' ? ownArn(making) : arnFor(making, step);
  if (/^AccountId$|Owner(Id|Account)?$/.test(step)) return place.accountId;
  if (/Id$|Identifier$/.test(step))
    return own ? fitting(making, attribute, id) : idFor(making, step);
  if (/Name$/.test(step) && !/DNSName|DnsName|DomainName/.test(step)) return name;
  if (/(Time|At|Date|Timestamp)$/.test(step)) return toRfc3339(nowMs);
  if (/(Status|State)$/.test(step)) return 'ACTIVE';
  if (/AvailabilityZone$/.test(step)) return `${place.region}a`;
  if (/Region$/.test(step)) return place.region;
  if (/(Url|URL)$/.test(step)) return `https://${hostFor(making)}`;
  if (/(Endpoint|Uri|URI|Domain|DNSName|DnsName|DomainName|Address|Host)$/.test(step)) {
    return /Ip(v4)?Address$/.test(step) ? privateIp(random) : hostFor(making);
  }
  if (/Ip$|IP$/.test(step)) return privateIp(random);
  if (/CidrBlock$/.test(step)) return '10.0.0.0/16';
  if (/Port$/.test(step)) return portFor(making);
  return /Version$/.test(step) ? '1' : `${name}-${kebab(step)}`;
}

/** The id, or the first of some usual shapes where the type's own schema refuses it. */
function fitting({ facts, random }: Making, attribute: string, id: string): string {
  const { pattern, maxLength = Number.POSITIVE_INFINITY } = schemaAt(facts, attribute);
  const fits = (text: string) =>
    text.length <= Number(maxLength) &&
    (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text));
  if (fits(id)) return id;
  const usual = [lower(random, 10), upper(random, 10), nextText(random, 12, DIGITS)];
  return usual.find(fits) ?? id;
}

/** Prefixes of ids of other things that attributes name. */
const ID_PREFIXES: Readonly<Record<string, string>> = {
  EniId: 'eni',
  GroupId: 'sg',
  InstanceId: 'i',
  NetworkInterfaceId: 'eni',
  RouteTableId: 'rtb',
  SecurityGroupId: 'sg',
  SubnetId: 'subnet',
  VpcEndpointId: 'vpce',
  VpcId: 'vpc',
};

function idFor({ facts, random }: Making, step: string): string {
  const prefix = ID_PREFIXES[step];
  if (prefix !== undefined) return hexId(prefix, random);
  if (/HostedZoneI[dD]$/.test(step)) return `Z${upper(random, 20)}`;
  return serviceOf(facts) === 'apigateway' ? lower(random, 10) : nextUuid(random);
}

/** Ports that services listen on where the properties name none. */
const DEFAULT_PORTS: Readonly<Record<string, string>> = {
  docdb: '27017',
  elasticache: '6379',
  memorydb: '6379',
  neptune: '8182',
  redshift: '5439',
};

function portFor({ facts, desired }: Making): string {
  const given = desired['Port'];
  if (typeof given === 'number' || typeof given === 'string') return String(given);
  return DEFAULT_PORTS[serviceOf(facts)] ?? '443';
}

function arnFor({ facts, place, name }: Making, step: string): string {
  const resource = kebab(step.replace(/(Arn|ARN)$/, ''));
  const { accountId, region } = place;
  const partition = partitionOf(region);
  return `arn:${partition}:${serviceOf(facts)}:${region}:${accountId}:${resource}/${name}`;
}

function hostFor({ facts, place, name }: Making): string {
  const { region } = place;
  return `${name.toLowerCase()}.${serviceOf(facts)}.${region}.${urlSuffixOf(region)}`;
}

function privateIp(random: RandomState): string {
  return `10.0.${nextBelow(random, 256)}.${4 + nextBelow(random, 250)}`;
}

/** `nat-gateway` of `NatGateway`. */
export function kebab(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();
}

export function lower(random: RandomState, length: number): string {
  return nextText(random, length, LOWER_ALPHANUMERIC);
}

export function upper(random: RandomState, length: number): string {
  return nextText(random, length, UPPER_ALPHANUMERIC);
}

/** `subnet-0f3a…`: a prefix and 17 hex digits. */
export function hexId(prefix: string, random: RandomState): string {
  return `${prefix}-0${nextText(random, 16, HEX)}`;
}
