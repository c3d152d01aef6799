import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../../../src/base/index.ts';
import { maskNoEcho, maskNoEchoIn, resolve, reveal } from '../../../src/language/index.ts';
import { compiled, parameterOf, propertyOf, refusalOf } from './compiled.ts';

const SECRET = 'hunter2';
const P = '{{resolve:noecho:demo/P}}';
const N = '{{resolve:noecho:demo/N}}';
const LIST = '{{resolve:noecho:demo/List/0}}';
const LIST_NEXT = '{{resolve:noecho:demo/List/1}}';
const OF_P = '{{resolve:noecho:made of demo/P}}';
const OF_N = '{{resolve:noecho:made of demo/N}}';
const BODY: JsonObject = {
  Parameters: {
    P: { Type: 'String', NoEcho: true },
    N: { Type: 'Number', NoEcho: 'true' },
    List: { Type: 'CommaDelimitedList', NoEcho: true },
  },
  Mappings: { M: { hunter2: { b: 'chosen', list: ['x', 'y'] } } },
  Conditions: {
    IsSecret: { 'Fn::Equals': [{ Ref: 'P' }, SECRET] },
    SecondIsB: { 'Fn::Equals': [{ 'Fn::Select': [{ Ref: 'N' }, ['a', 'b']] }, 'b'] },
    SplitIsEr2: {
      'Fn::Equals': [{ 'Fn::Select': [1, { 'Fn::Split': ['t', { Ref: 'P' }] }] }, 'er2'],
    },
  },
};
const PARAMETERS = { P: SECRET, N: '1', List: 's1, s2' };
const AROUND = { inputs: { parameters: PARAMETERS } };
const ref = (name: string) => ({ Ref: name });
const split = (text: JsonValue, delimiter = ':') => ({ 'Fn::Split': [delimiter, text] });

const VALUES: readonly { value: JsonValue; is: JsonValue }[] = [
  { value: ref('P'), is: P },
  { value: ref('N'), is: N },
  { value: ref('List'), is: [LIST, LIST_NEXT] },
  { value: { 'Fn::Sub': `u:\${P}@db` }, is: `u:${P}@db` },
  { value: { 'Fn::Sub': [`\${x}`, { x: ref('N') }] }, is: N },
  { value: { 'Fn::Join': ['-', ['a', ref('P')]] }, is: `a-${P}` },
  { value: { 'Fn::Join': ['-', ref('List')] }, is: `${LIST}-${LIST_NEXT}` },
  { value: { 'Fn::Base64': { 'Fn::Sub': `u:\${P}` } }, is: `u:${OF_P}` },
  { value: split(ref('P')), is: [OF_P] },
  { value: split({ 'Fn::Sub': `a:b\${P}c:\${N}` }), is: ['a', `b${OF_P}c`, OF_N] },
  { value: split({ 'Fn::Sub': `\${P}e\${N}` }, 'e'), is: [OF_P, OF_N] },
  { value: { 'Fn::Select': [0, split(ref('P'))] }, is: OF_P },
  { value: { 'Fn::Select': [7, split(ref('P'))] }, is: OF_P },
  { value: { 'Fn::Select': [0, split({ 'Fn::Sub': `a:\${P}` })] }, is: 'a' },
  { value: { 'Fn::Select': [5, split({ 'Fn::Sub': `a:\${P}` })] }, is: OF_P },
  { value: { 'Fn::Select': [1, ref('List')] }, is: LIST_NEXT },
  { value: { 'Fn::Select': [ref('N'), ['a', 'b']] }, is: OF_N },
  { value: { 'Fn::Cidr': [ref('P'), 2, 8] }, is: [OF_P, OF_P] },
  { value: { 'Fn::Select': [3, { 'Fn::Cidr': ['10.0.0.0/16', ref('N'), 8] }] }, is: OF_N },
  { value: { 'Fn::FindInMap': ['M', ref('P'), 'b'] }, is: 'chosen' },
  { value: { 'Fn::FindInMap': ['M', ref('P'), 'list'] }, is: ['x', 'y'] },
  { value: { 'Fn::If': ['IsSecret', 'yes', 'no'] }, is: 'yes' },
  { value: { 'Fn::If': ['SecondIsB', 'yes', 'no'] }, is: 'yes' },
  { value: { 'Fn::If': ['SplitIsEr2', ref('P'), 'no'] }, is: P },
  { value: { 'Fn::ImportValue': { 'Fn::Sub': `\${P}-vpc` } }, is: `${OF_P}-vpc` },
];

