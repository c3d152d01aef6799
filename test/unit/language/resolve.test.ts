import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '../../../src/base/index.ts';
import { hasLateReference, type LateReferences, resolve } from '../../../src/language/index.ts';
import { propertyOf } from './compiled.ts';

const LATE: LateReferences = {
  ref: (logicalId) => `ref-of-${logicalId}`,
  getAtt: (logicalId, attribute) =>
    attribute === 'List' ? ['x', 'y'] : `${logicalId}/${attribute}`,
};

const RESOLVED: readonly { value: JsonValue; is: JsonValue }[] = [
  { value: { Ref: 'A' }, is: 'ref-of-A' },
  { value: { 'Fn::GetAtt': ['A', 'Some.Attr'] }, is: 'A/Some.Attr' },
  {
    value: { 'Fn::Sub': `\${Odd}|\${A}|\${A.Arn}|\${!x}|\${` },
    is: `a\${b}$|ref-of-A|A/Arn|\${x}|\${`,
  },
  { value: { 'Fn::Sub': `$\${Brace}\${A}` }, is: `\${A}ref-of-A` },
  {
    value: { 'Fn::Sub': [`\${x}-\${A}`, { x: { 'Fn::GetAtt': ['B', 'Arn'] }, A: 'own' }] },
    is: 'B/Arn-own',
  },
  { value: { 'Fn::Join': [',', ['a', { Ref: 'A' }]] }, is: 'a,ref-of-A' },
  { value: { 'Fn::Join': ['+', { 'Fn::GetAtt': ['A', 'List'] }] }, is: 'x+y' },
  { value: { 'Fn::Select': [1, { 'Fn::GetAtt': ['A', 'List'] }] }, is: 'y' },
  { value: { 'Fn::Select': [2, { 'Fn::Split': ['-', { Ref: 'A' }] }] }, is: 'A' },
  { value: { 'Fn::Base64': { 'Fn::Sub': `\${A}` } }, is: 'cmVmLW9mLUE=' },
  { value: [{ a: { b: [{ Ref: 'A' }, 1, true] } }], is: [{ a: { b: ['ref-of-A', 1, true] } }] },
];

const BODY = {
  Parameters: {
    Odd: { Type: 'String', Default: `a\${b}$` },
    Brace: { Type: 'String', Default: '{A}' },
  },
};

for (const { value, is } of RESOLVED) {
  test(`compiled, then resolved: ${JSON.stringify(value)}`, () => {
    const left = propertyOf(value, { body: BODY });
    assert.ok(hasLateReference(left));
    const resolved = resolve(left, LATE);
    assert.deepEqual(resolved, is);
    assert.ok(!hasLateReference(resolved));
  });
}

const FAILING: readonly { rule: string; value: JsonValue; message: RegExp }[] = [
  {
    rule: 'F16',
    value: { 'Fn::Select': [2, { 'Fn::GetAtt': ['A', 'List'] }] },
    message: /cannot select nonexistent value at index 2$/,
  },
  {
    rule: 'F16',
    value: { 'Fn::Select': [0, { Ref: 'A' }] },
    message: /Fn::Select requires a list argument/,
  },
  {
    rule: 'F15',
    value: { 'Fn::Join': [',', { Ref: 'A' }] },
    message: /every Fn::Join object requires/,
  },
  {
    rule: 'F12',
    value: { 'Fn::Sub': `\${A.List}` },
    message: /variable A.List in Fn::Sub expression does not resolve/,
  },
  {
    rule: 'F17',
    value: { 'Fn::Split': [',', { 'Fn::GetAtt': ['A', 'List'] }] },
    message: /every Fn::Split object requires/,
  },
];

for (const { rule, value, message } of FAILING) {
  test(`${rule} fails late: ${JSON.stringify(value)}`, () => {
    assert.throws(() => resolve(propertyOf(value), LATE), { code: 'ValidationError', message });
  });
}

test('plain data has no late reference', () => {
  assert.ok(!hasLateReference({ a: ['Ref', { Ref: 'x', Other: 1 }], Condition: 'x' }));
});
