import type { Command } from 'commander';
import type { Context } from './app.ts';
import type { CommonFlags, DoctorFlags } from './flags.ts';
import { COMMANDS } from './main-help.ts';
import { addCommonOptions } from './options.ts';

/** Commands that read the stored stacks, each with an example. */
const EXAMPLES = {
  list: 'list',
  describe: 'describe web',
  events: 'events web --output json',
  resources: 'resources web',
  outputs: 'outputs web --output json',
  services: 'services web',
  tasks: 'tasks web',
  logs: 'logs web app',
} as const;

export type ReadingName = keyof typeof EXAMPLES;
const READING_NAMES: readonly ReadingName[] = [
  'list',
  'describe',
  'events',
  'resources',
  'outputs',
  'services',
  'tasks',
  'logs',
];

export function addReadingCommands(program: Command, context: Context): void {
  for (const name of READING_NAMES) {
    const [words, summary] = COMMANDS[name];
    const command = program
      .command(`${name} ${words}`.trim())
      .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)
      .addHelpText('after', `\nExample:\n  overcast-cfn ${EXAMPLES[name]}`);
    addCommonOptions(command).action(async () => {
      const { runReading } = await import('./run-reading.ts');
      await runReading(name, command.args, command.opts<CommonFlags>(), context);
    });
  }
}

export function addDoctorCommand(program: Command, context: Context): void {
  const command = program
    .command('doctor')
    .description('Which runtime would be used and why, what is missing and how to get it.')
    .option('--clean', 'remove containers of this tool that no stack knows');
  addCommonOptions(command).action(async () => {
    const { runDoctor } = await import('./run-reading.ts');
    await runDoctor(command.opts<DoctorFlags>(), context);
  });
}
