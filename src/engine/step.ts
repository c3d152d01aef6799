import {
  assertNever,
  type EpochMs,
  type LogicalId,
  nextDueMs,
  popDue,
  present,
} from '../base/index.ts';
import { advance, type Move } from './advance.ts';
import { failPreflight, finish, turnBack } from './ends.ts';
import { invoke, startCreate, startDelete, type Work } from './handlers.ts';
import type { EngineState, Operation, Stack, StackResource } from './model.ts';
import { finishNode } from './nodes.ts';
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
