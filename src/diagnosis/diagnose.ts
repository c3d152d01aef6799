import type { EpochMs, LogicalId, SourceSpan } from '../base/index.ts';
import type {
  EventRecord,
  FailureCause,
  RecordedEvent,
  ResourceEvent,
  ServiceView,
  StackEvent,
  TaskView,
} from '../events/index.ts';
import type { Evidence, Finding, FindingCode } from './finding.ts';

/** What a diagnosis looks at: the record of the operation, and where resources stand in the template. */
export interface Facts {
  readonly record: EventRecord;
  sourceOf(logicalId: LogicalId): SourceSpan | undefined;
  serviceOf(logicalId: LogicalId): ServiceView | undefined;
}

type Caused = (ResourceEvent | StackEvent) & { readonly cause: FailureCause };

const LOG_LINES_SHOWN = 3;
const RUNS_TASKS: ReadonlySet<string> = new Set(['AWS::ECS::Service', 'AWS::ECS::TaskSet']);

/**
 * Explains how an operation ended, from the record alone; the cause comes first. Resources that
 * failed because another one did carry no cause of their own and are not explained.
 */
export function diagnose(facts: Facts): readonly Finding[] {
  return facts.record.entries.filter(isCause).map((event) => explain(facts, event));
}

/** A service of a stack that nothing was changed of, and that is down all the same. */
export interface Down {
  readonly logicalId: LogicalId;
  readonly atMs: EpochMs;
  readonly cause: FailureCause;
  readonly source: SourceSpan | undefined;
  readonly view: ServiceView | undefined;
}

export function serviceDown({ logicalId, atMs, cause, source, view }: Down): Finding {
  return {
    code: 'SERVICE-NOT-STABLE',
    severity: 'error',
    logicalId,
    title: `${logicalId} (AWS::ECS::Service) is down${endOfWait({ cause })}`,
    where: source === undefined ? null : { ...source, path: `Resources/${logicalId}` },
    evidence: [
      { source: evidenceSource({ cause }), atMs, text: cause.reason },
      ...inferred({ atMs, cause }),
      ...(view === undefined ? [] : stoppedTasks(view)),
    ],
  };
}

function isCause(event: RecordedEvent): event is Caused {
  return (event.type === 'stack-resource' || event.type === 'stack') && event.cause !== undefined;
}

function explain(facts: Facts, event: Caused): Finding {
  const logicalId = event.type === 'stack' ? null : event.logicalId;
  const source = logicalId === null ? undefined : facts.sourceOf(logicalId);
  const service = logicalId === null ? undefined : facts.serviceOf(logicalId);
  return {
    code: codeOf(event),
    severity: 'error',
    logicalId,
    title: titleOf(event),
    where: source === undefined ? null : { ...source, path: `Resources/${logicalId}` },
    evidence: [
      { source: evidenceSource(event), atMs: event.atMs, text: event.cause.reason },
      ...inferred(event),
      ...(service === undefined ? [] : stoppedTasks(service)),
    ],
  };
}

function codeOf(event: Caused): FindingCode {
  if (event.type === 'stack') return 'STACK-FAILED';
  if (event.status === 'DELETE_FAILED') return 'DELETE-FAILED';
  return RUNS_TASKS.has(event.resourceType) && event.cause.source !== 'engine'
    ? 'SERVICE-NOT-STABLE'
    : 'RESOURCE-FAILED';
}

function titleOf(event: Caused): string {
  if (event.type === 'stack') return `stack ${event.stackName} failed as a whole`;
  const verb = event.status === 'DELETE_FAILED' ? 'could not be deleted' : 'failed';
  return `${event.logicalId} (${event.resourceType}) ${verb}${endOfWait(event)}`;
}

function endOfWait({ cause: { hang, limit } }: Pick<Caused, 'cause'>): string {
  if (hang?.certainty === 'proven') return ': it hangs, which is proven';
  if (hang?.certainty === 'likely') return ': it very likely hangs';
  return limit === undefined ? '' : ': its wait was ended by a limit';
}

function inferred({ atMs, cause: { hang } }: Pick<Caused, 'atMs' | 'cause'>): readonly Evidence[] {
  return hang === undefined ? [] : [{ source: 'inference', atMs, text: hang.because }];
}

function evidenceSource({ cause }: Pick<Caused, 'cause'>): Evidence['source'] {
  return cause.source === 'service-event' ? 'service-event' : 'stack-event';
}

/** One line for each kind of stopped task that ended by itself, with what its container said last. */
function stoppedTasks({ tasks }: ServiceView): readonly Evidence[] {
  const seen = new Set<string>();
  const evidence: Evidence[] = [];
  for (const task of tasks) {
    if (task.lastStatus !== 'STOPPED' || task.stopCode === 'ServiceSchedulerInitiated') continue;
    const text = `${task.alike} of them: ${describe(task)}`;
    if (seen.has(text)) continue;
    seen.add(text);
    evidence.push({ source: 'task', atMs: task.stoppedAtMs, text });
    for (const { logTail } of task.containers.filter(isTelling)) {
      for (const line of logTail.slice(-LOG_LINES_SHOWN)) {
        evidence.push({ source: 'container-log', atMs: task.stoppedAtMs, text: line });
      }
    }
  }
  return evidence;
}

function describe({ stopCode, stoppedReason, containers }: TaskView): string {
  const exits = containers
    .filter(isTelling)
    .map(({ name, exitCode, reason }) => `${name}: ${reason ?? `exit code ${exitCode}`}`);
  return [`${stopCode}`, stoppedReason ?? '', ...exits].filter(Boolean).join(' · ');
}

function isTelling({ exitCode, reason }: TaskView['containers'][number]): boolean {
  return reason !== null || (exitCode !== null && exitCode !== 143);
}