for (const { value, is } of VALUES) {
  test(`P17 in a property: ${JSON.stringify(value)} is ${JSON.stringify(is)}`, () => {
    assert.deepEqual(propertyOf(value, { ...AROUND, body: BODY }), is);
  });
}

test('P17 a value that waits for a resource waits with the placeholder', () => {
  const late = { 'Fn::Select': [9, split({ 'Fn::Sub': `\${A}:\${P}` })] };
  const kept = propertyOf(late, { ...AROUND, body: BODY });
  const resources = { ref: () => 'topic', getAtt: () => '' };
  assert.equal(resolve(kept, resources), OF_P);
  const encoded = { 'Fn::Base64': { 'Fn::Sub': `\${A}:\${P}` } };
  const waiting = propertyOf(encoded, { ...AROUND, body: BODY });
  assert.equal(resolve(waiting, resources), `topic:${OF_P}`);
});

test('P17 the model holds no NoEcho value, wherever the template uses it', () => {
  const everywhere = {
    Parameters: BODY['Parameters'] ?? {},
    Resources: {
      A: {
        Type: 'AWS::SNS::Topic',
        Metadata: { Password: ref('P') },
        Properties: { V: { 'Fn::Sub': `\${P}\${N}` }, L: ref('List') },
      },
    },
    Outputs: {
      O: { Value: ref('P'), Export: { Name: { 'Fn::Sub': `\${P}-name` } } },
    },
  };
  const { model, assumptions } = compiled(everywhere, {
    inputs: { parameters: { P: SECRET, N: '987654', List: 's1,s2' } },
  });
  assert.doesNotMatch(JSON.stringify([model, assumptions]), /hunter2|987654|s1|s2/);
  const names = Object.values(model.outputs).map(({ exportName }) => exportName);
  assert.deepEqual(names, [`${P}-name`]);
});

test('P17 rules decide with the value itself', () => {
  const ruled = (allowed: string) => ({
    ...BODY,
    Rules: {
      R: { Assertions: [{ Assert: { 'Fn::Contains': [[allowed], ref('P')] } }] },
      All: {
        Assertions: [{ Assert: { 'Fn::Contains': [{ 'Fn::RefAll': 'String' }, [SECRET]] } }],
      },
    },
  });
  assert.equal(parameterOf(compiled(ruled(SECRET), AROUND), 'P').value, P);
  assert.match(refusalOf(ruled('other'), AROUND).message, /^Rule R failed/);
});

const withProperty = (value: JsonValue): JsonObject => ({
  ...BODY,
  Resources: { A: { Type: 'AWS::SNS::Topic', Properties: { V: value } } },
});
const withCondition = (operand: JsonValue): JsonObject => ({
  ...BODY,
  Conditions: { C: { 'Fn::Equals': [operand, 'a'] } },
});
const NO_MAPPING = 'Template error: Unable to get mapping for M::****::b';
const NO_INDEX = 'Template error: Fn::Select cannot select nonexistent value at index ****';

const REFUSED: readonly { body: JsonObject; given?: object; message: string }[] = [
  {
    body: withProperty({ 'Fn::FindInMap': ['M', ref('P'), 'b'] }),
    given: { P: 'other-secret' },
    message: NO_MAPPING,
  },
  {
    body: withCondition({ 'Fn::FindInMap': ['M', ref('P'), 'b'] }),
    given: { P: 'other-secret' },
    message: NO_MAPPING,
  },
  {
    body: withProperty({ 'Fn::FindInMap': [ref('P'), 'a', 'b'] }),
    given: { P: 'other-secret' },
    message:
      "Template error: Mapping named '****' is not present in the 'Mappings' section of template",
  },
  {
    body: withCondition({ 'Fn::Select': [ref('N'), ['a', 'b']] }),
    given: { N: '987654' },
    message: NO_INDEX,
  },
  {
    body: withProperty({ 'Fn::Select': [2, ref('List')] }),
    message: 'Template error: Fn::Select cannot select nonexistent value at index 2',
  },
  {
    body: { Parameters: { P: { Type: 'String', NoEcho: true, MaxLength: 3 } } },
    given: { P: 'other-secret' },
    message: "Parameter 'P' must contain at most 3 characters",
  },
  {
    body: { Parameters: { P: { Type: 'String', NoEcho: true, AllowedValues: ['a'] } } },
    given: { P: 'other-secret' },
    message: "Parameter 'P' must be one of AllowedValues",
  },
  {
    body: { Parameters: { P: { Type: 'Number', NoEcho: true } } },
    given: { P: 'other-secret' },
    message: "Parameter 'P' must be a number.",
  },
  {
    body: { Parameters: { P: { Type: 'AWS::SSM::Parameter::Value<String>', NoEcho: true } } },
    given: { P: 'other-secret' },
    message: 'Unable to fetch parameters [****] from parameter store for this account.',
  },
  {
    body: withProperty({ 'Fn::GetAtt': ['A', ref('P')] }),
    message: 'Fn::GetAtt of an attribute that a NoEcho parameter names is not available',
  },
];

