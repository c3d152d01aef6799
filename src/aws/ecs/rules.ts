import { MINUTE_MS, SECOND_MS } from '../../base/index.ts';

/**
 * What the scheduler follows, as one value. Nothing else in the code asks which preset is on; a
 * difference between presets is a field here (`docs/decisions.md` 1).
 */
export interface SchedulerRules {
  /** How long a task without checks stays RUNNING before it counts (2.10). */
  readonly settleMs: number;
  /** The same while its deployment has a failed task. */
  readonly settleAfterFailureMs: number;
  /** Wait before the placement after the first failed task; doubles with each further one (7.4). */
  readonly backoffFirstMs: number;
  readonly backoffMaxMs: number;
  /** Consecutive failed tasks at which "unable to consistently start tasks" is said (7.5). */
  readonly failuresBeforeComplaint: number;
  /** Whether a task that is stopping still takes room under the ceiling (3.3). */
  readonly stoppingTakesRoom: boolean;
  /** Whether a task stopped by StopTask is replaced (4.13). */
  readonly replacesUserStopped: boolean;
  /** `rolloutStateReason` of a deployment that the circuit breaker failed (2.22 to 2.24). */
  readonly breakerReason: string;
}

/** The founding document's rules; where it is silent, AWS's (section 10 of the rules in README.md). */
export const LOCAL_RULES: SchedulerRules = {
  settleMs: 3 * SECOND_MS,
  settleAfterFailureMs: 10 * SECOND_MS,
  backoffFirstMs: 500,
  backoffMaxMs: MINUTE_MS / 2,
  failuresBeforeComplaint: 3,
  stoppingTakesRoom: true,
  replacesUserStopped: false,
  breakerReason: 'ECS deployment circuit breaker: task failed to start.',
};

/**
 * How long a deployment waits before it places again, from its newest failure: 500 ms after the
 * first, 1 s after the second, 2 s, … and 30 s from the seventh on (`docs/decisions.md`, fine print b).
 *
 * @param failedTasks - whole, 1 or more
 * @returns milliseconds
 */
export function backoffMs(failedTasks: number, rules: SchedulerRules): number {
  // 2 ** 30 is beyond any limit; a larger exponent would only lose precision.
  const doublings = Math.min(failedTasks - 1, 30);
  return Math.min(rules.backoffFirstMs * 2 ** doublings, rules.backoffMaxMs);
}
