import assert from 'node:assert/strict';
import { test } from 'node:test';
import { portablePattern } from '../../../scripts/schema-pack-overlay.ts';
import { applyOverrides } from '../../../scripts/schema-pack-overrides.ts';
import { isObject } from '../../../src/base/index.ts';
import { openRegistry } from '../../../src/registry/index.ts';
import { ROOT } from '../../support/root.ts';

const patterns: [string, string | undefined][] = [
  ['^[a-z]+$', '^[a-z]+$'],
  ['\\A[a-z]+\\Z', '^[a-z]+$'],
  ['^[\\w\\-:/@]+$', '^[\\w\\-:/@]+$'],
  ['^a\\_b\\:c$', '^a\\_b:c$'.replace('\\_', '_')],
  ['(?i)abc', undefined], // no counterpart
  ['[a-z&&[^b]]', undefined], // another meaning here
  ['[a-', undefined], // does not compile
];
for (const [java, expected] of patterns) {
  test(`the pattern ${java} becomes ${expected ?? 'nothing'}`, () => {
    assert.equal(portablePattern(java), expected);
  });
}

const base = {
  typeName: 'AWS::Test::Thing',
  schema: { type: 'object', properties: { Name: { type: 'string' } } },
  primaryIdentifier: ['Name'],
  ref: ['Name'],
  attributes: ['Arn'],
  readOnly: ['Arn'],
  createOnly: ['/Name', '/Kind'],
  conditionalCreateOnly: [],
};

test('an override merges, takes out and puts in', () => {
  const override = {
    type: base.typeName,
    reason: 'test',
    merge: { lenient: true, schema: { properties: { Name: null, Size: { type: 'integer' } } } },
    remove: { createOnly: ['/Kind'] },
    add: { conditionalCreateOnly: ['/Kind'] },
  };
  assert.deepEqual(applyOverrides([base], [override]), [
    {
      ...base,
      schema: { type: 'object', properties: { Size: { type: 'integer' } } },
      createOnly: ['/Name'],
      conditionalCreateOnly: ['/Kind'],
      lenient: true,
    },
  ]);
});

test('an override that has nothing left to take out is a defect', () => {
  const override = { type: base.typeName, reason: 'test', remove: { createOnly: ['/Gone'] } };
  assert.throws(() => applyOverrides([base], [override]), /createOnly has \/Gone/);
});

test('an override without a reason is a defect', () => {
  assert.throws(() => applyOverrides([base], [{ type: base.typeName }]), /has its reason/);
});

test('patterns, lengths and ranges of the declarations are in the pack', () => {
  const facts = openRegistry(ROOT).facts('AWS::Lambda::Function');
  const properties = facts?.schema['properties'];
  assert(isObject(properties) && isObject(properties['Role']) && isObject(properties['Layers']));
  assert.match(String(properties['Role']['pattern']), /^\^arn:/);
  assert.equal(properties['Layers']['pattern'], undefined); // lengths of a list count its items
});
