import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  ContainerDefinition,
  ContainerDependency,
  TaskObservation,
  TaskOrder,
} from '../../../../src/aws/ecs/index.ts';
import {
  addMs,
  type EpochMs,
  present,
  SIMULATION_START_MS,
  type TaskId,
} from '../../../../src/base/index.ts';
import {
  createDockerRuntime,
  createDockerRuntimeState,
  type DockerRuntimeState,
  type DockerTurn,
  dockerRuntimeDueMs,
  resumeTasks,
  stepDockerRuntime,
  type TaskNews,
} from '../../../../src/runtime/docker/index.ts';
import { findUnserialisable } from '../../../../src/world/index.ts';
import { CHECK, container, OWNER, orderOf, SERVICE, TASK } from './tasks.ts';

type Effect = Parameters<DockerTurn['ask']>[0];

interface Bed {
  state: DockerRuntimeState;
  nowMs: EpochMs;
  readonly asked: Effect[];
}

function turnOf(bed: Bed): DockerTurn {
  const { state, nowMs, asked } = bed;
  return { state, nowMs, ownerOf: () => OWNER, ask: (effect) => asked.push(effect) };
}

function newBed(): Bed {
  return { state: createDockerRuntimeState(), nowMs: SIMULATION_START_MS, asked: [] };
}

/**
 * Containers in short: `dep?` is not essential, `dep@60` has a start timeout of so many seconds,
 * `dep+` a health check; `app<dep:SUCCESS` waits, with a comma between several.
 */
function containersIn(picture: string): readonly ContainerDefinition[] {
  return picture.split(' ').map((one) => {
    const [, name = '', marks = '', seconds, waits] =
      /^(\w+)([?+]*)(?:@(\d+))?(?:<(.*))?$/.exec(one) ?? [];
    const dependsOn = (waits ?? '').split(',').filter((text) => text !== '');
    return container(name, {
      essential: !marks.includes('?'),
      ...(marks.includes('+') ? { healthCheck: CHECK } : {}),
      ...(seconds === undefined ? {} : { startTimeoutSeconds: Number(seconds) }),
      dependsOn: dependsOn.map((text) => {
        const [containerName = '', condition] = text.split(':');
        return { containerName, condition: condition as ContainerDependency['condition'] };
      }),
    });
  });
}

/**
 * What happens, in short: `order` and `stop` as ECS asks; `prepared`, `dep starts`, `dep ends 1`,
 * `dep fails` and `gone` as the driver tells; `30 s` pass; `resume` as a later command does.
 */
function happen(bed: Bed, what: string, order: TaskOrder): void {
  const turn = turnOf(bed);
  const words = what.split(' ');
  const runtime = createDockerRuntime(turn);
  if (what === 'order') return runtime.start(order);
  if (what === 'stop') return runtime.stop(order.task);
  if (what === 'resume') return resume(bed);
  if (words[1] === 's') {
    bed.nowMs = addMs(bed.nowMs, Number(words[0]) * 1000);
    return stepDockerRuntime(turnOf(bed), []);
  }
  stepDockerRuntime(turn, [newsOf(words)]);
}

/** The world was saved, and is read by another command. */
function resume(bed: Bed): void {
  assert.equal(findUnserialisable(bed.state), undefined);
  bed.state = JSON.parse(JSON.stringify(bed.state)) as DockerRuntimeState;
  resumeTasks(turnOf(bed));
}

const PULL_ERROR = 'CannotPullContainerError: no';
const BINDING = {
  bindIP: '127.0.0.1',
  containerPort: 80,
  hostPort: 32_768,
  protocol: 'tcp',
} as const;

function newsOf([subject = '', verb = '', ...rest]: readonly string[]): TaskNews {
  if (subject === 'prepared') return { type: 'prepared', task: TASK, assumed: [] };
  if (subject === 'gone') {
    return { type: 'task-gone', task: TASK, stopped: stoppedIn([verb, ...rest]) };
  }
  const named = { task: TASK, container: subject };
  const end = { exitCode: Number(rest[0]), outOfMemory: rest.includes('memory') };
  switch (verb) {
    case 'starts':
      return { type: 'container-started', ...named, bindings: [BINDING] };
    case 'ends':
      return { type: 'container-ended', ...named, ...end, logTail: [`bye from ${subject}`] };
    case 'fails':
      return { type: 'start-failed', ...named, reason: PULL_ERROR, portTaken: false };
    default:
      throw new Error(`nobody says "${subject} ${verb}"`);
  }
}

