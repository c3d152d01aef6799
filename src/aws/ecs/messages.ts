import type { DeploymentId, TaskId } from '../../base/index.ts';
import type { ServiceEventKind } from '../../events/index.ts';
import type { HookFailure } from './lifecycle-hooks.ts';
import type { EndedBy } from './model.ts';
import { cannotPlaceMessage, type PlacementFailure } from './placement/index.ts';

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
  /** 5.2, and 5.3 where some of them replace unhealthy ones */
  startedTasks: (service: string, tasks: readonly TaskId[], replacing = 0): Saying => ({
    kind: 'started-tasks',
    message: `(service ${service}) has started ${tasks.length} tasks: ${taskList(tasks)}.${
      replacing === 0 ? '' : ` Amazon ECS replaced ${replacing} tasks due to an unhealthy status.`
    }`,
  }),
  /** 5.4 */
  stoppedTasks: (service: string, tasks: readonly TaskId[]): Saying => ({
    kind: 'stopped-tasks',
    message: `(service ${service}) has stopped ${tasks.length} running tasks: ${taskList(tasks)}.`,
  }),
  /** 5.5 */
  registeredTargets: (service: string, count: number, targetGroup: string): Saying => ({
    kind: 'registered-targets',
    message: `(service ${service}) registered ${count} targets in (target-group ${targetGroup})`,
  }),
  /** 5.6 */
  deregisteredTargets: (service: string, count: number, targetGroup: string): Saying => ({
    kind: 'deregistered-targets',
    message: `(service ${service}) deregistered ${count} targets in (target-group ${targetGroup})`,
  }),
  /** 5.7 */
  drainsConnections: (service: string, deployment: DeploymentId, count: number): Saying => ({
    kind: 'drains-connections',
    message: `(service ${service}, taskSet ${deployment}) has begun draining connections on ${count} tasks.`,
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
  /** 5.10 */
  percentagesLeaveNoRoom: (service: string): Saying => ({
    kind: 'percentages-leave-no-room',
    message: `(service ${service}) was unable to stop or start tasks during a deployment because of the service deployment configuration. Update the minimumHealthyPercent or maximumPercent value and try again.`,
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
  /** 5.13 */
  alarmDetected: (service: string, deployment: DeploymentId): Saying => ({
    kind: 'alarm-detected',
    message: `(service ${service}) deployment ${deployment} deployment failed: alarm detected.`,
  }),
  /** 5.23 */
  failedContainerChecks: (service: string, task: TaskId): Saying => ({
    kind: 'failed-container-checks',
    message: `(service ${service}) (task ${task}) failed container health checks.`,
  }),
  /** 5.24, which has a form of its own for a task set */
  unhealthyTarget: (
    service: string,
    task: TaskId,
    target: { readonly targetGroup: string; readonly port: number; readonly reason: string },
    taskSet?: DeploymentId,
  ): Saying => ({
    kind: 'unhealthy-target',
    message: `(service ${service}${taskSet === undefined ? '' : `, taskSet ${taskSet}`}) (task ${task}) (port ${target.port}) is unhealthy in (target-group ${target.targetGroup}) due to (reason ${target.reason}).`,
  }),
  /** 5.14, and 5.29 with the runtime's text of a port that is taken */
  cannotPlace: (service: string, reason: string): Saying => ({
    kind: 'cannot-place-because',
    message: `(service ${service}) was unable to place a task. Reason: ${withoutFinalPeriod(reason)}.`,
  }),
  /** 5.15 */
  noInstanceFits: (service: string, failure: PlacementFailure): Saying => ({
    kind: failure.type === 'no-instances' ? 'no-instances' : 'no-instance-fits',
    message: cannotPlaceMessage(service, failure),
  }),
  /** 5.30 */
  holding: (service: string, tasks: number, permits: number, requires: number): Saying => ({
    kind: 'holding',
    message: `(service ${service}) is holding at ${tasks} task(s): its deployment configuration permits at most ${permits} and requires ${requires} running.`,
  }),
};

/** What ended a deployment. How AWS words any but the breaker was not seen (2.26). */
const ENDED_BY: { readonly [By in EndedBy]: string } = {
  breaker: 'ECS deployment circuit breaker',
  alarms: 'ECS deployment alarms',
  hook: 'Lifecycle hook',
  user: 'StopServiceDeployment',
};

/** `rolloutStateReason` (2.20, 2.21, 2.25); that of a breaker's failed deployment is a rule of the preset. */
export const rolloutReason = {
  inProgress: (id: DeploymentId) => `ECS deployment ${id} in progress.`,
  completed: (id: DeploymentId) => `ECS deployment ${id} completed.`,
  rollingBack: (id: DeploymentId, by: EndedBy) =>
    `${ENDED_BY[by]}: rolling back to deploymentId ${id}.`,
  alarmDetected: `${ENDED_BY.alarms}: alarm detected.`,
  hookFailed: ({ target, outcome }: HookFailure, stage: string) =>
    `${ENDED_BY.hook} ${target || 'PAUSE'} ${outcome} at ${stage}.`,
  stoppedByUser: (id: DeploymentId) => `${ENDED_BY.user}: deployment ${id} was stopped.`,
};

/** `stoppedReason` of a task (6.50 to 6.55); of a failed start mostly the error itself. */
export const stoppedReason = {
  essentialExited: 'Essential container in task exited',
  failedToStart: 'Task failed to start',
  byUser: 'Task stopped by user',
  failedContainerChecks: 'Task failed container health checks',
  failedTargetChecks: (targetGroup: string) =>
    `Task failed ELB health checks in (target-group ${targetGroup})`,
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
