import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A folder of the test's own, gone when the test ends. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'overcast-cfn-store-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Arguments of a node that runs `source`, an ES module, with the compiled store at hand. */
export function childScript(source: string, dir: string): string[] {
  const store = new URL('../../../src/store/index.js', import.meta.url).href;
  const constants = `const STORE = ${JSON.stringify(store)}; const DIR = ${JSON.stringify(dir)};`;
  return ['--input-type=module', '--eval', constants + source];
}