/** `app:143`: it was stopped with the task, and ended so. */
function stoppedIn(words: readonly string[]) {
  const ended = words.filter((word) => word !== '');
  const ends = ended.map((word) => {
    const [name = '', code] = word.split(':');
    return [name, { exitCode: Number(code), outOfMemory: false, logTail: [] }] as const;
  });
  return Object.fromEntries(ends);
}

/** What comes of it: work that is asked for, then what is observed. */
function outcome(bed: Bed): string {
  const effects = bed.asked.splice(0).map((effect) => {
    if (effect.type === 'prepare') return effect.anew ? 'prepare anew' : 'prepare';
    return effect.type === 'start-container' ? `start ${effect.container}` : 'end';
  });
  return [...effects, ...observed(bed).map(brief)].join('; ');
}

function observed(bed: Bed): readonly TaskObservation[] {
  return createDockerRuntime(turnOf(bed)).observations();
}

/** A container's mark: `.` PENDING, `+` RUNNING, `-` STOPPED with its exit code, `!` with a reason. */
function brief(seen: TaskObservation): string {
  if (seen.type === 'assumed') return `assumed ${seen.text}`;
  const containers = seen.containers.map(({ name, lastStatus, exitCode, reason }) => {
    const mark = { PENDING: '.', RUNNING: '+', STOPPED: '-' }[lastStatus];
    return `${name}${mark}${exitCode ?? ''}${reason === null ? '' : '!'}`;
  });
  const why = seen.type === 'stopped' ? [seen.because.kind] : [];
  return [seen.type, ...why, ...containers].join(' ');
}

