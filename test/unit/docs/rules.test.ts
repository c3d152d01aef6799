import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../support/root.ts';
import { readPage } from './pages.ts';

/** Comments of a source file, where rules are cited by their number. */
function commentsOf(file: string): string {
  const source = readFileSync(file, 'utf8');
  return (source.match(/\/\*[\s\S]*?\*\/|\/\/ .*/g) ?? []).join('\n');
}

function sourcesIn(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(ROOT, folder, name));
}

const ECS_RULES = readPage('src/aws/ecs/README.md').text;
const explained = new Set(
  [...ECS_RULES.matchAll(/^\| (\d+\.\d+) +\|/gm)].map(([, number = '']) => number),
);

for (const folder of ['src/aws/ecs', 'src/runtime/simulated', 'src/providers/ecs', 'src/events']) {
  test(`rules that ${folder} cites are written in src/aws/ecs/README.md`, () => {
    const cited = sourcesIn(folder).flatMap((file) =>
      [...commentsOf(file).matchAll(/(?<![\w.])([1-9]|10)\.(\d{1,3})(?![\w.]*\d)/g)].map(
        ([number]) => number,
      ),
    );
    assert.deepEqual(
      cited.filter((number) => !explained.has(number)),
      [],
    );
  });
}

test('the page of rules says of each one whether it is followed', () => {
  const rows = ECS_RULES.split('\n').filter((line) => /^\| \d+\.\d+(–\d+\.\d+)? +\|/.test(line));
  assert(rows.length > 150);
  const unsaid = rows.filter((row) => {
    const cells = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return !/^(yes|no|partly)\b/.test(cells.at(-2) ?? '');
  });
  assert.deepEqual(unsaid, []);
  assert.equal(new Set(rows.map((row) => row.split('|')[1])).size, rows.length, 'once each');
});

const CLOUDFORMATION_RULES = readPage('docs/cloudformation-semantics.md').text;
const numbered = new Set(
  [...CLOUDFORMATION_RULES.matchAll(/^\| ([A-Z]\d+) +\|/gm)].map(([, rule = '']) => rule),
);

test('rules of CloudFormation that src/ cites are written in docs/cloudformation-semantics.md', () => {
  const cited = sourcesIn('src').flatMap((file) =>
    [...commentsOf(file).matchAll(/\b[CDEFIKLPRTV]\d{1,2}\b/g)].map(([rule]) => rule),
  );
  assert(cited.length > 100);
  assert.deepEqual(
    [...new Set(cited)].filter((rule) => !numbered.has(rule)),
    [],
  );
});
