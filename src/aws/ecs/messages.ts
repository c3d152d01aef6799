import type { DeploymentId, TaskId } from '../../base/index.ts';
import type { ServiceEventKind } from '../../events/index.ts';

/** One service event ready to be said: its row in the catalogue and its words. */
export interface Saying {
  readonly kind: ServiceEventKind;
  readonly message: string;
}

const IDS_IN_A_MESSAGE_MAX = 10;

/** The wording of every service event the scheduler says; numbers are those of README.md. */
export const say = {
  /** 5.1 */
  steadyState: (service: string): Saying => ({
    kind: 'steady-state',
    message: `(service ${service}) has reached a steady state.`,
  }),
  /** 5.2 */
  startedTasks: (service: string, tasks: readonly TaskId[]): Saying => ({
    kind: 'started-tasks',
    message: `(service ${service}) has started ${tasks.length} tasks: ${taskList(tasks)}.`,
  }),
  /** 5.4 */
  stoppedTasks: (service: string, tasks: readonly TaskId[]): Saying => ({
    kind: 'stopped-tasks',
    message: `(service ${service}) has stopped ${tasks.length} running tasks: ${taskList(tasks)}.`,
  }),
  /** 5.8 */
  deploymentCompleted: (service: string, deployment: DeploymentId): Saying => ({
    kind: 'deployment-completed',
    message: `(service ${service}) (deployment ${deployment}) deployment completed.`,
  }),
  /** 5.9 */
  cannotStartConsistently: (service: string): Saying => ({
    kind: 'cannot-start-consistently',
    message: `(service ${service}) is unable to consistently start tasks successfully.`,
  }),
  /** 5.11 */
  deploymentFailed: (service: string, deployment: DeploymentId): Saying => ({
    kind: 'deployment-failed',
    message: `(service ${service}) (deployment ${deployment}) deployment failed: tasks failed to start.`,
  }),
  /** 5.12 */
  rollingBack: (service: string, deployment: DeploymentId): Saying => ({
    kind: 'rolling-back',
    message: `(service ${service}) rolling back to deployment ${deployment}.`,
  }),
  /** 5.14, and 5.29 with the runtime's text of a port that is taken */
  cannotPlace: (service: string, reason: string): Saying => ({
    kind: 'cannot-place-because',
    message: `(service ${service}) was unable to place a task. Reason: ${withoutFinalPeriod(reason)}.`,
  }),
  /** 5.30 */
  holding: (service: string, tasks: number, permits: number, requires: number): Saying => ({
    kind: 'holding',
    message: `(service ${service}) is holding at ${tasks} task(s): its deployment configuration permits at most ${permits} and requires ${requires} running.`,
  }),
};

/** `rolloutStateReason` (2.20, 2.21, 2.25); that of a failed deployment is a rule of the preset. */
export const rolloutReason = {
  inProgress: (id: DeploymentId) => `ECS deployment ${id} in progress.`,
  completed: (id: DeploymentId) => `ECS deployment ${id} completed.`,
  rollingBack: (id: DeploymentId) =>
    `ECS deployment circuit breaker: rolling back to deploymentId ${id}.`,
};

/** `stoppedReason` of stops that the service or a user asked for (6.51 to 6.53). */
export const stoppedReason = {
  essentialExited: 'Essential container in task exited',
  byUser: 'Task stopped by user',
  scaling: (id: DeploymentId) => `Scaling activity initiated by (deployment ${id})`,
};

function taskList(tasks: readonly TaskId[]): string {
  const named = tasks.slice(0, IDS_IN_A_MESSAGE_MAX).map((id) => `(task ${id})`);
  const more = tasks.length - named.length;
  return named.join(' ') + (more > 0 ? ` and ${more} more` : '');
}

function withoutFinalPeriod(text: string): string {
  return text.endsWith('.') ? text.slice(0, -1) : text;
}
