import { type EpochMs, type StackId, toIsoDuration, toRfc3339 } from '../base/index.ts';
import type { Finding as DiagnosisFinding } from '../diagnosis/index.ts';
import type { Stack } from '../engine/index.ts';
import type {
  EventRecord,
  FailureCause,
  ResourceEvent,
  ServiceView,
  StackEvent,
} from '../events/index.ts';
import {
  type FailureResult,
  type Finding,
  type ResourceResult,
  type StackEventResult,
  type StackResult,
  VERDICTS,
  type Verdict,
} from './document.ts';
import { servicesOf } from './services.ts';

/** What the result of one stack operation is made from. */
export interface Finished {
  readonly stack: Stack;
  readonly kind: 'CREATE' | 'DELETE';
  readonly startedAtMs: EpochMs;
  readonly finishedAtMs: EpochMs;
  readonly record: EventRecord;
  readonly changes: number;
  /** Services whose outcome hangs on something that is not simulated. */
  readonly undetermined: boolean;
  readonly runtime: 'simulation' | 'docker';
  /** The engine went away before the operation came to its end. */
  readonly cutOff: boolean;
  /** Services as they stand now, for those whose handler reported no end. */
  readonly currentServices: readonly ServiceView[];
}

type OwnEvent = StackEvent | ResourceEvent;

/** How a stack operation ended, from its record and the stack as it stands. */
export function stackResult(finished: Finished): StackResult {
  const { stack, kind, startedAtMs, finishedAtMs, record } = finished;
  const events = ownEvents(record, stack.stackId);
  return {
    stackName: stack.stackName,
    stackId: stack.stackId,
    parent: null,
    operation: kind,
    changes: finished.changes,
    status: stack.status,
    statusReason: stack.statusReason,
    verdict: verdictOf(finished, events),
    startedAt: toRfc3339(startedAtMs),
    finishedAt: toRfc3339(finishedAtMs),
    duration: toIsoDuration(finishedAtMs - startedAtMs),
    outputs: stack.outputs,
    exports: stack.exports,
    resources: resourcesOf(stack, events),
    events: events.map(eventResult),
    services: servicesOf(finished),
    failure: failureOf(events),
  };
}

/** How services stand of a stack that nothing was changed of. */
export interface Looked {
  readonly record: EventRecord;
  readonly currentServices: readonly ServiceView[];
  /** What one of them does not come up for, and what that makes of the stack. */
  readonly down: { readonly failure: FailureResult; readonly verdict: Verdict } | undefined;
}

/**
 * A deploy that changes nothing: no operation is run, and the stack stays as it is.
 *
 * @param looked - where services may have gone down since, as containers do
 */
export function unchangedResult(stack: Stack, looked?: Looked): StackResult {
  return {
    ...refusedResult(stack.stackName, null),
    stackId: stack.stackId,
    operation: 'UPDATE',
    status: stack.status,
    statusReason: stack.statusReason,
    verdict: looked?.down?.verdict ?? 'stable',
    outputs: stack.outputs,
    exports: stack.exports,
    ...(looked === undefined ? {} : { services: servicesOf({ stack, kind: 'CREATE', ...looked }) }),
    failure: looked?.down?.failure ?? null,
  };
}

/** A request that was refused, or only checked: nothing was touched. */
export function refusedResult(stackName: string, failure: FailureResult | null): StackResult {
  return {
    stackName,
    stackId: null,
    parent: null,
    operation: null,
    changes: 0,
    status: null,
    statusReason: null,
    verdict: failure === null ? 'stable' : 'invalid',
    startedAt: null,
    finishedAt: null,
    duration: null,
    outputs: {},
    exports: {},
    resources: [],
    events: [],
    services: [],
    failure,
  };
}

/** The worst of several verdicts; `stable` of none. */
export function worstOf(verdicts: readonly Verdict[]): Verdict {
  return VERDICTS.find((verdict) => verdicts.includes(verdict)) ?? 'stable';
}

export function findingResult(finding: DiagnosisFinding, stackName: string): Finding {
  const { code, severity, logicalId, title, where, evidence, hint } = finding;
  return {
    code,
    severity,
    stackName,
    logicalId,
    title,
    where,
    evidence: evidence.map(({ source, atMs, text }) => ({
      source,
      at: atMs === null ? null : toRfc3339(atMs),
      text,
    })),
    ...(hint === undefined ? {} : { hint }),
  };
}

