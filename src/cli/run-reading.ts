import type { Listing, ReadOptions } from '../app/index.ts';
import type { JsonObject } from '../base/index.ts';
import {
  COLUMNS,
  type ColourLevel,
  type Column,
  detailText,
  doctorText,
  listingText,
  logsText,
} from '../render/index.ts';
import type { App, Context } from './app.ts';
import { EXIT_UNWELL } from './exit-codes.ts';
import type { CommonFlags, DoctorFlags } from './flags.ts';
import type { ReadingName } from './reading-commands.ts';
import { commonOptions } from './requests.ts';
import { colourLevel } from './terminal.ts';

/** How one reading command gets its items and shows them as text. */
interface Reading {
  readonly read: (app: App, options: ReadOptions, words: Words) => Listing | Promise<Listing>;
  readonly text: (items: readonly JsonObject[], colour: ColourLevel) => string;
}

/** The words after a command's name; those it must have are there, commander sees to it. */
type Words = readonly [string | undefined, string | undefined];

const READINGS: Readonly<Record<ReadingName, Reading>> = {
  list: { read: (app, options) => app.listStacks(options), text: table(COLUMNS.stacks) },
  describe: {
    read: (app, options, [stack = '']) => app.describeStack(options, stack),
    text: (items) => items.map(detailText).join('\n'),
  },
  events: {
    read: (app, options, [stack]) => app.stackEvents(options, stack),
    text: table(COLUMNS.events),
  },
  resources: {
    read: (app, options, [stack]) => app.stackResources(options, stack),
    text: table(COLUMNS.resources),
  },
  outputs: {
    read: (app, options, [stack]) => app.stackOutputs(options, stack),
    text: table(COLUMNS.outputs),
  },
  services: {
    read: (app, options, [stack]) => app.listServices(options, stack),
    text: table(COLUMNS.services),
  },
  tasks: {
    read: (app, options, [service = '']) => app.listTasks(options, service),
    text: table(COLUMNS.tasks),
  },
  logs: {
    read: (app, options, [target = '', container]) => app.containerLogs(options, target, container),
    text: logsText,
  },
};

export async function runReading(
  name: ReadingName,
  [first, second]: readonly string[],
  flags: CommonFlags,
  context: Context,
): Promise<void> {
  const { read, text } = READINGS[name];
  const app = await context.loadApp();
  const { items } = await read(app, readOptions(flags, context), [first, second]);
  printItems(items, text, flags, context);
}

export async function runDoctor(flags: DoctorFlags, context: Context): Promise<void> {
  const app = await context.loadApp();
  const clean = flags.clean === true;
  const checks = await app.doctor({ ...readOptions(flags, context), clean });
  const items = checks.map((check): JsonObject => ({ ...check }));
  printItems(items, (_, colour) => doctorText(checks, colour), flags, context);
  context.end(checks.every(({ ok }) => ok) ? 0 : EXIT_UNWELL);
}

function readOptions(flags: CommonFlags, { terminal }: Context): ReadOptions {
  const note = (text: string) => terminal.stderr.write(`note: ${text}\n`);
  return { ...commonOptions(flags), note };
}

/** The document of lists (`docs/cli-contract.md`, "The other documents"), or text for people. */
function printItems(
  items: readonly JsonObject[],
  text: Reading['text'],
  { output }: CommonFlags,
  { terminal: { stdout, stderr, env } }: Context,
): void {
  if (output !== 'text') {
    const document = { schemaVersion: 1, items };
    stdout.write(`${JSON.stringify(document, null, output === 'json' ? 2 : 0)}\n`);
    return;
  }
  if (items.length === 0) stderr.write('nothing to show\n');
  else stdout.write(text(items, colourLevel(stdout, env)));
}

function table(columns: readonly Column[]): Reading['text'] {
  return (items, colour) => listingText(items, columns, colour);
}
