/** States of a stack, as `DescribeStacks` spells them. */
export type StackStatus =
  | 'REVIEW_IN_PROGRESS'
  | 'CREATE_IN_PROGRESS'
  | 'CREATE_FAILED'
  | 'CREATE_COMPLETE'
  | 'ROLLBACK_IN_PROGRESS'
  | 'ROLLBACK_FAILED'
  | 'ROLLBACK_COMPLETE'
  | 'DELETE_IN_PROGRESS'
  | 'DELETE_FAILED'
  | 'DELETE_COMPLETE';

/** States of a resource, as `DescribeStackEvents` spells them. */
export type ResourceStatus =
  | 'CREATE_IN_PROGRESS'
  | 'CREATE_FAILED'
  | 'CREATE_COMPLETE'
  | 'DELETE_IN_PROGRESS'
  | 'DELETE_FAILED'
  | 'DELETE_COMPLETE'
  | 'DELETE_SKIPPED';

/** Who gave the reason of a failure (`docs/cli-contract.md`, `failure.source`). */
export type FailureSource = 'service-event' | 'rollout-state' | 'handler' | 'engine';

/** Why a resource or a stack failed, in the words that `failure.reason` shows. */
export interface FailureCause {
  readonly reason: string;
  readonly source: FailureSource;
  /** The wait was ended by a limit: one nobody set, or one that the template or the command set. */
  readonly limit?: 'default' | 'set';
  /** The wait was given up before its limit: nothing leads out of where it stood. */
  readonly hang?: { readonly certainty: 'proven' | 'likely'; readonly because: string };
}
