import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resultText } from '../../../src/render/index.ts';
import type { FailureResult, ResultDocument, StackResult } from '../../../src/result/index.ts';
import { FAILING, FAILING_SERVICE, STABLE, STABLE_SERVICE } from './documents.ts';

const brief = { colour: 0, verbose: false } as const;

test('a failing stack: verdict, failure, what to change, what the service saw', () => {
  assert.equal(
    resultText(FAILING, brief),
    `FAILED  demo  ROLLBACK_COMPLETE after 41.5 s (simulated)

Web  AWS::ECS::Service  CREATE_FAILED at 00:15.0
  (service web) (deployment ecs-svc/1234567890123456789) deployment failed: tasks failed to start.

✗ app (web:1) exits with code 1 after 2 s, in 3 tasks of 3  ECS-CONTAINER-EXITS
  stack.yml:9:18
  9 |         - Image: web:1
    |                  ^
  container output at 00:12.5: Error: no database
  → look at the last output above; the process ends by itself

service Web (web)  0 of 1 running
         status   rollout  desired  running  failed  deployment
  web:1  PRIMARY  FAILED         1        0       3  ecs-svc/1234567890123456789
    ECS deployment circuit breaker: tasks failed to start.
  00:12.5  (service web) is unable to consistently start tasks successfully.
  3 tasks alike: EssentialContainerExited, app exit code 1
    Essential container in task exited
    app | starting
    app | Error: no database

assumed  subnet-1 routes out (no scenario names it)
         subnet-2 routes out (no scenario names it)
         subnet-3 routes out (no scenario names it)
         and 1 more (--verbose)
invented  parameter VpcId = vpc-0a1b2c3d
`,
  );
});

test('a stable stack takes a few lines', () => {
  assert.equal(
    resultText(STABLE, brief),
    `STABLE  demo  CREATE_COMPLETE after 1 min 5 s (simulated)
  service Web (web)  1 of 1 running
outputs
  Url   http://web.example
  Name  web

assumed  subnet-1 routes out (no scenario names it)
         subnet-2 routes out (no scenario names it)
         subnet-3 routes out (no scenario names it)
         and 1 more (--verbose)
`,
  );
});

test('verbose: all assumptions, all events, the resources, how to repeat it', () => {
  const text = resultText(FAILING, { ...brief, verbose: true });
  for (const part of [
    'subnet-4 routes out',
    '00:05.0  (service web) has started 1 tasks: (task t1).',
    'resources\n  DELETE_COMPLETE  Web  AWS::ECS::Service  arn:aws:ecs:',
    'seed 1, took 0.21 s',
  ]) {
    assert.ok(text.includes(part), `"${part}" in:\n${text}`);
  }
});

test('lines are broken at the width of a terminal, words are not', () => {
  const lines = resultText(FAILING, { ...brief, width: 60 }).split('\n');
  assert.ok(lines.includes('  (service web) (deployment ecs-svc/1234567890123456789)'));
  assert.ok(lines.includes('  deployment failed: tasks failed to start.'));
});

