import assert from 'node:assert/strict';
import { test } from 'node:test';
import { excerpt, parseTemplate } from '../../../src/template/index.ts';

test('a line with a caret below its column', () => {
  const span = { file: 't.yml', line: 12, column: 12, lineText: 'Resource: !Ref X' };
  assert.equal(excerpt(span), '  12 | Resource: !Ref X\n     |            ^');
});

test('tabs keep the caret in place, control characters stay out', () => {
  const span = { file: 't', line: 3, column: 3, lineText: '\t"a\u001b[31m": 1' };
  assert.equal(excerpt(span), '   3 | \t"a·[31m": 1\n     | \t ^');
});

test('of a long line only the surroundings are shown', () => {
  const text = `{"a": "${'x'.repeat(1_000)}", "b": 1, "c": "${'y'.repeat(1_000)}"}`;
  const span = parseTemplate(text, 't.json').locate(['b']);
  assert.equal(span.column, 1_011);
  assert.ok(span.lineText.length < 200);
  const [line = '', caret = ''] = excerpt(span).split('\n');
  assert.equal(line.slice(caret.indexOf('^'), caret.indexOf('^') + 3), '"b"');
});
