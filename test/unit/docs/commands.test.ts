import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { overcast } from '../../support/command.ts';
import { ROOT } from '../../support/root.ts';
import { allPages, anchorsOf, codeOf, linksOf, type Page, readPage, userPages } from './pages.ts';

const MAIN_HELP = overcast(['--help']).stdout;
const COMMANDS = [...MAIN_HELP.matchAll(/^ {2}([a-z]+) .*$/gm)].map(([, name = '']) => name);
const HELPS = COMMANDS.map((command) => overcast([command, '--help']).stdout);
const OPTIONS = new Set(
  [MAIN_HELP, ...HELPS].flatMap((help) =>
    [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, option = '']) => option),
  ),
);

test('the help names the commands', () => {
  for (const command of ['deploy', 'validate', 'services', 'doctor']) {
    assert(COMMANDS.includes(command), command);
  }
  assert(OPTIONS.has('--stack-name') && OPTIONS.has('--retain-resources'));
});

for (const page of userPages()) {
  test(`${page.path} names commands and options that exist`, () => {
    const commands = ownCode(page).flatMap((code) =>
      [...code.matchAll(/overcast-cfn(?:\.js)? ([a-z][a-z-]*)/g)].map(([, name = '']) => name),
    );
    const options = ownCode(page).flatMap((code) => code.match(/(?<![\w-])--[a-z][a-z-]+/g) ?? []);
    assert.deepEqual(
      commands.filter((name) => !COMMANDS.includes(name)),
      [],
    );
    assert.deepEqual(
      options.filter((option) => !OPTIONS.has(option)),
      [],
    );
  });
}

/** Code without the commands of other programs. */
function ownCode(page: Page): readonly string[] {
  return codeOf(page)
    .flatMap((code) => code.split(' && '))
    .filter((code) => !/^(\$ )?(npm|npx|aws|sam|git|node --) ?/.test(code));
}

for (const page of allPages()) {
  test(`the links of ${page.path} lead somewhere`, () => {
    const broken = linksOf(page).filter(({ path, anchor }) => {
      if (!existsSync(join(ROOT, path))) return true;
      return anchor !== '' && !anchorsOf(readPage(path)).includes(anchor);
    });
    assert.deepEqual(broken, []);
  });
}
