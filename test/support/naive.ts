import assert from 'node:assert/strict';
import type { ServiceState, TaskState } from '../../src/aws/ecs/model.ts';
import type { TaskObservation } from '../../src/aws/ecs/task-runtime.ts';

/*
 * The arithmetic of a rollout and the circuit breaker a second time, on purpose by counting one by one
 * and in no words of the product's, so that both would have to be wrong in the same way.
 */

/** The most tasks that are no more than this share of the desired ones (3.1). */
export function mostTasks(desired: number, percent: number): number {
  let tasks = 0;
  while ((tasks + 1) * 100 <= desired * percent) tasks += 1;
  return tasks;
}

/** The fewest tasks that are no less than this share of the desired ones (3.2). */
export function fewestTasks(desired: number, percent: number): number {
  let tasks = 0;
  while (tasks * 100 < desired * percent) tasks += 1;
  return tasks;
}

/** How many failed tasks a breaker bears with, and one more (4.1, 4.4). */
export function trippingFailures({ desiredCount, configuration }: ServiceState): number {
  const { threshold } = configuration.circuitBreaker;
  if (threshold?.type === 'COUNT') return threshold.value;
  const share = fewestTasks(desiredCount, threshold?.value ?? 50);
  if (threshold?.type === 'UNBOUNDED_PERCENT') return share === 0 ? 1 : share;
  if (share < 3) return 3;
  return Math.min(share, 200);
}

/**
 * Counts failed tasks from what the runtime tells and what the scheduler stops, and holds the
 * scheduler's count, and the verdict of its breaker, to that.
 */
export function naiveBreaker(service: () => ServiceState) {
  const known = service().deployments.map(({ id, failedTasks }) => [id, failedTasks] as const);
  const failed = new Map<string, number>(known);
  const grown = new Set<string>(); // in this round
  let edges = service().steadyEdges;
  let newest = service().deployments[0]?.id;
  const count = ({ deployment }: TaskState) => {
    const id = deployment ?? '';
    failed.set(id, (failed.get(id) ?? 0) + 1);
    grown.add(id);
  };
  return {
    /** What a runtime tells, before the scheduler hears it. */
    observed(seen: TaskObservation, task: TaskState | undefined): void {
      if (seen.type !== 'stopped' || task === undefined) return;
      if (task.stop !== null && task.phase !== 'unhealthy') return; // it was asked to
      if (seen.because.kind !== 'asked-to-stop') count(task);
    },
    /** The scheduler asks a task to stop. */
    stopped(task: TaskState): void {
      if (task.stop?.isFailure === true) count(task);
    },
    /** A round is over. */
    look(): void {
      const now = service();
      const { circuitBreaker } = now.configuration;
      const [primary] = now.deployments;
      if (now.steadyEdges > edges && primary !== undefined) failed.set(primary.id, 0);
      edges = now.steadyEdges;
      // Taken up again by an update, a deployment begins anew (2.17).
      if (primary !== undefined && primary.id !== newest && !primary.resurrected) {
        if (!grown.has(primary.id)) failed.set(primary.id, 0);
      }
      newest = primary?.id;
      for (const { id, failedTasks, rolloutState, resurrected } of now.deployments) {
        const seen = failed.get(id) ?? 0;
        // A task that counts may have cleared them meanwhile (4.6).
        if (circuitBreaker.resetOnHealthyTask !== true) assert.equal(failedTasks, seen);
        assert(failedTasks <= seen, 'failed tasks are some that were seen');
        const breaks = circuitBreaker.enable && !resurrected;
        if (rolloutState === 'FAILED') assert(breaks, 'only a breaker fails a deployment');
        const isReached = failedTasks >= trippingFailures(now);
        const isNewest = id === primary?.id && rolloutState === 'IN_PROGRESS';
        assert(!(isNewest && breaks && grown.has(id) && isReached), 'the breaker trips (4.7)');
      }
      grown.clear();
      const listed = new Set<string>(now.deployments.map(({ id }) => id));
      for (const id of failed.keys()) if (!listed.has(id)) failed.delete(id);
    },
  };
}
