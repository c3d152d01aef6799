import {
  addMs,
  assert,
  createHeap,
  type LogicalId,
  MINUTE_MS,
  nextUuid,
  type OperationId,
  type Place,
  type StackId,
} from '../base/index.ts';
import type { StackModel } from '../language/index.ts';
import { graphOf } from '../plan/index.ts';
import type { EngineState, OnFailure, Operation, Stack } from './model.ts';
import { tellStack } from './tell.ts';
import type { EngineTurn } from './turn.ts';

export interface CreateRequest {
  readonly stackId: StackId;
  readonly stackName: string;
  readonly place: Place;
  readonly tags: { readonly [key: string]: string };
  readonly model: StackModel;
  readonly preflightFailure?: string;
  readonly onFailure: OnFailure;
  readonly timeoutInMinutes?: number;
}

/** CreateStack: the stack is there at once, its resources follow turn by turn. */
export function createStack(turn: EngineTurn, request: CreateRequest): Stack {
  const { stackId, stackName, place, tags, model } = request;
  const ids = Object.keys(model.resources);
  const operation = newOperation(turn, 'CREATE', {
    onFailure: request.onFailure,
    timeoutAtMs:
      request.timeoutInMinutes === undefined
        ? null
        : addMs(turn.nowMs, request.timeoutInMinutes * MINUTE_MS),
    retain: [],
    preflightFailure: request.preflightFailure ?? null,
    unconfigured: ids.length,
  });
  const stack: Stack = {
    stackId,
    stackName,
    place,
    status: 'CREATE_IN_PROGRESS',
    statusReason: null,
    createdAtMs: turn.nowMs,
    deletedAtMs: null,
    tags,
    model,
    resources: {},
    outputs: {},
    exports: {},
    operation,
    operations: [],
  };
  turn.state.stacks[stackId] = stack;
  turn.state.active.push(stackId);
  tellStack(turn, stack, 'CREATE_IN_PROGRESS', { statusReason: 'User Initiated' });
  if (operation.preflightFailure === null) {
    beginPhase(operation, 'creating', ids, (id) => model.resources[id]?.dependsOn ?? []);
  }
  return stack;
}

/**
 * DeleteStack, of a stack with no operation under way. `retain` keeps resources of a stack whose
 * deletion failed before (L46).
 */
export function deleteStack(turn: EngineTurn, stack: Stack, retain: readonly LogicalId[]): void {
  assert(stack.operation === null, 'a stack has one operation at a time');
  stack.operation = newOperation(turn, 'DELETE', {
    onFailure: 'DO_NOTHING',
    timeoutAtMs: null,
    retain,
    preflightFailure: null,
    unconfigured: null,
  });
  turn.state.active.push(stack.stackId);
  tellStack(turn, stack, 'DELETE_IN_PROGRESS', { statusReason: 'User Initiated' });
  beginDeleting(stack, stack.operation, 'deleting');
}

/** What is left of the stack is deleted in reverse order: as a delete, or on the way back (L22). */
export function beginDeleting(
  stack: Stack,
  operation: Operation,
  phase: 'rolling-back' | 'deleting',
): void {
  const left = Object.values(stack.resources)
    .filter(({ status }) => status !== 'DELETE_COMPLETE' && status !== 'DELETE_SKIPPED')
    .map(({ logicalId }) => logicalId);
  const dependenciesOf = (id: string) => stack.model.resources[id]?.dependsOn ?? [];
  operation.unconfigured = null;
  operation.failed = [];
  beginPhase(operation, phase, left.reverse(), dependenciesOf);
}

function beginPhase(
  operation: Operation,
  phase: Operation['phase'],
  ids: readonly LogicalId[],
  dependenciesOf: (id: string) => readonly string[],
): void {
  operation.phase = phase;
  operation.graph = graphOf(ids, dependenciesOf, phase === 'creating' ? 'create' : 'delete');
  operation.unfinished = ids.length;
  operation.ready.length = 0;
  operation.ready.push(...ids.filter((id) => operation.graph[id]?.waitsFor === 0));
}

type Given = Pick<
  Operation,
  'onFailure' | 'timeoutAtMs' | 'retain' | 'preflightFailure' | 'unconfigured'
>;

function newOperation(turn: EngineTurn, kind: Operation['kind'], given: Given): Operation {
  return {
    id: nextUuid(turn.random) as OperationId,
    kind,
    startedAtMs: turn.nowMs,
    ...given,
    phase: kind === 'CREATE' ? 'creating' : 'deleting',
    graph: {},
    ready: [],
    inFlight: {},
    callbacks: createHeap(),
    unfinished: 0,
    failed: [],
    interrupted: false,
  };
}

/**
 * Ctrl-C: a create in flight is given up and rolled back, which no AWS call does; a delete goes on
 * (`docs/decisions.md` 25).
 */
export function interrupt(state: EngineState): void {
  for (const id of state.active) {
    const operation = state.stacks[id]?.operation;
    if (operation != null && operation.phase === 'creating') operation.interrupted = true;
  }
}

/**
 * The stacks with an operation under way, in the order of their beginning. Ids without one, or that
 * stand twice, as an earlier version could leave them, are dropped from the list for good.
 */
export function stacksUnderWay({ stacks, active }: EngineState): readonly Stack[] {
  const found = [...new Set(active)].flatMap((id) => stacks[id] ?? []);
  const underWay = found.filter(({ operation }) => operation !== null);
  active.splice(0, active.length, ...underWay.map(({ stackId }) => stackId));
  return underWay;
}

/** The stack of a name that is not deleted. */
export function findStack(state: EngineState, place: Place, name: string): Stack | undefined {
  return Object.values(state.stacks).find(
    (stack) =>
      stack.deletedAtMs === null &&
      stack.place.accountId === place.accountId &&
      stack.place.region === place.region &&
      (stack.stackName === name || stack.stackId === name),
  );
}
