import {
  createQueue,
  type DeploymentId,
  DIGITS,
  nextText,
  type RandomState,
} from '../../base/index.ts';
import { anyAlarm } from './alarms.ts';
import type { EcsContext } from './context.ts';
import { beginLifecycle, blueOf } from './lifecycle.ts';
import { rolloutReason } from './messages.ts';
import type { DeploymentState, ServiceRevision, ServiceState } from './model.ts';
import { beginServiceDeployment } from './service-deployments.ts';
import { forgetSayings, isDrained, markDirty } from './state.ts';
import { forgetOldStops } from './stopped-tasks.ts';
import { newTaskSet, placesTasks } from './task-set.ts';

/** A new deployment becomes PRIMARY; those that were are replaced (2.13). */
export function startDeployment(
  context: EcsContext,
  service: ServiceState,
  revision: ServiceRevision,
): DeploymentState {
  const id = newDeploymentId(context.random);
  const deployment = createDeployment(id, revision, context, anyAlarm(context.state, service));
  deployment.lifecycle = beginLifecycle(service, deployment);
  if (service.controller !== 'ECS') {
    deployment.rolloutState = null; // 2.6
    deployment.rolloutStateReason = null;
    const { launchType } = service;
    const facts = { externalId: null, launchType, scalePercent: 100 };
    deployment.taskSet = newTaskSet(service, id, context.place, context.nowMs, facts);
  }
  forgetOldStops(context, service);
  if (service.controller === 'ECS') beginServiceDeployment(context, service, deployment);
  makePrimary(context, service, deployment);
  return deployment;
}

/** 2.11: a deployment that is being replaced leaves the list when it holds no tasks. */
export function dropDrained({ state }: EcsContext, service: ServiceState): void {
  const blue = blueOf(service);
  const isLeft = (deployment: DeploymentState) =>
    deployment.status === 'PRIMARY' ||
    deployment === blue ||
    placesTasks(deployment) ||
    !isDrained(deployment);
  const gone = service.deployments.filter((deployment) => !isLeft(deployment));
  if (gone.length === 0) return;
  const failed = gone.find(({ rolloutState }) => rolloutState === 'FAILED');
  if (failed !== undefined) service.lastFailed = failed;
  service.deployments.splice(0, service.deployments.length, ...service.deployments.filter(isLeft));
  markDirty(state, service);
}

export function makePrimary(
  context: EcsContext,
  service: ServiceState,
  deployment: DeploymentState,
): void {
  putFirst(service, deployment);
  service.steady = false;
  forgetSayings(service);
  markDirty(context.state, service);
}

/** The deployment is PRIMARY, the newest of the list; every other one is being replaced. */
export function putFirst(service: ServiceState, primary: DeploymentState): void {
  const others = service.deployments.filter(({ id }) => id !== primary.id);
  for (const other of others) if (other.status === 'PRIMARY') other.status = 'ACTIVE';
  primary.status = 'PRIMARY';
  service.deployments.splice(0, service.deployments.length, primary, ...others);
}

export function newDeploymentId(random: RandomState): DeploymentId {
  return `ecs-svc/${nextText(random, 1, DIGITS.slice(1))}${nextText(random, 18, DIGITS)}` as DeploymentId;
}

export function createDeployment(
  id: DeploymentId,
  revision: ServiceRevision,
  context: EcsContext,
  ignoresAlarms = false,
): DeploymentState {
  return {
    id,
    status: 'PRIMARY',
    revision,
    rolloutState: 'IN_PROGRESS',
    rolloutStateReason: rolloutReason.inProgress(id),
    failedTasks: 0,
    createdAtMs: context.nowMs,
    counts: { starting: 0, running: 0, counting: 0, unhealthy: 0, stopping: 0 },
    queues: {
      starting: createQueue(),
      running: createQueue(),
      counting: createQueue(),
      unhealthy: createQueue(),
    },
    blockedUntilMs: null,
    alikeFailures: { cause: '', count: 0 },
    refused: false,
    userStopped: 0,
    ignoresAlarms,
    bakesUntilMs: null,
    resurrected: false,
    lifecycle: null,
    taskSet: null,
    reasons: {},
  };
}
