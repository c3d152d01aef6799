import { assertNever, type TaskId } from '../../../base/index.ts';
import { withLeast } from './counts.ts';
import type { ContainerInstance } from './instance.ts';
import type { TaskRequirements } from './requirements.ts';
import { type PlacementStrategy, spreadScore } from './strategies.ts';

/** Tasks of a service that may be stopped on one instance, in the order in which they would go. */
export interface TasksOnInstance {
  readonly instance: ContainerInstance;
  readonly tasks: readonly TaskId[];
}

export interface ScaleInRules {
  readonly strategies: readonly PlacementStrategy[];
  readonly requirements: Pick<TaskRequirements, 'cpuUnits' | 'memoryMebibytes'>; // of each task
}

/**
 * Which tasks of a service go when it has `count` too many (7.8); fewer where there are fewer.
 *
 * Those on DRAINING instances first, for they must leave anyway. Then the strategies turned round, in
 * their order: `spread` takes from where the most tasks of the service are, so that zones stay in
 * balance; `binpack` from the instance that would have the most left; `random` has no preference.
 * AWS chooses at random among what is left; here the order of registration and of `tasks` decides,
 * so that a run can be repeated. O(instances) for each task and strategy.
 *
 * Source: developer guide, "Service scheduler concepts" and the strategy `binpack`.
 */
export function chooseTasksToStop(
  running: readonly TasksOnInstance[],
  count: number,
  { strategies, requirements }: ScaleInRules,
): readonly TaskId[] {
  const places = new Map<ContainerInstance, Place>();
  for (const on of running) places.set(on.instance, { ...on, stopped: 0 });
  const left = (instance: ContainerInstance) => leftOn(places.get(instance));
  const freed = (instance: ContainerInstance) => places.get(instance)?.stopped ?? 0;
  const chosen: TaskId[] = [];
  while (chosen.length < count) {
    let best: readonly ContainerInstance[] = [...places.keys()].filter((one) => left(one) > 0);
    const instances = best;
    best = withLeast(best, ({ status }) => (status === 'DRAINING' ? 0 : 1));
    for (const strategy of strategies) {
      best = withLeast(best, reluctance(strategy, { instances, left, freed, requirements }));
    }
    const place = best[0] === undefined ? undefined : places.get(best[0]);
    const task = place?.tasks[place.stopped];
    if (place === undefined || task === undefined) break;
    place.stopped += 1;
    chosen.push(task);
  }
  return chosen;
}

interface Place extends TasksOnInstance {
  stopped: number;
}

function leftOn(place: Place | undefined): number {
  return place === undefined ? 0 : place.tasks.length - place.stopped;
}

interface Situation extends Pick<ScaleInRules, 'requirements'> {
  readonly instances: readonly ContainerInstance[];
  readonly left: (instance: ContainerInstance) => number;
  readonly freed: (instance: ContainerInstance) => number;
}

/** How little a strategy likes to stop a task on an instance: the lowest goes first. */
function reluctance(
  strategy: PlacementStrategy,
  { instances, left, freed, requirements }: Situation,
): (instance: ContainerInstance) => number {
  switch (strategy.type) {
    case 'spread': {
      const crowd = spreadScore(instances, strategy, left);
      return (instance) => -crowd(instance);
    }
    case 'binpack': {
      const { resource } = strategy;
      return (one) => -(one.remaining[resource] + freed(one) * requirements[resource]);
    }
    case 'random':
      return () => 0;
    default:
      return assertNever(strategy);
  }
}