/** Each line: what happens → what comes of it, which is nothing where nothing is said. */
const plays: readonly {
  rule: string;
  containers: string;
  lines: readonly string[];
}[] = [
  {
    rule: 'a task runs when all its containers have started',
    containers: 'app log?',
    lines: [
      'order → prepare',
      'prepared → start app; start log',
      'log starts → changed app. log+',
      'app starts → running app+ log+',
      'stop → end',
      'gone app:143 log:0 → stopped asked-to-stop app-143 log-0',
    ],
  },
  {
    rule: '6.25: START waits until the dependency runs',
    containers: 'app<dep:START dep?',
    lines: [
      'order → prepare',
      'prepared → start dep',
      'dep starts → start app; changed app. dep+',
      'app starts → running app+ dep+',
    ],
  },
  {
    rule: '6.25: START is met by a dependency that has ended',
    containers: 'dep? mid?<dep:COMPLETE app<mid:START,dep:START',
    lines: [
      'order → prepare',
      'prepared → start dep',
      'dep starts → changed dep+ mid. app.',
      'dep ends 1 → start mid; changed dep-1 mid. app.',
      'mid starts → start app; changed dep-1 mid+ app.',
      'app starts → running dep-1 mid+ app+',
    ],
  },
  {
    rule: '6.26: COMPLETE waits until the dependency has ended, with any code',
    containers: 'dep? app<dep:COMPLETE',
    lines: [
      'order → prepare',
      'prepared → start dep',
      'dep starts → changed dep+ app.',
      'dep ends 3 → start app; changed dep-3 app.',
      'app starts → running dep-3 app+',
    ],
  },
  {
    rule: '6.27: SUCCESS waits until the dependency has ended with 0',
    containers: 'dep? app<dep:SUCCESS',
    lines: [
      'order → prepare',
      'prepared → start dep',
      'dep starts → changed dep+ app.',
      'dep ends 0 → start app; changed dep-0 app.',
      'app starts → running dep-0 app+',
      'app ends 0 → end',
      'gone → stopped essential-exited dep-0 app-0',
    ],
  },
  {
    rule: '6.27, 6.23: after another code it never starts, and 6.14 the reason stands on it alone',
    containers: 'dep? app<dep:SUCCESS log?',
    lines: [
      'order → prepare',
      'prepared → start dep; start log',
      'dep starts → changed dep+ app. log.',
      'log starts → changed dep+ app. log+',
      'dep ends 1 → end',
      'gone log:143 → stopped failed-to-start dep-1 app-143! log-143',
    ],
  },
  {
    rule: '6.23: the task goes on without a dependent that is not essential',
    containers: 'dep? extra?<dep:SUCCESS app',
    lines: [
      'order → prepare',
      'prepared → start dep; start app',
      'dep starts → changed dep+ extra. app.',
      'app starts → changed dep+ extra. app+',
      'dep ends 1 → running dep-1 extra-143! app+',
    ],
  },
  {
    rule: '6.24: what waits for one that never starts does not start either',
    containers: 'dep? mid?<dep:SUCCESS app<mid:START',
    lines: [
      'order → prepare',
      'prepared → start dep',
      'dep starts → changed dep+ mid. app.',
      'dep ends 1 → end',
      'gone → stopped failed-to-start dep-1 mid-143! app-143!',
    ],
  },
  {
    rule: '6.28: HEALTHY is met by staying up, which stands for a check',
    containers: 'dep?+ app<dep:HEALTHY',
    lines: [
      'order → prepare; assumed health check of container dep is not run with Docker yet: staying up stands for it',
      'prepared → start dep',
      'dep starts → start app; changed dep+ app.',
      'app starts → running dep+ app+',
    ],
  },
  {
    rule: '6.29: HEALTHY without a check waits for ever, and is no failure',
    containers: 'dep? app<dep:HEALTHY',
    lines: [
      'order → prepare',
      'prepared → start dep',
      'dep starts → changed dep+ app.',
      '86400 s',
      'stop → end',
      'gone dep:143 → stopped asked-to-stop dep-143 app-',
    ],
  },
  {
    rule: '6.20: the start timeout ends the wait for one to end',
    containers: 'dep?@60 app<dep:COMPLETE',
    lines: [
      'order → prepare',
      'prepared → start dep',
      '100 s',
      'dep starts → changed dep+ app.',
      '59 s',
      '1 s → end',
      'gone dep:143 → stopped failed-to-start dep-143 app-143!',
    ],
  },
  {
    rule: '6.20: a task goes on without one that waited in vain and is not essential',
    containers: 'dep?@60 extra?<dep:COMPLETE app',
    lines: [
      'order → prepare',
      'prepared → start dep; start app',
      'dep starts → changed dep+ extra. app.',
      'app starts → changed dep+ extra. app+',
      '60 s → running dep+ extra-143! app+',
    ],
  },
  {
    rule: '6.20, 6.24: nor do those start that waited for it',
    containers: 'dep?@60 extra?<dep:COMPLETE app<extra:START',
    lines: [
      'order → prepare',
      'prepared → start dep',
      'dep starts → changed dep+ extra. app.',
      '60 s → end',
      'gone dep:143 → stopped failed-to-start dep-143 extra-143! app-143!',
    ],
  },
  {
    rule: '6.20: the timeout is nothing to who waits for START, or for another one',
    containers: 'dep?@60 other? app<dep:START,other:COMPLETE',
    lines: [
      'order → prepare',
      'prepared → start dep; start other',
      'dep starts → changed dep+ other. app.',
      'other starts → changed dep+ other+ app.',
      '60 s',
      'other ends 0 → start app; changed dep+ other-0 app.',
      'app starts → running dep+ other-0 app+',
    ],
  },
  {
    rule: '6.20: the timeout is nothing once the dependency has ended',
    containers: 'dep?@60 app<dep:COMPLETE',
    lines: [
      'order → prepare',
      'prepared → start dep',
      'dep starts → changed dep+ app.',
      'dep ends 0 → start app; changed dep-0 app.',
      '60 s',
      'app starts → running dep-0 app+',
    ],
  },
  {
    rule: 'an essential container that ends, ends the task, whatever its code',
    containers: 'app log',
    lines: [
      'order → prepare',
      'prepared → start app; start log',
      'app starts → changed app+ log.',
      'log starts → running app+ log+',
      'log ends 0 → end',
      'gone app:143 → stopped essential-exited app-143 log-0',
    ],
  },
  {
    rule: 'an essential container may end before the others have started',
    containers: 'app log',
    lines: [
      'order → prepare',
      'prepared → start app; start log',
      'app starts → changed app+ log.',
      'app ends 1 → end',
      'log starts',
      'gone log:143 → stopped essential-exited app-1 log-143',
    ],
  },
  {
    rule: 'a container that is not essential may end',
    containers: 'app log?',
    lines: [
      'order → prepare',
      'prepared → start app; start log',
      'app starts → changed app+ log.',
      'log starts → running app+ log+',
      'log ends 2 → changed app+ log-2',
    ],
  },
  {
    rule: '6.87: memory is the reason of one that was killed for it',
    containers: 'app',
    lines: [
      'order → prepare',
      'prepared → start app',
      'app starts → running app+',
      'app ends 137 memory → end',
      'gone → stopped essential-exited app-137!',
    ],
  },
  {
    rule: '6.14: an image that cannot be pulled: the reason stands on its container alone',
    containers: 'app log?',
    lines: ['order → prepare', 'log fails → end', 'gone → stopped failed-to-start app- log-!'],
  },
  {
    rule: '6.14: a start that fails while another one runs: the reason stands on one',
    containers: 'app log?',
    lines: [
      'order → prepare',
      'prepared → start app; start log',
      'log starts → changed app. log+',
      'app fails → end',
      'gone log:143 → stopped failed-to-start app-! log-143',
    ],
  },
  {
    rule: '6.14: of two starts that fail the first is told',
    containers: 'app log',
    lines: [
      'order → prepare',
      'prepared → start app; start log',
      'app fails → end',
      'log fails',
      'gone → stopped failed-to-start app-! log-',
    ],
  },
  {
    rule: 'a task that is stopped while it is prepared is not started',
    containers: 'app',
    lines: ['order → prepare', 'stop → end', 'prepared', 'gone → stopped asked-to-stop app-'],
  },
  {
    rule: 'a task that is stopped while it is prepared does not fail any more',
    containers: 'app',
    lines: ['order → prepare', 'stop → end', 'app fails', 'gone → stopped asked-to-stop app-'],
  },
  {
    rule: 'a task is stopped once',
    containers: 'app',
    lines: [
      'order → prepare',
      'prepared → start app',
      'stop → end',
      'stop',
      'app starts',
      'gone app:143 → stopped asked-to-stop app-143',
      'stop',
    ],
  },
  {
    rule: 'an end that comes while the task is stopped changes nothing of why',
    containers: 'app',
    lines: [
      'order → prepare',
      'prepared → start app',
      'app starts → running app+',
      'stop → end',
      'app ends 1',
      'gone → stopped asked-to-stop app-1',
    ],
  },
  {
    rule: 'while it is stopped, no dependent starts',
    containers: 'dep? app<dep:SUCCESS',
    lines: [
      'order → prepare',
      'prepared → start dep',
      'dep starts → changed dep+ app.',
      'stop → end',
      'dep ends 0',
      'gone → stopped asked-to-stop dep-0 app-',
    ],
  },
  {
    rule: 'while it is stopped, no wait is given up',
    containers: 'dep?@60 app<dep:COMPLETE',
    lines: [
      'order → prepare',
      'prepared → start dep',
      'dep starts → changed dep+ app.',
      'stop → end',
      '60 s',
      'gone dep:143 → stopped asked-to-stop dep-143 app-',
    ],
  },
  {
    rule: 'news of a task that is gone is none',
    containers: 'app',
    lines: [
      'order → prepare',
      'stop → end',
      'gone → stopped asked-to-stop app-',
      'prepared',
      'app starts',
      'app ends 1',
      'app fails',
      'gone',
    ],
  },
  {
    rule: 'news that comes twice is news once',
    containers: 'app log?',
    lines: [
      'order → prepare',
      'prepared → start app; start log',
      'prepared',
      'app starts → changed app+ log.',
      'app starts',
      'log starts → running app+ log+',
      'log ends 1 → changed app+ log-1',
      'log ends 2',
    ],
  },
  {
    rule: 'resumed, a task that was prepared is prepared anew',
    containers: 'app',
    lines: ['order → prepare', 'resume → prepare anew', 'prepared → start app'],
  },
  {
    rule: 'resumed, a task that was starting starts anew, with all its containers',
    containers: 'dep? app<dep:START',
    lines: [
      'order → prepare',
      'prepared → start dep',
      'dep starts → start app; changed dep+ app.',
      'resume → prepare anew',
      'dep ends 137',
      'prepared → start dep',
      'dep starts → start app; changed dep+ app.',
      'app starts → running dep+ app+',
    ],
  },
  {
    rule: 'resumed, a start timeout counts from the new start',
    containers: 'dep?@60 other app<dep:COMPLETE',
    lines: [
      'order → prepare',
      'prepared → start dep; start other',
      'dep starts → changed dep+ other. app.',
      '50 s',
      'resume → prepare anew',
      'prepared → start dep; start other',
      'dep starts → changed dep+ other. app.',
      'other starts → changed dep+ other+ app.',
      '10 s',
      '49 s',
      '1 s → end',
    ],
  },
  {
    rule: 'resumed, a task that waits for an end goes on waiting',
    containers: 'dep? app<dep:SUCCESS',
    lines: [
      'order → prepare',
      'prepared → start dep',
      'dep starts → changed dep+ app.',
      'resume',
      'dep ends 0 → start app; changed dep-0 app.',
    ],
  },
  {
    rule: 'resumed, a task that runs goes on running',
    containers: 'app log?',
    lines: [
      'order → prepare',
      'prepared → start app; start log',
      'app starts → changed app+ log.',
      'log starts → running app+ log+',
      'resume',
      'log ends 0 → changed app+ log-0',
      'app ends 1 → end',
    ],
  },
  {
    rule: 'resumed, a task that was ending is ended again, for the reason it had',
    containers: 'app log',
    lines: [
      'order → prepare',
      'prepared → start app; start log',
      'app starts → changed app+ log.',
      'log starts → running app+ log+',
      'app ends 7 → end',
      'resume → end',
      'gone log:143 → stopped essential-exited app-7 log-143',
    ],
  },
];

