import type { Hang } from '../../aws/ecs/index.ts';
import type { JsonObject } from '../../base/index.ts';

/** How a handler waits for its service. */
export interface Stabilizing {
  /** How long a service may take to become stable, and whether the command set that limit. */
  readonly limitMs: number;
  readonly isSet: boolean;
  /** How sure a hang must be for the wait to end before its limit. */
  readonly giveUpOn: 'nothing' | 'proven' | 'likely';
  /** Whether a service's failure is told in its own words, or in AWS's (8.28, 8.29). */
  readonly tellsOwnReason: boolean;
  /** From one look at the service to the next (`docs/decisions.md`, fine print f). */
  readonly lookEverySeconds: number;
}

export function hangToGiveUpOn(
  standing: { hang(): Hang | undefined },
  { giveUpOn }: Stabilizing,
): Hang | undefined {
  if (giveUpOn === 'nothing') return undefined;
  const hang = standing.hang();
  return hang?.certainty === 'likely' && giveUpOn === 'proven' ? undefined : hang;
}

/** A hang that is seen to be one needs no limit that somebody set. */
export function endedBy({ isSet }: Stabilizing, hang: Hang | undefined) {
  if (hang !== undefined) return { limit: 'default' as const, hang };
  return { limit: isSet ? ('set' as const) : ('default' as const) };
}

export function lookIn(seconds: number, callbackContext: JsonObject) {
  return { status: 'IN_PROGRESS' as const, callbackContext, callbackDelaySeconds: seconds };
}
