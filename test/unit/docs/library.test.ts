import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../support/root.ts';
import { blocksOf, readPage } from './pages.ts';

// The folder lies in the package, so that `overcast-cfn` means the package itself, with the types
// and the code that its users get.
test('the library example of README.md compiles under strict and prints the verdict', (t) => {
  const [example, ...others] = blocksOf(readPage('README.md')).filter(
    ({ language }) => language === 'ts',
  );
  assert(example !== undefined && others.length === 0, 'there is one example');
  const folder = mkdtempSync(join(ROOT, 'dist/example-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(ROOT, 'templates'), join(folder, 'templates'), { recursive: true });
  writeFileSync(join(folder, 'example.mts'), example.body);
  const run = (argv: readonly string[]) =>
    spawnSync(process.execPath, argv, { cwd: folder, encoding: 'utf8' });

  const options = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const compiled = run([compiler, 'example.mts', ...options]);
  assert.equal(compiled.status, 0, compiled.stdout);
  const ran = run(['example.mjs']);
  assert.equal(ran.status, 0, ran.stderr);
  assert.equal(ran.stdout, 'stable CREATE_COMPLETE\n');
});
