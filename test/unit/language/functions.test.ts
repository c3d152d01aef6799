import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../../../src/base/index.ts';
import { compiled, propertyOf, refusalOfValue } from './compiled.ts';

const BODY: JsonObject = {
  Parameters: {
    Name: { Type: 'String', Default: 'web' },
    Size: { Type: 'Number', Default: 3 },
    Zones: { Type: 'CommaDelimitedList', Default: 'a, b,c' },
    Odd: { Type: 'String', Default: `a\${b}$` },
  },
  Mappings: { Map: { 'us-east-1': { Ami: 'ami-1', List: ['x', 'y'], Other: 'Ami' } } },
  Conditions: {
    Yes: { 'Fn::Equals': ['a', 'a'] },
    No: { 'Fn::Not': [{ Condition: 'Yes' }] },
  },
};

const ref = (name: string) => ({ Ref: name });
const NO_VALUE = ref('AWS::NoValue');

const EVALUATED: readonly { rule: string; value: JsonValue; is: JsonValue }[] = [
  { rule: 'F7', value: ref('Name'), is: 'web' },
  { rule: 'F8', value: ref('Size'), is: '3' },
  { rule: 'F8', value: ref('Zones'), is: ['a', 'b', 'c'] },
  { rule: 'F28', value: ref('AWS::Region'), is: 'us-east-1' },
  { rule: 'F28', value: ref('AWS::AccountId'), is: '123456789012' },
  { rule: 'F28', value: ref('AWS::Partition'), is: 'aws' },
  { rule: 'F28', value: ref('AWS::URLSuffix'), is: 'amazonaws.com' },
  { rule: 'F28', value: ref('AWS::NotificationARNs'), is: [] },
  { rule: 'F12', value: { 'Fn::Sub': `\${Name}-\${AWS::StackName}-\${Size}` }, is: 'web-demo-3' },
  {
    rule: 'F12',
    value: { 'Fn::Sub': `a \${!Literal} \${!x} $x {y} \${` },
    is: `a \${Literal} \${x} $x {y} \${`,
  },
  { rule: 'F12', value: { 'Fn::Sub': [`\${Name}\${n}`, { Name: 'own', n: 7 }] }, is: 'own7' },
  { rule: 'F12', value: { 'Fn::Sub': `\${Odd}` }, is: `a\${b}$` },
  { rule: 'F15', value: { 'Fn::Join': ['-', ['a', 1, true, ref('Name')]] }, is: 'a-1-true-web' },
  { rule: 'F15', value: { 'Fn::Join': ['', []] }, is: '' },
  { rule: 'F15', value: { 'Fn::Join': [',', ref('Zones')] }, is: 'a,b,c' },
  { rule: 'F15', value: { 'Fn::Join': [',', ['a', NO_VALUE]] }, is: 'a' },
  { rule: 'F16', value: { 'Fn::Select': ['1', ref('Zones')] }, is: 'b' },
  { rule: 'F16', value: { 'Fn::Select': [1, [ref('A'), 'known']] }, is: 'known' },
  { rule: 'F17', value: { 'Fn::Split': ['|', 'a||b'] }, is: ['a', '', 'b'] },
  { rule: 'F18', value: { 'Fn::FindInMap': ['Map', ref('AWS::Region'), 'Ami'] }, is: 'ami-1' },
  { rule: 'F18', value: { 'Fn::FindInMap': ['Map', 'us-east-1', 'List'] }, is: ['x', 'y'] },
  {
    rule: 'F18',
    value: {
      'Fn::FindInMap': ['Map', 'us-east-1', { 'Fn::FindInMap': ['Map', 'us-east-1', 'Other'] }],
    },
    is: 'ami-1',
  },
  { rule: 'F19', value: { 'Fn::Base64': 'grün' }, is: 'Z3LDvG4=' },
  { rule: 'F20', value: { 'Fn::Cidr': ['10.0.0.0/16', 2, 8] }, is: ['10.0.0.0/24', '10.0.1.0/24'] },
  {
    rule: 'F20',
    value: { 'Fn::Cidr': ['10.0.0.0/28', '2', '2'] },
    is: ['10.0.0.0/30', '10.0.0.4/30'],
  },
  {
    rule: 'F20',
    value: { 'Fn::Cidr': ['2001:db8::/56', 2, 64] },
    is: ['2001:db8::/64', '2001:db8:0:1::/64'],
  },
  { rule: 'F21', value: { 'Fn::GetAZs': '' }, is: ['us-east-1a', 'us-east-1b', 'us-east-1c'] },
  {
    rule: 'F21',
    value: { 'Fn::GetAZs': ref('AWS::Region') },
    is: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
  },
  { rule: 'F22', value: { 'Fn::ImportValue': { 'Fn::Sub': 'net-vpc' } }, is: 'vpc-1' },
  { rule: 'F25', value: { 'Fn::If': ['Yes', 'a', ref('A')] }, is: 'a' },
  { rule: 'F25', value: { 'Fn::If': ['No', 'a', ['b']] }, is: ['b'] },
  {
    rule: 'F27',
    value: { a: NO_VALUE, b: [NO_VALUE, { 'Fn::If': ['No', 1, NO_VALUE] }], c: {} },
    is: { b: [], c: {} },
  },
  { rule: 'F7', value: { Ref: 'Name', Other: 1 }, is: { Ref: 'Name', Other: 1 } },
];

