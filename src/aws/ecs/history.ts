import type { DeploymentId, EpochMs } from '../../base/index.ts';
import type { LaunchType, Monitor, ServiceRevision } from './model.ts';
import type { LifecycleStage } from './shifting.ts';

/**
 * One start of a deployment of a service, as the API keeps it (4.51). A deployment that is taken up
 * again (2.17) has more than one.
 */
export interface ServiceDeployment {
  readonly arn: string;
  readonly deployment: DeploymentId;
  status: ServiceDeploymentStatus;
  /** Why it did not end well, in the words of the deployment's `rolloutStateReason`. */
  statusReason: string | null;
  readonly createdAtMs: EpochMs;
  startedAtMs: EpochMs | null;
  /** It failed, or somebody or another deployment stopped it. */
  stoppedAtMs: EpochMs | null;
  /** It is over, in whatever way. */
  finishedAtMs: EpochMs | null;
  updatedAtMs: EpochMs;
  /** Deployments that held tasks when it began: what it replaces. */
  readonly sources: readonly DeploymentId[];
  lifecycleStage: LifecycleStage | null; // null of a rolling one
  rollback: { readonly to: DeploymentId; readonly startedAtMs: EpochMs } | null;
  /** What StopServiceDeployment asked for and the scheduler has not done yet. */
  stopType: StopType | null;
  breaker: MonitorStatus;
  failureCount: number;
  threshold: number;
  alarms: MonitorStatus;
  triggeredAlarms: readonly string[];
  triggeredBy: Monitor | null;
}

/** In their order: the first five are ongoing, the others final (4.48). */
export type ServiceDeploymentStatus =
  | 'PENDING'
  | 'IN_PROGRESS'
  | 'STOP_REQUESTED'
  | 'ROLLBACK_REQUESTED'
  | 'ROLLBACK_IN_PROGRESS'
  | 'SUCCESSFUL'
  | 'STOPPED'
  | 'ROLLBACK_SUCCESSFUL'
  | 'ROLLBACK_FAILED';

/** How a monitor of a service deployment stands (4.50). */
export type MonitorStatus = 'MONITORING' | 'TRIGGERED' | 'MONITORING_COMPLETE' | 'DISABLED';

/** `stopType` of StopServiceDeployment (4.52). */
export type StopType = 'ROLLBACK' | 'ABORT';

/** What a deployment brings up, as DescribeServiceRevisions tells it. */
export interface RevisionRecord {
  readonly deployment: DeploymentId;
  readonly createdAtMs: EpochMs;
  readonly launchType: LaunchType;
  readonly revision: ServiceRevision;
}
