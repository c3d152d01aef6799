import { assertNever, type EpochMs, nameIn } from '../base/index.ts';
import {
  type LifecycleStageEvent,
  type RecordedEvent,
  shapeOf,
  type TaskStoppedEvent,
} from '../events/index.ts';
import { type ColourLevel, createPaint, isBad, type Paint, statusColour } from './paint.ts';
import { plain, shortTask } from './text.ts';
import { elapsedText } from './time-text.ts';

export interface EventLineOptions {
  /** When the operation began, in the same time as the event: lines show what has passed since. */
  readonly sinceMs: EpochMs;
  readonly colour: ColourLevel;
}

/**
 * One line for one event of the record: `00:12.5  CREATE_FAILED  Web  reason`.
 *
 * @returns undefined for events that are told elsewhere: what was assumed stands in the result, and
 *   the view of a service at its end repeats what its events have said
 */
export function eventLine(event: RecordedEvent, options: EventLineOptions): string | undefined {
  const text = eventText(event, createPaint(options.colour));
  if (text === undefined) return undefined;
  return `${elapsedText(event.atMs - options.sinceMs)}  ${text.replace(/\n/g, ' ')}`;
}

/** Whether the event says that something went wrong; `--progress errors` shows only these. */
export function isFailureEvent(event: RecordedEvent): boolean {
  switch (event.type) {
    case 'stack':
    case 'stack-resource':
      return isBad(event.status);
    case 'ecs-service':
      return shapeOf(event.kind) === 'failure';
    case 'ecs-task-stopped':
      return isFailedStop(event);
    case 'only-here':
      return true;
    case 'repeated':
    case 'assumption':
    case 'ecs-service-ended':
      return false;
    case 'ecs-lifecycle-stage':
      return event.failedHook !== undefined;
    default:
      return assertNever(event);
  }
}

function eventText(event: RecordedEvent, paint: Paint): string | undefined {
  switch (event.type) {
    case 'stack':
      return statusLine(event.stackName, event, paint);
    case 'stack-resource':
      return statusLine(event.logicalId, event, paint);
    case 'ecs-service':
      return (shapeOf(event.kind) === 'failure' ? paint.warn : same)(plain(event.message));
    case 'ecs-task-stopped':
      return (isFailedStop(event) ? paint.warn : same)(plain(taskStoppedText(event)));
    case 'only-here':
      return paint.warn(plain(`on this machine: ${event.text}`));
    case 'repeated':
      return paint.faint(`… (${plain(event.of)}) ${event.count} times by now`);
    case 'ecs-lifecycle-stage':
      return (event.failedHook === undefined ? same : paint.warn)(plain(stageText(event)));
    case 'assumption':
    case 'ecs-service-ended':
      return undefined;
    default:
      return assertNever(event);
  }
}

interface StatusChange {
  readonly status: string;
  readonly detailedStatus?: string;
  readonly statusReason?: string;
}

function statusLine(name: string, event: StatusChange, paint: Paint): string {
  const status = statusColour(event.status, paint)(event.status);
  const reason = event.statusReason === undefined ? undefined : plain(event.statusReason);
  return [status, name, event.detailedStatus, reason].filter((part) => part).join('  ');
}

function taskStoppedText({ task, stopCode, stoppedReason, essentialExit }: TaskStoppedEvent) {
  const stopped = `task ${shortTask(task)} stopped (${stopCode}): ${stoppedReason}`;
  return essentialExit === undefined ? stopped : `${stopped}; ${exitText(essentialExit)}`;
}

/** In words of our own: AWS tells of stages in the service deployment only. */
function stageText(event: LifecycleStageEvent): string {
  const { service, deployment, stage, productionPercent, failedHook } = event;
  const share =
    productionPercent === undefined ? '' : `, ${productionPercent} % of production traffic`;
  const hook = failedHook && `, hook ${failedHook.target || 'PAUSE'} ${failedHook.outcome}`;
  return `service ${nameIn(service)}, deployment ${deployment}: ${stage}${share}${hook ?? ''}`;
}

function exitText({ container, exitCode }: NonNullable<TaskStoppedEvent['essentialExit']>) {
  return exitCode === null ? `${container} exited` : `${container} exited with code ${exitCode}`;
}

function isFailedStop({ stopCode }: TaskStoppedEvent): boolean {
  return stopCode === 'TaskFailedToStart' || stopCode === 'EssentialContainerExited';
}

function same(text: string): string {
  return text;
}
