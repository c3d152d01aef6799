import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Saying, say } from '../../../../src/aws/ecs/messages.ts';
import {
  type DeploymentId,
  HOUR_MS,
  type JsonObject,
  type TaskId,
} from '../../../../src/base/index.ts';
import {
  behave,
  createEcsWorld,
  createWeb,
  ecsOf,
  eventTexts,
  type Images,
  pass,
  percents,
  register,
  update,
} from '../../../support/ecs-world.ts';

const DEPLOYMENT = 'ecs-svc/1234567890123456789' as DeploymentId;

function ids(count: number): readonly TaskId[] {
  return Array.from({ length: count }, (_, at) => `t${at}` as TaskId);
}

const GROUP = 'arn:aws:elasticloadbalancing:us-east-1:000000000000:targetgroup/web/0a1b';
const TASK = 't0' as TaskId;
const texts: readonly (readonly [rule: string, saying: Saying, text: string])[] = [
  ['5.1', say.steadyState('web'), '(service web) has reached a steady state.'],
  [
    '5.2',
    say.startedTasks('web', ids(2)),
    '(service web) has started 2 tasks: (task t0) (task t1).',
  ],
  [
    '5.3',
    say.startedTasks('web', ids(1), 1),
    '(service web) has started 1 tasks: (task t0). Amazon ECS replaced 1 tasks due to an unhealthy status.',
  ],
  ['5.4', say.stoppedTasks('web', ids(1)), '(service web) has stopped 1 running tasks: (task t0).'],
  [
    '5.5',
    say.registeredTargets('web', 2, GROUP),
    `(service web) registered 2 targets in (target-group ${GROUP})`,
  ],
  [
    '5.6',
    say.deregisteredTargets('web', 2, GROUP),
    `(service web) deregistered 2 targets in (target-group ${GROUP})`,
  ],
  [
    '5.7',
    say.drainsConnections('web', DEPLOYMENT, 2),
    `(service web, taskSet ${DEPLOYMENT}) has begun draining connections on 2 tasks.`,
  ],
  [
    '5.8',
    say.deploymentCompleted('web', DEPLOYMENT),
    `(service web) (deployment ${DEPLOYMENT}) deployment completed.`,
  ],
  [
    '5.9',
    say.cannotStartConsistently('web'),
    '(service web) is unable to consistently start tasks successfully.',
  ],
  [
    '5.10',
    say.percentagesLeaveNoRoom('web'),
    '(service web) was unable to stop or start tasks during a deployment because of the service deployment configuration. Update the minimumHealthyPercent or maximumPercent value and try again.',
  ],
  [
    '5.11',
    say.deploymentFailed('web', DEPLOYMENT),
    `(service web) (deployment ${DEPLOYMENT}) deployment failed: tasks failed to start.`,
  ],
  [
    '5.12',
    say.rollingBack('web', DEPLOYMENT),
    `(service web) rolling back to deployment ${DEPLOYMENT}.`,
  ],
  [
    '5.13',
    say.alarmDetected('web', DEPLOYMENT),
    `(service web) deployment ${DEPLOYMENT} deployment failed: alarm detected.`,
  ],
  ['5.14', say.cannotPlace('web', 'why'), '(service web) was unable to place a task. Reason: why.'],
  [
    '5.14',
    say.cannotPlace('web', 'why.'),
    '(service web) was unable to place a task. Reason: why.',
  ],
  [
    '5.23',
    say.failedContainerChecks('web', TASK),
    '(service web) (task t0) failed container health checks.',
  ],
  [
    '5.24',
    say.unhealthyTarget('web', TASK, {
      ...{ targetGroup: GROUP, port: 80, reason: 'Health checks failed' },
    }),
    `(service web) (task t0) (port 80) is unhealthy in (target-group ${GROUP}) due to (reason Health checks failed).`,
  ],
  [
    '5.30',
    say.holding('web', 3, 3, 3),
    '(service web) is holding at 3 task(s): its deployment configuration permits at most 3 and requires 3 running.',
  ],
];

for (const [rule, { kind, message }, expected] of texts) {
  test(`${rule} ${kind}: ${expected}`, () => assert.equal(message, expected));
}

test('5.2: ten tasks are named, the others counted', () => {
  const of = (count: number) => say.startedTasks('web', ids(count)).message;
  const ten = ids(10)
    .map((id) => `(task ${id})`)
    .join(' ');
  assert.equal(of(10), `(service web) has started 10 tasks: ${ten}.`);
  assert.equal(of(13), `(service web) has started 13 tasks: ${ten} and 3 more.`);
});

/** A service whose tasks do as `images` says, after so many seconds. */
function played(images: Images, seconds: number, more: JsonObject = {}) {
  const world = createEcsWorld(images);
  register(world, 'web:1');
  const service = createWeb(world, more);
  pass(world, seconds * 1_000);
  return { world, service, texts: () => eventTexts(world, service) };
}