for (const { rule, value, is } of EVALUATED) {
  test(`${rule} ${JSON.stringify(value)} is ${JSON.stringify(is)}`, () => {
    assert.deepEqual(propertyOf(value, { body: BODY }), is);
  });
}

const LEFT: readonly { value: JsonValue; is?: JsonValue }[] = [
  { value: ref('A') },
  { value: { 'Fn::GetAtt': ['A', 'Some.Attr'] } },
  { value: { 'Fn::GetAtt': 'A.Some.Attr' }, is: { 'Fn::GetAtt': ['A', 'Some.Attr'] } },
  { value: { 'Fn::GetAtt': ['A', ref('Name')] }, is: { 'Fn::GetAtt': ['A', 'web'] } },
  {
    value: { 'Fn::Sub': `\${Name}-\${A}-\${A.Arn}-\${!x}` },
    is: { 'Fn::Sub': `web-\${A}-\${A.Arn}-\${!x}` },
  },
  {
    value: { 'Fn::Sub': [`\${x}\${A}`, { x: ref('B') }] },
    is: { 'Fn::Sub': [`\${x}\${A}`, { x: ref('B') }] },
  },
  { value: { 'Fn::Sub': `\${Odd}\${A}` }, is: { 'Fn::Sub': [`\${Odd}\${A}`, { Odd: `a\${b}$` }] } },
  {
    value: { 'Fn::Join': ['-', [ref('Name'), ref('A')]] },
    is: { 'Fn::Join': ['-', ['web', ref('A')]] },
  },
  { value: { 'Fn::Select': [0, { 'Fn::GetAtt': ['A', 'List'] }] } },
  { value: { 'Fn::Select': [0, [ref('A'), 'x']] }, is: ref('A') },
  { value: { 'Fn::Split': [',', ref('A')] } },
  { value: { 'Fn::Base64': { 'Fn::Sub': `\${A}` } } },
  { value: { 'Fn::If': ['Yes', ref('A'), ref('B')] }, is: ref('A') },
];

for (const { value, is = value } of LEFT) {
  test(`what needs a resource stays in place: ${JSON.stringify(value)}`, () => {
    assert.deepEqual(propertyOf(value, { body: BODY }), is);
  });
}

const ERROR = 'Template error: ';
const JOIN = `${ERROR}every Fn::Join object requires two parameters, (1) a string delimiter and (2) a list of strings to be joined or a function that returns a list of strings (such as Fn::GetAZs) to be joined.`;
const SELECT = `${ERROR}Fn::Select requires a list argument with two elements: an integer index and a list`;
const SPLIT = `${ERROR}every Fn::Split object requires two parameters, (1) a string delimiter and (2) a string to be split or a function that returns a string to be split.`;
const GET_ATT = `${ERROR}every Fn::GetAtt object requires two non-empty parameters, the resource name and the resource attribute`;
const SUB = `${ERROR}One or more Fn::Sub intrinsic functions don't specify expected arguments. Specify a string as first argument, and an optional second argument to specify a mapping of values to replace in the string`;
const FIND = `${ERROR}every Fn::FindInMap object requires three parameters, the map name, map key and the attribute for return value`;
const IMPORT = `${ERROR}the attribute in Fn::ImportValue must not depend on any resources, imported values, or Fn::GetAZs`;

