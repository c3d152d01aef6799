import type { JsonObject, JsonValue } from '../base/index.ts';
import { arnOf, DIGITS, HEX, nextBelow, nextText, urlSuffixOf } from '../base/index.ts';
import type { Making } from './generic-values.ts';
import { hexId, lower, textOf, upper } from './generic-values.ts';

/** Values of a type whose names alone do not say their shape; the rest are made from the names. */
export type Shape = (making: Making) => JsonObject;

/** Networks, load balancers and names (table of section 6). */
export const NETWORK_SHAPES: Readonly<Record<string, Shape>> = {
  'AWS::EC2::VPC': ({ random }) => ({
    CidrBlockAssociations: [hexId('vpc-cidr-assoc', random)],
    DefaultNetworkAcl: hexId('acl', random),
    DefaultSecurityGroup: hexId('sg', random),
    Ipv6CidrBlocks: [],
  }),
  'AWS::EC2::Subnet': ({ desired, place, random }) => ({
    AvailabilityZone: `${place.region}a`,
    AvailabilityZoneId: zoneId(place.region, textOf(desired['AvailabilityZone'])),
    CidrBlock: '10.0.0.0/24',
    Ipv6CidrBlocks: [],
    NetworkAclAssociationId: hexId('aclassoc', random),
    OutpostArn: '',
  }),
  'AWS::EC2::EIP': ({ random }) => ({
    // From the range kept free for measurements, so that it is nobody's address.
    PublicIp: `198.18.${nextBelow(random, 256)}.${1 + nextBelow(random, 254)}`,
    AllocationId: hexId('eipalloc', random),
  }),
  'AWS::EC2::Route': ({ desired }) => ({
    CidrBlock:
      desired['DestinationCidrBlock'] ??
      desired['DestinationIpv6CidrBlock'] ??
      desired['DestinationPrefixListId'] ??
      '0.0.0.0/0',
  }),
  'AWS::EC2::VPCGatewayAttachment': ({ desired }) => ({
    AttachmentType: desired['VpnGatewayId'] === undefined ? 'IGW' : 'VGW',
  }),
  'AWS::EC2::VPCEndpoint': endpointValues,
  'AWS::EC2::LaunchTemplate': () => ({ DefaultVersionNumber: '1', LatestVersionNumber: '1' }),
  'AWS::ElasticLoadBalancingV2::LoadBalancer': loadBalancerValues,
  'AWS::ElasticLoadBalancingV2::TargetGroup': targetGroupValues,
  'AWS::ElasticLoadBalancingV2::Listener': ({ desired, random }) => ({
    ListenerArn: below(desired['LoadBalancerArn'], ':loadbalancer/', ':listener/', hex16(random)),
  }),
  'AWS::ElasticLoadBalancingV2::ListenerRule': ({ desired, random }) => ({
    RuleArn: below(desired['ListenerArn'], ':listener/', ':listener-rule/', hex16(random)),
    IsDefault: false,
  }),
  'AWS::ElasticLoadBalancing::LoadBalancer': ({ name, place: { region }, random }) => ({
    DNSName: `${name}-${nextText(random, 10, DIGITS)}.${region}.elb.${urlSuffixOf(region)}`,
  }),
  'AWS::Route53::HostedZone': ({ random }) => ({
    NameServers: ['com', 'net', 'org', 'co.uk'].map(
      (domain) => `ns-${nextBelow(random, 2048)}.awsdns-${nextBelow(random, 64)}.${domain}`,
    ),
  }),
  // Given by name instead, the zone's id is unknown here; one made up keeps zones apart.
  'AWS::Route53::RecordSet': ({ random }) => ({ HostedZoneId: `Z${upper(random, 20)}` }),
  'AWS::CloudFront::Distribution': ({ random }) => ({
    DomainName: `d${lower(random, 13)}.cloudfront.net`,
  }),
  'AWS::ApplicationAutoScaling::ScalableTarget': ({ desired }) => ({
    Id: ['ResourceId', 'ScalableDimension', 'ServiceNamespace']
      .map((part) => textOf(desired[part]) ?? '')
      .join('|'),
  }),
  'AWS::ServiceDiscovery::PrivateDnsNamespace': ({ random }) => ({
    HostedZoneId: `Z${upper(random, 20)}`,
  }),
};

const DIAGONALS: Readonly<Record<string, string>> = {
  northeast: 'ne',
  northwest: 'nw',
  southeast: 'se',
  southwest: 'sw',
};

/** `use1-az1` for `us-east-1a`. The number behind a letter differs between accounts on AWS. */
function zoneId(region: string, zone: string | undefined): string {
  const [area = '', ...words] = region.split('-');
  const short = words.map((word) => DIAGONALS[word] ?? word.slice(0, 1)).join('');
  return `${area}${short}-az${'abcdef'.indexOf(zone?.at(-1) ?? 'a') + 1}`;
}

function endpointValues({ desired, place, random, id }: Making): JsonObject {
  if (desired['VpcEndpointType'] !== 'Interface')
    return { DnsEntries: [], NetworkInterfaceIds: [] };
  const service = (textOf(desired['ServiceName']) ?? 'service').split('.').at(-1);
  const domain = `${service}.${place.region}.vpce.${urlSuffixOf(place.region)}`;
  const subnets = desired['SubnetIds'];
  const count = Array.isArray(subnets) ? subnets.length : 1;
  return {
    DnsEntries: [`Z${upper(random, 13)}:${id}-${lower(random, 8)}.${domain}`],
    NetworkInterfaceIds: Array.from({ length: count }, () => hexId('eni', random)),
  };
}

function loadBalancerValues({ desired, place, random, name }: Making): JsonObject {
  const kind = textOf(desired['Type']) ?? 'application';
  const short = { network: 'net', gateway: 'gwy' }[kind] ?? 'app';
  const fullName = `${short}/${name}/${hex16(random)}`;
  const suffix = urlSuffixOf(place.region);
  const host = `${desired['Scheme'] === 'internal' ? 'internal-' : ''}${name}`;
  return {
    LoadBalancerArn: arnOf('elasticloadbalancing', place, `loadbalancer/${fullName}`),
    LoadBalancerFullName: fullName,
    LoadBalancerName: name,
    CanonicalHostedZoneID: `Z${upper(random, 13)}`,
    DNSName:
      short === 'app'
        ? `${host}-${nextText(random, 10, DIGITS)}.${place.region}.elb.${suffix}`
        : `${host}-${hex16(random)}.elb.${place.region}.${suffix}`,
    SecurityGroups: short === 'app' ? [hexId('sg', random)] : [],
  };
}

function targetGroupValues({ place, random, name }: Making): JsonObject {
  const fullName = `targetgroup/${name}/${hex16(random)}`;
  return {
    TargetGroupArn: arnOf('elasticloadbalancing', place, fullName),
    TargetGroupFullName: fullName,
    TargetGroupName: name,
    LoadBalancerArns: [],
  };
}

/** The ARN of something that belongs to another: `…:listener/app/<name>/<lb id>/<own id>`. */
function below(owner: JsonValue | undefined, from: string, to: string, id: string): string {
  return `${(textOf(owner) ?? '').replace(from, to)}/${id}`;
}

function hex16(random: Making['random']): string {
  return nextText(random, 16, HEX);
}
