import type { PlacementFailure } from './failure.ts';
import { type ContainerInstance, tasksOf } from './instance.ts';
import { createClosest } from './place.ts';
import type { TaskRequirements } from './requirements.ts';
import { type Asker, shortfallOf, unfit } from './shortfall.ts';

/** What a DAEMON service has to do, in order of registration. */
export interface DaemonPlan {
  /** How many instances should have a task: its desired count. */
  readonly desiredCount: number;
  /** Instances without a task that can take one now. */
  readonly start: readonly ContainerInstance[];
  /** Instances whose tasks must go: DRAINING, or not what the service asks for any more. */
  readonly stop: readonly ContainerInstance[];
  /** Why the others that should have a task cannot take one yet; null: all of them can. */
  readonly failure: PlacementFailure | null;
}

/**
 * Compares a DAEMON service with its cluster: one task on each ACTIVE instance with the attributes and
 * within the constraints of the task definition and the service. An instance outside them is no
 * failure; one inside that is too full, or whose agent is away, is one and is waited for.
 *
 * Source: developer guide, "Daemon" under "Service scheduler concepts".
 */
export function planDaemon(
  instances: readonly ContainerInstance[],
  requirements: TaskRequirements,
  { constraints, group }: Asker,
): DaemonPlan {
  // One task on an instance is what a daemon means; `distinctInstance` would rule out its own task.
  const asker = { group, constraints: constraints.filter(({ type }) => type === 'memberOf') };
  const plan = { start: [] as ContainerInstance[], stop: [] as ContainerInstance[] };
  const closest = createClosest();
  let [desiredCount, waiting] = [0, 0];
  for (const instance of instances) {
    const has = tasksOf(instance, group) > 0;
    if (instance.status === 'DRAINING' || unfit(instance, requirements, asker) !== undefined) {
      if (has) plan.stop.push(instance);
      continue;
    }
    desiredCount += 1;
    const shortfall = has ? undefined : shortfallOf(instance, requirements, asker);
    if (shortfall !== undefined) {
      closest.add(instance, shortfall);
      waiting += 1;
    } else if (!has) plan.start.push(instance);
  }
  return { ...plan, desiredCount, failure: waiting > 0 ? closest.failure() : null };
}
