import type {
  DeploymentId,
  EpochMs,
  LogicalId,
  OperationId,
  ServiceArn,
  StackId,
  TaskId,
} from '../base/index.ts';
import type { ServiceEventKind } from './service-events.ts';
import type { ServiceView, StopCode } from './service-view.ts';
import type { FailureCause, ResourceStatus, StackStatus } from './statuses.ts';

/** Everything a stack operation can tell. Producers append; nobody edits what has happened. */
export type RecordedEvent =
  | StackEvent
  | ResourceEvent
  | ServiceEvent
  | TaskStoppedEvent
  | ServiceEndedEvent
  | LifecycleStageEvent
  | AssumptionEvent
  | OnlyHereEvent
  | RepeatedEvent;

interface OfStack {
  readonly atMs: EpochMs;
  readonly eventId: string;
  readonly stackId: StackId;
  readonly stackName: string;
  readonly operationId: OperationId;
}

/** The stack itself changed its status. */
export interface StackEvent extends OfStack {
  readonly type: 'stack';
  readonly status: StackStatus;
  readonly statusReason?: string;
  readonly detailedStatus?: 'CONFIGURATION_COMPLETE';
  readonly cause?: FailureCause; // where the stack as a whole carries the reason
}

export interface ResourceEvent extends OfStack {
  readonly type: 'stack-resource';
  readonly logicalId: LogicalId;
  readonly resourceType: string;
  readonly physicalId: string; // "" until there is one
  readonly status: ResourceStatus;
  readonly statusReason?: string;
  readonly detailedStatus?: 'CONFIGURATION_COMPLETE';
  readonly cause?: FailureCause; // with a failure that is no consequence of another
}

export interface ServiceEvent {
  readonly type: 'ecs-service';
  readonly atMs: EpochMs;
  readonly eventId: string;
  readonly service: ServiceArn;
  readonly kind: ServiceEventKind;
  readonly deployment: DeploymentId | null; // the one at work when it was said
  readonly message: string; // "(service web) has reached a steady state."
}

export interface TaskStoppedEvent {
  readonly type: 'ecs-task-stopped';
  readonly atMs: EpochMs;
  readonly service: ServiceArn | null;
  readonly deployment: DeploymentId | null;
  readonly task: TaskId;
  readonly stopCode: StopCode;
  readonly stoppedReason: string;
  /** The container that ended the task, and how: "app exited with code 1". */
  readonly essentialExit?: { readonly container: string; readonly exitCode: number | null };
}

/** A deployment that shifts traffic entered a stage, or moved traffic in it. */
export interface LifecycleStageEvent {
  readonly type: 'ecs-lifecycle-stage';
  readonly atMs: EpochMs;
  readonly service: ServiceArn;
  readonly deployment: DeploymentId;
  readonly stage: string; // as the ECS API spells it: PRODUCTION_TRAFFIC_SHIFT
  /** What it has of the production traffic from now on; absent where that is as before. */
  readonly productionPercent?: number;
  /** A hook that ends the deployment at this stage: its target, "" of a PAUSE. */
  readonly failedHook?: { readonly target: string; readonly outcome: string }; // "failed", "timed out"
}

/** A handler reported the end of its wait for a service; the service as it stood then. */
export interface ServiceEndedEvent {
  readonly type: 'ecs-service-ended';
  readonly atMs: EpochMs;
  readonly service: ServiceArn;
  readonly view: ServiceView;
}

/** Something the run took for granted in the user's favour (`docs/decisions.md` 6). */
export interface AssumptionEvent {
  readonly type: 'assumption';
  readonly atMs: EpochMs;
  readonly text: string; // "image web:1 starts and stays up (no scenario names it)"
}

/** A task did not start for a reason that is this machine's own and says nothing about AWS. */
export interface OnlyHereEvent {
  readonly type: 'only-here';
  readonly atMs: EpochMs;
  readonly service: ServiceArn;
  readonly reason: string; // as the task's `stoppedReason` has it
  readonly text: string;
  readonly hint: string; // what to do about it
}

/** Stands for events that folded since the third of their kind; said at most at every doubling. */
export interface RepeatedEvent {
  readonly type: 'repeated';
  readonly atMs: EpochMs;
  readonly service: ServiceArn | null;
  readonly of: string; // what repeats, in the words of the newest one
  readonly count: number; // so many times by now
}
