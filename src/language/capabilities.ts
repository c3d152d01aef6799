import type { ResourceModel } from './model.ts';

/** IAM types and the property that gives a custom name, where they have one. */
const IAM_TYPES: Readonly<Record<string, string | undefined>> = {
  'AWS::IAM::AccessKey': undefined,
  'AWS::IAM::Group': 'GroupName',
  'AWS::IAM::GroupPolicy': undefined,
  'AWS::IAM::InstanceProfile': 'InstanceProfileName',
  'AWS::IAM::ManagedPolicy': 'ManagedPolicyName',
  'AWS::IAM::Policy': undefined,
  'AWS::IAM::Role': 'RoleName',
  'AWS::IAM::RolePolicy': undefined,
  'AWS::IAM::User': 'UserName',
  'AWS::IAM::UserPolicy': undefined,
  'AWS::IAM::UserToGroupAddition': undefined,
};

/** The capabilities AWS asks for (T44): IAM resources with or without names of their own, transforms. */
export function requiredCapabilities(
  resources: readonly ResourceModel[],
  transforms: readonly string[],
): readonly string[] {
  const iam = resources.filter(({ type }) => Object.hasOwn(IAM_TYPES, type));
  const isNamed = iam.some(({ type, properties }) => {
    const property = IAM_TYPES[type];
    return property !== undefined && Object.hasOwn(properties, property);
  });
  const capabilities: string[] = [];
  if (isNamed) capabilities.push('CAPABILITY_NAMED_IAM');
  else if (iam.length > 0) capabilities.push('CAPABILITY_IAM');
  if (transforms.length > 0) capabilities.push('CAPABILITY_AUTO_EXPAND');
  return capabilities;
}