const REFUSED: readonly { rule: string; value: JsonValue; message: string }[] = [
  {
    rule: 'F7',
    value: { Ref: ['Name'] },
    message: `${ERROR}All References must be of type string`,
  },
  { rule: 'F10', value: { 'Fn::GetAtt': ['A'] }, message: GET_ATT },
  { rule: 'F10', value: { 'Fn::GetAtt': ['A', ''] }, message: GET_ATT },
  {
    rule: 'F10',
    value: { 'Fn::GetAtt': ['Missing', 'Arn'] },
    message: `${ERROR}instance of Fn::GetAtt references undefined resource Missing`,
  },
  {
    rule: 'F10',
    value: { 'Fn::GetAtt': ['Name', 'Arn'] },
    message: `${ERROR}instance of Fn::GetAtt references undefined resource Name`,
  },
  { rule: 'F13', value: { 'Fn::Sub': ['a'] }, message: SUB },
  { rule: 'F13', value: { 'Fn::Sub': ['a', {}, {}] }, message: SUB },
  {
    rule: 'F13',
    value: { 'Fn::Sub': `echo \${VAR:-x}` },
    message: `${ERROR}variable names in Fn::Sub syntax must contain only alphanumeric characters, underscores, periods, and colons`,
  },
  {
    rule: 'F14',
    value: { 'Fn::Sub': ['a', { 'b-c': 'd' }] },
    message: `${ERROR}every key of the context object of every Fn::Sub object must contain only alphanumeric characters and underscores`,
  },
  {
    rule: 'F14',
    value: { 'Fn::Sub': ['a', { b: ['d'] }] },
    message: `${ERROR}every value of the context object of every Fn::Sub object must be a string or a function that returns a string`,
  },
  {
    rule: 'F14',
    value: { 'Fn::Sub': `\${Missing.Arn}` },
    message: `${ERROR}instance of Fn::Sub references invalid resource attribute Missing.Arn`,
  },
  {
    rule: 'F12',
    value: { 'Fn::Sub': `\${Zones}` },
    message: `${ERROR}variable Zones in Fn::Sub expression does not resolve to a string`,
  },
  { rule: 'F15', value: { 'Fn::Join': ['-', 'a'] }, message: JOIN },
  { rule: 'F15', value: { 'Fn::Join': [ref('Name'), ['a']] }, message: JOIN },
  { rule: 'F15', value: { 'Fn::Join': ['-', [ref('Zones')]] }, message: JOIN },
  { rule: 'F16', value: { 'Fn::Select': ['x', ['a']] }, message: SELECT },
  { rule: 'F16', value: { 'Fn::Select': [1, ['a']] }, message: SELECT },
  { rule: 'F16', value: { 'Fn::Select': [0, ref('Name')] }, message: SELECT },
  {
    rule: 'F16',
    value: { 'Fn::Select': [3, ref('Zones')] },
    message: `${ERROR}Fn::Select cannot select nonexistent value at index 3`,
  },
  { rule: 'F17', value: { 'Fn::Split': ['-'] }, message: SPLIT },
  { rule: 'F17', value: { 'Fn::Split': [',', ref('Zones')] }, message: SPLIT },
  { rule: 'F18', value: { 'Fn::FindInMap': ['Map', 'a'] }, message: FIND },
  { rule: 'F5', value: { 'Fn::FindInMap': ['Map', { 'Fn::Sub': 'a' }, 'b'] }, message: FIND },
  {
    rule: 'F18',
    value: { 'Fn::FindInMap': ['Mop', 'a', 'b'] },
    message: `${ERROR}Mapping named 'Mop' is not present in the 'Mappings' section of template`,
  },
  {
    rule: 'F18',
    value: { 'Fn::FindInMap': ['Map', 'eu-west-1', 'Ami'] },
    message: `${ERROR}Unable to get mapping for Map::eu-west-1::Ami`,
  },
  {
    rule: 'F19',
    value: { 'Fn::Base64': ['a'] },
    message: `${ERROR}every Fn::Base64 object must have a String-typed value.`,
  },
  {
    rule: 'F20',
    value: { 'Fn::Cidr': ['10.0.0.0/24', 2, 8] },
    message: `${ERROR}every Fn::Cidr object requires an IP address block, a count from 1 to 256 and optionally the number of subnet bits`,
  },
  { rule: 'F22', value: { 'Fn::ImportValue': ref('A') }, message: IMPORT },
  { rule: 'F22', value: { 'Fn::ImportValue': { 'Fn::Sub': `\${A.Arn}` } }, message: IMPORT },
  { rule: 'F22', value: { 'Fn::ImportValue': { 'Fn::ImportValue': 'x' } }, message: IMPORT },
  {
    rule: 'F25',
    value: { 'Fn::If': ['Yes', 'a'] },
    message: `${ERROR}Fn::If requires a list argument with three elements`,
  },
  { rule: 'F2', value: { 'Fn::If': ['Yes', 'a', { 'Fn::Join': ['-'] }] }, message: JOIN },
  {
    rule: 'F4',
    value: { 'Fn::Equals': ['a', 'b'] },
    message: `${ERROR}Fn::Equals can only be used in the Conditions section`,
  },
];

