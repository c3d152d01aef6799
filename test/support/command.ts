import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ResultDocument } from '../../src/result/index.ts';
import { ROOT } from './root.ts';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Whatever engine runs on this machine, the tests that need none see none. */
const NO_ENGINE = 'unix:///no-engine.sock';

/** Runs the built command as a user would, without colour. */
export function overcast(
  argv: readonly string[],
  cwd = ROOT,
  env: { readonly [name: string]: string | undefined } = {},
): Ran {
  const bin = join(ROOT, 'bin/overcast-cfn.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...argv], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, DOCKER_HOST: NO_ENGINE, ...env },
    timeout: 120_000,
  });
  return { code: status, stdout, stderr };
}

/** The result document of a command that is run with `--output json`. */
export function overcastJson(
  argv: readonly string[],
  cwd = ROOT,
): Ran & { result: ResultDocument } {
  const ran = overcast([...argv, '--output', 'json'], cwd);
  return { ...ran, result: JSON.parse(ran.stdout) as ResultDocument };
}

/** A folder for one test, removed when the test is over. */
export function scratchFolder(t: { after(fn: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'overcast-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
