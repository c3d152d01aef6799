/** CloudFormation's sentences about the shape of a function (F7 to F25). */
export const MESSAGES = {
  ref: 'Template error: All References must be of type string',
  getAtt:
    'Template error: every Fn::GetAtt object requires two non-empty parameters, the resource name and the resource attribute',
  sub: "Template error: One or more Fn::Sub intrinsic functions don't specify expected arguments. Specify a string as first argument, and an optional second argument to specify a mapping of values to replace in the string",
  subName:
    'Template error: variable names in Fn::Sub syntax must contain only alphanumeric characters, underscores, periods, and colons',
  subKey:
    'Template error: every key of the context object of every Fn::Sub object must contain only alphanumeric characters and underscores',
  subValue:
    'Template error: every value of the context object of every Fn::Sub object must be a string or a function that returns a string',
  join: 'Template error: every Fn::Join object requires two parameters, (1) a string delimiter and (2) a list of strings to be joined or a function that returns a list of strings (such as Fn::GetAZs) to be joined.',
  select:
    'Template error: Fn::Select requires a list argument with two elements: an integer index and a list',
  split:
    'Template error: every Fn::Split object requires two parameters, (1) a string delimiter and (2) a string to be split or a function that returns a string to be split.',
  findInMap:
    'Template error: every Fn::FindInMap object requires three parameters, the map name, map key and the attribute for return value',
  base64: 'Template error: every Fn::Base64 object must have a String-typed value.',
  cidr: 'Template error: every Fn::Cidr object requires an IP address block, a count from 1 to 256 and optionally the number of subnet bits',
  getAZs: 'Template error: every Fn::GetAZs object must have a String-typed value.',
  importValue:
    'Template error: the attribute in Fn::ImportValue must not depend on any resources, imported values, or Fn::GetAZs',
  if: 'Template error: Fn::If requires a list argument with three elements',
  equals: 'Template error: every Fn::Equals object requires a list of 2 string parameters.',
  and: 'Template error: every Fn::And object requires a list of at least 2 and at most 10 boolean parameters.',
  or: 'Template error: every Fn::Or object requires a list of at least 2 and at most 10 boolean parameters.',
  not: 'Template error: every Fn::Not object requires one boolean parameter.',
  condition:
    'Template format error: Conditions can only be boolean operations on parameters and other conditions',
} as const;

export function nonexistentIndex(index: string): string {
  return `Template error: Fn::Select cannot select nonexistent value at index ${index}`;
}

export function notText(variable: string): string {
  return `Template error: variable ${variable} in Fn::Sub expression does not resolve to a string`;
}
