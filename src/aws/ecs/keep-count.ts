import { type DeploymentState, live, type ServiceState, unstopped } from './model.ts';
import { perform } from './perform.ts';
import { reconcile } from './reconcile.ts';
import type { Turn } from './turn.ts';

const NONE = { starting: 0, running: 0, counting: 0, unhealthy: 0, stopping: 0 };

/**
 * Keeps one deployment at a count of its own, beside others: what is missing starts, with the usual
 * backoff, what fails its checks is replaced, and what is too much stops.
 */
export function keepAtCount(
  turn: Turn,
  service: ServiceState,
  deployment: DeploymentState,
  count: number,
): void {
  const { counts, blockedUntilMs, userStopped } = deployment;
  if (count === 0 && live(counts) + counts.unhealthy === 0) return;
  const snapshot = {
    desiredCount: count,
    bounds: { healthyMin: 0, activeMax: count + unstopped(counts) }, // there is always room
    ...{ current: counts, outdated: NONE, deployments: 1, rolloutState: null },
    backingOff: blockedUntilMs !== null && blockedUntilMs > turn.nowMs,
    ...{ refused: false, userStopped, baking: 'under-way' as const, steady: false },
  };
  for (const action of reconcile(snapshot, turn.rulesOf(service))) {
    perform(turn, service, deployment, action);
  }
}
