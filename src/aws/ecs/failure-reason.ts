import type { HandlerFacing } from './views.ts';

const RANKS = [1, 2, 3, 4, 5] as const;

/**
 * `failure.reason`: what best says why the deployment whose end was reported did not come up
 * (`docs/decisions.md` 19).
 *
 * Rank before age: "unable to consistently start tasks" is newer than the pull error behind it and
 * says less. Within a rank the newest stands, since that is what is in the way now. Without any
 * failure-shaped event the FAILED rollout's own reason, else the deployment's own numbers.
 */
export function failureReason({ service, deployment }: HandlerFacing): FailureReason {
  for (const rank of RANKS) {
    const reason = deployment?.reasons[rank];
    if (reason !== undefined) return { reason, source: 'service-event' };
  }
  if (deployment?.rolloutState === 'FAILED' && deployment.rolloutStateReason !== null) {
    return { reason: deployment.rolloutStateReason, source: 'rollout-state' };
  }
  const { starting = 0, running = 0, counting = 0 } = deployment?.counts ?? {};
  const reason =
    `service ${service.name} has ${running + counting} of ${service.desiredCount} desired tasks ` +
    `running, ${starting} pending and ${deployment?.failedTasks ?? 0} failed`;
  return { reason, source: 'handler' };
}

export interface FailureReason {
  readonly reason: string;
  readonly source: 'service-event' | 'rollout-state' | 'handler';
}
