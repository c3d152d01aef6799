import type { DeploymentId, ServiceArn, TaskDefinitionArn, TaskId } from '../../base/index.ts';
import type { ContainerView, TaskStatus } from '../../events/index.ts';
import type { ContainerDefinition, HealthStatus, NetworkMode, Platform } from './model.ts';
import type { TaskTimes } from './rules.ts';

/** All that is needed to run one task, so that a runtime has nobody to ask. */
export interface TaskOrder {
  readonly task: TaskId;
  readonly service: ServiceArn | null; // whose scenario applies
  readonly deployment: DeploymentId | null;
  readonly taskDefinition: TaskDefinitionArn;
  readonly cluster: string;
  readonly networkMode: NetworkMode;
  /** Whether the task shares its host's ports with others (EC2 with bridge or host networking). */
  readonly sharesHostPorts: boolean;
  /** Which host that is: its container instance, or the cluster where none is known. */
  readonly host: string;
  /** How long it takes from one status to the next, where the runtime does not find out itself. */
  readonly times: TaskTimes;
  readonly platform: Platform;
  /** Memory of the whole task in MiB and its CPU in units of 1/1,024, where the task definition sets them. */
  readonly memoryMebibytes?: number;
  readonly cpuUnits?: number;
  readonly containers: readonly ContainerDefinition[];
  /** Fields of the task definition that are set and read by nobody, as the API spells them. */
  readonly unread: readonly string[];
}

/**
 * What a runtime saw. Each is said once; `containers` is how they stand then. `changed`: one of them
 * started, ended or was given up, and the task is no further for it. `status`: it is on its way to
 * RUNNING. `ending`: its containers have ended, and it is STOPPED later. `health`: what the checks of its essential containers came to (6.34).
 */
export type TaskObservation =
  | {
      readonly type: 'running' | 'changed';
      readonly task: TaskId;
      readonly containers: readonly ContainerView[];
    }
  | {
      readonly type: 'status';
      readonly task: TaskId;
      readonly lastStatus: TaskStatus;
      readonly containers: readonly ContainerView[];
    }
  | {
      readonly type: 'health';
      readonly task: TaskId;
      readonly health: HealthStatus;
      readonly containers: readonly ContainerView[];
    }
  | ({ readonly type: 'ending' } & TaskEnd)
  | ({ readonly type: 'stopped' } & TaskEnd)
  /** Something the runtime took for granted in the user's favour. */
  | { readonly type: 'assumed'; readonly text: string };

interface TaskEnd {
  readonly task: TaskId;
  readonly because: StoppedBecause;
  readonly containers: readonly ContainerView[];
}

export type StoppedBecause =
  /**
   * Never RUNNING. `reason` starts with AWS's error name: `CannotPullContainerError: …`. `onlyHere`:
   * what stands in the way is this machine's own, and says nothing about AWS.
   */
  | {
      readonly kind: 'failed-to-start';
      readonly reason: string;
      readonly portTaken: boolean;
      readonly onlyHere?: OnlyHere;
    }
  | { readonly kind: 'essential-exited'; readonly container: string; readonly exitCode: number }
  | { readonly kind: 'asked-to-stop' };

/** A fault of the machine the tool runs on: what it is, in one sentence, and what to do about it. */
export interface OnlyHere {
  readonly text: string;
  readonly hint: string;
}

/** Runs tasks: as a simulation in virtual time, or as containers. */
export interface TaskRuntime {
  /** Whether it runs the health checks of containers. */
  readonly feedsHealth: boolean;
  /** Asks for a start or a stop and returns at once; what comes of it is observed later. */
  start(order: TaskOrder): void;
  stop(task: TaskId): void;
  /** Everything seen since the last call, oldest first. */
  observations(): readonly TaskObservation[];
}
