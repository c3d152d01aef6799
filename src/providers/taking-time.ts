import type { HandlerRequest, ProgressEvent, ResourceProvider } from '../registry/index.ts';

/** How long creating and deleting a resource takes, in whole or fractional seconds. */
export interface Durations {
  createSeconds(request: HandlerRequest): number;
  readonly deleteSeconds: number;
}

/**
 * Handlers that take as long as AWS typically does (`docs/decisions.md` 22): what they change is
 * changed at once, and told when the time is over. A refusal is told at once.
 */
export function takingTime(
  provider: ResourceProvider,
  { createSeconds, deleteSeconds }: Durations,
): ResourceProvider {
  return {
    ...provider,
    create(request) {
      if (isOver(request)) {
        return { status: 'SUCCESS', ...(request.previous && { model: request.previous }) };
      }
      return later(provider.create(request), createSeconds(request));
    },
    delete(request) {
      if (isOver(request)) return { status: 'SUCCESS' };
      return later(provider.delete(request), deleteSeconds);
    },
  };
}

/** The time is over; a handler that is called again before that has its own reasons. */
function isOver({ callbackContext }: HandlerRequest): boolean {
  return callbackContext?.['done'] === true;
}

function later(answer: ProgressEvent, seconds: number): ProgressEvent {
  if (answer.status !== 'SUCCESS' || seconds === 0) return answer;
  return {
    status: 'IN_PROGRESS',
    ...(answer.model === undefined ? {} : { model: answer.model }),
    callbackContext: { done: true },
    callbackDelaySeconds: seconds,
  };
}
