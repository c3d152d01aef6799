import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { faultOf, findCycle, parseImportTable, roomOf, targetOf } from '../support/import-table.ts';
import { type ImportLine, importsOf } from '../support/imports.ts';
import { ROOT } from '../support/root.ts';

const SOURCE = join(ROOT, 'src');
const TABLE = parseImportTable(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8'));

const FILES = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.replaceAll('\\', '/'))
  .map((file) => ({ file, imports: importsOf(readFileSync(join(SOURCE, file), 'utf8')) }));

test('the table of docs/architecture.md is read whole', () => {
  const text = (room: string) =>
    [...(TABLE.get(room) ?? [])].map(([name, only]) => `${name}:${only}`).join(' ');
  assert.equal(TABLE.size, 22);
  assert.equal(text('base'), 'base:all');
  assert.equal(text('runtime'), 'base:all events:type scenario:all aws:type');
  assert.equal(text('index.ts'), 'base:type app:all result:type');
  assert.equal(TABLE.get('app')?.size, 18, 'app may import every room above it');
});

test('every file under src/ imports only what the table allows', () => {
  const faults = FILES.flatMap(({ file, imports }) =>
    imports.map((line) => faultOf(TABLE, file, line)).filter((fault) => fault !== undefined),
  );
  assert.deepEqual(faults, []);
});

test('every folder under src/ is a room of the table', () => {
  const rooms = new Set(FILES.map(({ file }) => file.split('/')[0] ?? ''));
  assert.deepEqual(
    [...rooms].filter((room) => !TABLE.has(room)),
    [],
  );
});

test('rooms, the services of aws among them, import each other in no circle', () => {
  const graph = new Map<string, Set<string>>();
  for (const { file, imports } of FILES) {
    const from = roomOf(file);
    const reached = graph.get(from) ?? new Set<string>();
    graph.set(from, reached);
    for (const line of imports) {
      const target = targetOf(file, line);
      if (target !== undefined && roomOf(target) !== from) reached.add(roomOf(target));
    }
  }
  assert.equal(findCycle(graph), undefined);
});

test('the table itself allows no circle', () => {
  const others = [...TABLE].map(
    ([room, allowed]) => [room, new Set([...allowed.keys()].filter((to) => to !== room))] as const,
  );
  assert.equal(findCycle(new Map(others)), undefined);
});

const A: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['a', new Set(['b'])],
  ['b', new Set(['c'])],
  ['c', new Set(['b'])],
]);

test('a circle is found and named', () => {
  assert.equal(findCycle(A), 'b → c → b');
});

// What the checks above would say of imports that nobody has written.
const crossings = [
  { file: 'engine/step.ts', of: "import { a } from '../plan/index.ts';", fault: undefined },
  { file: 'engine/step.ts', of: "import { a } from './nodes.ts';", fault: undefined },
  { file: 'engine/step.ts', of: "import { a } from '../aws/ecs/index.ts';", fault: /may not/ },
  { file: 'engine/step.ts', of: "import { a } from '../plan/graph.ts';", fault: /its index.ts/ },
  { file: 'engine/step.ts', of: "import '../render/index.ts';", fault: /may not import render/ },
  { file: 'engine/step.ts', of: "import { readFileSync } from 'node:fs';", fault: /outside/ },
  { file: 'engine/step.ts', of: "import { join } from 'node:path';", fault: undefined },
  { file: 'engine/step.ts', of: "import { parse } from 'yaml';", fault: /template and scenario/ },
  { file: 'engine/step.ts', of: "import x from 'left-pad';", fault: /no room has/ },
  { file: 'store/files.ts', of: "import { open } from 'node:fs/promises';", fault: undefined },
  { file: 'result/a.ts', of: "import { a } from '../aws/ecs/index.ts';", fault: /only types/ },
  { file: 'result/a.ts', of: "import type { A } from '../aws/ecs/index.ts';", fault: undefined },
  { file: 'result/a.ts', of: "import { type A } from '../aws/ecs/index.ts';", fault: undefined },
  { file: 'result/a.ts', of: "import { type A, b } from '../plan/index.ts';", fault: /only types/ },
  { file: 'result/a.ts', of: "export type { A } from '../plan/index.ts';", fault: undefined },
  { file: 'result/a.ts', of: "export { a } from '../plan/index.ts';", fault: /only types/ },
  { file: 'result/a.ts', of: "export * from '../plan/index.ts';", fault: /only types/ },
  { file: 'result/a.ts', of: "type A = import('../plan/index.ts').A;", fault: undefined },
  { file: 'aws/ecs/a.ts', of: "import { a } from '../ssm/index.ts';", fault: undefined },
  { file: 'aws/ecs/a.ts', of: "import { a } from '../ssm/parameters.ts';", fault: /its index.ts/ },
  { file: 'aws/ecs/a.ts', of: "import { a } from '../../engine/index.ts';", fault: /may not/ },
  { file: 'cli/main.ts', of: "import { a } from '../app/index.ts';", fault: /dynamically/ },
  { file: 'cli/main.ts', of: "await import('../app/index.ts');", fault: undefined },
  { file: 'cli/main.ts', of: "import type { A } from '../app/index.ts';", fault: undefined },
  { file: 'index.ts', of: "export { a } from './app/index.ts';", fault: undefined },
  { file: 'index.ts', of: "export { a } from './base/index.ts';", fault: /only types/ },
  { file: 'base/a.ts', of: "import { a } from '../events/index.ts';", fault: /may not/ },
  { file: 'news/a.ts', of: "import { a } from '../events/index.ts';", fault: /no room/ },
];

for (const { file, of, fault } of crossings) {
  test(`src/${file} with ${of} is ${fault === undefined ? 'right' : 'refused'}`, () => {
    const [line, ...more] = importsOf(of);
    assert.equal(more.length, 0);
    const said = faultOf(TABLE, file, line as ImportLine);
    if (fault === undefined) assert.equal(said, undefined);
    else assert.match(said ?? 'nothing was said', fault);
  });
}