for (const { rule, value, message } of REFUSED) {
  test(`${rule} ${JSON.stringify(value)} is refused`, () => {
    assert.equal(refusalOfValue(value, BODY), message);
  });
}

test('F2 names in the branch that is not chosen are checked', () => {
  const message = refusalOfValue({ 'Fn::If': ['Yes', 'a', ref('Missing')] }, BODY);
  assert.match(message, /Unresolved resource dependencies \[Missing\] in the Resources block/);
});

test('F26 an unknown function is told with the known ones', () => {
  const message = refusalOfValue({ 'Fn::Foo': 'a' }, BODY);
  assert.ok(
    message.startsWith(
      'Template Error: Encountered unsupported function: Fn::Foo Supported functions are: [Fn::Base64, Fn::GetAtt, Fn::GetAZs, Fn::ImportValue, Fn::Join, Fn::Split, Fn::FindInMap, Fn::Select, Ref, Fn::Equals, Fn::If, Fn::Not, Condition, Fn::And, Fn::Or, ',
    ),
  );
});

test('F11 an attribute the type lacks fails the stack after it was accepted', () => {
  const { preflightFailure } = compiled({
    Resources: { P: { Type: 'AWS::SSM::Parameter' } },
    Outputs: { O: { Value: { 'Fn::GetAtt': ['P', 'Invalid'] } } },
  });
  assert.equal(
    preflightFailure,
    '[Error] /Outputs/O/Value/Fn::GetAtt: Resource type AWS::SSM::Parameter does not support attribute {Invalid}.',
  );
});

test('F11 custom resources and outputs of nested stacks have any attribute', () => {
  const { preflightFailure } = compiled(
    {
      Resources: {
        C: { Type: 'Custom::Any' },
        N: { Type: 'AWS::CloudFormation::Stack' },
        P: { Type: 'AWS::SSM::Parameter' },
      },
      Outputs: {
        O: { Value: { 'Fn::Sub': `\${C.Any} \${N.Outputs.Url} \${P.Value}` } },
      },
    },
    { lookups: { attributesOf: () => ['Value'] } },
  );
  assert.equal(preflightFailure, undefined);
});

test('C14 an export that nobody has fails the stack after it was accepted', () => {
  const { model, preflightFailure } = compiled({
    Outputs: {
      O: { Value: { 'Fn::ImportValue': 'net-vpc' } },
      P: { Value: { 'Fn::ImportValue': 'missing' } },
    },
  });
  assert.equal(preflightFailure, 'No export named missing found');
  assert.deepEqual(model.imports, ['net-vpc', 'missing']);
});
