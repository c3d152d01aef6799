import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { DeployRequest } from '../../../src/app/index.ts';
import type { EpochMs, OperationId, StackId } from '../../../src/base/index.ts';
import { EXIT_CODES } from '../../../src/cli/exit-codes.ts';
import { progressKind } from '../../../src/cli/follow.ts';
import { repaint } from '../../../src/cli/live-tree.ts';
import { colourLevel } from '../../../src/cli/terminal.ts';
import type { StackEvent } from '../../../src/events/index.ts';
import { VERDICTS } from '../../../src/result/index.ts';
import { FAILING, STABLE } from '../render/documents.ts';
import { fakeApp, fakeTerminal, runMain } from './fakes.ts';

const started: StackEvent = {
  type: 'stack',
  atMs: 946_684_800_000 as EpochMs,
  eventId: 'e',
  stackId: 'arn' as StackId,
  stackName: 'demo',
  operationId: 'o' as OperationId,
  status: 'CREATE_IN_PROGRESS',
};
const failed: StackEvent = { ...started, status: 'ROLLBACK_IN_PROGRESS' };
const LINES = '00:00.0  CREATE_IN_PROGRESS  demo\n00:00.0  ROLLBACK_IN_PROGRESS  demo\n';

/** A deploy that tells two events and ends with `result`. */
const telling = (result = FAILING) =>
  fakeApp({
    deploy: async (request: DeployRequest) => {
      request.note?.('runtime: simulation (no engine answers)');
      request.recorded?.([started, failed]);
      request.view?.(() => ({
        elapsedMs: 500,
        stacks: [{ stackName: 'demo', status: 'CREATE_IN_PROGRESS', resources: [] }],
      }));
      return { result, interrupted: false };
    },
  });

test('text: the report on standard output, notes and events on standard error', async () => {
  const { exitCode, stdout, stderr } = await runMain('deploy x.yml', { app: telling() });
  assert.equal(exitCode, 1);
  assert.match(stdout, /^FAILED {2}demo {2}ROLLBACK_COMPLETE after 41.5 s/);
  assert.equal(stderr, `runtime: simulation (no engine answers)\n${LINES}`);
});

test('json: the document alone on standard output', async () => {
  const { stdout, stderr } = await runMain('deploy x.yml --output json', { app: telling() });
  assert.deepEqual(JSON.parse(stdout), FAILING);
  assert.match(stderr, /CREATE_IN_PROGRESS {2}demo/);
});

test('jsonl: the record line by line, the result last', async () => {
  const { stdout } = await runMain('deploy x.yml --output jsonl', { app: telling() });
  const lines = stdout.trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    [started, failed, FAILING],
  );
});

const progress: readonly [string, string][] = [
  ['events', LINES],
  ['errors', '00:00.0  ROLLBACK_IN_PROGRESS  demo\n'],
  ['none', ''],
  ['tree', LINES], // no terminal, so event lines
];
for (const [kind, shown] of progress) {
  test(`--progress ${kind}`, async () => {
    const { stderr } = await runMain(`deploy x.yml --progress ${kind}`, { app: telling() });
    assert.equal(stderr, `runtime: simulation (no engine answers)\n${shown}`);
  });
}

test('the tree is painted on a terminal and taken away before the result', async () => {
  const { stderr } = await runMain('deploy x.yml', {
    app: telling(),
    isTTY: true,
    env: { NO_COLOR: '1' },
  });
  const frame = '\x1b[?25l\r00:00.5  demo  CREATE_IN_PROGRESS\x1b[K\n';
  assert.equal(
    stderr,
    `runtime: simulation (no engine answers)\n\x1b[?2026h\x1b[?7l${frame}\x1b[?7h\x1b[?2026l\x1b[1A\x1b[J\x1b[?25h`,
  );
});

const kinds: readonly [
  Parameters<typeof progressKind>[0],
  boolean,
  Record<string, string>,
  string,
][] = [
  [{ progress: 'auto', output: 'text' }, true, {}, 'tree'],
  [{ progress: 'auto', output: 'text' }, false, {}, 'events'],
  [{ progress: 'auto', output: 'text' }, true, { TERM: 'dumb' }, 'events'],
  [{ progress: 'auto', output: 'text' }, true, { CI: 'true' }, 'events'],
  [{ progress: 'auto', output: 'json' }, true, {}, 'tree'],
  [{ progress: 'auto', output: 'jsonl' }, true, {}, 'none'],
  [{ progress: 'auto', output: 'jsonl' }, false, {}, 'events'],
  [{ progress: 'tree', output: 'text' }, false, {}, 'events'],
  [{ progress: 'errors', output: 'text' }, true, {}, 'errors'],
];
for (const [flags, isTTY, env, kind] of kinds) {
  test(`progress ${JSON.stringify([flags, isTTY, env])}: ${kind}`, () => {
    assert.equal(progressKind(flags, fakeTerminal({ isTTY, env })), kind);
  });
}

