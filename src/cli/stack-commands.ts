import type { Command } from 'commander';
import type { Context } from './app.ts';
import type { DeleteFlags, DeployFlags, ValidateFlags } from './flags.ts';
import {
  addCommonOptions,
  addDeleteOptions,
  addDeployOptions,
  addReportOption,
  addRunOptions,
  addTemplateOptions,
} from './options.ts';

const TARGET = 'template file, "-" for standard input, or CDK cloud assembly folder';
const STACKS = 'stacks of an assembly; default all';

const DEPLOY_EXAMPLES = `
Examples:
  overcast-cfn deploy stack.yml
  overcast-cfn deploy stack.yml --parameter-overrides Image=web:2 DesiredCount=3
  overcast-cfn deploy stack.yml --scenario scenario.yml --output json > result.json
  overcast-cfn deploy cdk.out WebStack
  overcast-cfn deploy --capabilities CAPABILITY_IAM -- odd=name.yml

Options with several values take the words of their form that follow; after "--" all is target.`;

const DELETE_EXAMPLES = `
Examples:
  overcast-cfn delete web
  overcast-cfn delete web --retain-resources Bucket Table`;

const VALIDATE_EXAMPLES = `
Examples:
  overcast-cfn validate stack.yml
  overcast-cfn validate stack.yml --parameter-overrides Image=web:2 --output json`;

export function addDeployCommand(program: Command, context: Context): void {
  const command = program
    .command('deploy')
    .description('Creates stacks, follows them to their end and says why one fails.')
    .argument('[target]', TARGET)
    .argument('[stacks...]', STACKS)
    .addHelpText('after', DEPLOY_EXAMPLES);
  for (const add of [addTemplateOptions, addDeployOptions, addRunOptions, addReportOption]) {
    add(command);
  }
  addCommonOptions(command).action(async () => {
    const { runDeploy } = await import('./run-stacks.ts');
    await runDeploy(command.args, command.opts<DeployFlags>(), context);
  });
}

export function addDeleteCommand(program: Command, context: Context): void {
  const command = program
    .command('delete <stacks...>')
    .description('Deletes stacks with all they hold.')
    .addHelpText('after', DELETE_EXAMPLES);
  for (const add of [addDeleteOptions, addRunOptions, addReportOption]) add(command);
  addCommonOptions(command).action(async () => {
    const { runDelete } = await import('./run-stacks.ts');
    await runDelete(command.args, command.opts<DeleteFlags>(), context);
  });
}

export function addValidateCommand(program: Command, context: Context): void {
  const command = program
    .command('validate')
    .argument('<target>', TARGET)
    .argument('[stacks...]', STACKS)
    .description('Checks template, properties, references and the rules of ECS without running.')
    .addHelpText('after', VALIDATE_EXAMPLES);
  for (const add of [addTemplateOptions, addReportOption]) add(command);
  addCommonOptions(command).action(async (target: string, stacks: readonly string[]) => {
    const { runValidate } = await import('./run-stacks.ts');
    await runValidate(target, stacks, command.opts<ValidateFlags>(), context);
  });
}