for (const { rule, containers, lines } of plays) {
  test(rule, () => {
    const bed = newBed();
    const order = orderOf({ containers: containersIn(containers) });
    const played = lines.map((line) => {
      const what = line.split(' → ')[0] ?? '';
      happen(bed, what, order);
      const then = outcome(bed);
      return then === '' ? what : `${what} → ${then}`;
    });
    assert.deepEqual(played, lines);
  });
}

/** The last thing observed when all of it has happened. */
function lastSeen(containers: string, what: readonly string[]): TaskObservation {
  const bed = newBed();
  const order = orderOf({ containers: containersIn(containers) });
  for (const one of what) happen(bed, one, order);
  return present(observed(bed).at(-1), 'something was seen');
}

const texts: readonly { containers: string; what: readonly string[]; because: object }[] = [
  {
    containers: 'app',
    what: ['order', 'app fails', 'gone'],
    because: { kind: 'failed-to-start', reason: PULL_ERROR, portTaken: false },
  },
  {
    containers: 'app',
    what: ['order', 'prepared', 'app starts', 'app ends 3', 'gone'],
    because: { kind: 'essential-exited', container: 'app', exitCode: 3 },
  },
  {
    containers: 'dep? app<dep:SUCCESS',
    what: ['order', 'prepared', 'dep starts', 'dep ends 1', 'gone'],
    because: {
      kind: 'failed-to-start',
      reason:
        'CannotStartContainerError: dependency graph: failed to resolve container ordering dependency [dep] for target [app] as dependency did not exit successfully.',
      portTaken: false,
    },
  },
  {
    containers: 'dep?@60 app<dep:COMPLETE',
    what: ['order', 'prepared', 'dep starts', '60 s', 'gone'],
    because: {
      kind: 'failed-to-start',
      reason:
        'CannotStartContainerError: dependency graph: container ordering dependency [dep] for target [app] has timed out.',
      portTaken: false,
    },
  },
];

