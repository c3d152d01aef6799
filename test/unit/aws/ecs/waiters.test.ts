import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WAITERS, waiterState } from '../../../../src/aws/ecs/index.ts';
import type { JsonObject } from '../../../../src/base/index.ts';
import { apiOf, createEcsWorld, createWeb, pass, register } from '../../../support/ecs-world.ts';

const MISSING = { failures: [{ arn: 'a', reason: 'MISSING' }] };

function service(
  status: string,
  running: number,
  deployments = 1,
  more: JsonObject = {},
): JsonObject {
  return {
    ...{ status, runningCount: running, desiredCount: 2, ...more },
    deployments: Array.from({ length: deployments }, () => ({})),
  };
}
const services = (...items: JsonObject[]): JsonObject => ({ services: items, failures: [] });
const nothing = (more: JsonObject = { failures: [] }): JsonObject => ({
  ...{ services: [], tasks: [], ...more },
});
const tasks = (...statuses: string[]): JsonObject => ({
  ...{ tasks: statuses.map((lastStatus) => ({ lastStatus })), failures: [] },
});

const answers: readonly {
  readonly rule: string;
  readonly waiter: keyof typeof WAITERS;
  readonly when: string;
  readonly answer: JsonObject;
  readonly then: string;
}[] = [
  ...(
    [
      ['8.6', 'all it desires runs', services(service('ACTIVE', 2)), 'success'],
      ['8.6', 'one task is short', services(service('ACTIVE', 1)), 'retry'],
      ['8.6', 'an old deployment is left', services(service('ACTIVE', 2, 2)), 'retry'],
      ['8.6', 'one of two', services(service('ACTIVE', 2), service('ACTIVE', 0)), 'retry'],
      ['8.6', 'it is unknown', nothing(MISSING), 'failure'],
      ['8.6', 'it is INACTIVE', services(service('INACTIVE', 2)), 'failure'],
      ['8.1', 'it drains, and its counts agree', services(service('DRAINING', 2)), 'failure'],
      [
        '8.4',
        'a FAILED deployment has all',
        services(service('ACTIVE', 2, 1, { rolloutState: 'FAILED' })),
        'success',
      ],
      [
        '8.4',
        'others are pending',
        services(service('ACTIVE', 2, 1, { pendingCount: 1 })),
        'success',
      ],
      ['8.5', 'nothing is answered', nothing(), 'success'],
    ] as const
  ).map(([rule, when, answer, then]) => ({
    ...{ rule, waiter: 'servicesStable' as const, when, answer, then },
  })),
  ...(
    [
      ['8.7', 'servicesInactive', 'one is INACTIVE', services(service('INACTIVE', 0)), 'success'],
      ['8.7', 'servicesInactive', 'it drains', services(service('DRAINING', 0)), 'retry'],
      ['8.7', 'servicesInactive', 'it is unknown', nothing(MISSING), 'failure'],
      ['8.8', 'tasksRunning', 'all run', tasks('RUNNING', 'RUNNING'), 'success'],
      ['8.8', 'tasksRunning', 'one is pending', tasks('RUNNING', 'PENDING'), 'retry'],
      ['8.8', 'tasksRunning', 'one is stopped', tasks('RUNNING', 'STOPPED'), 'failure'],
      ['8.8', 'tasksRunning', 'one is unknown', nothing(MISSING), 'failure'],
      ['8.8', 'tasksRunning', 'nothing is answered', tasks(), 'retry'],
      ['8.9', 'tasksStopped', 'all stopped', tasks('STOPPED', 'STOPPED'), 'success'],
      ['8.9', 'tasksStopped', 'one runs', tasks('STOPPED', 'RUNNING'), 'retry'],
      ['8.9', 'tasksStopped', 'one is unknown', nothing(MISSING), 'retry'],
    ] as const
  ).map(([rule, waiter, when, answer, then]) => ({ rule, waiter, when, answer, then })),
];

for (const { rule, waiter, when, answer, then } of answers) {
  test(`${rule}: ${waiter}, ${when}: ${then}`, () => {
    assert.equal(waiterState(WAITERS[waiter], answer), then);
  });
}

test('8.6 to 8.9: how long each waits, and what it tries in which order (8.1)', () => {
  const said = Object.entries(WAITERS).map(([name, { delaySeconds, maxAttempts, acceptors }]) =>
    [
      `${name} ${delaySeconds} s × ${maxAttempts}:`,
      ...acceptors.map(({ state, when }) => `${state} if ${when};`),
    ].join(' '),
  );
  assert.deepEqual(said, [
    'servicesStable 15 s × 40: failure if any failure is MISSING; failure if any service is DRAINING; failure if any service is INACTIVE; success if every service has one deployment and runs what it desires;',
    'servicesInactive 15 s × 40: failure if any failure is MISSING; success if any service is INACTIVE;',
    'tasksRunning 6 s × 100: failure if any task is STOPPED; failure if any failure is MISSING; success if every task is RUNNING;',
    'tasksStopped 6 s × 100: success if every task is STOPPED;',
  ]);
});

test('8.6, 8.7: the waiters over a service that comes and goes', () => {
  const world = createEcsWorld();
  register(world, 'web:1');
  createWeb(world);
  const api = apiOf(world);
  const ask = (waiter: 'servicesStable' | 'servicesInactive') =>
    waiterState(WAITERS[waiter], api.describeServices({ services: ['web'] }));
  assert.equal(ask('servicesStable'), 'retry');
  pass(world, 60_000);
  assert.deepEqual([ask('servicesStable'), ask('servicesInactive')], ['success', 'retry']);
  api.deleteService({ service: 'web', force: true });
  assert.deepEqual([ask('servicesStable'), ask('servicesInactive')], ['failure', 'retry']);
  pass(world, 60_000);
  assert.deepEqual([ask('servicesStable'), ask('servicesInactive')], ['failure', 'success']);
});
