import type { EpochMs } from './time.ts';

/** Something that is due. Equal instants come out in the order they went in. */
export interface Due<Item> {
  readonly atMs: EpochMs;
  readonly order: number;
  readonly item: Item;
}

/** A binary heap over plain data: the earliest is at index 0, and the whole can be saved and copied. */
export interface DueHeap<Item> {
  readonly entries: Due<Item>[];
  lastOrder: number;
}

export function createHeap<Item>(): DueHeap<Item> {
  return { entries: [], lastOrder: 0 };
}

export function pushDue<Item>(heap: DueHeap<Item>, atMs: EpochMs, item: Item): void {
  heap.lastOrder += 1;
  const { entries } = heap;
  entries.push({ atMs, order: heap.lastOrder, item });
  let child = entries.length - 1;
  while (child > 0) {
    const parent = (child - 1) >> 1;
    if (!swapIfLater(entries, parent, child)) return;
    child = parent;
  }
}

export function nextDueMs<Item>(heap: DueHeap<Item>): EpochMs | undefined {
  return heap.entries[0]?.atMs;
}

/** Takes the earliest entry that is due at `nowMs`, or answers undefined when none is. */
export function popDue<Item>(heap: DueHeap<Item>, nowMs: EpochMs): Item | undefined {
  const { entries } = heap;
  const first = entries[0];
  if (first === undefined || first.atMs > nowMs) return undefined;
  const last = entries.pop();
  if (last !== undefined && entries.length > 0) {
    entries[0] = last;
    sink(entries);
  }
  return first.item;
}

function sink<Item>(entries: Due<Item>[]): void {
  let parent = 0;
  for (;;) {
    const left = 2 * parent + 1;
    if (left >= entries.length) return;
    const right = left + 1;
    const child = right < entries.length && isBefore(entries, right, left) ? right : left;
    if (!swapIfLater(entries, parent, child)) return;
    parent = child;
  }
}

function isBefore<Item>(entries: readonly Due<Item>[], a: number, b: number): boolean {
  const [x, y] = [entries[a], entries[b]];
  if (x === undefined || y === undefined) return false;
  return x.atMs === y.atMs ? x.order < y.order : x.atMs < y.atMs;
}

function swapIfLater<Item>(entries: Due<Item>[], parent: number, child: number): boolean {
  if (!isBefore(entries, child, parent)) return false;
  const [above, below] = [entries[parent], entries[child]];
  if (above === undefined || below === undefined) return false;
  entries[parent] = below;
  entries[child] = above;
  return true;
}
