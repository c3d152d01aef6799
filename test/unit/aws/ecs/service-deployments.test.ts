import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteAlarm } from '../../../../src/aws/ecs/alarms.ts';
import { isObject, type JsonObject, type ServiceArn } from '../../../../src/base/index.ts';
import type { World } from '../../../../src/world/index.ts';
import {
  breaker,
  contextOf,
  createEcsWorld,
  createWeb,
  ecsOf,
  eventTexts,
  type Images,
  pass,
  percents,
  primary,
  register,
  serviceState,
  update,
} from '../../../support/ecs-world.ts';

const NEVER_STARTS: Images = { 'web:2': { pull: ['not-found'] } };
const ALARMS = { alarmNames: ['errors'], enable: true, rollback: true };

function createdWeb(more: JsonObject = {}, images: Images = {}) {
  const world = createEcsWorld(images);
  register(world, 'web:1');
  const service = createWeb(world, more);
  return { world, service };
}

/** A steady service of `web:1`, and an update to `web:2` that has just begun. */
function updatedWeb(deploymentConfiguration: JsonObject = {}, images: Images = {}) {
  const { world, service } = createdWeb({ deploymentConfiguration }, images);
  pass(world, 60_000); // alarms are watched for half a minute
  const second = register(world, 'web:2');
  update(world, service, { taskDefinition: second });
  return { world, service };
}

function described(world: World, service: ServiceArn): readonly JsonObject[] {
  const arns = serviceState(world, service).serviceDeployments.map(({ arn }) => arn);
  const answer = ecsOf(world).api.describeServiceDeployments({ serviceDeploymentArns: arns });
  assert.deepEqual(answer['failures'], []);
  return (answer['serviceDeployments'] as JsonObject[]).reverse();
}

function newest(world: World, service: ServiceArn): JsonObject {
  const [one] = described(world, service);
  assert(one !== undefined);
  return one;
}

/** Statuses, newest first. */
function statuses(world: World, service: ServiceArn): readonly unknown[] {
  return described(world, service).map(({ status }) => status);
}

test('4.48: PENDING, IN_PROGRESS once the scheduler is at it, SUCCESSFUL at the steady state', () => {
  const { world, service } = createdWeb();
  assert.deepEqual(statuses(world, service), ['PENDING']);
  assert.equal(newest(world, service)['startedAt'], undefined);
  pass(world, 0);
  assert.deepEqual(statuses(world, service), ['IN_PROGRESS']);
  pass(world, 3_000);
  const { status, startedAt, finishedAt, stoppedAt } = newest(world, service);
  assert.equal(status, 'SUCCESSFUL');
  assert.deepEqual([startedAt, finishedAt, stoppedAt], [946_684_800, 946_684_803, undefined]);
});

const starts: readonly [what: string, request: JsonObject, begins: number][] = [
  ['a changed task definition', { taskDefinition: 'web:2' }, 1],
  ['a forced deployment', { forceNewDeployment: true }, 1],
  ['another desired count', { desiredCount: 3 }, 0],
  ['other percentages', { deploymentConfiguration: { maximumPercent: 150 } }, 0],
];
for (const [what, request, begins] of starts) {
  test(`4.51: ${what} begins ${begins === 0 ? 'none' : 'one'}`, () => {
    const { world, service } = createdWeb();
    pass(world, 10_000);
    register(world, 'web:2');
    update(world, service, request);
    assert.equal(described(world, service).length, 1 + begins);
  });
}

test('4.51, 2.17: a deployment that is taken up again begins another of the same revision', () => {
  const { world, service } = updatedWeb({ maximumPercent: 100, minimumHealthyPercent: 100 });
  pass(world, 1_000);
  update(world, service, { taskDefinition: 'web:1' });
  pass(world, 10_000);
  assert.deepEqual(statuses(world, service), ['SUCCESSFUL', 'STOPPED', 'SUCCESSFUL']);
  const [again, , first] = described(world, service);
  assert.deepEqual(arnIn(again, 'targetServiceRevision'), arnIn(first, 'targetServiceRevision'));
  assert.notEqual(again?.['serviceDeploymentArn'], first?.['serviceDeploymentArn']);
});

test('4.51: the newest 100 of a service are kept, and the revisions that they tell of', () => {
  const { world, service } = createdWeb();
  for (let i = 0; i < 105; i += 1) update(world, service, { forceNewDeployment: true });
  assert.equal(described(world, service).length, 100);
  assert.equal(Object.keys(serviceState(world, service).revisions).length, 100);
});

