import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../../../src/base/index.ts';
import {
  checkProperties,
  checkStatic,
  propertyFailure,
  propertyWarning,
} from '../../../src/check/index.ts';
import type { TypeFacts } from '../../../src/registry/index.ts';

const text = { type: 'string' };
const definitions = {
  Tag: {
    type: 'object',
    additionalProperties: false,
    required: ['Key', 'Value'],
    properties: { Key: text, Value: text },
  },
  Tree: {
    type: 'object',
    additionalProperties: false,
    properties: {
      Size: { type: 'integer' },
      Children: { type: 'array', items: { $ref: '#/definitions/Tree' } },
    },
  },
};
const facts: TypeFacts = {
  typeName: 'AWS::Test::Thing',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['Name'],
    properties: {
      Name: { type: 'string', minLength: 2, maxLength: 5, pattern: '^[a-z]' },
      Count: { type: 'integer', minimum: 1, maximum: 9 },
      Ratio: { type: 'number' },
      On: { type: 'boolean' },
      Kind: { type: 'string', enum: ['A', 'B'] },
      Policy: {},
      Document: { anyOf: [{}, text] },
      Either: { anyOf: [text, { $ref: '#/definitions/Tag' }] },
      Mixed: { anyOf: [{ type: 'boolean' }, { type: 'integer' }] },
      Names: { type: 'array', items: text, minItems: 1, maxItems: 2 },
      Labels: { type: 'object', additionalProperties: text },
      Tags: { type: 'array', items: { $ref: '#/definitions/Tag' } },
      Tree: { $ref: '#/definitions/Tree' },
      Arn: text,
      Nested: { type: 'object', additionalProperties: false, properties: { Id: text, Own: text } },
    },
    definitions,
  },
  primaryIdentifier: ['Name'],
  ref: ['Name'],
  attributes: ['Arn', 'Nested.Id'],
  readOnly: ['Arn', 'Nested.Id'],
  createOnly: ['/Name'],
  conditionalCreateOnly: [],
};
const valid = { Name: 'web' };

function messages(properties: JsonObject, type = facts): readonly string[] {
  return checkProperties(type, properties).violations.map(({ message }) => message);
}

const coercions: { property: string; given: JsonValue; becomes: JsonValue }[] = [
  { property: 'On', given: 'true', becomes: true },
  { property: 'On', given: 'False', becomes: false },
  { property: 'Count', given: '5', becomes: 5 },
  { property: 'Ratio', given: '1.5', becomes: 1.5 },
  { property: 'Kind', given: 'A', becomes: 'A' },
  { property: 'Labels', given: { a: true, b: 5 }, becomes: { a: 'true', b: '5' } },
  { property: 'Names', given: [1, true], becomes: ['1', 'true'] },
  { property: 'Policy', given: '{"a": [1]}', becomes: { a: [1] } },
  { property: 'Policy', given: { a: '1' }, becomes: { a: '1' } },
  { property: 'Policy', given: '{not json', becomes: '{not json' },
  { property: 'Document', given: '{"a": 1}', becomes: '{"a": 1}' },
  { property: 'Either', given: 7, becomes: '7' },
  { property: 'Either', given: { Key: 1, Value: 2 }, becomes: { Key: '1', Value: '2' } },
  { property: 'Mixed', given: 'true', becomes: true },
  { property: 'Mixed', given: '12', becomes: 12 },
  { property: 'Tree', given: { Children: [{ Size: '3' }] }, becomes: { Children: [{ Size: 3 }] } },
];
for (const { property, given, becomes } of coercions) {
  test(`F29: ${property} ${JSON.stringify(given)} becomes ${JSON.stringify(becomes)}`, () => {
    const checked = checkProperties(facts, { ...valid, [property]: given });
    assert.deepEqual(checked.properties[property], becomes);
    assert.deepEqual(checked.violations, []);
  });
}

test('the given properties are left as they are', () => {
  const given = { Name: 'web', Count: '5', Arn: 'arn:x' };
  checkProperties(facts, given);
  assert.deepEqual(given, { Name: 'web', Count: '5', Arn: 'arn:x' });
});

