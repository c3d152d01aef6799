import type {
  DeploymentId,
  EpochMs,
  ServiceArn,
  TaskDefinitionArn,
  TaskId,
} from '../base/index.ts';
import type { ServiceEvent } from './event.ts';

/** A service as it stood at one instant: what `ecs-service-ended` carries and the result shows. */
export interface ServiceView {
  readonly serviceArn: ServiceArn;
  readonly serviceName: string;
  readonly atMs: EpochMs;
  readonly desiredCount: number;
  readonly runningCount: number;
  readonly pendingCount: number;
  readonly deployments: readonly DeploymentView[]; // newest first, as DescribeServices
  readonly tasks: readonly TaskView[]; // newest first
  /** Tasks that are not stopped and not among `tasks`, which holds at most 200 of them. */
  readonly tasksOmitted: number;
}

export interface DeploymentView {
  readonly id: DeploymentId;
  readonly status: 'PRIMARY' | 'ACTIVE' | 'DRAINING' | 'INACTIVE';
  readonly taskDefinition: TaskDefinitionArn;
  readonly rolloutState: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | null; // null: other controllers
  readonly rolloutStateReason: string | null;
  readonly desiredCount: number;
  readonly runningCount: number;
  readonly pendingCount: number;
  readonly failedTasks: number;
  readonly createdAtMs: EpochMs;
}

/** `stopCode` of a task, as the ECS API spells it. */
export type StopCode =
  | 'TaskFailedToStart'
  | 'EssentialContainerExited'
  | 'UserInitiated'
  | 'ServiceSchedulerInitiated';

/** `lastStatus` of a task in their order (6.1). */
export type TaskStatus =
  | 'PROVISIONING'
  | 'PENDING'
  | 'ACTIVATING'
  | 'RUNNING'
  | 'DEACTIVATING'
  | 'STOPPING'
  | 'DEPROVISIONING'
  | 'STOPPED';

export interface TaskView {
  readonly taskId: TaskId;
  readonly taskArn: string;
  readonly deployment: DeploymentId | null; // null: a task that no service started
  readonly lastStatus: TaskStatus;
  readonly stopCode: StopCode | null;
  readonly stoppedReason: string | null;
  /** How many tasks stopped like this one; 1 for one that has not stopped. */
  readonly alike: number;
  readonly createdAtMs: EpochMs;
  readonly startedAtMs: EpochMs | null;
  readonly stoppingAtMs: EpochMs | null;
  readonly stoppedAtMs: EpochMs | null;
  readonly containers: readonly ContainerView[];
}

export interface ContainerView {
  readonly name: string;
  readonly image: string;
  readonly lastStatus: 'PENDING' | 'RUNNING' | 'STOPPED';
  readonly exitCode: number | null;
  readonly reason: string | null;
  readonly logTail: readonly string[];
  /** Of a container with a check that is run: what it says, and what it printed when it failed. */
  readonly healthStatus?: 'HEALTHY' | 'UNHEALTHY' | 'UNKNOWN';
  readonly healthOutput?: string;
  /** Where its ports can be reached; only of containers that really run. */
  readonly networkBindings?: readonly NetworkBinding[];
}

/** A published port, with the fields of the ECS API's `NetworkBinding`. */
export interface NetworkBinding {
  readonly bindIP: string;
  readonly containerPort: number;
  readonly hostPort: number;
  readonly protocol: 'tcp' | 'udp';
}

/** A service event as the result shows it, with what folded into it. */
export interface FoldedServiceEvent {
  readonly event: ServiceEvent;
  /** How many like it this line stands for, itself included. */
  readonly count: number;
}
