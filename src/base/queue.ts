/**
 * First in, first out, as plain data. An array with a head: a `Set` or `shift()` used so walks over
 * its own holes and grows quadratic.
 */
export interface Queue<Item> {
  items: Item[];
  head: number;
}

export function createQueue<Item>(): Queue<Item> {
  return { items: [], head: 0 };
}

export function enqueue<Item>(queue: Queue<Item>, item: Item): void {
  queue.items.push(item);
}

export function dequeue<Item>(queue: Queue<Item>): Item | undefined {
  const item = queue.items[queue.head];
  if (item === undefined) return undefined;
  queue.head += 1;
  if (queue.head > 32 && queue.head * 2 > queue.items.length) {
    queue.items = queue.items.slice(queue.head);
    queue.head = 0;
  }
  return item;
}