const lines: { when: string; given: JsonObject; says: string[] }[] = [
  { when: 'a required key is missing', given: {}, says: ['#: required key [Name] not found'] },
  {
    when: 'a key is unknown',
    given: { Nmae: 'web', ...valid },
    says: ['#: extraneous key [Nmae] is not permitted'],
  },
  {
    when: 'a nested key is unknown and one is missing',
    given: {
      ...valid,
      Tags: [
        { Key: 'a', Value: 'b' },
        { Key: 'a', value: 'b' },
      ],
    },
    says: [
      '#/Tags/1: required key [Value] not found',
      '#/Tags/1: extraneous key [value] is not permitted',
    ],
  },
  {
    when: 'a list stands for a text',
    given: { Name: ['web'] },
    says: ['#/Name: expected type: String, found: JSONArray'],
  },
  {
    when: 'a single value stands for a list (F29 does not wrap it)',
    given: { ...valid, Names: 'a' },
    says: ['#/Names: expected type: JSONArray, found: String'],
  },
  {
    when: 'a text is no number',
    given: { ...valid, Count: 'many', Ratio: {}, On: 'yes' },
    says: [
      '#/Count: expected type: Integer, found: String',
      '#/Ratio: expected type: Number, found: JSONObject',
      '#/On: expected type: Boolean, found: String',
    ],
  },
  {
    when: 'a fraction stands for an integer',
    given: { ...valid, Count: 1.5, Tree: true },
    says: [
      '#/Count: expected type: Integer, found: Number',
      '#/Tree: expected type: JSONObject, found: Boolean',
    ],
  },
  {
    when: 'a text is too short',
    given: { Name: 'w' },
    says: ['#/Name: expected minLength: 2, actual: 1'],
  },
  {
    when: 'a text is too long',
    given: { Name: 'website' },
    says: ['#/Name: expected maxLength: 5, actual: 7'],
  },
  {
    when: 'a list is too short',
    given: { ...valid, Names: [] },
    says: ['#/Names: expected minimum item count: 1, found: 0'],
  },
  {
    when: 'a list is too long',
    given: { ...valid, Names: ['a', 'b', 'c'] },
    says: ['#/Names: expected maximum item count: 2, found: 3'],
  },
  {
    when: 'a value breaks a rule that AWS does not repeat',
    given: { Name: 'Web', Count: 10, Kind: 'C' },
    says: [
      '#/Name: failed validation constraint for keyword [pattern]',
      '#/Count: failed validation constraint for keyword [maximum]',
      '#/Kind: failed validation constraint for keyword [enum]',
    ],
  },
  {
    when: 'no alternative fits, which is said once',
    given: { ...valid, Either: { Key: 'a' } },
    says: ['#/Either: #: no subschema matched out of the total 2 subschemas'],
  },
  {
    when: 'a key has a slash in it',
    given: { ...valid, Labels: { 'a/b': ['x'] } },
    says: ['#/Labels/a~1b: expected type: String, found: JSONArray'],
  },
];
for (const { when, given, says } of lines) {
  test(`R21: ${when}`, () => assert.deepEqual(messages(given), says));
}

test('a violation points at its place: the unknown key itself, the owner of a missing one', () => {
  const { violations } = checkProperties(facts, { Tags: [{ Key: 'a', value: 'b' }] });
  assert.deepEqual(
    violations.map(({ path, keyword }) => [path, keyword]),
    [
      [[], 'required'],
      [['Tags', 0], 'required'],
      [['Tags', 0, 'value'], 'additionalProperties'],
    ],
  );
});

test('R20, R22: one reason holds all violations, in the order of the schema', () => {
  const { violations } = checkProperties(facts, { Kind: 'C', Count: 'x', Extra: 1 });
  assert.equal(
    propertyFailure('Web', facts, violations),
    'Properties validation failed for resource Web with message:\n' +
      '#: required key [Name] not found\n' +
      '#: extraneous key [Extra] is not permitted\n' +
      '#/Count: expected type: Integer, found: String\n' +
      '#/Kind: failed validation constraint for keyword [enum]',
  );
  assert.equal(propertyFailure('Web', facts, []), undefined);
});

test('R13: read-only properties are left out without a word', () => {
  const given = { ...valid, Arn: 'arn:x', Nested: { Id: 'i', Own: 'o' } };
  assert.deepEqual(checkProperties(facts, given), {
    properties: { Name: 'web', Nested: { Own: 'o' } },
    violations: [],
    leftOut: [],
  });
});

test('R23: a lenient type warns of unknown keys and drops them, and fails for wrong types', () => {
  const lenient: TypeFacts = { ...facts, lenient: true };
  const given = { ...valid, Extra: 1, Tags: [{ Key: 'a', Value: 'b', Entrypoint: 'x' }] };
  const { properties, violations } = checkProperties(lenient, given);
  assert.deepEqual(properties, { ...valid, Tags: [{ Key: 'a', Value: 'b' }] });
  assert.equal(propertyFailure('Task', lenient, violations), undefined);
  assert.equal(
    propertyWarning('Task', lenient, violations),
    'Resource template validation failed for resource Task as the template has invalid properties. ' +
      'Please refer to the resource documentation to fix the template. ' +
      'Properties validation failed for resource Task with message: ' +
      '#: extraneous key [Extra] is not permitted\n' +
      '#/Tags/0: extraneous key [Entrypoint] is not permitted',
  );
  const wrong = checkProperties(lenient, { ...valid, Extra: 1, Count: 'x' });
  assert.equal(
    propertyFailure('Task', lenient, wrong.violations),
    'Properties validation failed for resource Task with message:\n' +
      '#/Count: expected type: Integer, found: String',
  );
});

