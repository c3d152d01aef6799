import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { overcast, scratchFolder } from '../support/command.ts';
import { matchesGoldenFile } from '../support/golden.ts';
import { ROOT } from '../support/root.ts';

/** How each sample ends, as the comment on its top says. */
const ENDINGS: { readonly [template: string]: { status: string; code: number } } = {
  'web-service.yml': { status: 'CREATE_COMPLETE', code: 0 },
  'worker.yml': { status: 'CREATE_COMPLETE', code: 0 },
  'crash-loop.yml': { status: 'ROLLBACK_COMPLETE', code: 1 },
  'crash-loop-no-breaker.yml': { status: 'ROLLBACK_COMPLETE', code: 3 },
  'host-port-rollout-before.yml': { status: 'CREATE_COMPLETE', code: 0 },
  'host-port-rollout-after.yml': { status: 'CREATE_COMPLETE', code: 0 },
};

const templates = readdirSync(join(ROOT, 'templates')).filter(
  (name) => name.endsWith('.yml') && !name.includes('.scenario.'),
);

test('every sample template has its ending written down here', () => {
  assert.deepEqual(templates.sort(compare), Object.keys(ENDINGS).sort(compare));
});

for (const [name, { status, code }] of Object.entries(ENDINGS)) {
  test(`templates/${name} ends in ${status}, as its comment says`, (t) => {
    const comment =
      readFileSync(join(ROOT, 'templates', name), 'utf8').split('AWSTemplate')[0] ?? '';
    assert.match(comment, new RegExp(status));
    const ran = overcast(argvOf(name, scratchFolder(t)));
    assert.equal(ran.code, code, ran.stderr);
    const golden = join(ROOT, 'test/e2e/golden', `${name}.txt`);
    const text = `${ran.stderr}--- result\n${ran.stdout}`;
    matchesGoldenFile(golden, existsSync(golden) ? readFileSync(golden, 'utf8') : '', text);
  });
}

function argvOf(name: string, stateDir: string): string[] {
  const argv = ['deploy', `templates/${name}`, '--state-dir', stateDir];
  const scenario = `templates/${name.replace(/(-no-breaker)?\.yml$/, '.scenario.yml')}`;
  return existsSync(join(ROOT, scenario)) ? [...argv, '--scenario', scenario] : argv;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : 1;
}
