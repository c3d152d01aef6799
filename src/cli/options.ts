import { type Command, Option } from 'commander';
import { MINUTE_MS } from '../base/index.ts';
import {
  accountId,
  address,
  capability,
  durationMs,
  imagePair,
  logicalId,
  parameter,
  regionName,
  report,
  tag,
  wholeNumber,
} from './option-values.ts';

/*
 * The options of `docs/cli-contract.md`, in the groups that commands take together. Commander keeps
 * what it read under the camel-cased name; `flags.ts` types it.
 */

export function addCommonOptions(command: Command): Command {
  return command
    .option('--state-dir <dir>', 'folder that keeps the stacks', '.overcast-cfn')
    .option('--region <name>', 'default us-east-1; stronger than the scenario', regionName)
    .option('--account <id>', 'default 000000000000; stronger than the scenario', accountId)
    .option('--scenario <file>', 'how images, hosts and networks behave')
    .addOption(
      new Option('--lock-timeout <duration>', 'how long to wait for another command')
        .argParser(durationMs('--lock-timeout'))
        .default(MINUTE_MS, '60s'),
    )
    .addOption(
      oneOf('--output <format>', 'result on standard output as', ['text', 'json', 'jsonl']).default(
        'text',
      ),
    )
    .option('--verbose', 'everything instead of one screen');
}

/** Of commands that run stacks. */
export function addRunOptions(command: Command): Command {
  const progress = ['auto', 'tree', 'events', 'errors', 'none'];
  return command
    .addOption(oneOf('--progress <kind>', 'what to show meanwhile', progress).default('auto'))
    .option(
      '--stabilize-timeout <duration>',
      'how long a service may take; default 36h, with Docker 10m',
      durationMs('--stabilize-timeout'),
    )
    .option(
      '--fail-fast',
      'stop as soon as a hang is proven, with Docker or very likely; default there',
    )
    .option('--no-fail-fast', 'wait for the timeout')
    .option('--no-predict', 'skip the extra run under the rules of AWS');
}

export function addReportOption(command: Command): Command {
  return command.option(
    '--report <format=file...>',
    'json, junit, sarif, markdown, html; github without a file',
    report,
  );
}

/** What says which stack is meant and with which values. */
export function addTemplateOptions(command: Command): Command {
  return command
    .option('--stack-name <name>', 'default: the file name without its ending')
    .option('--parameter-overrides <Name=Value...>', 'values of parameters', parameter)
    .option('--parameters-file <file>', 'the same as a file, in both shapes AWS accepts')
    .option('--tags <Key=Value...>', 'tags of the stack', tag)
    .option('--capabilities <name...>', 'CAPABILITY_IAM and others, as AWS wants them', capability)
    .option('--invent', 'make up values that the environment would supply, and list them');
}

/** Of `deploy` alone. */
export function addDeployOptions(command: Command): Command {
  const runtimes = ['auto', 'simulation', 'docker'];
  const onFailure = ['ROLLBACK', 'DO_NOTHING', 'DELETE'];
  return command
    .addOption(oneOf('--on-failure <what>', 'default ROLLBACK', onFailure))
    .option('--disable-rollback', 'keep what was created when something fails')
    .option(
      '--timeout-in-minutes <n>',
      "the stack's own timeout, as in CreateStack",
      wholeNumber('--timeout-in-minutes', 1),
    )
    .addOption(oneOf('--runtime <kind>', 'where tasks run', runtimes).default('auto'))
    .addOption(oneOf('--timing <rules>', 'whose scheduler', ['local', 'aws']))
    .option('--seed <n>', 'default: from the stack name, so that runs are equal', seed())
    .option('--app <command>', 'run a CDK app first and take its assembly (target: cdk.out)')
    .option('--rm', 'delete the stack at the end, whatever the outcome')
    .option('--no-execute', 'store the change set only')
    .option('--change-set <name>', 'name of the change set to store or to run')
    .option('--image <from=to...>', 'Docker: another image in place of a named one', imagePair)
    .option('--publish <address>', 'Docker: where to publish host ports; 127.0.0.1', address)
    .option('--follow', 'Docker: go on after the end, until Ctrl-C')
    .option('--secrets-file <file>', 'Docker: values of secrets and SSM parameters')
    .option('--run-functions', 'run the Node.js handlers of custom resources')
    .option('--resources-to-import <file>', 'as in CloudFormation')
    .option('--stack-policy <file>', 'as in CloudFormation')
    .addOption(oneOf('--termination-protection <state>', 'as in CloudFormation', ['on', 'off']));
}

export function addDeleteOptions(command: Command): Command {
  return command.option('--retain-resources <id...>', 'resources to leave as they are', logicalId);
}

function oneOf(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices);
}

function seed(): (text: string) => number {
  return wholeNumber('--seed', 0);
}