test('4.53: names of service deployments and revisions', () => {
  const { world, service } = createdWeb();
  const one = newest(world, service);
  assert.match(
    String(one['serviceDeploymentArn']),
    /^arn:aws:ecs:us-east-1:000000000000:service-deployment\/default\/web\/[A-Za-z0-9]{21}$/,
  );
  assert.match(
    String(arnIn(one, 'targetServiceRevision')),
    /^arn:aws:ecs:us-east-1:000000000000:service-revision\/default\/web\/\d{19}$/,
  );
});

test('source and target of an update are what ran and what is to run', () => {
  const { world, service } = updatedWeb();
  pass(world, 0);
  const one = newest(world, service);
  const [source] = one['sourceServiceRevisions'] as JsonObject[];
  const arns = [source?.['arn'], arnIn(one, 'targetServiceRevision')];
  const { serviceRevisions, failures } = ecsOf(world).api.describeServiceRevisions({
    serviceRevisionArns: [...(arns as string[]), 'arn:nobody'],
  });
  assert.deepEqual(
    (serviceRevisions as JsonObject[]).map(({ taskDefinition }) =>
      String(taskDefinition).split('/').at(-1),
    ),
    ['web:1', 'web:2'],
  );
  assert.deepEqual(failures, [{ arn: 'arn:nobody', reason: 'MISSING' }]);
  assert.deepEqual(source, {
    ...{ arn: source?.['arn'], requestedTaskCount: 1, runningTaskCount: 1, pendingTaskCount: 0 },
  });
});

test('a service deployment that another one supersedes is STOPPED', () => {
  const { world, service } = updatedWeb();
  pass(world, 1_000);
  update(world, service, { forceNewDeployment: true });
  assert.deepEqual(statuses(world, service), ['PENDING', 'STOPPED', 'SUCCESSFUL']);
});

test('4.49, 4.50: a breaker without rollback leaves it STOPPED, with its count and threshold', () => {
  const { world, service } = updatedWeb(breaker(false), NEVER_STARTS);
  pass(world, 60_000);
  const { status, stoppedAt, deploymentCircuitBreaker, statusReason } = newest(world, service);
  assert.deepEqual([status, stoppedAt], ['STOPPED', 946_684_861.5]);
  assert.equal(statusReason, 'ECS deployment circuit breaker: task failed to start.');
  assert.deepEqual(deploymentCircuitBreaker, {
    status: 'TRIGGERED',
    failureCount: 3,
    threshold: 3,
  });
});

test('4.49: a breaker with rollback: ROLLBACK_IN_PROGRESS, then ROLLBACK_SUCCESSFUL', () => {
  // At 100/0 the old task goes first, so that the way back takes its time.
  const { world, service } = updatedWeb({ ...breaker(true), ...percents(100, 0) }, NEVER_STARTS);
  const seen = new Set<unknown>();
  pass(world, 60_000, { round: () => seen.add(newest(world, service)['status']) });
  assert.deepEqual([...seen], ['IN_PROGRESS', 'ROLLBACK_IN_PROGRESS', 'ROLLBACK_SUCCESSFUL']);
  const { rollback } = newest(world, service);
  const [first] = described(world, service).slice(-1);
  assert(isObject(rollback));
  assert.equal(rollback['serviceRevisionArn'], arnIn(first, 'targetServiceRevision'));
});

const monitors: readonly [
  when: string,
  configuration: JsonObject,
  breaker: string,
  alarms: string,
][] = [
  ['neither is on', {}, 'DISABLED', 'DISABLED'],
  ['the breaker is on', breaker(true), 'MONITORING', 'DISABLED'],
  ['alarms are on', { alarms: ALARMS }, 'DISABLED', 'MONITORING'],
];
for (const [when, configuration, breakerStatus, alarmStatus] of monitors) {
  test(`4.50: monitors when ${when}`, () => {
    const { world, service } = updatedWeb(configuration);
    pass(world, 0);
    const statusOf = (name: string) => {
      const monitor = newest(world, service)[name];
      return isObject(monitor) ? monitor['status'] : undefined;
    };
    assert.equal(statusOf('deploymentCircuitBreaker'), breakerStatus);
    assert.equal(statusOf('alarms'), alarmStatus);
    pass(world, 120_000);
    const ended = (status: string) => (status === 'DISABLED' ? status : 'MONITORING_COMPLETE');
    assert.equal(statusOf('deploymentCircuitBreaker'), ended(breakerStatus));
    assert.equal(statusOf('alarms'), ended(alarmStatus));
  });
}

test('4.50: an alarm that fires is named', () => {
  const { world, service } = updatedWeb({ alarms: ALARMS });
  pass(world, 1_000);
  noteAlarm(contextOf(world), 'errors', 'ALARM');
  pass(world, 60_000);
  const { status, alarms } = newest(world, service);
  assert.equal(status, 'ROLLBACK_SUCCESSFUL');
  assert.deepEqual(alarms, {
    ...{ status: 'TRIGGERED', alarmNames: ['errors'], triggeredAlarmNames: ['errors'] },
  });
});

