import type { EpochMs, ServiceArn } from '../base/index.ts';
import type { RecordedEvent, ServiceEvent, TaskStoppedEvent } from './event.ts';
import type { FoldedServiceEvent } from './service-view.ts';

/**
 * The append-only list of what happened in one stack operation, as plain data.
 *
 * Repetition folds as it is appended: of service events and stopped tasks that differ only in task
 * ids the first three stay in `entries` and the newest three beside them, with the count of all, so
 * that a crash loop of days stays small. Everything else is kept whole.
 */
export interface EventRecord {
  readonly entries: RecordedEvent[];
  readonly folds: { [key: string]: Fold };
  /** How many events were appended, folded ones included. */
  appended: number;
}

interface Fold {
  count: number;
  /** The newest three beyond the first three, oldest first, each with its place among `entries` and all. */
  newest: { event: Foldable; after: number; order: number }[];
}

type Foldable = ServiceEvent | TaskStoppedEvent;

const KEPT_AT_EACH_END = 3;

export function createRecord(): EventRecord {
  return { entries: [], folds: {}, appended: 0 };
}

export function append(record: EventRecord, event: RecordedEvent): void {
  record.appended += 1;
  if (event.type === 'assumption') {
    const known = record.entries.some((e) => e.type === 'assumption' && e.text === event.text);
    if (!known) record.entries.push(event);
    return;
  }
  if (event.type !== 'ecs-service' && event.type !== 'ecs-task-stopped') {
    record.entries.push(event);
    return;
  }
  const key = foldKey(event);
  const fold = record.folds[key] ?? { count: 0, newest: [] };
  record.folds[key] = fold;
  fold.count += 1;
  if (fold.count <= KEPT_AT_EACH_END) {
    record.entries.push(event);
    return;
  }
  fold.newest.push({ event, after: record.entries.length, order: record.appended });
  if (fold.newest.length > KEPT_AT_EACH_END) fold.newest.shift();
  if (isDoubling(fold.count)) record.entries.push(repeated(event, fold.count, event.atMs));
}

/** A service's events of this operation, oldest first: the first and last three of each kind. */
export function serviceEvents(record: EventRecord, service: ServiceArn): FoldedServiceEvent[] {
  const placed: { event: ServiceEvent; count: number; place: number; order: number }[] = [];
  record.entries.forEach((event, place) => {
    if (event.type === 'ecs-service' && event.service === service) {
      placed.push({ event, count: 1, place, order: 0 });
    }
  });
  for (const fold of Object.values(record.folds)) {
    fold.newest.forEach(({ event, after, order }, index) => {
      if (event.type !== 'ecs-service' || event.service !== service) return;
      const hidden = fold.count - KEPT_AT_EACH_END - fold.newest.length;
      placed.push({ event, count: index === 0 ? hidden + 1 : 1, place: after - 0.5, order });
    });
  }
  placed.sort((a, b) => a.place - b.place || a.order - b.order);
  return placed.map(({ event, count }) => ({ event, count }));
}

function foldKey(event: Foldable): string {
  if (event.type === 'ecs-service') {
    return `${event.service} ${event.deployment ?? ''} ${withoutTaskIds(event.message)}`;
  }
  const exit = event.essentialExit;
  return `${event.service ?? ''} ${event.deployment ?? ''} ${event.stopCode} ${exit?.container}:${exit?.exitCode} ${withoutNumbers(event.stoppedReason)}`;
}

export function withoutTaskIds(message: string): string {
  return message.replace(/\(task [0-9a-f]{32}\)/g, '(task)');
}

export function withoutNumbers(reason: string): string {
  return reason.replace(/\d+/g, '#');
}

/** 4, 8, 16, …: the first fold is told, then each time the number has doubled. */
function isDoubling(count: number): boolean {
  return (count & (count - 1)) === 0;
}

function repeated(event: Foldable, count: number, atMs: EpochMs): RecordedEvent {
  const of =
    event.type === 'ecs-service'
      ? withoutTaskIds(event.message)
      : `task stopped (${event.stopCode}): ${event.stoppedReason}`;
  return { type: 'repeated', atMs, service: event.service, of, count };
}
