import type {
  ContainerDefinition,
  HealthStatus,
  Platform,
  StoppedBecause,
  TargetObservation,
  TaskObservation,
  TaskTimes,
} from '../../aws/ecs/index.ts';
import {
  createHeap,
  createQueue,
  type DueHeap,
  type EpochMs,
  type Queue,
  type ServiceArn,
  type TaskDefinitionArn,
  type TaskId,
} from '../../base/index.ts';

/** The simulated runtime's part of the world: plain data. */
export interface SimulatedRuntimeState {
  readonly tasks: { [id: TaskId]: TaskInFlight };
  /** Containers by task definition, shared by the tasks that run it. */
  readonly definitions: { [arn: TaskDefinitionArn]: readonly ContainerDefinition[] };
  readonly due: DueHeap<RuntimeDue>;
  /** Seen and not yet taken. */
  readonly seen: Queue<TaskObservation>;
  /** The same of the checks of balancers. */
  readonly seenTargets: Queue<TargetObservation>;
  /** How many pulls of each image were asked for: where a scenario's `pull` list stands. */
  readonly pulls: { [image: string]: number };
  /** Which task holds a port of a shared host: host → `8080/tcp` → task. */
  readonly hostPorts: { [host: string]: { [port: string]: TaskId } };
  /** What was taken for granted already, in the operation that runs. */
  assumed: { [text: string]: true };
}

export type RuntimeDue =
  /** Its interface is attached. */
  | { readonly type: 'activate'; readonly task: TaskId }
  /** Its images are there and its containers made. */
  | { readonly type: 'begin'; readonly task: TaskId }
  | {
      readonly type: 'exit';
      readonly task: TaskId;
      readonly container: string;
      readonly start: number;
      readonly code: number;
      readonly outOfMemory: boolean;
    }
  | {
      readonly type: 'health';
      readonly task: TaskId;
      readonly container: string;
      readonly start: number;
      readonly status: HealthStatus;
    }
  /** The start timeout of a dependency is over (6.20). */
  | { readonly type: 'dependency-timeout'; readonly task: TaskId; readonly container: string }
  | ({ readonly type: 'target' } & TargetObservation)
  /** Its interface is taken away. */
  | { readonly type: 'gone'; readonly task: TaskId };

export interface TaskInFlight {
  readonly id: TaskId;
  readonly service: ServiceArn | null;
  readonly taskDefinition: TaskDefinitionArn;
  readonly host: string;
  readonly sharesHostPorts: boolean;
  readonly networkMode: string;
  readonly platform: Platform;
  readonly memoryMebibytes: number | null;
  readonly times: TaskTimes;
  readonly containers: { [name: string]: ContainerInFlight };
  /** Target groups whose checks it is subject to. */
  readonly targetGroups: { [arn: string]: true };
  /** All its containers have started once. */
  isRunning: boolean;
  /** Why it has ended; null while it has not. */
  because: StoppedBecause | null;
}

export interface ContainerInFlight {
  status: 'waiting' | 'running' | 'stopped';
  exitCode: number | null;
  reason: string | null;
  /** Of its first start, and of its newest one (6.41). */
  startedAtMs: EpochMs | null;
  restartedAtMs: EpochMs | null;
  /** How often it has started: what belongs to an earlier start is stale. */
  starts: number;
  /** Of one with a check. */
  healthStatus: HealthStatus;
}

export function createSimulatedRuntimeState(): SimulatedRuntimeState {
  return {
    tasks: {},
    definitions: {},
    due: createHeap(),
    seen: createQueue(),
    seenTargets: createQueue(),
    pulls: {},
    hostPorts: {},
    assumed: {},
  };
}

/** A new operation begins: what it takes for granted is said anew. */
export function forgetAssumptions(state: SimulatedRuntimeState): void {
  state.assumed = {};
}

/** Containers of task definitions that no task in flight runs are read anew when one does. */
export function forgetUnused({ tasks, definitions }: SimulatedRuntimeState): void {
  const used = new Set(Object.values(tasks).map(({ taskDefinition }) => taskDefinition));
  for (const arn of Object.keys(definitions) as TaskDefinitionArn[]) {
    if (!used.has(arn)) delete definitions[arn];
  }
}