function count(events: readonly string[], part: string): number {
  return events.filter((text) => text.includes(part)).length;
}

const EXITS = { exits: { afterMs: 1_000, code: 1 } } as const;

test('5.1, 10.16: a steady state is said on its edge only, however long it lasts', () => {
  const { texts: told } = played({}, 48 * 3_600);
  assert.equal(count(told(), 'steady state'), 1);
});

test('5.1: a service that replaces a dying task never reaches it', () => {
  const { texts: told } = played({ 'web:1': EXITS }, 600);
  assert.equal(count(told(), 'steady state'), 0);
});

test('5.9, 7.5: the complaint is said once an episode, as the third task in a row fails', () => {
  const { texts: told } = played({ 'web:1': EXITS }, 600);
  const complaints = told().filter((text) => text.includes('consistently'));
  assert.deepEqual(complaints, [
    '4.5 (service web) is unable to consistently start tasks successfully.',
  ]);
});

test('5.9: two failures are not enough, and every deployment is another episode', () => {
  const images = { 'web:1': { pull: ['not-found', 'not-found', 'ok'] } } as const;
  const { world, service, texts: told } = played(images, 60);
  assert.equal(count(told(), 'consistently'), 0);
  behave(world, { 'web:1': EXITS });
  for (const episode of [1, 2]) {
    update(world, service, { forceNewDeployment: true });
    pass(world, 60_000);
    assert.equal(count(told(), 'consistently'), episode);
  }
});

test('fine print e: a failed start is said as a placement that was refused, an equal one only once', () => {
  const { texts: told } = played({ 'web:1': { pull: ['not-found', 'not-found', 'denied'] } }, 300);
  const placements = told().filter((text) => text.includes('was unable to place a task. Reason: '));
  assert.equal(placements.length, 2);
  assert.match(placements[0] ?? '', /^0 .+CannotPullContainerError: .+: not found\.$/);
  assert.match(placements[1] ?? '', /^1\.5 .+pull access denied, .+\.$/);
});

test('fine print e: of messages that take turns each is said once', () => {
  const pull = ['not-found', 'denied', 'not-found', 'denied', 'not-found'] as const;
  const { texts: told } = played({ 'web:1': { pull: [...pull] } }, 300);
  assert.equal(count(told(), 'was unable to place a task'), 2);
});

test('fine print e: after a steady state it is said again', () => {
  const { world, service, texts: told } = played({ 'web:1': { pull: ['not-found', 'ok'] } }, 60);
  behave(world, { 'web:1': { pull: ['not-found'] } });
  update(world, service, { desiredCount: 2 });
  pass(world, 60_000);
  assert.equal(count(told(), 'was unable to place a task'), 2);
});

test('fine print e: an exit after RUNNING is no placement', () => {
  const { texts: told } = played({ 'web:1': EXITS }, 300);
  assert.equal(count(told(), 'was unable to place a task'), 0);
});

const HOST_PORT = {
  networkMode: 'bridge',
  requiresCompatibilities: ['EC2'],
  containerDefinitions: [
    { name: 'app', image: 'web:1', portMappings: [{ containerPort: 80, hostPort: 8080 }] },
  ],
};
const ON_EC2 = { launchType: 'EC2', taskDefinition: 'web', serviceName: 'web', desiredCount: 1 };

test('5.29, 14a: a host port that is taken fails the start, and the port stands in the event', () => {
  const world = createEcsWorld();
  register(world, '', HOST_PORT);
  const { service } = ecsOf(world).createService({ ...ON_EC2, desiredCount: 2 });
  pass(world, 100);
  const said = eventTexts(world, service).find((text) => text.includes('place a task'));
  assert.match(
    said ?? '',
    /Reason: CannotStartContainerError: .+Bind for 0\.0\.0\.0:8080 failed: port is already allocated\.$/,
  );
  assert.equal(ecsOf(world).describeService(service)?.deployments[0]?.failedTasks, 1);
});

test('a: with room below the floor the old task gives its host port up, and the rollout completes', () => {
  const world = createEcsWorld();
  register(world, '', HOST_PORT);
  const deploymentConfiguration = percents(200, 0);
  const { service } = ecsOf(world).createService({ ...ON_EC2, deploymentConfiguration });
  pass(world, 10_000);
  update(world, service, { taskDefinition: register(world, '', HOST_PORT) });
  pass(world, 60_000);
  const [primary, ...others] = ecsOf(world).describeService(service)?.deployments ?? [];
  assert.deepEqual(
    [primary?.rolloutState, primary?.runningCount, others.length],
    ['COMPLETED', 1, 0],
  );
});

// 3.10, 3.11, 14: every pair that cannot move says so once, whatever the pair.
const held = [
  { desired: 1, pair: [150, 50] },
  { desired: 2, pair: [120, 80] },
  { desired: 4, pair: [100, 100] },
  { desired: 9, pair: [110, 100] },
] as const;

