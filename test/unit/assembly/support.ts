import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';

/** A folder with these files, written as JSON unless they are text; gone when the test ends. */
export function folderWith(t: TestContext, files: { readonly [name: string]: unknown }): string {
  const folder = mkdtempSync(join(tmpdir(), 'overcast-cfn-assembly-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
  return folder;
}

export function manifest(artifacts: { readonly [id: string]: unknown }, more: object = {}) {
  return { version: '54.0.0', artifacts, ...more };
}

/** A stack whose template is the file `t.json`. */
export function stack(dependencies: readonly string[] = [], more: object = {}) {
  return {
    type: 'aws:cloudformation:stack',
    environment: 'aws://unknown-account/unknown-region',
    properties: { templateFile: 't.json' },
    dependencies,
    ...more,
  };
}

export function stage(directoryName: string, dependencies: readonly string[] = []) {
  return { type: 'cdk:cloud-assembly', properties: { directoryName }, dependencies };
}
