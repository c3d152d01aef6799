import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/index.ts';
import type { Timing } from './model.ts';

/**
 * What the scheduler follows, as one value. Nothing else in the code asks which preset is on; a
 * difference between presets is a field here (`docs/decisions.md` 1, section 10 of README.md).
 */
export interface SchedulerRules {
  /** How long a task without checks stays RUNNING before it counts (2.10). */
  readonly settleMs: number;
  /** The same while its deployment has a failed task. */
  readonly settleAfterFailureMs: number;
  /** Whether a task that counts clears `failedTasks`, where the service does not say (4.6, 4.12). */
  readonly resetsOnHealthyTask: boolean;
  /** Whether a task that had counted and ends by itself is a failed task (4.11). */
  readonly countsLateExits: boolean;
  /** Wait before the placement after the first failed task; doubles with each further one (7.1, 7.4). */
  readonly backoffFirstMs: number;
  readonly backoffMaxMs: number;
  /** The wait after a task that ran and ended by itself; null: as after any failed task (7.2, 7.4). */
  readonly exitDelayMs: number | null;
  /** Consecutive failed tasks at which "unable to consistently start tasks" is said (7.5). */
  readonly failuresBeforeComplaint: number;
  /** Whether it is said of tasks that ran (10.6). */
  readonly complainsOfExits: boolean;
  /** Whether a task that is stopping still takes room under the ceiling (3.3). */
  readonly stoppingTakesRoom: boolean;
  /** From "is holding at" to AWS's own complaint of the percentages; null: it is not said (3.11). */
  readonly holdingComplaintMs: number | null;
  /** Whether a task stopped by StopTask is replaced (4.13). */
  readonly replacesUserStopped: boolean;
  /** `rolloutStateReason` of a deployment that the circuit breaker failed (2.22 to 2.24). */
  readonly breakerReason: string;
  /** Status of a FAILED deployment once another one was put back (10.26). */
  readonly rolledBackStatus: 'ACTIVE' | 'DRAINING';
  /** How long alarms are watched once all tasks of a rolling deployment count (4.42). */
  readonly bakeMs: number;
  /** How long an equal placement failure is held back; null: until the next steady state (5.41). */
  readonly repeatsAfterMs: number | null;
  /** From one "has reached a steady state" to its repetition; null: on the edge only (10.16). */
  readonly steadyStateRepeatMs: number | null;
  /** Whether a host port that is taken keeps a task from being placed, or fails its start (7.11). */
  readonly placesByHostPort: boolean;
  /** Whether on EC2 the reason of a failed start stands on its container alone (6.50). */
  readonly ec2TellsContainerOnly: boolean;
  /** Whether a stop waits until the targets of the task have drained. */
  readonly drainsTargets: boolean;
  /** Whether the reason of a failed service resource is the service's own, or AWS's sentence (8.28, 8.29). */
  readonly tellsOwnReason: boolean;
  /** How long a task takes from one status to the next (`docs/decisions.md`, fine print m). */
  readonly taskTimes: { readonly [Host in TaskHost]: TaskTimes };
}

/** What a task runs on: Fargate, or EC2 with an interface of its own or with that of its instance. */
export type TaskHost = 'fargate' | 'ec2-awsvpc' | 'ec2';

/** Milliseconds that a task spends in each status on its way (6.1, 6.2). */
export interface TaskTimes {
  /** PROVISIONING: its interface is attached. */
  readonly provisioningMs: number;
  /** ACTIVATING: images are pulled, containers are made and started. */
  readonly activatingMs: number;
  /** DEPROVISIONING: its interface is taken away. */
  readonly deprovisioningMs: number;
}

const AT_ONCE: TaskTimes = { provisioningMs: 0, activatingMs: 0, deprovisioningMs: 0 };

/** The founding document's rules; where it is silent, AWS's. */
export const LOCAL_RULES: SchedulerRules = {
  settleMs: 3 * SECOND_MS,
  settleAfterFailureMs: 10 * SECOND_MS,
  resetsOnHealthyTask: false,
  countsLateExits: true,
  backoffFirstMs: 500,
  backoffMaxMs: 30 * SECOND_MS,
  exitDelayMs: null,
  failuresBeforeComplaint: 3,
  complainsOfExits: true,
  stoppingTakesRoom: true,
  holdingComplaintMs: null,
  replacesUserStopped: false,
  breakerReason: 'ECS deployment circuit breaker: task failed to start.',
  rolledBackStatus: 'ACTIVE',
  bakeMs: 30 * SECOND_MS, // assumed
  repeatsAfterMs: null,
  steadyStateRepeatMs: null,
  placesByHostPort: false,
  ec2TellsContainerOnly: false,
  drainsTargets: false,
  tellsOwnReason: true,
  taskTimes: { fargate: AT_ONCE, 'ec2-awsvpc': AT_ONCE, ec2: AT_ONCE },
};

/** AWS's rules; what AWS does not document is marked `assumed`. */
const AWS_RULES: SchedulerRules = {
  settleMs: 40 * SECOND_MS,
  settleAfterFailureMs: 40 * SECOND_MS,
  resetsOnHealthyTask: true,
  countsLateExits: false,
  backoffFirstMs: 10 * SECOND_MS, // assumed
  backoffMaxMs: 27 * MINUTE_MS,
  exitDelayMs: 15 * SECOND_MS, // assumed: starts of a crash loop are about 51 s apart (4.23)
  failuresBeforeComplaint: 3, // assumed
  complainsOfExits: false,
  stoppingTakesRoom: false,
  holdingComplaintMs: 5 * MINUTE_MS, // assumed
  replacesUserStopped: true,
  breakerReason: 'ECS deployment circuit breaker: tasks failed to start.',
  rolledBackStatus: 'DRAINING',
  bakeMs: 5 * MINUTE_MS, // assumed
  repeatsAfterMs: 6 * HOUR_MS,
  steadyStateRepeatMs: 6 * HOUR_MS,
  placesByHostPort: true,
  ec2TellsContainerOnly: true,
  drainsTargets: true,
  tellsOwnReason: false,
  taskTimes: {
    // `data/durations.json`, `ecs`; the pull is that of a small image, the way down is assumed.
    fargate: {
      provisioningMs: 18 * SECOND_MS,
      activatingMs: 15 * SECOND_MS,
      deprovisioningMs: 15 * SECOND_MS,
    },
    'ec2-awsvpc': {
      provisioningMs: 5 * SECOND_MS,
      activatingMs: 2 * SECOND_MS,
      deprovisioningMs: 5 * SECOND_MS,
    },
    ec2: { provisioningMs: 0, activatingMs: 2 * SECOND_MS, deprovisioningMs: 0 },
  },
};

export const PRESETS: { readonly [Name in Timing]: SchedulerRules } = {
  local: LOCAL_RULES,
  aws: AWS_RULES,
};

/**
 * How long a deployment waits before it places again, from its newest failure: under `local` 500 ms
 * after the first, 1 s after the second, 2 s, … and 30 s from the seventh on (`docs/decisions.md`,
 * fine print b).
 *
 * @param failedTasks - whole, 1 or more
 * @returns milliseconds
 */
export function backoffMs(failedTasks: number, rules: SchedulerRules): number {
  // 2 ** 30 is beyond any limit; a larger exponent would only lose precision.
  const doublings = Math.min(failedTasks - 1, 30);
  return Math.min(rules.backoffFirstMs * 2 ** doublings, rules.backoffMaxMs);
}
