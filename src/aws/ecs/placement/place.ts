import type { RandomState } from '../../../base/index.ts';
import type { PlacementFailure } from './failure.ts';
import type { ContainerInstance } from './instance.ts';
import type { TaskRequirements } from './requirements.ts';
import { type Asker, CHECK_ORDER, type Shortfall, shortfallOf } from './shortfall.ts';
import { chooseBest, type PlacementStrategy } from './strategies.ts';

export interface PlacementRules extends Asker {
  readonly strategies: readonly PlacementStrategy[];
  /** Advanced by the strategy `random` alone. */
  readonly random: RandomState;
}

export type Placement =
  | { readonly instance: ContainerInstance }
  | { readonly failure: PlacementFailure };

/**
 * Chooses an instance for one task and changes nothing; `reserve` takes the place (7.6, 7.10, 7.11).
 *
 * Constraints bind, strategies choose among what is left. A DRAINING instance is none for this. Looks
 * at each instance once for the checks and once for each strategy, and at no task.
 *
 * @param instances - those of the cluster, in order of registration, which settles ties
 */
export function placeTask(
  instances: readonly ContainerInstance[],
  requirements: TaskRequirements,
  rules: PlacementRules,
): Placement {
  const candidates: ContainerInstance[] = [];
  const closest = createClosest();
  for (const instance of instances) {
    if (instance.status !== 'ACTIVE') continue;
    const shortfall = shortfallOf(instance, requirements, rules);
    if (shortfall === undefined) candidates.push(instance);
    else closest.add(instance, shortfall);
  }
  const { group, random, strategies } = rules;
  const instance = chooseBest(candidates, strategies, { instances, group, random });
  return instance === undefined ? { failure: closest.failure() } : { instance };
}

/** Remembers the instance that fails the latest check, the first registered of several. */
export function createClosest() {
  let closest: { readonly instance: ContainerInstance; readonly shortfall: Shortfall } | undefined;
  const rankOf = ({ type }: Shortfall) => CHECK_ORDER.indexOf(type);
  return {
    add(instance: ContainerInstance, shortfall: Shortfall): void {
      if (closest === undefined || rankOf(shortfall) > rankOf(closest.shortfall)) {
        closest = { instance, shortfall };
      }
    },
    failure(): PlacementFailure {
      if (closest === undefined) return { type: 'no-instances' };
      return { type: 'none-fits', closest: closest.instance.id, shortfall: closest.shortfall };
    },
  };
}