test('only a lenient type has a warning', () => {
  const { violations } = checkProperties(facts, { ...valid, Extra: 1 });
  assert.equal(propertyWarning('Thing', facts, violations), undefined);
});

const late: { when: string; given: JsonObject; says: string[] }[] = [
  { when: 'a function satisfies required', given: { Name: { Ref: 'P' } }, says: [] },
  {
    when: 'its result may have any type',
    given: { ...valid, Names: { 'Fn::Split': [',', 'a'] } },
    says: [],
  },
  {
    when: 'what stands beside it is judged',
    given: { Name: { Ref: 'P' }, Count: 'x' },
    says: ['#/Count: expected type: Integer, found: String'],
  },
  {
    when: 'a list with one is not counted',
    given: { ...valid, Names: ['a', 'b', { 'Fn::If': ['C', 'c', { Ref: 'AWS::NoValue' }] }] },
    says: [],
  },
  {
    when: 'alternatives with one are not judged',
    given: { ...valid, Either: { Key: { Ref: 'P' } } },
    says: [],
  },
  {
    when: 'an item of a list is judged beside one',
    given: { ...valid, Tags: [{ Ref: 'P' }, { Key: 'a' }] },
    says: ['#/Tags/1: required key [Value] not found'],
  },
  {
    when: 'a dynamic reference (D1) has no pattern yet',
    given: { Name: '{{resolve:ssm:name}}', Count: '{{resolve:ssm:count}}' },
    says: [],
  },
  {
    when: 'a loop beside other keys may bring any',
    given: { ...valid, Tree: { 'Fn::ForEach::Size': ['S', ['Size'], { '${S}': 1 }], Size: 1 } },
    says: [],
  },
  {
    when: 'a Ref with a second key is a plain object',
    given: { Name: { Ref: 'P', Other: 1 } },
    says: ['#/Name: expected type: String, found: JSONObject'],
  },
];
for (const { when, given, says } of late) {
  test(`checkStatic: ${when}`, () => {
    const { violations } = checkStatic(facts, given);
    assert.deepEqual(
      violations.map(({ message }) => message),
      says,
    );
  });
}

const REFERENCE = '{{resolve:noecho:P}}';
const unresolved: { when: string; given: JsonObject; says: string[]; leaves: JsonObject }[] = [
  {
    when: 'a text is judged by nobody',
    given: { Name: `${REFERENCE}:1`, Kind: REFERENCE, Labels: { a: REFERENCE } },
    says: [],
    leaves: { Name: `${REFERENCE}:1`, Kind: REFERENCE, Labels: { a: REFERENCE } },
  },
  {
    when: 'so is a dynamic reference (D1)',
    given: { Name: '{{resolve:ssm:name}}' },
    says: [],
    leaves: { Name: '{{resolve:ssm:name}}' },
  },
  {
    when: 'for a number, a boolean, a list and an object the default counts',
    given: { Name: 'web', Count: REFERENCE, On: REFERENCE, Names: REFERENCE, Tree: REFERENCE },
    says: [],
    leaves: { Name: 'web' },
  },
  {
    when: 'also where alternatives have no text, and within lists',
    given: {
      Name: 'web',
      Mixed: REFERENCE,
      Tags: [REFERENCE, { Key: 'a', Value: 'b' }, REFERENCE],
    },
    says: [],
    leaves: { Name: 'web', Tags: [{ Key: 'a', Value: 'b' }] },
  },
  {
    when: 'a list with one is not judged as a whole',
    given: { Name: 'web', Names: ['a', REFERENCE, 'b'] },
    says: [],
    leaves: { Name: 'web', Names: ['a', REFERENCE, 'b'] },
  },
  {
    when: 'what stands beside it is judged',
    given: { Name: 'w', Count: REFERENCE },
    says: ['#/Name: expected minLength: 2, actual: 1'],
    leaves: { Name: 'w' },
  },
];
test('checkProperties, P17: what is left out is said with its place', () => {
  const given = { Name: 'web', Count: REFERENCE, Tags: [REFERENCE, { Key: 'a', Value: 'b' }] };
  assert.deepEqual(checkProperties(facts, given).leftOut, [['Count'], ['Tags', 0]]);
});

for (const { when, given, says, leaves } of unresolved) {
  test(`checkProperties, P17: ${when}`, () => {
    const { properties, violations } = checkProperties(facts, given);
    assert.deepEqual(
      violations.map(({ message }) => message),
      says,
    );
    assert.deepEqual(properties, leaves);
  });
}

test('checkStatic leaves functions in place', () => {
  const given = { Name: { Ref: 'P' }, Count: '5' };
  assert.deepEqual(checkStatic(facts, given).properties, { Name: { Ref: 'P' }, Count: 5 });
});