test('colours change nothing but colours', () => {
  const coloured = resultText(FAILING, { ...brief, colour: 1 });
  assert.notEqual(coloured, resultText(FAILING, brief));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked at
  assert.equal(coloured.replace(/\x1b\[\d+m/g, ''), resultText(FAILING, brief));
});

test('escape sequences that a container printed do not reach the terminal', () => {
  assert.ok(!resultText(FAILING, brief).includes('\u001b'));
});

const firstLines: readonly { when: string; change: Partial<StackResult>; gives: string }[] = [
  {
    when: 'refused',
    change: { verdict: 'invalid', status: null, duration: null, operation: 'CREATE', changes: 0 },
    gives: 'INVALID  demo  refused; nothing was changed',
  },
  {
    when: 'validated and sound',
    change: { operation: null, status: null, duration: null, changes: 0 },
    gives: 'STABLE  demo  nothing stands against it (checked without running)',
  },
  {
    when: 'validated and unsound',
    change: { verdict: 'failed', operation: null, status: null, duration: null },
    gives: 'FAILED  demo  it would not come up (checked without running)',
  },
  {
    when: 'without a change',
    change: { operation: 'UPDATE', changes: 0, status: 'UPDATE_COMPLETE' },
    gives: 'STABLE  demo  no changes (UPDATE_COMPLETE)',
  },
  {
    when: 'nested',
    change: { parent: 'arn:aws:cloudformation:us-east-1:000000000000:stack/root/1a2b' },
    gives: 'STABLE  demo (in root)  CREATE_COMPLETE after 1 min 5 s (simulated)',
  },
  {
    when: 'hanging',
    change: { verdict: 'would-hang', duration: 'PT36H2M' },
    gives: 'WOULD HANG  demo  CREATE_COMPLETE after 36 h 2 min (simulated)',
  },
];

for (const { when, change, gives } of firstLines) {
  test(`first line of a stack ${when}`, () => {
    assert.equal(resultText(withStack(STABLE, change), brief).split('\n')[0], gives);
  });
}

test('a hang says in words what its verdict means', () => {
  const text = resultText(withStack(FAILING, { verdict: 'would-hang' }), brief);
  assert.ok(
    text.includes('\nOnly a limit that nobody set would end the wait: this deployment hangs.\n'),
  );
});

test('several stacks: a total, then one block each', () => {
  const stacks = [...STABLE.stacks, ...FAILING.stacks].map((stack, index) => ({
    ...stack,
    stackName: ['net', 'web'][index] ?? '',
    outputs: {},
  }));
  const lines = resultText({ ...FAILING, stacks, diagnosis: [] }, brief).split('\n');
  assert.deepEqual(lines.slice(0, 7), [
    'FAILED  2 stacks: 1 failed, 1 stable',
    '',
    'STABLE  net  CREATE_COMPLETE after 1 min 5 s (simulated)',
    '  service Web (web)  1 of 1 running',
    '',
    'FAILED  web  ROLLBACK_COMPLETE after 41.5 s (simulated)',
    '',
  ]);
});

test('services that are well take one line beside one that is not', () => {
  const well = [1, 2].map((n) => ({ ...STABLE_SERVICE, logicalId: `Well${n}` }));
  const text = resultText(withStack(FAILING, { services: [...well, FAILING_SERVICE] }), brief);
  const [, after = ''] = text.split('service Web (web)  0 of 1 running');
  assert.ok(after.includes('\n\nservice Well1 (web)  1 of 1 running\nservice Well2 (web)  1 of 1'));
});

test('where nothing failed, the newest routine events tell, each once with its count', () => {
  const said = (message: string, count: number) => ({
    id: message,
    at: '2000-01-01T00:00:10.000Z',
    message,
    shape: 'routine' as const,
    count,
  });
  const events = [
    said('(service web) has started 1 tasks: (task 0123456789abcdef0123456789abcdef).', 2),
    said('(service web) is holding at 1 task(s).', 1),
    said('(service web) has started 1 tasks: (task f123456789abcdef0123456789abcdef).', 5),
  ];
  const service = { ...FAILING_SERVICE, events, deployments: [], tasks: [] };
  const text = resultText(withStack(FAILING, { services: [service] }), brief);
  assert.ok(
    text.includes(`service Web (web)  0 of 1 running
  00:10.0  (service web) is holding at 1 task(s).
  00:10.0  (service web) has started 1 tasks: (task f123456789abcdef0123456789abcdef). (7 times)
`),
    text,
  );
});

test('a failing rollback adds its own reason', () => {
  const failure: FailureResult = {
    logicalId: '<stack>',
    reason: 'first',
    source: 'engine',
    then: 'second',
  };
  const stack = { failure, services: [] };
  const text = resultText(withStack({ ...FAILING, diagnosis: [] }, stack), brief);
  assert.ok(text.includes('\nthe stack as a whole\n  first\n  and then: second\n'), text);
});

test('the run and the verdict differ: both are said', () => {
  const text = resultText({ ...STABLE, verdict: 'would-hang' }, brief);
  assert.ok(text.endsWith('the run itself was stable; AWS is expected to end otherwise\n'));
});

function withStack(result: ResultDocument, change: Partial<StackResult>): ResultDocument {
  return { ...result, stacks: result.stacks.map((stack) => ({ ...stack, ...change })) };
}
