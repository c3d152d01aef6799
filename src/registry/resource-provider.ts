import type { EpochMs, JsonObject, JsonValue, LogicalId, Path, StackId } from '../base/index.ts';

/** Why a handler failed, as the provider contract spells it. */
export type HandlerErrorCode =
  | 'NotUpdatable'
  | 'InvalidRequest'
  | 'AccessDenied'
  | 'AlreadyExists'
  | 'NotFound'
  | 'ResourceConflict'
  | 'Throttling'
  | 'ServiceLimitExceeded'
  | 'NotStabilized'
  | 'GeneralServiceException'
  | 'ServiceInternalError'
  | 'NetworkFailure'
  | 'InternalFailure';

/** What a failed handler knows beyond its message. */
export interface HandlerCause {
  readonly reason: string;
  readonly source: 'service-event' | 'rollout-state' | 'handler';
  /** The wait was ended by the handler's own limit: `default`, or `set` by the command. */
  readonly limit?: 'default' | 'set';
}

/**
 * What a handler answers. Each status carries exactly the fields that make sense for it, so a
 * FAILED without a code or a SUCCESS with a callback cannot be written down.
 *
 * `model` holds the resource's properties with those the service sets (read-only ones); Ref,
 * Fn::GetAtt and the physical id are read from it.
 *
 * Source: CloudFormation CLI user guide, "ProgressEvent object schema".
 */
export type ProgressEvent =
  | { readonly status: 'SUCCESS'; readonly model?: JsonObject } // absent after a delete
  | {
      readonly status: 'IN_PROGRESS';
      readonly model?: JsonObject; // absent while the resource has no identifier
      readonly callbackContext: JsonObject;
      readonly callbackDelaySeconds: number;
      /** The configuration is applied: what depends on the resource may start from here (L16). */
      readonly configurationComplete?: true;
    }
  | {
      readonly status: 'FAILED';
      readonly errorCode: HandlerErrorCode;
      readonly message: string; // what AWS would show
      readonly model?: JsonObject; // of what was made all the same, and must be deleted
      readonly cause?: HandlerCause;
    };

/** What the engine tells a handler. `callbackContext` is absent on the first invocation. */
export interface HandlerRequest {
  readonly logicalId: LogicalId;
  readonly stackId: StackId;
  readonly stackName: string;
  readonly clientRequestToken: string; // the same for every invocation of one operation
  readonly desired: JsonObject; // properties, resolved and coerced
  readonly leftOut?: readonly Path[]; // what `desired` has not because nobody knows its value
  readonly previous?: JsonObject; // of an update or a delete: the model as last reported
  readonly callbackContext?: JsonObject;
  readonly startedAtMs: EpochMs; // of the first invocation
  readonly nowMs: EpochMs;
}

/**
 * The handlers of one resource type. Idempotent per client request token; `create` of what exists
 * answers `AlreadyExists`, `update` and `delete` of what does not answer `NotFound`. `read` and
 * `list` answer at once.
 *
 * A type without `update` replaces the resource on every change (R2).
 */
export interface ResourceProvider {
  readonly typeName: string;
  create(request: HandlerRequest): ProgressEvent;
  read(request: HandlerRequest): ProgressEvent;
  update?(request: HandlerRequest): ProgressEvent;
  delete(request: HandlerRequest): ProgressEvent;
  /**
   * What counts in a create where `desired` leaves a property out; undefined where nothing does.
   *
   * @param property - its dotted path: `DeploymentConfiguration.MaximumPercent`
   */
  defaultOf?(property: string, desired: JsonObject): JsonValue | undefined;
  /** The primary identifiers of all resources of this type that the account holds. */
  list(): readonly string[];
}
