import type { OnlyHere, StoppedBecause, TaskObservation, TaskOrder } from '../../aws/ecs/index.ts';
import {
  createHeap,
  createQueue,
  type DueHeap,
  type EpochMs,
  type Queue,
  type TaskId,
} from '../../base/index.ts';
import type { NetworkBinding } from '../../events/index.ts';

/** The Docker runtime's part of the world: plain data, which the next command goes on from. */
export interface DockerRuntimeState {
  readonly tasks: { [id: TaskId]: DockerTask };
  /** Start timeouts of dependencies (6.20). */
  readonly due: DueHeap<{ readonly task: TaskId; readonly container: string }>;
  /** Seen and not yet taken. */
  readonly seen: Queue<TaskObservation>;
  /** What was taken for granted already, in the operation that runs. */
  assumed: { [text: string]: true };
}

/** What runs a task differently from stack to stack. */
export interface TaskOwner {
  readonly stackName: string;
  /** The address of this machine at which host ports are published. */
  readonly publish: string;
  /** Images that are run in place of others (`--image`). */
  readonly images: { readonly [from: string]: string };
}

export interface DockerTask {
  /** As it was ordered. Secrets stand in it by name, NoEcho values as placeholders. */
  readonly order: TaskOrder;
  readonly owner: TaskOwner;
  /**
   * `preparing`: its images and its network are fetched and made; `up`: containers start, run and
   * end; `ending`: what is left of it is stopped and removed.
   */
  phase: 'preparing' | 'up' | 'ending';
  readonly containers: { [name: string]: DockerContainer };
  /** All its containers have started once. */
  isRunning: boolean;
  /** Why it ends. */
  because: StoppedBecause | null;
}

export interface DockerContainer {
  status: 'waiting' | 'starting' | 'running' | 'stopped';
  exitCode: number | null;
  reason: string | null;
  startedAtMs: EpochMs | null;
  logTail: readonly string[];
  bindings: readonly NetworkBinding[];
}

/** Work for the engine, which goes on outside the world until its news comes. */
export type Effect =
  /** Images that are not there are pulled; a task with an interface of its own gets it. */
  | {
      readonly type: 'prepare';
      readonly task: TaskId;
      /** A command that was killed may have left some of it: that goes first. */
      readonly anew: boolean;
    }
  | { readonly type: 'start-container'; readonly task: TaskId; readonly container: string }
  /** Whatever of it still runs is stopped, and all of it is removed. */
  | { readonly type: 'end'; readonly task: TaskId };

/** What came of the work for a task, or happened to it by itself. */
export type TaskNews =
  | { readonly type: 'prepared'; readonly task: TaskId; readonly assumed: readonly string[] }
  | {
      readonly type: 'container-started';
      readonly task: TaskId;
      readonly container: string;
      readonly bindings: readonly NetworkBinding[];
    }
  | ({ readonly type: 'start-failed'; readonly task: TaskId } & StartFault)
  | ({
      readonly type: 'container-ended';
      readonly task: TaskId;
      readonly container: string;
    } & ContainerEnd)
  | {
      readonly type: 'task-gone';
      readonly task: TaskId;
      /** Containers that were stopped because the task ended. */
      readonly stopped: { readonly [container: string]: ContainerEnd };
    };

/** Why a container does not start; `reason` begins with AWS's error name. */
export interface StartFault {
  readonly container: string;
  readonly reason: string;
  readonly portTaken: boolean;
  readonly onlyHere?: OnlyHere;
}

export interface ContainerEnd {
  readonly exitCode: number;
  readonly outOfMemory: boolean;
  readonly logTail: readonly string[];
}

export function createDockerRuntimeState(): DockerRuntimeState {
  return { tasks: {}, due: createHeap(), seen: createQueue(), assumed: {} };
}
