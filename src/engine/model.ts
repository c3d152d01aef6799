import type {
  DueHeap,
  EpochMs,
  JsonObject,
  LogicalId,
  OperationId,
  Path,
  Place,
  StackId,
} from '../base/index.ts';
import type { ResourceStatus, StackStatus } from '../events/index.ts';
import type { StackModel } from '../language/index.ts';
import type { Graph } from '../plan/index.ts';

/** The stacks of a world, as plain data. */
export interface EngineState {
  readonly stacks: { [id: StackId]: Stack };
  /** Stacks with an operation under way. */
  readonly active: StackId[];
}

export interface Stack {
  readonly stackId: StackId;
  readonly stackName: string;
  readonly place: Place;
  status: StackStatus;
  statusReason: string | null;
  readonly createdAtMs: EpochMs;
  deletedAtMs: EpochMs | null;
  readonly tags: { readonly [key: string]: string };
  readonly model: StackModel;
  readonly resources: { [logicalId: LogicalId]: StackResource };
  outputs: { readonly [name: string]: string };
  exports: { readonly [name: string]: string };
  operation: Operation | null;
  /** Oldest first; the record of each is kept under its id. */
  readonly operations: OperationSummary[];
}

export interface StackResource {
  readonly logicalId: LogicalId;
  readonly type: string;
  status: ResourceStatus;
  statusReason: string | null;
  statusSinceMs: EpochMs;
  physicalId: string | null; // null until the handler has named one
  properties: JsonObject; // as handed to the handler
  leftOut?: readonly Path[]; // what they have not because nobody knows its value
  model: JsonObject; // as the handler reported it last
}

export interface OperationSummary {
  readonly id: OperationId;
  readonly kind: 'CREATE' | 'DELETE';
  readonly startedAtMs: EpochMs;
  readonly finishedAtMs: EpochMs;
}

export type OnFailure = 'ROLLBACK' | 'DO_NOTHING' | 'DELETE';

/** One create or delete run of a stack. A create that fails turns round and deletes. */
export interface Operation {
  readonly id: OperationId;
  readonly kind: 'CREATE' | 'DELETE';
  readonly startedAtMs: EpochMs;
  readonly onFailure: OnFailure;
  readonly timeoutAtMs: EpochMs | null;
  readonly retain: readonly LogicalId[];
  /** Known before the first resource: the operation goes to its rollback at once (rule 0.4). */
  preflightFailure: string | null;
  phase: 'creating' | 'rolling-back' | 'deleting';
  graph: Graph;
  readonly ready: LogicalId[];
  readonly inFlight: { [logicalId: LogicalId]: Invocation };
  readonly callbacks: DueHeap<{ readonly logicalId: LogicalId; readonly token: string }>;
  /** Resources that have not come to their end in this phase. */
  unfinished: number;
  /** Resources whose configuration is not applied yet; null once the stack's event is said. */
  unconfigured: number | null;
  /** Failed in this phase, cancelled siblings included, in the order of their events. */
  failed: LogicalId[];
  interrupted: boolean;
}

/** A handler that answered IN_PROGRESS. */
export interface Invocation {
  readonly token: string;
  readonly startedAtMs: EpochMs;
  readonly deadlineMs: EpochMs;
  callbackContext: JsonObject | null; // null before the first call
  configurationComplete: boolean;
}

export function createEngineState(): EngineState {
  return { stacks: {}, active: [] };
}
