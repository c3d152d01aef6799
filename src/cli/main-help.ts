/** The words a command takes, and what it does, in one line. A command that is not here is none. */
export const COMMANDS = {
  deploy: ['[target] [stacks...]', 'create stacks and follow them to their end'],
  delete: ['<stacks...>', 'delete stacks with all they hold'],
  validate: ['<target> [stacks...]', 'check all that can be known without running'],
  list: ['', 'list the stacks that are there'],
  describe: ['<stack>', 'show a stack as DescribeStacks does'],
  events: ['[stack]', 'show what happened to a stack, oldest first'],
  resources: ['[stack]', "show a stack's resources with their physical IDs"],
  outputs: ['[stack]', "show a stack's outputs"],
  services: ['[stack]', 'show services with their counts and rollout state'],
  tasks: ['<service>', "show a service's tasks, the stopped ones with their reason"],
  logs: ['<service|task> [container]', 'show what containers printed'],
  doctor: ['', 'show which runtime would be used and why, and what is missing'],
} as const satisfies Record<string, readonly [words: string, summary: string]>;

/**
 * The help of the command line as a whole. It is written here and not by commander, because
 * loading that and making all commands would take longer than everything else `--help` does.
 */
export function mainHelp(): string {
  const lines = Object.entries(COMMANDS).map(
    ([name, [words, summary]]) => `  ${`${name} ${words}`.padEnd(33)} ${summary}`,
  );
  return `Usage: overcast-cfn <command> [options]

Deploys a CloudFormation template or CDK app locally and tells whether its ECS services
stabilise, and if not, why.

Commands:
${lines.join('\n')}

Options:
  -V, --version  show the version
  -h, --help     show this; after a command: what it takes

Examples:
  overcast-cfn deploy stack.yml        does it stabilise, and if not, why
  overcast-cfn validate stack.yml      what can be known without running
  overcast-cfn services                how the services stand afterwards
  overcast-cfn deploy stack.yml --output json --report json=result.json

Exit codes:
  0    stable: every stack and every service reached its end state
  1    failed: a resource failed, and the stack rolled back or stayed failed
  2    invalid: the command line, a file or the template cannot be used; nothing was changed
  3    would-hang: a wait was ended by a limit that nobody set
  4    reverted: the stack is green, but what runs is not what the template says
  5    undetermined: it hangs on something that is known but not simulated
  70   a defect of overcast-cfn
  130  interrupted
`;
}