for (const { containers, what, because } of texts) {
  test(`6.24, 6.50: after ${what.join(', ')} it stopped because of ${JSON.stringify(because)}`, () => {
    const seen = lastSeen(containers, what);
    assert(seen.type === 'stopped');
    assert.deepEqual(seen.because, because);
    const reasons = seen.containers.map(({ reason }) => reason).filter((one) => one !== null);
    assert.deepEqual(reasons, 'reason' in because ? [because.reason] : []);
  });
}

test('a container is seen with its ports, and when it has ended with its last lines', () => {
  const seen = lastSeen('app log?', [
    'order',
    'prepared',
    'app starts',
    'log starts',
    'log ends 0',
  ]);
  assert(seen.type === 'changed');
  const app = { name: 'app', image: 'app:1', exitCode: null, reason: null, logTail: [] };
  assert.deepEqual(seen.containers, [
    { ...app, lastStatus: 'RUNNING', networkBindings: [BINDING] },
    {
      ...{ name: 'log', image: 'log:1', lastStatus: 'STOPPED', exitCode: 0, reason: null },
      ...{ logTail: ['bye from log'], networkBindings: [BINDING] },
    },
  ]);
});

test('what stands in the way on this machine alone, or is a port, goes with the reason', () => {
  const bed = newBed();
  happen(bed, 'order', orderOf());
  const onlyHere = { text: 'port 80 is taken', hint: 'free it' };
  const fault = { container: 'app', reason: 'CannotStartContainerError: no', portTaken: true };
  stepDockerRuntime(turnOf(bed), [
    { type: 'start-failed', task: TASK, ...fault, onlyHere },
    { type: 'task-gone', task: TASK, stopped: {} },
  ]);
  const [seen] = observed(bed);
  assert(seen?.type === 'stopped');
  const { reason, portTaken } = fault;
  assert.deepEqual(seen.because, { kind: 'failed-to-start', reason, portTaken, onlyHere });
});

