import type {
  DeleteRequest,
  DeployRequest,
  Outcome,
  ValidateRequest,
} from '../../../src/app/index.ts';
import type { App } from '../../../src/cli/app.ts';
import { main } from '../../../src/cli/main.ts';
import type { Signal, Terminal } from '../../../src/cli/terminal.ts';
import { STABLE } from '../render/documents.ts';

/** A terminal that keeps what is written, whose signals and end a test decides. */
export interface FakeTerminal extends Terminal {
  readonly written: { stdout: string; stderr: string };
  readonly exits: number[];
  signal(signal: Signal): void;
}

export interface FakeOptions {
  readonly isTTY?: boolean;
  readonly env?: Terminal['env'];
  readonly standardInput?: string;
}

export function fakeTerminal(options: FakeOptions = {}): FakeTerminal {
  const written = { stdout: '', stderr: '' };
  const exits: number[] = [];
  const handlers = new Map<Signal, () => void>();
  const output = (name: 'stdout' | 'stderr') => ({
    write(text: string) {
      written[name] += text;
    },
    isTTY: options.isTTY === true,
    columns: 80,
    rows: 24,
  });
  let nowMs = 0;
  return {
    written,
    exits,
    stdout: output('stdout'),
    stderr: output('stderr'),
    env: options.env ?? {},
    readStandardInput: async () => options.standardInput ?? '',
    nowMs: () => {
      nowMs += 1_000;
      return nowMs;
    },
    onSignal(signal, handler) {
      handlers.set(signal, handler);
      return () => handlers.delete(signal);
    },
    exit: (code) => {
      exits.push(code);
    },
    signal: (signal) => handlers.get(signal)?.(),
  };
}

/** Use cases that answer well, and note what they were asked. */
export interface FakeApp extends App {
  readonly asked: unknown[];
}

export function fakeApp(changes: Partial<App> = {}): FakeApp {
  const asked: unknown[] = [];
  const stable: Outcome = { result: STABLE, interrupted: false };
  const listing =
    (name: string) =>
    (...words: unknown[]) => {
      asked.push([name, ...words]);
      return { items: [{ StackName: 'web', StackStatus: 'CREATE_COMPLETE' }] };
    };
  return {
    asked,
    deploy: async (request: DeployRequest) => {
      asked.push(['deploy', request]);
      return stable;
    },
    deleteStacks: async (request: DeleteRequest) => {
      asked.push(['delete', request]);
      return stable;
    },
    validate: async (request: ValidateRequest) => {
      asked.push(['validate', request]);
      return stable;
    },
    listStacks: listing('list'),
    describeStack: listing('describe'),
    stackEvents: listing('events'),
    stackResources: listing('resources'),
    stackOutputs: listing('outputs'),
    listServices: async (...words) => listing('services')(...words),
    listTasks: async (...words) => listing('tasks')(...words),
    containerLogs: async (...words) => listing('logs')(...words),
    doctor: async () => [{ check: 'Node', ok: true, detail: '20.19.0' }],
    ...changes,
  };
}

/** Runs the command line inside the test. */
export async function runMain(
  line: string | readonly string[],
  { app = fakeApp(), ...options }: FakeOptions & { app?: FakeApp } = {},
) {
  const terminal = fakeTerminal(options);
  const argv = typeof line === 'string' ? line.split(' ').filter((word) => word !== '') : line;
  const exitCode = await main(argv, terminal, async () => app);
  return { exitCode, terminal, app, ...terminal.written };
}
