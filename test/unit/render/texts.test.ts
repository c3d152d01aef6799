import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  COLUMNS,
  detailText,
  doctorText,
  errorText,
  listingText,
  logsText,
} from '../../../src/render/index.ts';
import { durationText, elapsedText, isoDurationText } from '../../../src/render/time-text.ts';

test('an error shows its message, its place with a caret, and what to do', () => {
  const span = { file: 'stack.yml', line: 31, column: 9, lineText: '\t\t      Image: web:2' };
  assert.equal(
    errorText(
      { message: 'Ref to "Webb"\nwhich nothing declares', hint: 'did you mean "Web"?', span },
      0,
    ),
    `error: Ref to "Webb"
       which nothing declares
  stack.yml:31:9
  31 |         Image: web:2
     |         ^
 hint: did you mean "Web"?
`,
  );
});

test('a long line is shown around the caret', () => {
  const lineText = `${'a'.repeat(200)}X${'b'.repeat(200)}`;
  const span = { file: 'one-line.json', line: 1, column: 201, lineText };
  const [, , line = '', caret = ''] = errorText({ message: 'm', hint: '', span }, 0).split('\n');
  assert.equal(line[caret.indexOf('^')], 'X');
  assert.ok(line.length < 120);
});

test('a table aligns its columns, counts to the right, and leaves out empty ones', () => {
  const services = [
    {
      serviceName: 'web',
      status: 'ACTIVE',
      desiredCount: 10,
      runningCount: 9,
      pendingCount: 1,
      taskDefinition: 'arn:aws:ecs:us-east-1:000000000000:task-definition/web:12',
      deployments: [
        { status: 'ACTIVE', rolloutState: 'FAILED' },
        { status: 'PRIMARY', rolloutState: 'IN_PROGRESS' },
      ],
    },
    {
      serviceName: 'a-longer-name',
      status: 'DRAINING',
      desiredCount: 0,
      runningCount: 0,
      pendingCount: 0,
    },
  ];
  assert.equal(
    listingText(services, COLUMNS.services, 0),
    `serviceName    status    desiredCount  runningCount  pendingCount  rolloutState  taskDefinition
web            ACTIVE              10             9             1  IN_PROGRESS   web:12
a-longer-name  DRAINING             0             0             0
`,
  );
});

test('tasks show why they stopped', () => {
  const tasks = [
    {
      taskArn: 'arn:aws:ecs:us-east-1:000000000000:task/default/1a2b',
      lastStatus: 'STOPPED',
      stopCode: 'EssentialContainerExited',
      stoppedReason: 'Essential container in task exited',
      containers: [{ name: 'app', exitCode: 137 }, { name: 'proxy' }],
    },
  ];
  assert.equal(
    listingText(tasks, COLUMNS.tasks, 0),
    `task  lastStatus  stopCode                  exitCodes  stoppedReason
1a2b  STOPPED     EssentialContainerExited  app 137    Essential container in task exited
`,
  );
});

test('one item in full, what lies deeper indented, what is empty left out', () => {
  const stack = {
    StackName: 'web',
    StackStatus: 'CREATE_COMPLETE',
    Parameters: [{ ParameterKey: 'Image', ParameterValue: 'web:1' }],
    Capabilities: ['CAPABILITY_IAM'],
    Tags: [],
    RoleARN: null,
  };
  assert.equal(
    detailText(stack),
    `StackName    web
StackStatus  CREATE_COMPLETE
Parameters
  - ParameterKey    Image
    ParameterValue  web:1
Capabilities
  - CAPABILITY_IAM
`,
  );
});

test('logs of one container are as printed, of several each line says whose it is', () => {
  const one = { taskArn: 'arn:aws:ecs:r:a:task/c/1a2b3c4d5e', container: 'app', text: 'a\nb\n' };
  assert.equal(logsText([one], 0), 'a\nb\n');
  assert.equal(
    logsText([one, { ...one, container: 'proxy', text: 'c' }], 0),
    '1a2b3c4d app | a\n1a2b3c4d app | b\n1a2b3c4d proxy | c\n',
  );
});

test('doctor: one check per line, a failed one with its way out', () => {
  const checks = [
    { check: 'Node', ok: true, detail: '20.19.0' },
    { check: 'Docker', ok: false, detail: 'no engine answers', hint: 'start one' },
  ];
  assert.equal(
    doctorText(checks, 0),
    '✓ Node    20.19.0\n✗ Docker  no engine answers\n          → start one\n',
  );
});

const times: readonly [number, string, string][] = [
  [0, '00:00.0', '0 s'],
  [12_549, '00:12.5', '12.5 s'],
  [59_960, '00:59.9', '1 min'],
  [125_000, '02:05.0', '2 min 5 s'],
  [3_599_900, '59:59.9', '1 h'],
  [3_600_000, '1:00:00', '1 h'],
  [129_600_000, '36:00:00', '36 h'],
  [130_000_000, '36:06:40', '36 h 7 min'],
];
for (const [ms, elapsed, duration] of times) {
  test(`${ms} ms is ${elapsed} on a line and ${duration} in words`, () => {
    assert.equal(elapsedText(ms), elapsed);
    assert.equal(durationText(ms), duration);
  });
}

test('a duration that is none is shown as it is', () => {
  assert.equal(isoDurationText('PT41.5S'), '41.5 s');
  assert.equal(isoDurationText('later'), 'later');
});
