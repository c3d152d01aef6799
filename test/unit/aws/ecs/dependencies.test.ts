import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../../src/base/index.ts';
import type { TaskView } from '../../../../src/events/index.ts';
import {
  createEcsWorld,
  createWeb,
  ecsOf,
  type Images,
  pass,
  register,
} from '../../../support/ecs-world.ts';

type Condition = 'START' | 'COMPLETE' | 'SUCCESS' | 'HEALTHY';

interface Row {
  readonly rule: string;
  readonly condition: Condition;
  /** How `dep:1` behaves, on which `app` waits; it stays up where nothing is said. */
  readonly dep?: Images[string];
  readonly startTimeout?: number;
  readonly healthCheck?: true;
  /** `app` is essential unless said otherwise. */
  readonly appIsExtra?: true;
  readonly afterSeconds: number;
  /** The newest task and its containers: `RUNNING app:RUNNING dep:STOPPED(0)`. */
  readonly then: string;
}

const rows: readonly Row[] = [
  { rule: '6.25', condition: 'START', afterSeconds: 0, then: 'RUNNING app:RUNNING dep:RUNNING' },
  {
    rule: '6.25 a dependency that has already stopped has started',
    condition: 'START',
    dep: { exits: { afterMs: 0, code: 1 } },
    afterSeconds: 0,
    then: 'RUNNING app:RUNNING dep:STOPPED(1)',
  },
  {
    rule: '6.26',
    condition: 'COMPLETE',
    afterSeconds: 600,
    then: 'PENDING app:PENDING dep:RUNNING',
  },
  {
    rule: '6.26',
    condition: 'COMPLETE',
    dep: { exits: { afterMs: 5_000, code: 3 } },
    afterSeconds: 5,
    then: 'RUNNING app:RUNNING dep:STOPPED(3)',
  },
  {
    rule: '6.27',
    condition: 'SUCCESS',
    dep: { exits: { afterMs: 5_000, code: 0 } },
    afterSeconds: 4,
    then: 'PENDING app:PENDING dep:RUNNING',
  },
  {
    rule: '6.27',
    condition: 'SUCCESS',
    dep: { exits: { afterMs: 5_000, code: 0 } },
    afterSeconds: 5,
    then: 'RUNNING app:RUNNING dep:STOPPED(0)',
  },
  {
    rule: '6.27, 6.23 a failed one fails its dependent at once',
    condition: 'SUCCESS',
    dep: { exits: { afterMs: 5_000, code: 1 } },
    afterSeconds: 5,
    then: 'STOPPED app:STOPPED(143) dep:STOPPED(1)',
  },
  {
    rule: '6.23 the task goes on without a dependent that is not essential',
    condition: 'SUCCESS',
    dep: { exits: { afterMs: 5_000, code: 1 } },
    appIsExtra: true,
    afterSeconds: 5,
    then: 'RUNNING app:STOPPED(143) dep:STOPPED(1)',
  },
  {
    rule: '6.28',
    condition: 'HEALTHY',
    healthCheck: true,
    afterSeconds: 29,
    then: 'PENDING app:PENDING dep:RUNNING',
  },
  {
    rule: '6.28',
    condition: 'HEALTHY',
    healthCheck: true,
    afterSeconds: 30,
    then: 'RUNNING app:RUNNING dep:RUNNING',
  },
  {
    rule: '6.28 one that fails its check is never healthy',
    condition: 'HEALTHY',
    healthCheck: true,
    dep: { healthcheck: 'fail' },
    afterSeconds: 86_400,
    then: 'PENDING app:PENDING dep:RUNNING',
  },
  {
    rule: '6.29 without a check it waits for ever, PENDING',
    condition: 'HEALTHY',
    afterSeconds: 86_400,
    then: 'PENDING app:PENDING dep:RUNNING',
  },
  {
    rule: '6.20 the start timeout is the one of the dependency',
    condition: 'HEALTHY',
    startTimeout: 60,
    afterSeconds: 60,
    then: 'STOPPED app:STOPPED(143) dep:STOPPED(143)',
  },
  {
    rule: '6.20 not before it is over',
    condition: 'COMPLETE',
    startTimeout: 60,
    afterSeconds: 59,
    then: 'PENDING app:PENDING dep:RUNNING',
  },
  {
    rule: '6.20 it is not for START',
    condition: 'START',
    startTimeout: 2,
    afterSeconds: 60,
    then: 'RUNNING app:RUNNING dep:RUNNING',
  },
  {
    rule: '6.20 not once the dependency has stopped',
    condition: 'COMPLETE',
    dep: { exits: { afterMs: 5_000, code: 0 } },
    startTimeout: 10,
    afterSeconds: 60,
    then: 'RUNNING app:RUNNING dep:STOPPED(0)',
  },
];

