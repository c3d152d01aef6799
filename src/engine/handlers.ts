import {
  addMs,
  assertNever,
  type EpochMs,
  type JsonObject,
  MINUTE_MS,
  nextUuid,
  present,
  pushDue,
  SECOND_MS,
  UserError,
} from '../base/index.ts';
import { checkProperties, propertyFailure } from '../check/index.ts';
import { append, type FailureCause } from '../events/index.ts';
import { resolve } from '../language/index.ts';
import {
  type HandlerRequest,
  type ProgressEvent,
  physicalIdOf,
  type ResourceProvider,
} from '../registry/index.ts';
import { lateReferencesOf } from './late-references.ts';
import type { Invocation, Operation, Stack, StackResource } from './model.ts';
import { fail, finishNode, releaseDependents } from './nodes.ts';
import { tellResource } from './tell.ts';
import type { EngineTurn } from './turn.ts';

/** What an operation on one resource works with. */
export interface Work {
  readonly turn: EngineTurn;
  readonly stack: Stack;
  readonly operation: Operation;
  readonly resource: StackResource;
}

/** A resource whose dependencies are there: its properties are resolved, checked and handed over. */
export function startCreate(work: Work): void {
  const { turn, stack, resource } = work;
  tellResource(turn, stack, resource, 'CREATE_IN_PROGRESS');
  const failure = settleProperties(work);
  if (failure !== undefined) {
    return fail(work, 'CREATE_FAILED', failure, { reason: failure, source: 'engine' });
  }
  invoke(work, begin(work, 'create'));
}

