import {
  assertNever,
  type EpochMs,
  type LogicalId,
  nextDueMs,
  popDue,
  present,
} from '../base/index.ts';
import type { FailureCause } from '../events/index.ts';
import { advance, type Move } from './advance.ts';
import { invoke, startCreate, startDelete, type Work } from './handlers.ts';
import type { EngineState, Operation, Stack, StackResource } from './model.ts';
import { finishNode } from './nodes.ts';
import { beginDeleting } from './operations.ts';
import { settleOutputs } from './outputs.ts';
import { tellResource, tellStack } from './tell.ts';
import type { EngineTurn } from './turn.ts';

/** One turn of the engine: handlers that are due are called again, then each operation moves on. */
export function stepEngine(turn: EngineTurn): void {
  for (const id of [...turn.state.active]) {
    const stack = present(turn.state.stacks[id], 'an active stack exists');
    const operation = present(stack.operation, 'an active stack has an operation');
    if (operation.preflightFailure !== null) {
      failPreflight(turn, stack, operation, operation.preflightFailure);
      continue;
    }
    callDueHandlers(turn, stack, operation);
    const moves = advance(operation, turn.nowMs);
    // What becomes ready from here on starts in the next round.
    if (moves.some(({ type }) => type === 'start')) operation.ready.length = 0;
    for (const move of moves) perform(turn, stack, operation, move);
  }
}

/** When the engine next needs a turn. */
export function engineDueMs(state: EngineState, nowMs: EpochMs): EpochMs | undefined {
  let due: EpochMs | undefined;
  for (const id of state.active) {
    const operation = state.stacks[id]?.operation;
    if (operation == null) continue;
    const at = operationDueMs(operation, nowMs);
    if (at !== undefined && (due === undefined || at < due)) due = at;
  }
  return due;
}

function operationDueMs(operation: Operation, nowMs: EpochMs): EpochMs | undefined {
  if (advance(operation, nowMs).length > 0) return nowMs;
  const callback = nextDueMs(operation.callbacks);
  const { timeoutAtMs, phase } = operation;
  if (timeoutAtMs === null || phase !== 'creating') return callback;
  return callback === undefined || timeoutAtMs < callback ? timeoutAtMs : callback;
}

function callDueHandlers(turn: EngineTurn, stack: Stack, operation: Operation): void {
  for (;;) {
    const due = popDue(operation.callbacks, turn.nowMs);
    if (due === undefined) return;
    const invocation = operation.inFlight[due.logicalId];
    if (invocation?.token !== due.token) continue; // given up meanwhile
    invoke(workOn(turn, stack, operation, due.logicalId), invocation);
  }
}

function workOn(turn: EngineTurn, stack: Stack, operation: Operation, logicalId: LogicalId): Work {
  const resource = present(stack.resources[logicalId], 'a resource in flight is in its stack');
  return { turn, stack, operation, resource };
}

function perform(turn: EngineTurn, stack: Stack, operation: Operation, move: Move): void {
  switch (move.type) {
    case 'start':
      return start(turn, stack, operation, move.logicalId);
    case 'turn-back':
      return turnBack(turn, stack, operation, move.because);
    case 'tell-configuration-complete':
      operation.unconfigured = null;
      return tellStack(turn, stack, 'CREATE_IN_PROGRESS', {
        statusReason: 'Eventual consistency check initiated',
        detailedStatus: 'CONFIGURATION_COMPLETE',
      });
    case 'finish':
      return finish(turn, stack, operation, move.failed);
    default:
      return assertNever(move);
  }
}

function start(turn: EngineTurn, stack: Stack, operation: Operation, logicalId: LogicalId): void {
  if (operation.phase === 'creating') {
    stack.resources[logicalId] = newResource(turn, stack, logicalId);
    return startCreate(workOn(turn, stack, operation, logicalId));
  }
  const work = workOn(turn, stack, operation, logicalId);
  const { resource } = work;
  if (isKept(stack, operation, resource)) {
    tellResource(turn, stack, resource, 'DELETE_SKIPPED');
    return finishNode(operation, logicalId, false);
  }
  if (resource.physicalId !== null) return startDelete(work);
  tellResource(turn, stack, resource, 'DELETE_COMPLETE'); // L22: it never got an id
  finishNode(operation, logicalId, false);
}

function newResource(turn: EngineTurn, stack: Stack, logicalId: LogicalId): StackResource {
  const model = present(stack.model.resources[logicalId], 'a resource to create is modelled');
  return {
    logicalId,
    type: model.type,
    status: 'CREATE_IN_PROGRESS',
    statusReason: null,
    statusSinceMs: turn.nowMs,
    physicalId: null,
    properties: {},
    model: {},
  };
}

/** A3, A10: what the template wants kept, also when a create rolls back; L46: what the user keeps. */
function isKept(stack: Stack, operation: Operation, { logicalId, physicalId }: StackResource) {
  if (operation.retain.includes(logicalId)) return true;
  const policy = stack.model.resources[logicalId]?.deletionPolicy;
  if (physicalId === null) return false;
  if (policy === 'Retain') return true;
  return policy === 'RetainExceptOnCreate' && operation.kind === 'DELETE';
}

/** L20, L27: what is in flight is cancelled, and the stack goes back or stays as it is. */
function turnBack(
  turn: EngineTurn,
  stack: Stack,
  operation: Operation,
  because: Extract<Move, { type: 'turn-back' }>['because'],
): void {
  for (const logicalId of Object.keys(operation.inFlight)) {
    const { resource } = workOn(turn, stack, operation, logicalId);
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

const INTERRUPTED = 'Stack creation was interrupted.';
const TIMED_OUT = 'Stack creation time exceeded the specified timeout.';

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
function failPreflight(turn: EngineTurn, stack: Stack, operation: Operation, fault: string): void {
  operation.preflightFailure = null;
  giveUpFor(turn, stack, operation, fault);
}

/** What is wrong is no resource's fault; it is said as a sentence, which another may follow. */
function giveUpFor(turn: EngineTurn, stack: Stack, operation: Operation, fault: string): void {
  const cause: FailureCause = { reason: fault, source: 'engine' };
  giveUp(turn, stack, operation, `${fault}.`.replace(/\.\.$/, '.'), { cause });
}

function finish(turn: EngineTurn, stack: Stack, operation: Operation, failed: boolean): void {
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
