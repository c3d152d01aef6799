import { CommanderError } from 'commander';
import { UserError } from '../base/index.ts';
import type { LoadApp } from './app.ts';
import { EXIT_DEFECT, EXIT_UNUSABLE } from './exit-codes.ts';
import { createProgram } from './program.ts';
import { colourLevel, type Terminal } from './terminal.ts';
import { packageVersion } from './version.ts';
import { splitManyWords } from './words.ts';

/** Runs the command that `argv` names, and turns every end it can have into an exit code. */
export async function run(
  argv: readonly string[],
  terminal: Terminal,
  loadApp: LoadApp,
): Promise<number> {
  let exitCode = 0;
  const end = (code: number) => {
    exitCode = code;
  };
  try {
    const program = createProgram({ terminal, loadApp, end });
    await program.parseAsync(splitManyWords(argv), { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has said what is wrong; help and version end in one as well, with code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_UNUSABLE;
    return await tellError(error, terminal);
  }
}

async function tellError(error: unknown, terminal: Terminal): Promise<number> {
  if (!(error instanceof UserError)) {
    terminal.stderr.write(defectText(error));
    return EXIT_DEFECT;
  }
  const { errorText } = await import('../render/index.ts');
  terminal.stderr.write(errorText(error, colourLevel(terminal.stderr, terminal.env)));
  return EXIT_UNUSABLE;
}

function defectText(error: unknown): string {
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `${trace}

This is a defect of overcast-cfn, not of your template. Please report it in the project's issue
tracker with the trace above, the command you ran and, if you can share it, the template.
overcast-cfn ${packageVersion()}, Node ${process.version}, ${process.platform}
`;
}
