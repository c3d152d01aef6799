import { countIn } from './counts.ts';

/** One item of a capacity provider strategy, defaults filled in (7.12). */
export interface ProviderShare {
  readonly provider: string;
  readonly weight: number; // 0 to 1,000
  readonly base: number; // whole tasks, 0 to 100,000
}

/**
 * How many of the next `count` tasks each provider gets, in the order of the strategy (7.12, 7.13).
 *
 * The base is filled first. After it each task goes to the provider with the smallest number of tasks
 * beyond its base, divided by its weight; ties go to the one listed first: 1:4 over 5 tasks gives 1
 * and 4. A provider with weight 0 gets its base and no more; where all have weight 0, which the API
 * refuses (1.62), what is left after the bases goes to nobody. O(providers) for each task.
 *
 * @param placed - tasks that are there already, by provider; providers not listed have none
 * @returns whole tasks, one number for each item of the strategy
 */
export function distribute(
  strategy: readonly ProviderShare[],
  placed: { readonly [provider: string]: number },
  count: number,
): readonly number[] {
  const before = strategy.map(({ provider }) => countIn(placed, provider));
  const given = strategy.map(() => 0);
  let left = count;
  for (const [index, { base }] of strategy.entries()) {
    const missing = Math.min(left, Math.max(0, base - (before[index] ?? 0)));
    given[index] = missing;
    left -= missing;
  }
  for (; left > 0; left -= 1) {
    const total = (index: number) => (before[index] ?? 0) + (given[index] ?? 0);
    const next = furthestBehind(strategy, total);
    if (next === undefined) break;
    given[next] = (given[next] ?? 0) + 1;
  }
  return given;
}

function furthestBehind(
  strategy: readonly ProviderShare[],
  total: (index: number) => number,
): number | undefined {
  let best:
    | { readonly index: number; readonly beyond: number; readonly weight: number }
    | undefined;
  for (const [index, { weight, base }] of strategy.entries()) {
    if (weight === 0) continue;
    const beyond = Math.max(0, total(index) - base);
    // Multiplied across, since a quotient such as 1/3 is no exact number.
    if (best === undefined || beyond * best.weight < best.beyond * weight) {
      best = { index, beyond, weight };
    }
  }
  return best?.index;
}
