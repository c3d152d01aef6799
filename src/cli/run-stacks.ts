import type { Outcome, Progress } from '../app/index.ts';
import { resultText } from '../render/index.ts';
import type { App, Context } from './app.ts';
import { EXIT_CODES, EXIT_INTERRUPTED } from './exit-codes.ts';
import type { DeleteFlags, DeployFlags, ReportFlags, RunFlags, ValidateFlags } from './flags.ts';
import { follow } from './follow.ts';
import { openReports, writeReports } from './report-files.ts';
import { deleteRequest, deployRequest, validateRequest } from './requests.ts';
import { colourLevel, type Terminal } from './terminal.ts';
import { withoutEffect } from './without-effect.ts';

type Shown = Pick<RunFlags, 'output' | 'verbose'>;

export async function runDeploy(words: readonly string[], flags: DeployFlags, context: Context) {
  const request = deployRequest(words, flags);
  const input = await standardInput(request.target, context.terminal);
  await runStacks(flags, context, (app, progress) =>
    app.deploy({ ...request, ...input, ...progress }),
  );
}

export async function runDelete(names: readonly string[], flags: DeleteFlags, context: Context) {
  const request = deleteRequest(names, flags);
  await runStacks(flags, context, (app, progress) => app.deleteStacks({ ...request, ...progress }));
}

/** Runs nothing, so there is nothing to follow; the rest is as with the others. */
export async function runValidate(
  target: string,
  stacks: readonly string[],
  flags: ValidateFlags,
  context: Context,
) {
  const { terminal } = context;
  const files = await openReports(flags);
  for (const note of notesOf(flags)) terminal.stderr.write(`note: ${note}\n`);
  const request = validateRequest(target, stacks, flags);
  const app = await context.loadApp();
  const outcome = await app.validate({ ...request, ...(await standardInput(target, terminal)) });
  await finish(outcome, files, flags, context);
}

function notesOf(flags: ValidateFlags): string[] {
  const tags = flags.tags === undefined ? [] : ['--tags has no effect yet'];
  return [...withoutEffect(flags), ...tags];
}

async function runStacks(
  flags: RunFlags,
  context: Context,
  call: (app: App, progress: Required<Progress>) => Promise<Outcome>,
): Promise<void> {
  const files = await openReports(flags);
  const app = await context.loadApp();
  const follower = follow(context.terminal, flags, withoutEffect(flags));
  try {
    const outcome = await call(app, follower.progress);
    follower.end();
    await finish(outcome, files, flags, context);
  } finally {
    follower.end();
  }
}

async function standardInput(target: string, terminal: Terminal) {
  return target === '-' ? { standardInput: await terminal.readStandardInput() } : {};
}

/** The result on standard output and in its files, and the exit code. */
async function finish(
  { result, interrupted }: Outcome,
  files: readonly string[],
  flags: Shown & ReportFlags,
  { terminal, end }: Context,
): Promise<void> {
  const { stdout } = terminal;
  switch (flags.output) {
    case 'json':
      stdout.write(`${JSON.stringify(result, null, 2)}\n`);
      break;
    case 'jsonl':
      stdout.write(`${JSON.stringify(result)}\n`);
      break;
    case 'text':
      stdout.write(
        resultText(result, {
          colour: colourLevel(stdout, terminal.env),
          verbose: flags.verbose === true,
          width: stdout.isTTY ? stdout.columns : undefined,
        }),
      );
  }
  await writeReports(files, result);
  end(interrupted ? EXIT_INTERRUPTED : EXIT_CODES[result.verdict]);
}
