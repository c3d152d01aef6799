import type { LoadApp } from './app.ts';
import { EXIT_UNUSABLE } from './exit-codes.ts';
import { mainHelp } from './main-help.ts';
import { processTerminal, type Terminal } from './terminal.ts';
import { packageVersion } from './version.ts';

const HELP_WORDS = ['--help', '-h', 'help'];

/**
 * The command line. Everything beyond version and help is loaded when it is asked for, so that a
 * short answer takes no longer than starting Node does.
 *
 * @param argv - the words after the command's name
 * @returns the exit code (`docs/cli-contract.md`); never rejects
 */
export async function main(
  argv: readonly string[],
  terminal: Terminal = processTerminal(),
  loadApp: LoadApp = () => import('../app/index.ts'),
): Promise<number> {
  if (argv[0] === '--version' || argv[0] === '-V') {
    terminal.stdout.write(`${packageVersion()}\n`);
    return 0;
  }
  if (argv.length === 0 || (argv.length === 1 && HELP_WORDS.includes(argv[0] ?? ''))) {
    const isAsked = argv.length > 0;
    (isAsked ? terminal.stdout : terminal.stderr).write(mainHelp());
    return isAsked ? 0 : EXIT_UNUSABLE;
  }
  const { run } = await import('./run.ts');
  return run(argv, terminal, loadApp);
}