for (const row of rows) {
  const { rule, condition, afterSeconds, then } = row;
  test(`${rule}: ${condition}, after ${afterSeconds} s: ${then}`, () => {
    assert.equal(pictureOf(newestTask(row)), then);
  });
}

const texts: readonly (Omit<Row, 'then' | 'rule'> & { readonly tail: string })[] = [
  {
    condition: 'SUCCESS',
    dep: { exits: { afterMs: 5_000, code: 1 } },
    afterSeconds: 5,
    tail: 'failed to resolve container ordering dependency [dep] for target [app] as dependency did not exit successfully.',
  },
  {
    condition: 'COMPLETE',
    startTimeout: 60,
    afterSeconds: 60,
    tail: 'container ordering dependency [dep] for target [app] has timed out.',
  },
];

for (const { tail, ...row } of texts) {
  test(`6.24, 6.50: ${tail}`, () => {
    const task = newestTask({ ...row, rule: '', then: '' });
    const reason = `CannotStartContainerError: dependency graph: ${tail}`;
    assert.deepEqual([task?.stopCode, task?.stoppedReason], ['TaskFailedToStart', reason]);
    const reasons = task?.containers.map((container) => container.reason);
    assert.deepEqual(reasons, [null, reason], '6.14: the reason stands on its own container only');
  });
}

test('6.24: what waits for a container that never starts does not start either', () => {
  const world = createEcsWorld({ 'dep:1': { exits: { afterMs: 1_000, code: 1 } } });
  const extra = { essential: false };
  register(world, '', {
    containerDefinitions: [
      { name: 'dep', image: 'dep:1', ...extra },
      {
        name: 'mid',
        image: 'mid:1',
        ...extra,
        dependsOn: [{ containerName: 'dep', condition: 'SUCCESS' }],
      },
      { name: 'app', image: 'app:1', dependsOn: [{ containerName: 'mid', condition: 'START' }] },
    ],
  });
  const service = createWeb(world);
  pass(world, 1_000);
  const [task] = ecsOf(world).describeService(service)?.tasks ?? [];
  const tail =
    'failed to resolve container ordering dependency [mid] for target [app] because dependency will never start';
  assert.equal(task?.stoppedReason, `CannotStartContainerError: dependency graph: ${tail}`);
});

test('6.20: who waits for another one to end is not given up for a dependency that has started', () => {
  const world = createEcsWorld({ 'other:1': { exits: { afterMs: 30_000, code: 0 } } });
  const extra = { essential: false };
  const dependsOn = [
    { containerName: 'dep', condition: 'START' },
    { containerName: 'other', condition: 'COMPLETE' },
  ];
  register(world, '', {
    containerDefinitions: [
      { name: 'dep', image: 'dep:1', ...extra, startTimeout: 2 },
      { name: 'other', image: 'other:1', ...extra },
      { name: 'app', image: 'app:1', dependsOn },
    ],
  });
  const service = createWeb(world);
  pass(world, 30_000);
  const [task] = ecsOf(world).describeService(service)?.tasks ?? [];
  assert.equal(task?.lastStatus, 'RUNNING');
});

test('6.29, dec. 10: a task that waits is no failed task', () => {
  const { world, service } = play({
    rule: '',
    condition: 'HEALTHY',
    afterSeconds: 86_400,
    then: '',
  });
  const view = ecsOf(world).describeService(service);
  assert.deepEqual([view?.pendingCount, view?.deployments[0]?.failedTasks], [1, 0]);
});

function newestTask(row: Row): TaskView | undefined {
  const { world, service } = play(row);
  return ecsOf(world).describeService(service)?.tasks[0];
}

function play({ condition, dep, startTimeout, healthCheck, appIsExtra, afterSeconds }: Row) {
  const world = createEcsWorld({ 'dep:1': dep ?? {} });
  const dependency: JsonObject = {
    ...{ name: 'dep', image: 'dep:1', essential: false },
    ...(startTimeout === undefined ? {} : { startTimeout }),
    ...(healthCheck === undefined ? {} : { healthCheck: { command: ['CMD', 'true'] } }),
  };
  const app: JsonObject = {
    ...{ name: 'app', image: 'app:1', dependsOn: [{ containerName: 'dep', condition }] },
    ...(appIsExtra === undefined ? {} : { essential: false }),
  };
  const main = appIsExtra === undefined ? [] : [{ name: 'main', image: 'main:1' }];
  register(world, '', { containerDefinitions: [dependency, app, ...main] });
  const service = createWeb(world);
  pass(world, afterSeconds * 1_000);
  return { world, service };
}

function pictureOf(task: TaskView | undefined): string {
  const containers = (task?.containers ?? [])
    .filter(({ name }) => name !== 'main')
    .map(
      ({ name, lastStatus, exitCode }) =>
        `${name}:${lastStatus}${exitCode === null ? '' : `(${exitCode})`}`,
    )
    .sort((a, b) => a.localeCompare(b));
  return [task?.lastStatus, ...containers].join(' ');
}