/**
 * `failed`, or `would-hang` where the first failure is a wait that a limit nobody set has ended, or
 * that was seen to be a hang (`docs/decisions.md` 5); the first failure decides, whatever follows
 * (fine print l). With containers a limit alone proves nothing, nor does a fault of this machine.
 */
function verdictOf(finished: Finished, events: readonly OwnEvent[]): Verdict {
  const { stack, kind, undetermined, runtime, cutOff, record } = finished;
  if (cutOff) return 'undetermined';
  const done = kind === 'CREATE' ? 'CREATE_COMPLETE' : 'DELETE_COMPLETE';
  const first = firstCause(events);
  if (stack.status === done && first === undefined) {
    return undetermined ? 'undetermined' : 'stable';
  }
  if (first === undefined) return 'failed';
  const { reason } = first.cause;
  if (first.type === 'stack-resource' && isOnlyHere(record, first.physicalId, reason)) {
    return 'undetermined';
  }
  const { hang, limit } = first.cause;
  if (hang !== undefined) return 'would-hang';
  if (limit !== 'default') return 'failed';
  return runtime === 'docker' ? 'undetermined' : 'would-hang';
}

/** Whether what is given as the reason that a service is down is a fault of this machine. */
export function isOnlyHere({ entries }: EventRecord, service: string, reason: string): boolean {
  return entries.some(
    (one) =>
      one.type === 'only-here' &&
      one.service === service &&
      reason.includes(one.reason.replace(/\.$/, '')),
  );
}

type Caused = OwnEvent & { readonly cause: FailureCause };

function isCaused(event: OwnEvent): event is Caused {
  return event.cause !== undefined;
}

function firstCause(events: readonly OwnEvent[]): Caused | undefined {
  return events.find(isCaused);
}

/** `docs/decisions.md` 20: the first failure is the stack's; a way back that fails too adds its own. */
function failureOf(events: readonly OwnEvent[]): FailureResult | null {
  const first = firstCause(events);
  if (first === undefined) return null;
  // A delete has no way back: what fails in it after the first failure is another one.
  const later = isOnTheWayBack(first)
    ? undefined
    : events.filter(isCaused).find((event) => event !== first && isOnTheWayBack(event));
  return {
    logicalId: first.type === 'stack' ? '<stack>' : first.logicalId,
    reason: first.cause.reason,
    source: first.cause.source,
    then: later?.cause.reason ?? null,
  };
}

function isOnTheWayBack({ status }: OwnEvent): boolean {
  return status === 'DELETE_FAILED' || status === 'ROLLBACK_FAILED';
}

function ownEvents({ entries }: EventRecord, stackId: StackId): readonly OwnEvent[] {
  return entries.filter(
    (event): event is OwnEvent =>
      (event.type === 'stack' || event.type === 'stack-resource') && event.stackId === stackId,
  );
}

function eventResult(event: OwnEvent): StackEventResult {
  const isStack = event.type === 'stack';
  return {
    eventId: event.eventId,
    at: toRfc3339(event.atMs),
    logicalId: isStack ? event.stackName : event.logicalId,
    type: isStack ? 'AWS::CloudFormation::Stack' : event.resourceType,
    physicalId: isStack ? event.stackId : event.physicalId,
    status: event.status,
    statusReason: event.statusReason ?? null,
    ...(event.detailedStatus === undefined ? {} : { detailedStatus: event.detailedStatus }),
  };
}

/** Those with an event, as they stand at the end, in the order of their first event. */
function resourcesOf(stack: Stack, events: readonly OwnEvent[]): readonly ResourceResult[] {
  const ids = new Set(
    events.flatMap((event) => (event.type === 'stack-resource' ? [event.logicalId] : [])),
  );
  return [...ids].flatMap((logicalId) => {
    const resource = stack.resources[logicalId];
    if (resource === undefined) return [];
    const { physicalId, type, status, statusReason } = resource;
    const model = stack.model.resources[logicalId];
    const constructPath = model?.constructPath ?? null;
    const source = model === undefined ? null : positionOf(model.source);
    return [{ logicalId, physicalId, type, status, statusReason, constructPath, source }];
  });
}

function positionOf({ file, line, column }: { file: string; line: number; column: number }) {
  return { file, line, column };
}
