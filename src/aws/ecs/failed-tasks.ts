import { addMs } from '../../base/index.ts';
import { failureThreshold } from './circuit-breaker.ts';
import { failDeployment } from './failed-deployments.ts';
import { blueOf, cleansUp } from './lifecycle.ts';
import { say } from './messages.ts';
import type { DeploymentState, ServiceState } from './model.ts';
import { backoffMs } from './rules.ts';
import { tell, visitLater } from './state.ts';
import { placesTasks } from './task-set.ts';
import type { Turn } from './turn.ts';

/** A failed task: what it has in common with those it is alike with, and whether it ran. */
interface Failure {
  readonly cause: string;
  /** `exit`: it was RUNNING and ended by itself. */
  readonly kind: 'never-ran' | 'exit' | 'failed-checks';
}

/**
 * A task of the deployment failed: it never started, ended by itself, or its checks failed (4.12, 4.25).
 *
 * Failures are consecutive. The complaint comes before the breaker's sentence when both fall in one
 * instant (`docs/decisions.md`, fine print d). Failures of an earlier deployment are counted and
 * otherwise silent (fine print i).
 */
export function countFailedTask(
  turn: Turn,
  service: ServiceState,
  deployment: DeploymentState,
  { kind, cause }: Failure,
): void {
  const rules = turn.rulesOf(service);
  deployment.failedTasks += 1;
  const { alikeFailures } = deployment;
  const alike = alikeFailures.cause === cause;
  deployment.alikeFailures = { cause, count: alike ? alikeFailures.count + 1 : 1 };
  const isKept = deployment === blueOf(service) || placesTasks(deployment);
  if (deployment.status !== 'PRIMARY' && !isKept) return;
  const exitDelayMs = kind === 'exit' ? rules.exitDelayMs : null;
  const delayMs = exitDelayMs ?? backoffMs(deployment.failedTasks, rules);
  deployment.blockedUntilMs = addMs(turn.nowMs, delayMs);
  visitLater(turn, service, delayMs);
  const many = deployment.failedTasks >= rules.failuresBeforeComplaint;
  const mayComplain = kind === 'never-ran' || rules.complainsOfExits;
  if (many && mayComplain && !service.said.consistently) {
    service.said.consistently = true;
    tell(turn, service, say.cannotStartConsistently(service.name), deployment);
  }
  if (breakerTrips(service, deployment)) failDeployment(turn, service, deployment, 'breaker');
}

/** A steady state, or a task that counts where that is the rule, ends a row of failures (10.3). */
export function forgetFailures(service: ServiceState, deployment: DeploymentState): void {
  deployment.failedTasks = 0;
  deployment.blockedUntilMs = null;
  deployment.alikeFailures = { cause: '', count: 0 };
  const isAtWork = deployment.status === 'PRIMARY' || placesTasks(deployment);
  if (isAtWork) service.said.consistently = false;
}

/** Whether a circuit breaker counts the deployment's failures (fine print h). */
export function isWatched({ configuration }: ServiceState, deployment: DeploymentState): boolean {
  const { enable } = configuration.circuitBreaker;
  return enable && !deployment.resurrected && !cleansUp(deployment);
}

/**
 * 4.7: the threshold is reached; 4.5: at the desired count as it is now; 2.16: a deployment that is
 * COMPLETED is not watched any more.
 */
function breakerTrips(service: ServiceState, deployment: DeploymentState): boolean {
  const { threshold } = service.configuration.circuitBreaker;
  return (
    isWatched(service, deployment) &&
    deployment.rolloutState === 'IN_PROGRESS' &&
    deployment.failedTasks >= failureThreshold(service.desiredCount, threshold)
  );
}
