import type { EcsContext } from './context.ts';
import type { LifecycleHooks } from './lifecycle-hooks.ts';
import type { ServiceState } from './model.ts';
import type { SchedulerRules } from './rules.ts';
import type { TargetHealth } from './target-health.ts';
import type { TaskRuntime } from './task-runtime.ts';

/** What one turn of the scheduler works with. */
export interface Turn extends EcsContext {
  readonly runtime: TaskRuntime;
  /** Checks the targets of balancers; undefined where nobody does. */
  readonly targets: TargetHealth | undefined;
  /** Answers the hooks of deployments; where nobody does, each of them succeeds. */
  readonly hooks?: LifecycleHooks;
  /** What the scheduler follows for a service, or for a task without one. */
  rulesOf(of: Pick<ServiceState, 'timing'>): SchedulerRules;
}
