import type { DeploymentId, ServiceArn } from '../../base/index.ts';
import { isWatched } from './failed-tasks.ts';
import { type FailureReason, failureReason } from './failure-reason.ts';
import type { DeploymentState, ServiceState } from './model.ts';
import { primaryOf } from './state.ts';

/** What a create or update waits for: the deployment it started, and the next steady state. */
export interface Rollout {
  readonly service: ServiceArn;
  /** Null under the EXTERNAL controller, where a service has no deployment. */
  readonly deployment: DeploymentId | null;
  /** The number of the edge into a steady state that this call waits for. */
  readonly awaitedEdge: number;
}

/**
 * `steady`: it came into its steady state since the call. `failed`: it is FAILED, or gone.
 * `rolling-back`: FAILED, and ECS is not done yet with putting the last COMPLETED one back.
 */
export interface RolloutStanding {
  readonly state: 'in-progress' | 'steady' | 'rolling-back' | 'failed';
  /** What best says why it is not steady. */
  reason(): FailureReason;
  /** Whether it stands where nothing leads out of. */
  hang(): Hang | undefined;
}

/**
 * `proven`: nothing may start and nothing may stop, and no event is under way. `likely`: tasks fail
 * alike, one after the other, and no circuit breaker ends it (`docs/decisions.md` 5).
 */
export interface Hang {
  readonly certainty: 'proven' | 'likely';
  readonly because: string;
}

const ALIKE_FAILURES_OF_A_HANG = 3;

/** What the call that has just changed the service waits for. */
export function rolloutOf(service: ServiceState): Rollout {
  const primary = primaryOf(service);
  return {
    service: service.arn,
    deployment: primary?.id ?? null,
    // A call that changed nothing finds the service steady and need not wait for another edge.
    awaitedEdge: service.steady ? service.steadyEdges : service.steadyEdges + 1,
  };
}

/**
 * 8.14: the deployment that the call started, not whichever is PRIMARY. After a rollback by the
 * breaker the PRIMARY one is the old one; asking it would call a failed update a success.
 */
export function standingOf(service: ServiceState | undefined, watched: Rollout): RolloutStanding {
  if (service === undefined || service.status === 'INACTIVE') {
    const reason = `service ${watched.service} is not there any more`;
    const none = () => undefined;
    return { state: 'failed', reason: () => ({ reason, source: 'handler' }), hang: none };
  }
  const known = [...service.deployments, ...(service.lastFailed ? [service.lastFailed] : [])];
  const deployment = known.find(({ id }) => id === watched.deployment);
  return {
    state: stateOf(service, deployment, watched),
    reason: () => failureReason({ service, deployment }),
    hang: () => hangOf(service),
  };
}

function hangOf(service: ServiceState): Hang | undefined {
  const primary = primaryOf(service);
  if (primary === undefined || primary.rolloutState === 'FAILED') return undefined;
  const isUnderWay = primary.rolloutState === 'IN_PROGRESS';
  if (isUnderWay && service.said.holdingSinceMs !== null) {
    const { maximumPercent, minimumHealthyPercent } = service.configuration;
    const pair = `${maximumPercent} and ${minimumHealthyPercent} percent of ${service.desiredCount}`;
    const because = `nothing may start and nothing may stop at ${pair}, and nothing is under way`;
    return { certainty: 'proven', because };
  }
  if (service.awaitsRoom && !isMoving(primary)) {
    const because = 'no container instance takes another task, and none of its own is under way';
    return { certainty: 'likely', because };
  }
  const breaks = isUnderWay && isWatched(service, primary); // 2.16: one that is COMPLETED it leaves alone
  return breaks ? undefined : alikeHang(primary);
}

/** Tasks fail alike, and no circuit breaker ends it. */
export function alikeHang({ alikeFailures: { count } }: DeploymentState): Hang | undefined {
  if (count < ALIKE_FAILURES_OF_A_HANG) return undefined;
  const because = `${count} tasks in a row failed alike, and no circuit breaker ends it`;
  return { certainty: 'likely', because };
}

/** Tasks that start, settle or stop may change where it stands. */
function isMoving({ counts }: DeploymentState): boolean {
  return counts.starting + counts.running + counts.unhealthy + counts.stopping > 0;
}

function stateOf(
  service: ServiceState,
  deployment: DeploymentState | undefined,
  watched: Rollout,
): RolloutStanding['state'] {
  if (watched.deployment === null) return 'steady'; // 8.16
  if (deployment === undefined) return 'failed';
  if (deployment.rolloutState === 'FAILED') {
    // Fine print h: with a rollback under way the handler reports when that has ended.
    const back = primaryOf(service);
    const rollingBack = back?.resurrected === true && back.rolloutState === 'IN_PROGRESS';
    return rollingBack ? 'rolling-back' : 'failed';
  }
  const edge = deployment.status === 'PRIMARY' && service.steadyEdges >= watched.awaitedEdge;
  return edge ? 'steady' : 'in-progress';
}
