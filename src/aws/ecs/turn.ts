import type { EcsContext } from './context.ts';
import type { SchedulerRules } from './rules.ts';
import type { TaskRuntime } from './task-runtime.ts';

/** What one turn of the scheduler works with. */
export interface Turn extends EcsContext {
  readonly runtime: TaskRuntime;
  readonly rules: SchedulerRules;
}
