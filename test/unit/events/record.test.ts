import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  DeploymentId,
  EpochMs,
  OperationId,
  ServiceArn,
  StackId,
  TaskId,
} from '../../../src/base/index.ts';
import {
  append,
  createRecord,
  type EventRecord,
  type RecordedEvent,
  type ServiceEvent,
  serviceEvents,
  type TaskStoppedEvent,
} from '../../../src/events/index.ts';

const WEB = 'arn:aws:ecs:us-east-1:000000000000:service/default/web' as ServiceArn;
const DEPLOYMENT = 'ecs-svc/1' as DeploymentId;

function started(at: number, more: Partial<ServiceEvent> = {}): ServiceEvent {
  const id = at.toString(16).padStart(32, '0');
  return {
    ...{ type: 'ecs-service', atMs: at as EpochMs, eventId: `e${at}`, service: WEB },
    ...{ kind: 'started-tasks', deployment: DEPLOYMENT },
    message: `(service web) has started 1 tasks: (task ${id}).`,
    ...more,
  };
}

function stopped(at: number, more: Partial<TaskStoppedEvent> = {}): TaskStoppedEvent {
  return {
    ...{ type: 'ecs-task-stopped', atMs: at as EpochMs, service: WEB, deployment: DEPLOYMENT },
    ...{ task: `t${at}` as TaskId, stopCode: 'EssentialContainerExited' },
    stoppedReason: 'Essential container in task exited',
    essentialExit: { container: 'app', exitCode: 1 },
    ...more,
  };
}

function recordOf(events: readonly RecordedEvent[]): EventRecord {
  const record = createRecord();
  for (const event of events) append(record, event);
  return record;
}

function times(count: number, event: (at: number) => RecordedEvent): readonly RecordedEvent[] {
  return Array.from({ length: count }, (_, at) => event(at + 1));
}

/** Entries on one line each: the time, and of a line that stands for many how many. */
function entriesOf({ entries }: EventRecord): readonly string[] {
  return entries.map((event) =>
    event.type === 'repeated' ? `${event.atMs} ×${event.count}` : `${event.atMs}`,
  );
}

function shownOf(record: EventRecord): readonly string[] {
  return serviceEvents(record, WEB).map(({ event, count }) => `${event.atMs} ×${count}`);
}

test('three alike are kept as they are', () => {
  const record = recordOf(times(3, started));
  assert.deepEqual(entriesOf(record), ['1', '2', '3']);
  assert.deepEqual(shownOf(record), ['1 ×1', '2 ×1', '3 ×1']);
});

test('of many alike the first and the last three are shown, and all are counted', () => {
  for (const count of [4, 6, 7, 100]) {
    const record = recordOf(times(count, started));
    const shown = serviceEvents(record, WEB);
    assert(shown.length <= 6);
    assert.equal(
      shown.reduce((sum, one) => sum + one.count, 0),
      count,
    );
  }
  const record = recordOf(times(100, started));
  assert.deepEqual(shownOf(record), ['1 ×1', '2 ×1', '3 ×1', '98 ×95', '99 ×1', '100 ×1']);
});

test('that something repeats is said when its number has doubled: 4, 8, 16, …', () => {
  const record = recordOf(times(20, started));
  assert.deepEqual(entriesOf(record), ['1', '2', '3', '4 ×4', '8 ×8', '16 ×16']);
  const line = record.entries.find((event) => event.type === 'repeated');
  assert.equal(line?.of, '(service web) has started 1 tasks: (task).');
});

test('a crash loop of days stays small', () => {
  const record = recordOf(times(100_000, (at) => (at % 2 === 0 ? started(at) : stopped(at))));
  assert(JSON.stringify(record).length < 20_000);
});

test('events of a service stand in their order, folded ones among the others', () => {
  const steady = (at: number) => started(at, { kind: 'steady-state', message: 'steady' });
  const record = recordOf([...times(9, started), steady(10), started(11), steady(12)]);
  assert.deepEqual(shownOf(record), [
    '1 ×1',
    '2 ×1',
    '3 ×1',
    '8 ×5',
    '9 ×1',
    '10 ×1',
    '11 ×1',
    '12 ×1',
  ]);
});

test('in one instant the order is the one of their coming', () => {
  const at = (message: string) => started(5, { kind: 'steady-state', message });
  const record = recordOf(['a', 'b', 'b', 'b', 'c', 'b', 'd'].map(at));
  const shown = serviceEvents(record, WEB).map(({ event }) => event.message);
  assert.deepEqual(shown, ['a', 'b', 'b', 'b', 'c', 'b', 'd']);
});

const apart: readonly {
  readonly by: string;
  readonly one: RecordedEvent;
  readonly other: RecordedEvent;
}[] = [
  {
    by: 'their text',
    one: started(1),
    other: started(2, { message: '(service web) has started 2 tasks.' }),
  },
  {
    by: 'their deployment',
    one: started(1),
    other: started(2, { deployment: 'ecs-svc/2' as DeploymentId }),
  },
  {
    by: 'their service',
    one: started(1),
    other: started(2, { service: 'arn:other' as ServiceArn }),
  },
  {
    by: 'the exit code',
    one: stopped(1),
    other: stopped(2, { essentialExit: { container: 'app', exitCode: 137 } }),
  },
  {
    by: 'the container',
    one: stopped(1),
    other: stopped(2, { essentialExit: { container: 'side', exitCode: 1 } }),
  },
  { by: 'the stop code', one: stopped(1), other: stopped(2, { stopCode: 'UserInitiated' }) },
  {
    by: 'the reason',
    one: stopped(1),
    other: stopped(2, { stoppedReason: 'Task stopped by user' }),
  },
];

for (const { by, one, other } of apart) {
  test(`events that differ in ${by} do not fold`, () => {
    const record = recordOf([one, one, one, other, other, other]);
    assert.equal(record.entries.length, 6);
  });
}

test('stopped tasks fold although numbers in their reasons differ', () => {
  const pulls = (at: number) => stopped(at, { stoppedReason: `has been retried ${at} time(s)` });
  assert.deepEqual(entriesOf(recordOf(times(5, pulls))), ['1', '2', '3', '4 ×4']);
});

test('the same is assumed once', () => {
  const assumed = (at: number, text: string): RecordedEvent => ({
    type: 'assumption',
    atMs: at as EpochMs,
    text,
  });
  const record = recordOf([assumed(1, 'a'), assumed(2, 'a'), assumed(3, 'b')]);
  assert.deepEqual(entriesOf(record), ['1', '3']);
});

test('events of stacks never fold', () => {
  const ofStack = (at: number): RecordedEvent => ({
    ...{
      type: 'stack',
      atMs: at as EpochMs,
      eventId: 'e',
      stackId: 's' as StackId,
      stackName: 'demo',
    },
    ...{ operationId: 'o' as OperationId, status: 'CREATE_IN_PROGRESS' },
  });
  assert.equal(recordOf(times(9, ofStack)).entries.length, 9);
});

test('a record is plain data: it goes on after it was saved', () => {
  const events = times(20, started);
  const saved = JSON.parse(JSON.stringify(recordOf(events.slice(0, 10)))) as EventRecord;
  for (const event of events.slice(10)) append(saved, event);
  assert.deepEqual(saved, recordOf(events));
});
