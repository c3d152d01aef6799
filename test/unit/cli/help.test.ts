import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../support/root.ts';
import { runMain } from './fakes.ts';

const COMMANDS = [
  'deploy',
  'delete',
  'validate',
  'list',
  'describe',
  'events',
  'resources',
  'outputs',
  'services',
  'tasks',
  'logs',
  'doctor',
];
const COMMON = ['state-dir', 'region', 'account', 'output', 'scenario', 'lock-timeout', 'verbose'];
const DEPLOY = [
  ...['stack-name', 'parameter-overrides', 'parameters-file', 'tags', 'capabilities'],
  ...['on-failure', 'disable-rollback', 'timeout-in-minutes', 'runtime', 'image', 'timing'],
  ...['stabilize-timeout', 'invent', 'no-predict', 'no-execute', 'change-set', 'seed', 'report'],
  ...['progress', 'fail-fast', 'no-fail-fast', 'rm', 'follow', 'secrets-file', 'run-functions'],
  ...['resources-to-import', 'stack-policy', 'termination-protection', 'app'],
];

test('the main help lists exactly the commands that exist, examples and exit codes', async () => {
  const { exitCode, stdout, stderr } = await runMain('--help');
  assert.equal(exitCode, 0);
  assert.equal(stderr, '');
  const [, commands = ''] = /Commands:\n((?: {2}.*\n)+)/.exec(stdout) ?? [];
  const names = [...commands.matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name);
  assert.deepEqual(names, COMMANDS);
  assert.match(stdout, /Examples:\n {2}overcast-cfn deploy stack.yml/);
  for (const code of [0, 1, 2, 3, 4, 5, 70, 130]) {
    assert.match(stdout, new RegExp(`^ {2}${code} +\\w`, 'm'));
  }
});

for (const command of COMMANDS) {
  test(`${command} --help shows the options every command takes`, async () => {
    const { exitCode, stdout } = await runMain(`${command} --help`);
    assert.equal(exitCode, 0);
    const options = [...COMMON, ...(command === 'deploy' ? DEPLOY : [])];
    for (const option of options) assert.match(stdout, new RegExp(`^ {2}--${option}\\b`, 'm'));
  });
}

test('help is the same however asked for, and what an empty command line is told', async () => {
  const { stdout: help } = await runMain('--help');
  for (const line of ['-h', 'help', '--help --help']) {
    assert.equal((await runMain(line)).stdout, help);
  }
  const { exitCode, stdout, stderr } = await runMain('');
  assert.deepEqual([exitCode, stdout, stderr], [2, '', help]);
});

test('the version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  for (const option of ['--version', '-V']) {
    assert.equal((await runMain(option)).stdout, `${version}\n`);
  }
});