function stop(world: World, service: ServiceArn, stopType?: string): void {
  const serviceDeploymentArn = String(newest(world, service)['serviceDeploymentArn']);
  const request = { serviceDeploymentArn, ...(stopType === undefined ? {} : { stopType }) };
  assert.deepEqual(ecsOf(world).api.stopServiceDeployment(request), { serviceDeploymentArn });
}

test('4.52: stopped with ROLLBACK, the last COMPLETED one comes back though no rollback is set', () => {
  const { world, service } = updatedWeb();
  pass(world, 1_000);
  stop(world, service);
  assert.equal(newest(world, service)['status'], 'ROLLBACK_REQUESTED');
  pass(world, 30_000);
  assert.equal(newest(world, service)['status'], 'ROLLBACK_SUCCESSFUL');
  const { revision, rolloutState } = primary(world, service);
  assert.equal(`${revision.taskDefinition.split('/').at(-1)} ${rolloutState}`, 'web:1 COMPLETED');
  assert(eventTexts(world, service).some((text) => text.includes('rolling back to deployment')));
});

test('4.52: stopped with ABORT it stays where it is, and places nothing more', () => {
  const { world, service } = updatedWeb({}, { 'web:2': { pull: ['not-found'] } });
  pass(world, 1_000);
  stop(world, service, 'ABORT');
  assert.equal(newest(world, service)['status'], 'STOP_REQUESTED');
  pass(world, 60_000);
  assert.equal(newest(world, service)['status'], 'STOPPED');
  const view = ecsOf(world).describeService(service);
  assert.deepEqual(
    view?.deployments.map(({ status, rolloutState }) => `${status} ${rolloutState}`),
    ['PRIMARY FAILED', 'ACTIVE COMPLETED'],
  );
  assert.equal(view?.runningCount, 1, 'what served goes on serving');
});

test('4.52: a first deployment has nothing to go back to, and is STOPPED', () => {
  const { world, service } = createdWeb();
  pass(world, 1_000);
  stop(world, service);
  pass(world, 30_000);
  assert.equal(newest(world, service)['status'], 'STOPPED');
  assert.equal(primary(world, service).rolloutState, 'FAILED');
});

test('4.52: a rollback that is under way can be stopped too', () => {
  const { world, service } = updatedWeb(percents(100, 0), {
    'web:1': { pull: ['ok', 'not-found'] },
  });
  pass(world, 1_000);
  stop(world, service);
  pass(world, 60_000);
  assert.equal(newest(world, service)['status'], 'ROLLBACK_IN_PROGRESS');
  stop(world, service, 'ABORT');
  pass(world, 10_000);
  assert.equal(newest(world, service)['status'], 'STOPPED');
});

test('4.52: one that is over, and one that nobody knows, cannot be stopped', () => {
  const { world, service } = createdWeb();
  pass(world, 10_000);
  const { code: over } = refusal(() => stop(world, service));
  assert.equal(over, 'ConflictException');
  const unknown = { serviceDeploymentArn: 'arn:nobody' };
  const { code } = refusal(() => ecsOf(world).api.stopServiceDeployment(unknown));
  assert.equal(code, 'ServiceDeploymentNotFoundException');
});

function refusal(call: () => void): { readonly code?: string } {
  try {
    call();
  } catch (error) {
    return error as { code?: string };
  }
  return {};
}

test('a list is of one service, newest first, narrowed down by status, in pages', () => {
  const { world, service } = updatedWeb();
  pass(world, 1_000);
  update(world, service, { forceNewDeployment: true });
  const list = (request: JsonObject) => {
    const answer = ecsOf(world).api.listServiceDeployments({ service, ...request });
    const all = answer['serviceDeployments'] as JsonObject[];
    return { statuses: all.map(({ status }) => status), nextToken: answer['nextToken'] };
  };
  assert.deepEqual(list({}).statuses, ['PENDING', 'STOPPED', 'SUCCESSFUL']);
  assert.deepEqual(list({ status: ['STOPPED'] }).statuses, ['STOPPED']);
  assert.deepEqual(list({ maxResults: 2 }), { statuses: ['PENDING', 'STOPPED'], nextToken: '2' });
  assert.deepEqual(list({ maxResults: 2, nextToken: '2' }).statuses, ['SUCCESSFUL']);
  assert.deepEqual(list({ createdAt: { before: '2000-01-01T00:00:05Z' } }).statuses, [
    'SUCCESSFUL',
  ]);
  assert.deepEqual(list({ service: 'nobody' }).statuses, []);
});

function arnIn(one: JsonObject | undefined, name: string): unknown {
  const revision = one?.[name];
  return isObject(revision) ? revision['arn'] : undefined;
}
