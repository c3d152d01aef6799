import { Command } from 'commander';
import type { Context } from './app.ts';
import { mainHelp } from './main-help.ts';
import { addDoctorCommand, addReadingCommands } from './reading-commands.ts';
import { addDeleteCommand, addDeployCommand, addValidateCommand } from './stack-commands.ts';
import { packageVersion } from './version.ts';

/** All commands that exist, ready to parse; one that does not exist yet is not in the help. */
export function createProgram(context: Context): Command {
  const { stdout, stderr } = context.terminal;
  const program = new Command('overcast-cfn')
    .version(packageVersion(), '-V, --version')
    .exitOverride()
    .showHelpAfterError('hint: --help shows what can stand here')
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => stdout.columns,
      getErrHelpWidth: () => stderr.columns,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  program.helpInformation = mainHelp;
  addDeployCommand(program, context);
  addDeleteCommand(program, context);
  addValidateCommand(program, context);
  addReadingCommands(program, context);
  addDoctorCommand(program, context);
  return program;
}