for (const { body, given, message } of REFUSED) {
  test(`P17 a refusal does not show the value: ${message}`, () => {
    const declared = Object.keys(body['Parameters'] ?? {});
    const all = Object.entries({ ...PARAMETERS, ...given });
    const parameters = Object.fromEntries(all.filter(([name]) => declared.includes(name)));
    const refused = refusalOf(body, { inputs: { parameters } });
    assert.equal(refused.message, message);
    assert.doesNotMatch(refused.hint, /other-secret|987654|noecho/);
  });
}

test('P17 what is made up for a NoEcho parameter is not shown either', () => {
  const declaration = { Type: 'AWS::SSM::Parameter::Value<String>', NoEcho: true };
  const body = { Parameters: { Password: { Type: 'String', NoEcho: true }, S: declaration } };
  const { inventions } = compiled(body, { inputs: { invent: true } });
  assert.deepEqual(
    inventions.map(({ kind, name, value }) => [kind, name, value]),
    [
      ['parameter', 'Password', '****'],
      ['parameter', 'S', '****'],
      ['ssm', '****', '****'],
    ],
  );
  const lookups = { ssmParameter: () => 'assumed' as const };
  const assumed = compiled(
    { Parameters: { S: declaration } },
    { inputs: { parameters: { S: '/secret/name' } }, lookups },
  );
  assert.deepEqual(assumed.assumptions, ['SSM parameter **** exists and holds ****']);
});

test('P17 an export that a NoEcho parameter names is taken to exist, and told', () => {
  const body = withProperty({ 'Fn::ImportValue': { 'Fn::Sub': `\${P}-vpc` } });
  const { assumptions, preflightFailure, model } = compiled(body, AROUND);
  assert.deepEqual(assumptions, ['an export named ****-vpc exists']);
  assert.equal(preflightFailure, undefined);
  assert.deepEqual(model.imports, [`${P}-vpc`]);
});

const MASKED: readonly { what: string; before: JsonValue; after: JsonValue }[] = [
  { what: 'a text alone', before: P, after: '****' },
  {
    what: 'inside another text',
    before: { url: `pg://u:${P}@db` },
    after: { url: 'pg://u:****@db' },
  },
  { what: 'several times', before: `${P} ${N}`, after: '**** ****' },
  { what: 'in lists and objects', before: [{ a: [P] }], after: [{ a: ['****'] }] },
  { what: 'in keys', before: { [`${P}-name`]: 1 }, after: { '****-name': 1 } },
  { what: 'but no dynamic reference', before: '{{resolve:ssm:x}}', after: '{{resolve:ssm:x}}' },
  {
    what: 'also within one',
    before: `{{resolve:secretsmanager:${P}}}`,
    after: '{{resolve:secretsmanager:****}}',
  },
  { what: 'and nothing else', before: [1, null, true, 'a'], after: [1, null, true, 'a'] },
];

for (const { what, before, after } of MASKED) {
  test(`P17 a placeholder is shown as asterisks: ${what}`, () => {
    assert.deepEqual(maskNoEchoIn(before), after);
    if (typeof before === 'string') assert.equal(maskNoEcho(before), after);
  });
}

test('P17 placeholders are replaced by what the command was told, and nothing made of it is guessed', () => {
  const { hidden } = compiled(BODY, AROUND);
  const revealed = (text: string) => {
    const unknown: string[] = [];
    return [reveal(text, hidden, (name) => unknown.push(name)), unknown];
  };
  assert.deepEqual(revealed(`pg://u:${P}@db/${LIST_NEXT}`), ['pg://u:hunter2@db/s2', []]);
  assert.deepEqual(revealed(OF_P), [OF_P, ['made of demo/P']]);
  assert.deepEqual(revealed('{{resolve:noecho:other/P}}'), [
    '{{resolve:noecho:other/P}}',
    ['other/P'],
  ]);
});