/** Resolves late references and checks the result against the type; answers what AWS would say. */
function settleProperties({ turn, stack, resource }: Work): string | undefined {
  const model = present(
    stack.model.resources[resource.logicalId],
    'a created resource is modelled',
  );
  const facts = present(turn.registry.facts(resource.type), 'the type of a resource is known');
  try {
    const resolved = resolve(
      model.properties,
      lateReferencesOf(stack, turn.registry),
    ) as JsonObject;
    const { properties, violations, leftOut } = checkProperties(facts, resolved);
    resource.properties = properties;
    if (leftOut.length > 0) resource.leftOut = leftOut;
    for (const path of leftOut) tellDefault({ turn, stack, resource }, path.join('.'));
    return propertyFailure(resource.logicalId, facts, violations);
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

/** A value that nobody knows here is left out, and what counts instead is said. */
function tellDefault({ turn, stack, resource }: Omit<Work, 'operation'>, property: string): void {
  const { logicalId, type, properties } = resource;
  const value = turn.providerOf(stack, type).defaultOf?.(property, properties);
  const what = value === undefined ? 'taken to be absent' : JSON.stringify(value);
  append(turn.record, {
    type: 'assumption',
    atMs: turn.nowMs,
    text: `${property} of ${logicalId} is ${what}: its value is not known here`,
  });
}

/** A resource that has an identifier is deleted by its handler. */
export function startDelete(work: Work): void {
  const { turn, stack, resource } = work;
  tellResource(turn, stack, resource, 'DELETE_IN_PROGRESS');
  invoke(work, begin(work, 'delete'));
}

function begin({ turn, operation, resource }: Work, handler: 'create' | 'delete'): Invocation {
  const minutes = turn.registry.handlerTimeoutMinutes(resource.type, handler);
  const invocation: Invocation = {
    token: nextUuid(turn.random),
    startedAtMs: turn.nowMs,
    deadlineMs: addMs(turn.nowMs, minutes * MINUTE_MS),
    callbackContext: null,
    configurationComplete: false,
  };
  operation.inFlight[resource.logicalId] = invocation;
  return invocation;
}

/** Calls the handler, for the first time or again, and takes in what it answers. */
export function invoke(work: Work, invocation: Invocation): void {
  const { turn, stack, operation, resource } = work;
  const provider = turn.providerOf(stack, resource.type);
  const deleting = operation.phase !== 'creating';
  const answer = callHandler(provider, deleting, requestOf(work, invocation));
  if (deleting) takeDeleteAnswer(work, invocation, answer);
  else takeCreateAnswer(work, invocation, answer);
}

function callHandler(provider: ResourceProvider, deleting: boolean, request: HandlerRequest) {
  return deleting ? provider.delete(request) : provider.create(request);
}

function requestOf({ turn, stack, resource }: Work, invocation: Invocation): HandlerRequest {
  const { callbackContext, token, startedAtMs } = invocation;
  return {
    logicalId: resource.logicalId,
    stackId: stack.stackId,
    stackName: stack.stackName,
    clientRequestToken: token,
    desired: resource.properties,
    ...(resource.leftOut === undefined ? {} : { leftOut: resource.leftOut }),
    previous: resource.model,
    ...(callbackContext === null ? {} : { callbackContext }),
    startedAtMs,
    nowMs: turn.nowMs,
  };
}

function takeCreateAnswer(work: Work, invocation: Invocation, answer: ProgressEvent): void {
  const { turn, stack, operation, resource } = work;
  if ('model' in answer && answer.model !== undefined) takeModel(work, answer.model);
  switch (answer.status) {
    case 'SUCCESS':
      delete operation.inFlight[resource.logicalId];
      tellResource(turn, stack, resource, 'CREATE_COMPLETE');
      return finishNode(operation, resource.logicalId, invocation.configurationComplete);
    case 'IN_PROGRESS':
      if (answer.configurationComplete === true && !invocation.configurationComplete) {
        invocation.configurationComplete = true;
        tellResource(turn, stack, resource, 'CREATE_IN_PROGRESS', {
          statusReason: 'Eventual consistency check initiated',
          detailedStatus: 'CONFIGURATION_COMPLETE',
        });
        releaseDependents(operation, resource.logicalId);
      }
      return callAgain(work, invocation, answer, 'CREATE_FAILED');
    case 'FAILED':
      return fail(work, 'CREATE_FAILED', ...handlerFailure(invocation, answer));
    default:
      return assertNever(answer);
  }
}

/** The first model names the resource: from here on it is there and must be deleted again (R6). */
function takeModel({ turn, stack, resource }: Work, model: JsonObject): void {
  const facts = present(turn.registry.facts(resource.type), 'the type of a resource is known');
  resource.model = model;
  if (resource.physicalId !== null) return;
  resource.physicalId = physicalIdOf(facts, model);
  tellResource(turn, stack, resource, 'CREATE_IN_PROGRESS', {
    statusReason: 'Resource creation Initiated',
  });
}

function takeDeleteAnswer(work: Work, invocation: Invocation, answer: ProgressEvent): void {
  const { turn, stack, operation, resource } = work;
  // L47: what is not there any more has been deleted.
  const gone = answer.status === 'FAILED' && answer.errorCode === 'NotFound';
  if (answer.status === 'SUCCESS' || gone) {
    delete operation.inFlight[resource.logicalId];
    tellResource(turn, stack, resource, 'DELETE_COMPLETE');
    return finishNode(operation, resource.logicalId, false);
  }
  if (answer.status === 'IN_PROGRESS') return callAgain(work, invocation, answer, 'DELETE_FAILED');
  fail(work, 'DELETE_FAILED', ...handlerFailure(invocation, answer));
}

/** R5, R18: not before the delay is over, and not beyond the handler's timeout. */
function callAgain(
  work: Work,
  invocation: Invocation,
  answer: Extract<ProgressEvent, { status: 'IN_PROGRESS' }>,
  failed: 'CREATE_FAILED' | 'DELETE_FAILED',
): void {
  const { turn, operation, resource } = work;
  if (turn.nowMs >= invocation.deadlineMs) {
    const reason = `Resource timed out waiting for completion (RequestToken: ${invocation.token})`;
    return fail(work, failed, reason, { reason, source: 'engine', limit: 'default' });
  }
  invocation.callbackContext = answer.callbackContext;
  const wanted = addMs(turn.nowMs, answer.callbackDelaySeconds * SECOND_MS);
  const at = Math.min(wanted, invocation.deadlineMs) as EpochMs;
  const { token } = invocation;
  pushDue(operation.callbacks, at, { logicalId: resource.logicalId, token });
}

/** R16: what stack events say of a handler's failure, and what is said of it elsewhere. */
function handlerFailure(
  { token }: Invocation,
  { message, errorCode, cause }: Extract<ProgressEvent, { status: 'FAILED' }>,
): [string, FailureCause] {
  const statusReason = `Resource handler returned message: "${message}" (RequestToken: ${token}, HandlerErrorCode: ${errorCode})`;
  return [statusReason, cause ?? { reason: message, source: 'handler' }];
}
