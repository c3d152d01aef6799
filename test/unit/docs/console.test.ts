import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { overcast, type Ran, scratchFolder } from '../../support/command.ts';
import { matchesGoldenFile } from '../../support/golden.ts';
import { ROOT } from '../../support/root.ts';
import { blocksOf, type Page, userPages, withBlock } from './pages.ts';

// What a page shows of a terminal is what the command prints: the page is its own golden file, and
// UPDATE_GOLDEN=1 writes it anew. The blocks of a page are one session in one folder that holds
// `templates/`, in the order of the page.
for (const page of userPages().filter((one) => one.text.includes('```console\n'))) {
  test(`${page.path} shows what the commands print`, (t) => {
    const folder = scratchFolder(t);
    cpSync(join(ROOT, 'templates'), join(folder, 'templates'), { recursive: true });
    matchesGoldenFile(join(ROOT, page.path), page.text, played(page, folder));
  });
}

function played(page: Page, folder: string): string {
  const session: Session = { folder, code: 0 };
  let { text } = page;
  for (const { language, body } of blocksOf(page)) {
    if (language !== 'console') continue;
    const block = blocksOf({ ...page, text }).find((one) => one.body === body);
    if (block !== undefined) text = withBlock(text, block, playedBlock(body, session));
  }
  return text;
}

interface Session {
  readonly folder: string;
  code: number | null;
}

/** Lines that begin with `$ ` are typed, a `\` at their end goes on; all else is printed. */
function playedBlock(body: string, session: Session): string {
  const typed = [...body.matchAll(/^\$ (?:.*\\\n)*.*\n/gm)].map(([line]) => line);
  return typed.map((line) => line + printed(line.slice(2), session)).join('');
}

function printed(typed: string, session: Session): string {
  const line = typed.replaceAll('\\\n', ' ').trim();
  if (line === 'echo $?') return `${session.code}\n`;
  const quiet = line.endsWith(' 2>/dev/null');
  const words = line.replace(/ 2>\/dev\/null$/, '').split(/\s+/);
  const program = /^(overcast-cfn|node bin\/overcast-cfn\.js) /.exec(words.join(' '))?.[1];
  if (program === undefined) throw new Error(`a page shows a command of somebody else: ${line}`);
  const ran: Ran = overcast(words.slice(program.split(' ').length), session.folder);
  session.code = ran.code;
  return (quiet ? '' : ran.stderr) + ran.stdout;
}
