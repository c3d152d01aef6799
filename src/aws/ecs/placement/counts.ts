/** The count of a key in plain data; a key that is not there counts 0. */
export function countIn(counts: { readonly [key: string]: number }, key: string): number {
  return Object.hasOwn(counts, key) ? (counts[key] ?? 0) : 0;
}

/** The items with the lowest score, in their order. */
export function withLeast<Item>(
  items: readonly Item[],
  scoreOf: (item: Item) => number,
): readonly Item[] {
  let least = Number.POSITIVE_INFINITY;
  let best: Item[] = [];
  for (const item of items) {
    const score = scoreOf(item);
    if (score < least) [least, best] = [score, [item]];
    else if (score === least) best.push(item);
  }
  return best;
}
