/** What a parameter's type says about its values (P1). */
export interface ParameterKind {
  /** Type of one value: `String`, `Number`, `AWS::EC2::VPC::Id`. */
  readonly element: string;
  readonly list: boolean;
  /** The value is the name of an SSM parameter that holds the real one. */
  readonly fromSsm: boolean;
}

const AWS_TYPES: ReadonlySet<string> = new Set([
  'AWS::EC2::AvailabilityZone::Name',
  'AWS::EC2::Image::Id',
  'AWS::EC2::Instance::Id',
  'AWS::EC2::KeyPair::KeyName',
  'AWS::EC2::SecurityGroup::GroupName',
  'AWS::EC2::SecurityGroup::Id',
  'AWS::EC2::Subnet::Id',
  'AWS::EC2::VPC::Id',
  'AWS::EC2::Volume::Id',
  'AWS::Route53::HostedZone::Id',
]);

/** Takes a type apart; undefined for a type CloudFormation does not know. */
export function parameterKind(type: string): ParameterKind | undefined {
  const inSsm = /^AWS::SSM::Parameter::Value<(.+)>$/.exec(type)?.[1]?.trim();
  if (inSsm !== undefined) {
    const kind = plainKind(inSsm);
    return kind === undefined || kind.element === 'Number' ? undefined : { ...kind, fromSsm: true };
  }
  if (type === 'AWS::SSM::Parameter::Name') return { element: type, list: false, fromSsm: false };
  return plainKind(type);
}

function plainKind(type: string): ParameterKind | undefined {
  if (type === 'CommaDelimitedList') return { element: 'String', list: true, fromSsm: false };
  const inner = /^List<(.+)>$/.exec(type)?.[1]?.trim();
  const element = inner ?? type;
  const known = element === 'String' || element === 'Number' || AWS_TYPES.has(element);
  if (!known || inner === 'AWS::EC2::KeyPair::KeyName') return undefined;
  return { element, list: inner !== undefined, fromSsm: false };
}

/** The parts of a list value: comma-separated, trimmed (F8). */
export function listItems(text: string): string[] {
  return text.split(',').map((item) => item.trim());
}
