import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Path, UserError } from '../../../src/base/index.ts';
import { parseTemplate, parseYamlDocument } from '../../../src/template/index.ts';

const parse = (text: string) => parseTemplate(text, 't.yml');
const propertyOf = (text: string) => parse(`V: ${text}`).body['V'];

const SHORT_FORMS = [
  { yaml: '!Ref Web', long: { Ref: 'Web' } },
  { yaml: '!Ref 012', long: { Ref: '012' } },
  { yaml: '!Condition IsProd', long: { Condition: 'IsProd' } },
  { yaml: '!GetAtt A.B.C', long: { 'Fn::GetAtt': ['A', 'B.C'] } },
  { yaml: '!GetAtt [A, B.C]', long: { 'Fn::GetAtt': ['A', 'B.C'] } },
  { yaml: `!Sub "\${A}"`, long: { 'Fn::Sub': `\${A}` } },
  { yaml: `!Sub ["\${x}", {x: !Ref A}]`, long: { 'Fn::Sub': [`\${x}`, { x: { Ref: 'A' } }] } },
  { yaml: '!Select [0, !GetAZs ""]', long: { 'Fn::Select': [0, { 'Fn::GetAZs': '' }] } },
  { yaml: '{ Fn::Base64: !Sub x }', long: { 'Fn::Base64': { 'Fn::Sub': 'x' } } },
  { yaml: '!Not [!Equals [a, b]]', long: { 'Fn::Not': [{ 'Fn::Equals': ['a', 'b'] }] } },
  { yaml: '!Transform {Name: T}', long: { 'Fn::Transform': { Name: 'T' } } },
  { yaml: '{ ! "Ref": A }', long: { Ref: 'A' } },
];

for (const { yaml, long } of SHORT_FORMS) {
  test(`F31, F32 ${yaml}`, () => assert.deepEqual(propertyOf(yaml), long));
}

const SCALARS = [
  { yaml: '1.10', value: '1.10' },
  { yaml: '0755', value: '0755' },
  { yaml: '012345678901', value: '012345678901' },
  { yaml: '1e3', value: '1e3' },
  { yaml: '22:30', value: '22:30' },
  { yaml: '0x1F', value: '0x1F' },
  { yaml: '12345678901234567890', value: '12345678901234567890' },
  { yaml: '.inf', value: '.inf' },
  { yaml: '2010-09-09', value: '2010-09-09' },
  { yaml: '42', value: 42 },
  { yaml: '-0.5', value: -0.5 },
  { yaml: 'yes', value: true },
  { yaml: 'Off', value: false },
  { yaml: 'N', value: 'N' },
  { yaml: '~', value: null },
];

for (const { yaml, value } of SCALARS) {
  test(`F35 ${yaml} is ${JSON.stringify(value)}`, () => assert.equal(propertyOf(yaml), value));
}

test('keys stay text', () => {
  const { body } = parse('Y: 1\n012: 2\n2010-09-09: 3\n__proto__: 4\nconstructor: 5');
  assert.deepEqual(Object.keys(body), ['Y', '012', '2010-09-09', '__proto__', 'constructor']);
});

test('anchors, aliases and merge keys', () => {
  const text = 'a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\nc: [*a, *a]\nd: {<<: [{x: 0}, *a]}';
  assert.deepEqual(parse(text).body, {
    a: { x: 1, y: 2 },
    b: { y: 3, x: 1 },
    c: [
      { x: 1, y: 2 },
      { x: 1, y: 2 },
    ],
    d: { x: 0, y: 2 },
  });
});

test('the last of two equal keys counts, and is told', () => {
  const { body, duplicateKeys } = parse('a: 1\nb: 2\na: 3');
  assert.deepEqual(body, { a: 3, b: 2 });
  assert.deepEqual(
    duplicateKeys.map(({ key, span }) => [key, span.line]),
    [['a', 3]],
  );
});

const PLACED = `Resources:
  Web:
    Type: AWS::ECS::Service
    Properties: &p
      Cluster: !GetAtt Main.Arn
      Tags:
        - Key: a
          Value: !Sub
            - x\${y}
            - y: !Ref Web
  Other:
    Properties: *p
`;

const PLACES: readonly { path: Path; at: readonly [number, number] }[] = [
  { path: [], at: [1, 1] },
  { path: ['Resources', 'Web'], at: [2, 3] },
  { path: ['Resources', 'Web', 'Properties', 'Cluster'], at: [5, 7] },
  { path: ['Resources', 'Web', 'Properties', 'Cluster', 'Fn::GetAtt'], at: [5, 16] },
  { path: ['Resources', 'Web', 'Properties', 'Cluster', 'Fn::GetAtt', 1], at: [5, 24] },
  { path: ['Resources', 'Web', 'Properties', 'Tags', 0], at: [7, 11] },
  {
    path: ['Resources', 'Web', 'Properties', 'Tags', 0, 'Value', 'Fn::Sub', 1, 'y', 'Ref'],
    at: [10, 18],
  },
  { path: ['Resources', 'Web', 'Properties', 'Tags', 7, 'Value'], at: [6, 7] },
  { path: ['Resources', 'Web', 'Nothing', 'Here'], at: [2, 3] },
  { path: ['Resources', 'Other', 'Properties', 'Tags', 0, 'Key'], at: [7, 11] },
];

