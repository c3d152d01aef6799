// What a user installs: packs the package, installs it in an empty folder without install scripts,
// and runs the command and the library from there.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'overcast-package-'));
const run = (command, argv, cwd = folder) =>
  execFileSync(command, argv, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

try {
  const packed = run(
    'npm',
    ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder],
    ROOT,
  );
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', packed.trim()]);
  const installed = join('node_modules', 'overcast-cfn');

  const command = join('node_modules', '.bin', 'overcast-cfn');
  const template = join(installed, 'templates', 'web-service.yml');
  const result = JSON.parse(
    run(command, ['deploy', template, '--output', 'json', '--progress', 'none']),
  );
  assert.equal(result.verdict, 'stable');

  const library = "import { validate } from 'overcast-cfn'; console.log(typeof validate);";
  assert.equal(
    run(process.execPath, ['--input-type=module', '--eval', library]).trim(),
    'function',
  );
  console.log(`package: ${packed.trim()} installs and runs`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