for (const { desired, pair } of held) {
  test(`3.10, 3.11, 5.30: ${desired} tasks at ${pair.join('/')} hold, and say so once`, () => {
    const { world, service, texts: told } = rolloutAt(desired, pair);
    pass(world, 24 * HOUR_MS);
    const said = told().filter((text) => text.includes('holding'));
    assert.deepEqual(said, [
      `10 (service web) is holding at ${desired} task(s): its deployment configuration permits at most ${desired} and requires ${desired} running.`,
    ]);
    assert.equal(ecsOf(world).describeService(service)?.deployments.length, 2);
  });
}

test('5.30: an update is another episode', () => {
  const { world, service, texts: told } = rolloutAt(2, [100, 100]);
  pass(world, 1_000);
  update(world, service);
  pass(world, 1_000);
  assert.equal(count(told(), 'holding'), 2);
});

test('5.30: it is not repeated because the scheduler looks again', () => {
  const often = Array.from({ length: 6 }, () => 'not-found' as const);
  const deploymentConfiguration = percents(100, 100);
  const images = { 'web:1': { pull: ['ok', ...often] } } as const;
  const run = played(images, 16, { desiredCount: 2, deploymentConfiguration });
  const { world, service, texts: told } = run;
  update(world, service, { desiredCount: 1 }); // the sixth failure has it look again at 31.5 s
  pass(world, 1_000);
  update(world, service, { taskDefinition: register(world, 'web:2') });
  pass(world, 60_000);
  assert.equal(count(told(), 'holding'), 1);
});

test('fine print g: it is not said while the old tasks still settle', () => {
  const world = createEcsWorld();
  register(world, 'web:1');
  const service = createWeb(world, { deploymentConfiguration: percents(100, 100) });
  pass(world, 1_000);
  update(world, service, { taskDefinition: register(world, 'web:2') });
  pass(world, 60_000);
  const said = eventTexts(world, service).filter((text) => text.includes('holding'));
  assert.match(said.join('\n'), /^3 \(service web\) is holding at 1 task\(s\)[^\n]+$/);
});

test('fine print g: a ceiling below the desired count holds on a first deployment', () => {
  const deploymentConfiguration = percents(50, 0);
  const { texts: told } = played({}, 60, { desiredCount: 4, deploymentConfiguration });
  assert.deepEqual(told().slice(1), [
    '3 (service web) is holding at 2 task(s): its deployment configuration permits at most 2 and requires 0 running.',
  ]);
});

test('14, 8.15: with nothing to replace nothing holds: a first deployment, and a desired count of 0', () => {
  const deploymentConfiguration = percents(100, 100);
  const first = played({}, 60, { desiredCount: 3, deploymentConfiguration });
  assert.equal(count(first.texts(), 'holding'), 0);
  const none = played({}, 0, { desiredCount: 0, deploymentConfiguration });
  assert.deepEqual(none.texts(), [
    '0 (service web) (deployment ecs-svc/#) deployment completed.',
    '0 (service web) has reached a steady state.',
  ]);
});

function rolloutAt(desiredCount: number, [max, min]: readonly [number, number]) {
  const deploymentConfiguration = percents(max, min);
  const run = played({}, 10, { desiredCount, deploymentConfiguration });
  update(run.world, run.service, { taskDefinition: register(run.world, 'web:2') });
  return run;
}

// 3.9: what a pair does with a rollout, in the service's own words.
const ways: readonly {
  readonly desired: number;
  readonly pair: readonly [number, number];
  readonly then: readonly string[];
}[] = [
  {
    desired: 2,
    pair: [200, 100], // start first
    then: ['10 started 2', '13 stopped 2'],
  },
  {
    desired: 2,
    pair: [100, 0], // stop first
    then: ['10 stopped 2', '10 started 2'],
  },
  {
    desired: 4,
    pair: [150, 50], // both: the ceiling first, then against those that count
    then: ['10 started 2', '10 stopped 2', '10 started 2', '13 stopped 2'],
  },
  {
    desired: 3,
    pair: [134, 100], // one at a time
    then: [
      '10 started 1',
      '13 stopped 1',
      '13 started 1',
      '16 stopped 1',
      '16 started 1',
      '19 stopped 1',
    ],
  },
];

for (const { desired, pair, then } of ways) {
  test(`3.9, fine print a: ${desired} tasks at ${pair.join('/')}: ${then.join(', ')}`, () => {
    const { world, texts: told } = rolloutAt(desired, pair);
    const before = told().length;
    pass(world, 60_000);
    const moves = told()
      .slice(before)
      .flatMap((text) => {
        const [, seconds, what, number] = /^(\S+) .+ has (started|stopped) (\d+)/.exec(text) ?? [];
        return seconds === undefined ? [] : [`${seconds} ${what} ${number}`];
      });
    assert.deepEqual(moves, then);
    assert.match(told().at(-1) ?? '', /steady state/);
  });
}