test('what is taken for granted is said once in an operation, however many tasks there are', () => {
  const bed = newBed();
  const containers = [container('app', { healthCheck: CHECK, unread: ['ulimits'] })];
  const order = orderOf({ containers, unread: ['volumes'] });
  happen(bed, 'order', order);
  happen(bed, 'order', { ...order, task: 'f'.repeat(32) as TaskId });
  const ran = 'image app:1 is run as mine:1 (--image)';
  const prepared = { type: 'prepared', task: TASK, assumed: [ran] } as const;
  stepDockerRuntime(turnOf(bed), [prepared, prepared]);
  const texts = [
    'volumes of a task definition is not followed with Docker yet',
    'ulimits of container app is not followed with Docker yet',
    'health check of container app is not run with Docker yet: staying up stands for it',
    ran,
  ];
  assert.deepEqual(
    observed(bed),
    texts.map((text) => ({ type: 'assumed', text })),
  );
  bed.state.assumed = {}; // another operation
  happen(bed, 'order', order);
  assert.equal(observed(bed).length, 3);
});

test('the owner of a task is asked for when it is ordered, and kept with it', () => {
  const { state, asked, nowMs } = newBed();
  const owner = { stackName: 'other', publish: '127.0.0.9', images: { a: 'b' } };
  const turn: DockerTurn = {
    ...{ state, nowMs, ask: (effect) => asked.push(effect) },
    ownerOf(service) {
      assert.equal(service, SERVICE);
      return owner;
    },
  };
  createDockerRuntime(turn).start(orderOf());
  assert.deepEqual(state.tasks[TASK]?.owner, owner);
  assert.equal(findUnserialisable(state), undefined);
});

test('the runtime is due at once for what it saw, else when a wait ends', () => {
  const bed = newBed();
  const order = orderOf({ containers: containersIn('dep?@60 app<dep:COMPLETE') });
  const dueInMs = () => {
    const due = dockerRuntimeDueMs(bed.state, bed.nowMs);
    return due === undefined ? undefined : due - bed.nowMs;
  };
  for (const one of ['order', 'prepared']) happen(bed, one, order);
  assert.equal(dueInMs(), undefined);
  happen(bed, 'dep starts', order);
  assert.equal(dueInMs(), 0);
  observed(bed);
  assert.equal(dueInMs(), 60_000);
});