for (const { path, at } of PLACES) {
  test(`place of /${path.join('/')} in YAML`, () => {
    const { line, column } = parse(PLACED).locate(path);
    assert.deepEqual([line, column], at);
  });
}

test('places in JSON: a key, an item, the nearest ancestor', () => {
  const template = parseTemplate('{\n  "A": {\n    "B": [1,\n 2]\n  }\n}', 't.json');
  const at = (...path: Path) => {
    const { line, column } = template.locate(path);
    return [line, column];
  };
  assert.equal(template.format, 'json');
  assert.deepEqual(at('A', 'B'), [3, 5]);
  assert.deepEqual(at('A', 'B', 1), [4, 2]);
  assert.deepEqual(at('A', 'C', 'D'), [2, 3]);
  assert.equal(template.locate(['A']).lineText, '  "A": {');
});

const MALFORMED = [
  { rule: 'T14', text: '{"a": [1, 2}', message: 'JSON not well-formed. (line 1, column 12)' },
  { rule: 'T14', text: ' {"a": 1,}', message: 'JSON not well-formed. (line 1, column 10)' },
  { rule: 'T15', text: 'a: [1', message: 'YAML not well-formed. (line 1, column 6)' },
  { rule: 'T15', text: 'a: !Foo x', message: 'YAML not well-formed. (line 1, column 4)' },
  { rule: 'T15', text: 'a: !!binary x', message: 'YAML not well-formed. (line 1, column 4)' },
  { rule: 'F33', text: 'a: !Base64 !Sub x', message: 'YAML not well-formed. (line 1, column 12)' },
  { rule: 'T15', text: 'a: 1\n---\nb: 2', message: 'YAML not well-formed. (line 2, column 1)' },
  { rule: 'T15', text: 'a: *b', message: 'YAML not well-formed. (line 1, column 4)' },
  { rule: 'T15', text: 'a: &b [*b]', message: 'YAML not well-formed. (line 1, column 8)' },
  { rule: 'T15', text: '? [a]\n: b', message: 'YAML not well-formed. (line 1, column 3)' },
  { rule: 'T16', text: '- a', message: 'unsupported structure.' },
  { rule: 'T16', text: '', message: 'unsupported structure.' },
];

for (const { rule, text, message } of MALFORMED) {
  test(`${rule} ${JSON.stringify(text)}`, () => {
    assert.throws(
      () => parse(text),
      (error: unknown) => {
        assert.ok(error instanceof UserError && error.span !== undefined && error.hint !== '');
        assert.equal(error.message, `Template format error: ${message}`);
        return true;
      },
    );
  });
}

test('an unknown tag close to a known one is asked after', () => {
  assert.throws(() => parse('a: !Reff x'), { hint: /did you mean !Ref/ });
});

const bomb = ['a0: &a0 [x]'];
for (let i = 1; i < 30; i += 1) bomb.push(`a${i}: &a${i} [*a${i - 1}, *a${i - 1}]`);

const HOSTILE = [
  { what: 'nested flow lists', text: `a: ${'['.repeat(20_000)}` },
  { what: 'nested JSON', text: `{"a":${'['.repeat(50_000)}` },
  { what: 'closed nested JSON', text: `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}` },
  { what: 'nested blocks', text: '- '.repeat(20_000) },
  { what: 'aliases that double', text: bomb.join('\n') },
  { what: 'a number beyond all', text: '{"a": 1e999}' },
];

for (const { what, text } of HOSTILE) {
  test(`${what}: refused, no crash`, () => {
    assert.throws(() => parse(text), UserError);
  });
}

test('a byte order mark and CRLF do no harm', () => {
  const template = parse('\uFEFFa: 1\r\nb:\r\n  c: 2\r\n');
  assert.deepEqual(template.body, { a: 1, b: { c: 2 } });
  assert.deepEqual(template.locate(['b', 'c']), {
    file: 't.yml',
    line: 3,
    column: 3,
    lineText: '  c: 2',
  });
});

test('scenario files are YAML 1.2: no yes and no, no dates, no functions', () => {
  const { body, locate } = parseYamlDocument('a: yes\nb: 2020-01-01\nc: [1.50, 0755]', 's.yml');
  assert.deepEqual(body, { a: 'yes', b: '2020-01-01', c: [1.5, 755] });
  assert.deepEqual([locate(['c', 1]).line, locate(['c', 1]).column], [3, 11]);
});

for (const text of ['a: [1', 'a: !Ref x', 'a: 1\na: 2']) {
  test(`scenario file ${JSON.stringify(text)} is refused`, () => {
    assert.throws(() => parseYamlDocument(text, 's.yml'), { code: 'InvalidScenario' });
  });
}

test('P17: the line of a NoEcho default is not shown, however the template is written', () => {
  const body = {
    Parameters: {
      Password: { Type: 'String', NoEcho: true, Default: 'hunter2' },
      Other: { Type: 'String', Default: 'seen' },
    },
  };
  const inOneLine = parse(JSON.stringify(body)).locate(['Parameters', 'Other']);
  assert.deepEqual([inOneLine.line, inOneLine.lineText], [1, '****']);
  const indented = parse(JSON.stringify(body, null, 2));
  const other = indented.locate(['Parameters', 'Other', 'Default']);
  assert.match(other.lineText, /seen/);
  const { column, lineText } = indented.locate(['Parameters', 'Password', 'Default']);
  assert.deepEqual([column, lineText], [7, '****']);
});
