import { type LogicalId, present } from '../base/index.ts';
import type { FailureCause } from '../events/index.ts';
import type { Move } from './advance.ts';
import type { Operation, Stack } from './model.ts';
import { beginDeleting } from './operations.ts';
import { settleOutputs } from './outputs.ts';
import { tellResource, tellStack } from './tell.ts';
import type { EngineTurn } from './turn.ts';

type TurnBack = Extract<Move, { type: 'turn-back' }>;

const INTERRUPTED = 'Stack creation was interrupted.';
const TIMED_OUT = 'Stack creation time exceeded the specified timeout.';

/** L20, L27: what is in flight is cancelled, and the stack goes back or stays as it is. */
export function turnBack(
  turn: EngineTurn,
  stack: Stack,
  operation: Operation,
  because: TurnBack['because'],
): void {
  for (const logicalId of Object.keys(operation.inFlight)) {
    const resource = present(stack.resources[logicalId], 'a resource in flight is in its stack');
    tellResource(turn, stack, resource, 'CREATE_FAILED', {
      statusReason: 'Resource creation cancelled',
    });
    delete operation.inFlight[logicalId];
    operation.failed.push(logicalId);
  }
  const own = { failure: undefined, timeout: TIMED_OUT, interrupt: INTERRUPTED }[because];
  const what = own ?? failedTo('create', operation.failed);
  const cause: FailureCause | undefined =
    own === undefined ? undefined : { reason: own, source: 'engine', limit: 'set' };
  const details = cause === undefined ? {} : { cause };
  if (because === 'interrupt') goBack(turn, stack, operation, what, details);
  else giveUp(turn, stack, operation, what, details);
}

/** The recorded texts end in a blank before whatever may follow. */
function failedTo(what: 'create' | 'delete', logicalIds: readonly LogicalId[]): string {
  return `The following resource(s) failed to ${what}: [${logicalIds.join(', ')}].`;
}

/** A create that failed goes back, or with DO_NOTHING stays as it is (L24). */
function giveUp(
  turn: EngineTurn,
  stack: Stack,
  operation: Operation,
  what: string,
  details: { readonly cause?: FailureCause },
): void {
  if (operation.onFailure !== 'DO_NOTHING') return goBack(turn, stack, operation, what, details);
  end(turn, stack, operation, () =>
    tellStack(turn, stack, 'CREATE_FAILED', { statusReason: what, ...details }),
  );
}

function goBack(
  turn: EngineTurn,
  stack: Stack,
  operation: Operation,
  what: string,
  details: { readonly cause?: FailureCause },
): void {
  const deletes = operation.onFailure === 'DELETE';
  const status = deletes ? 'DELETE_IN_PROGRESS' : 'ROLLBACK_IN_PROGRESS';
  const sentence = deletes ? 'Delete requested by user.' : 'Rollback requested by user.';
  tellStack(turn, stack, status, { statusReason: `${what} ${sentence}`, ...details });
  beginDeleting(stack, operation, deletes ? 'deleting' : 'rolling-back');
}

/** Rule 0.4: the request was accepted, and nothing is provisioned. */
export function failPreflight(
  turn: EngineTurn,
  stack: Stack,
  operation: Operation,
  fault: string,
): void {
  operation.preflightFailure = null;
  giveUpFor(turn, stack, operation, fault);
}

/** What is wrong is no resource's fault; it is said as a sentence, which another may follow. */
function giveUpFor(turn: EngineTurn, stack: Stack, operation: Operation, fault: string): void {
  const cause: FailureCause = { reason: fault, source: 'engine' };
  giveUp(turn, stack, operation, `${fault}.`.replace(/\.\.$/, '.'), { cause });
}

export function finish(
  turn: EngineTurn,
  stack: Stack,
  operation: Operation,
  failed: boolean,
): void {
  if (operation.phase === 'creating') return finishCreate(turn, stack, operation, failed);
  const back = operation.phase === 'rolling-back' ? 'ROLLBACK' : 'DELETE';
  const statusReason = `${failedTo('delete', operation.failed)} `;
  end(turn, stack, operation, () => {
    if (failed) tellStack(turn, stack, `${back}_FAILED`, { statusReason });
    else tellStack(turn, stack, `${back}_COMPLETE`);
    if (!failed && back === 'DELETE') stack.deletedAtMs = turn.nowMs;
  });
}

function finishCreate(turn: EngineTurn, stack: Stack, operation: Operation, failed: boolean): void {
  if (failed) {
    const statusReason = `${failedTo('create', operation.failed)} `;
    return end(turn, stack, operation, () =>
      tellStack(turn, stack, 'CREATE_FAILED', { statusReason }),
    );
  }
  const fault = settleOutputs(turn, stack);
  if (fault !== undefined) return giveUpFor(turn, stack, operation, fault);
  end(turn, stack, operation, () => tellStack(turn, stack, 'CREATE_COMPLETE'));
}

/** The operation is over: its last event is said while it is still the stack's own. */
function end(turn: EngineTurn, stack: Stack, operation: Operation, tell: () => void): void {
  tell();
  stack.operation = null;
  if (stack.status !== 'CREATE_COMPLETE') {
    stack.outputs = {};
    stack.exports = {};
  }
  stack.operations.push({
    id: operation.id,
    kind: operation.kind,
    startedAtMs: operation.startedAtMs,
    finishedAtMs: turn.nowMs,
  });
  const { active } = turn.state;
  active.splice(active.indexOf(stack.stackId), 1);
}
