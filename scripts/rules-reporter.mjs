// A reporter for `node --test`: lists every rule of src/aws/ecs/README.md with the tests that carry its
// number in their names, or with what the page says of it where it is not followed. A rule that has
// neither fails the run.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const PAGE = readFileSync(join(ROOT, 'src/aws/ecs/README.md'), 'utf8');
const SHOWN = 3;

export default async function* report(source) {
  const rules = rulesOf(PAGE);
  const tests = new Map([...rules.keys()].map((number) => [number, []]));
  let failed = 0;
  for await (const { type, data } of source) {
    if (type === 'test:fail') failed += 1;
    if (type !== 'test:pass') continue;
    for (const number of numbersIn(data.name, rules)) tests.get(number)?.push(data.name);
  }
  const missing = [];
  for (const [number, said] of rules) {
    const names = tests.get(number) ?? [];
    const isFollowed = said.startsWith('yes');
    if (names.length === 0 && isFollowed) missing.push(number);
    const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
    const shown = names.length > 0 ? names.slice(0, SHOWN).join(' · ') + more : said;
    yield `${number.padEnd(6)} ${shown}\n`;
  }
  const tested = [...tests.values()].filter((names) => names.length > 0).length;
  yield `\n${rules.size} rules: ${tested} with tests, ${rules.size - tested - missing.length} not simulated, ${missing.length} without either\n`;
  if (missing.length > 0) yield `without either: ${missing.join(' ')}\n`;
  if (failed > 0) yield `${failed} tests failed\n`;
  if (missing.length + failed > 0) process.exitCode = 1;
}

/** Rule → the last column of its row. */
function rulesOf(page) {
  const rows = page.split('\n').filter((line) => /^\| \d+\.\d+ +\|/.test(line));
  const cells = rows.map((row) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()));
  return new Map(cells.map((row) => [row[1], row.at(-2)]));
}

/** `4.1, 4.60:` and `2.20 to 2.25` at the beginning of a name or of a part in brackets. */
function numbersIn(name, rules) {
  const numbers = [
    ...name.matchAll(/(?<![\w.])(\d{1,2}\.\d{1,3})(?: to (\d{1,2}\.\d{1,3}))?(?![\w.]*\d)/g),
  ];
  return numbers.flatMap(([, first, last]) =>
    last === undefined ? [first] : [...rules.keys()].filter((rule) => isWithin(rule, first, last)),
  );
}

function isWithin(rule, first, last) {
  const [[chapter, number], [from, low], [to, high]] = [rule, first, last].map((text) =>
    text.split('.').map(Number),
  );
  return chapter === from && chapter === to && number >= low && number <= high;
}
