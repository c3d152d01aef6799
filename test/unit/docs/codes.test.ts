import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { NOT_SIMULATED } from '../../../src/providers/index.ts';
import { matchesGoldenFile } from '../../support/golden.ts';
import { ROOT } from '../../support/root.ts';
import { readPage, sectionsOf } from './pages.ts';

/** Members of a union of texts, as the source lists them. */
function membersOf(file: string, union: string): readonly string[] {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const [, body = ''] = new RegExp(`export type ${union} =([^;]+);`).exec(source) ?? [];
  return [...body.matchAll(/'([\w-]+)'/g)].map(([, member = '']) => member);
}

const LISTS = [
  { page: 'docs/findings.md', file: 'src/diagnosis/finding.ts', union: 'FindingCode' },
  { page: 'docs/errors.md', file: 'src/base/user-error.ts', union: 'UserErrorCode' },
];

for (const { page, file, union } of LISTS) {
  test(`${page} explains every ${union}, and no other`, () => {
    const sections = sectionsOf(readPage(page), 2);
    assert.deepEqual([...sections.keys()], membersOf(file, union));
    for (const [code, text] of sections) assert(text.length > 80, `${code} is explained`);
  });
}

test('docs/not-simulated.md is made from the list in the code', () => {
  const { text } = readPage('docs/not-simulated.md');
  const table = /^(?:\|.*\n)+/m;
  const rows = Object.entries(NOT_SIMULATED).map(([type, what]) => [`\`${type}\``, what] as const);
  assert.match(text, table);
  const now = text.replace(table, tableOf([['type', 'what is missing'], ...rows]));
  matchesGoldenFile(join(ROOT, 'docs/not-simulated.md'), text, now);
});

/** A table as the formatter writes it: columns as wide as their widest cell. */
function tableOf(rows: readonly (readonly [string, string])[]): string {
  const width = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length));
  const line = ([a, b]: readonly [string, string]) =>
    `| ${a.padEnd(width(0))} | ${b.padEnd(width(1))} |\n`;
  const rule = ['-'.repeat(width(0)), '-'.repeat(width(1))] as const;
  const [head, ...body] = rows.map(line);
  return [head, line(rule), ...body].join('');
}