const repaints: readonly [string[], string[], string][] = [
  [[], ['a'], '\ra\x1b[K\n'],
  [['a', 'b'], ['a', 'c'], '\x1b[2A\n\rc\x1b[K\n'],
  [['a', 'b'], ['a'], '\x1b[2A\n\x1b[J'],
  [['a'], ['a', 'b'], '\x1b[1A\n\rb\x1b[K\n'],
];
for (const [painted, next, text] of repaints) {
  test(`repaint of ${painted.join()} as ${next.join()}`, () => {
    assert.equal(repaint(painted, next), text);
  });
}

const colours: readonly [boolean, Record<string, string>, number][] = [
  [true, {}, 1],
  [false, {}, 0],
  [true, { NO_COLOR: '1' }, 0],
  [true, { NO_COLOR: '' }, 1],
  [true, { TERM: 'dumb' }, 0],
  [false, { FORCE_COLOR: '1' }, 1],
  [true, { FORCE_COLOR: '0' }, 0],
  [false, { FORCE_COLOR: '3', NO_COLOR: '1' }, 3],
];
for (const [isTTY, env, level] of colours) {
  test(`colour ${JSON.stringify([isTTY, env])}: ${level}`, () => {
    const terminal = fakeTerminal({ isTTY, env });
    assert.equal(colourLevel(terminal.stdout, terminal.env), level);
  });
}

for (const verdict of VERDICTS) {
  test(`exit code of ${verdict}`, async () => {
    const app = telling({ ...STABLE, verdict });
    assert.equal((await runMain('deploy x.yml', { app })).exitCode, EXIT_CODES[verdict]);
  });
}

test('an option without effect says so once, after the line that names the runtime', async () => {
  const line =
    'deploy x.yml --no-predict --change-set c ' +
    '--run-functions --resources-to-import r --stack-policy p ' +
    '--termination-protection on --report junit=a junit=b github --progress none';
  const { exitCode, stderr } = await runMain(line, { app: telling(STABLE) });
  assert.equal(exitCode, 0);
  const options = [
    ...['--no-predict', '--change-set'],
    ...['--run-functions', '--resources-to-import', '--stack-policy'],
    ...['--termination-protection', '--report junit', '--report github'],
  ];
  assert.deepEqual(stderr.trimEnd().split('\n'), [
    'runtime: simulation (no engine answers)',
    ...options.map((option) => `note: ${option} has no effect yet`),
  ]);
});

test('--report json=<file> writes the document, in a folder that is made for it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'overcast-cfn-'));
  try {
    const file = join(folder, 'reports', 'r.json');
    await runMain(['deploy', 'x.yml', '--report', `json=${file}`], { app: telling() });
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), FAILING);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the first Ctrl-C interrupts the run, the second ends the process with 130', async () => {
  let interrupts = 0;
  const terminal = fakeTerminal();
  const { main } = await import('../../../src/cli/main.ts');
  const app = fakeApp({
    deploy: async (request: DeployRequest) => {
      request.interruptible?.(() => {
        interrupts += 1;
      }, 'it ends');
      terminal.signal('SIGINT');
      assert.deepEqual([interrupts, terminal.exits], [1, []]);
      terminal.signal('SIGINT');
      assert.deepEqual([interrupts, terminal.exits], [1, [130]]);
      return { result: FAILING, interrupted: true };
    },
  });
  assert.equal(await main(['deploy', 'x.yml'], terminal, async () => app), 130);
  assert.match(terminal.written.stderr, /Ctrl-C again stops at once/);
  terminal.signal('SIGINT');
  assert.deepEqual(terminal.exits, [130]); // the handlers are gone with the run
});

test('listings: a table, or the document of lists', async () => {
  const item = { StackName: 'web', StackStatus: 'CREATE_COMPLETE' };
  assert.equal(
    (await runMain('list')).stdout,
    'StackName  StackStatus\nweb        CREATE_COMPLETE\n',
  );
  const json = (await runMain('list --output json')).stdout;
  assert.deepEqual(JSON.parse(json), { schemaVersion: 1, items: [item] });
  const jsonl = (await runMain('list --output jsonl')).stdout;
  assert.equal(jsonl, `${JSON.stringify({ schemaVersion: 1, items: [item] })}\n`);
});

test('an empty listing says so on standard error', async () => {
  const app = fakeApp({ listStacks: () => ({ items: [] }) });
  const { exitCode, stdout, stderr } = await runMain('list', { app });
  assert.deepEqual([exitCode, stdout, stderr], [0, '', 'nothing to show\n']);
});

test('doctor says whom it waits for', async () => {
  const app = fakeApp({
    doctor: async ({ note }) => {
      note?.('waiting for deploy web.yml (process 7) to finish');
      return [];
    },
  });
  const { stderr } = await runMain('doctor --clean', { app });
  assert.match(stderr, /^note: waiting for deploy web\.yml \(process 7\) to finish\n/);
});

test('doctor ends with 1 when a check does not hold', async () => {
  const check = { check: 'Docker', ok: false, detail: 'no engine answers' };
  const app = fakeApp({ doctor: async () => [check] });
  assert.equal((await runMain('doctor', { app })).exitCode, 1);
  const { exitCode, stdout } = await runMain('doctor');
  assert.deepEqual([exitCode, stdout], [0, '✓ Node  20.19.0\n']);
});
