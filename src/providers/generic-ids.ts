import type { Place, RandomState } from '../base/index.ts';
import { ALPHANUMERIC, nextText, nextUuid } from '../base/index.ts';
import type { TypeFacts } from '../registry/index.ts';
import { shortName } from './generic-names.ts';
import { hexId, kebab, lower, serviceOf, upper } from './generic-values.ts';

/** Prefixes of ids with 17 hex digits where the type's own name does not say them. */
const PREFIXES: Readonly<Record<string, string>> = {
  'AWS::EC2::CustomerGateway': 'cgw',
  'AWS::EC2::DHCPOptions': 'dopt',
  'AWS::EC2::EC2Fleet': 'fleet',
  'AWS::EC2::EgressOnlyInternetGateway': 'eigw',
  'AWS::EC2::FlowLog': 'fl',
  'AWS::EC2::Host': 'h',
  'AWS::EC2::Instance': 'i',
  'AWS::EC2::InternetGateway': 'igw',
  'AWS::EC2::KeyPair': 'key',
  'AWS::EC2::LaunchTemplate': 'lt',
  'AWS::EC2::NatGateway': 'nat',
  'AWS::EC2::NetworkAcl': 'acl',
  'AWS::EC2::NetworkInterface': 'eni',
  'AWS::EC2::NetworkInterfaceAttachment': 'eni-attach',
  'AWS::EC2::PrefixList': 'pl',
  'AWS::EC2::RouteTable': 'rtb',
  'AWS::EC2::SecurityGroup': 'sg',
  'AWS::EC2::SecurityGroupEgress': 'sgr',
  'AWS::EC2::SecurityGroupIngress': 'sgr',
  'AWS::EC2::SubnetCidrBlock': 'subnet-cidr-assoc',
  'AWS::EC2::SubnetNetworkAclAssociation': 'aclassoc',
  'AWS::EC2::SubnetRouteTableAssociation': 'rtbassoc',
  'AWS::EC2::TransitGateway': 'tgw',
  'AWS::EC2::TransitGatewayAttachment': 'tgw-attach',
  'AWS::EC2::TransitGatewayRouteTable': 'tgw-rtb',
  'AWS::EC2::TransitGatewayVpcAttachment': 'tgw-attach',
  'AWS::EC2::VPCCidrBlock': 'vpc-cidr-assoc',
  'AWS::EC2::VPCEndpoint': 'vpce',
  'AWS::EC2::VPCEndpointService': 'vpce-svc',
  'AWS::EC2::VPCPeeringConnection': 'pcx',
  'AWS::EC2::VPNConnection': 'vpn',
  'AWS::EC2::VPNGateway': 'vgw',
  'AWS::EC2::Volume': 'vol',
  'AWS::EFS::AccessPoint': 'fsap',
  'AWS::EFS::FileSystem': 'fs',
  'AWS::EFS::MountTarget': 'fsmt',
};

type MakeId = (random: RandomState, place: Place) => string;

/** Ids of other shapes than a prefix with hex digits, by type or by the start of its name. */
const SHAPES: readonly (readonly [RegExp, MakeId])[] = [
  [/^AWS::ApiGateway::(RestApi|ApiKey)$/, (random) => lower(random, 10)],
  [/^AWS::ApiGatewayV2::Api$/, (random) => lower(random, 10)],
  [/^AWS::ApiGateway(V2)?::/, (random) => lower(random, 6)],
  [/^AWS::CloudFront::/, (random) => `E${upper(random, 13)}`],
  [/^AWS::Route53::HostedZone$/, (random) => `Z${upper(random, 20)}`],
  [/^AWS::ServiceDiscovery::Service$/, (random) => `srv-${lower(random, 16)}`],
  [/^AWS::ServiceDiscovery::\w+Namespace$/, (random) => `ns-${lower(random, 16)}`],
  [/^AWS::IAM::AccessKey$/, (random) => `AKIA${upper(random, 16)}`],
  [
    /^AWS::Cognito::UserPool$/,
    (random, { region }) => `${region}_${nextText(random, 9, ALPHANUMERIC)}`,
  ],
  [/^AWS::Cognito::UserPoolClient$/, (random) => lower(random, 26)],
  [/^AWS::Cognito::IdentityPool$/, (random, { region }) => `${region}:${nextUuid(random)}`],
];

/**
 * The id a service numbers a new resource with (table of section 6): `vpc-` and 17 hex digits in
 * EC2 and EFS, shapes of their own in a few services, a UUID in the others.
 */
export function newId(facts: TypeFacts, random: RandomState, place: Place): string {
  const { typeName } = facts;
  const shape = SHAPES.find(([pattern]) => pattern.test(typeName));
  if (shape !== undefined) return shape[1](random, place);
  const prefix = PREFIXES[typeName];
  if (prefix !== undefined) return hexId(prefix, random);
  return serviceOf(facts) === 'ec2' ? hexId(kebab(shortName(facts)), random) : nextUuid(random);
}
