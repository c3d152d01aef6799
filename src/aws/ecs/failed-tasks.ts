import { addMs } from '../../base/index.ts';
import { failureThreshold } from './circuit-breaker.ts';
import type { EcsContext } from './context.ts';
import { createDeployment, putFirst } from './deployments.ts';
import { rolloutReason, say } from './messages.ts';
import type { DeploymentState, ServiceState } from './model.ts';
import { backoffMs, type SchedulerRules } from './rules.ts';
import { tell, visitLater } from './state.ts';

/** A failed task: what it has in common with those it is alike with, and the rules that hold. */
interface Failure {
  readonly cause: string;
  readonly rules: SchedulerRules;
}

/**
 * A task of the deployment failed: it never started, or it ended by itself (4.12).
 *
 * Failures are consecutive: only a steady state clears their number. The complaint comes before the
 * breaker's sentence when both fall in one instant (`docs/decisions.md`, fine print d). Failures of
 * an earlier deployment are counted and otherwise silent (fine print i).
 */
export function countFailedTask(
  context: EcsContext,
  service: ServiceState,
  deployment: DeploymentState,
  { rules, cause }: Failure,
): void {
  deployment.failedTasks += 1;
  const { alikeFailures } = deployment;
  const alike = alikeFailures.cause === cause;
  deployment.alikeFailures = { cause, count: alike ? alikeFailures.count + 1 : 1 };
  if (deployment.status !== 'PRIMARY') return;
  const delayMs = backoffMs(deployment.failedTasks, rules);
  deployment.blockedUntilMs = addMs(context.nowMs, delayMs);
  visitLater(context, service, delayMs);

  if (deployment.failedTasks >= rules.failuresBeforeComplaint && !service.said.consistently) {
    service.said.consistently = true;
    tell(context, service, say.cannotStartConsistently(service.name), deployment);
  }
  if (breakerTrips(service, deployment)) failDeployment(context, service, deployment, rules);
}

/** Whether a circuit breaker counts the deployment's failures (fine print h). */
export function isWatched(
  { configuration }: ServiceState,
  { resurrected }: DeploymentState,
): boolean {
  return configuration.circuitBreaker.enable && !resurrected;
}

/** 4.7: the threshold is reached; 2.16: a deployment that is COMPLETED is not watched any more. */
function breakerTrips(service: ServiceState, deployment: DeploymentState): boolean {
  return (
    isWatched(service, deployment) &&
    deployment.rolloutState === 'IN_PROGRESS' &&
    deployment.failedTasks >= failureThreshold(service.desiredCount)
  );
}

/** 4.19, 4.20: FAILED is terminal. With `rollback` the last COMPLETED deployment comes back. */
function failDeployment(
  context: EcsContext,
  service: ServiceState,
  deployment: DeploymentState,
  rules: SchedulerRules,
): void {
  deployment.rolloutState = 'FAILED';
  deployment.rolloutStateReason = rules.breakerReason;
  tell(context, service, say.deploymentFailed(service.name, deployment.id), deployment);
  const target = service.lastCompleted;
  if (!service.configuration.circuitBreaker.rollback || target === null) return;
  // Taken up again by the user (2.17), it was COMPLETED itself: there is nothing to go back to.
  if (target.id === deployment.id) return;
  tell(context, service, say.rollingBack(service.name, target.id), deployment);
  resurrect(context, service, target);
}

/**
 * 4.14: the last COMPLETED deployment becomes PRIMARY again under its own id and IN_PROGRESS; its
 * tasks count. It may have been drained and left the list meanwhile.
 */
function resurrect(
  context: EcsContext,
  service: ServiceState,
  { id, revision }: NonNullable<ServiceState['lastCompleted']>,
): void {
  const listed = service.deployments.find((deployment) => deployment.id === id);
  const back = listed ?? createDeployment(id, revision, context);
  putFirst(service, back);
  back.rolloutState = 'IN_PROGRESS';
  back.rolloutStateReason = rolloutReason.rollingBack(id);
  back.resurrected = true;
  back.userStopped = 0; // a deploy, if ECS's own: it repairs what StopTask left (4.13)
  service.steady = false;
}
