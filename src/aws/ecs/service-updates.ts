import type { JsonObject } from '../../base/index.ts';
import type { EcsContext } from './context.ts';
import { makePrimary, startDeployment } from './deployments.ts';
import { EcsException } from './exception.ts';
import { resumeLifecycle } from './lifecycle.ts';
import { rolloutReason } from './messages.ts';
import {
  type DeploymentState,
  live,
  type ServiceRevision,
  type ServiceState,
  type TaskDefinition,
} from './model.ts';
import { serviceQuotas, tellQuotas } from './quotas.ts';
import { number, text } from './request-values.ts';
import { beginServiceDeployment } from './service-deployments.ts';
import { asItStands, configurationOf, revisionOf, sameRevision } from './service-request.ts';
import { definitionFacts, settingFaults } from './service-rules.ts';
import { namespaceFaults, protocolFaults } from './service-rules-connect.ts';
import { updatedRebalancingFaults } from './service-rules-rebalancing.ts';
import { updateFaults } from './service-update-rules.ts';
import { definitionFor, refuse, serviceNamed } from './services.ts';
import { markDirty, moves, primaryOf } from './state.ts';
import { taskSetsOf } from './task-set.ts';

/**
 * UpdateService: what is absent stays. A changed revision field or `forceNewDeployment` starts a
 * deployment (2.50 to 2.52); a result that equals a deployment which is still listed and holds
 * tasks makes that one PRIMARY again (2.17).
 *
 * @throws EcsException ServiceNotFoundException, ServiceNotActiveException, or as CreateService
 */
export function updateService(context: EcsContext, request: JsonObject): ServiceState {
  const service = serviceNamed(context, request);
  if (service.status !== 'ACTIVE') {
    throw new EcsException('ServiceNotActiveException', 'Service was not ACTIVE.');
  }
  // Under EXTERNAL a service has no revision of its own, whatever its task sets run (2.32).
  const primary = service.controller === 'EXTERNAL' ? undefined : primaryOf(service);
  const standing = asItStands(service, primary);
  const merged = { ...standing, ...request };
  refuse(settingFaults(merged));
  refuse(updateFaults(standing, request));
  refuse(updatedRebalancingFaults(merged, ceilingOf(service, merged)));
  const definition =
    primary === undefined
      ? undefined
      : definitionFor(context, merged, primary.revision.taskDefinition);
  refuse(namespaceFaults(context.state, merged, service));
  refuseNewProtocols(context, standing, merged, definition);
  service.request = merged;
  tellQuotas(context, `service ${service.name}`, serviceQuotas(request));
  applyCounts(context, service, request);
  if (primary === undefined || definition === undefined) return service;
  if (service.controller !== 'ECS') return service; // its revisions are task sets (2.1)

  const revision = revisionOf(definition, merged);
  if (request['forceNewDeployment'] === true) {
    startDeployment(context, service, revision);
  } else if (!sameRevision(revision, primary.revision)) {
    const listed = service.deployments.find((deployment) => mayComeBack(deployment, revision));
    if (listed === undefined) startDeployment(context, service, revision);
    else takeUpAgain(context, service, listed);
  }
  return service;
}

/** The maximum percent that the service would have. */
function ceilingOf(
  { schedulingStrategy, configuration }: ServiceState,
  merged: JsonObject,
): number {
  const daemon = schedulingStrategy === 'DAEMON';
  return configurationOf(merged['deploymentConfiguration'], daemon, configuration).maximumPercent;
}

/** 7.16: what clients of Service Connect know of a port does not change with the task definition. */
function refuseNewProtocols(
  { state }: EcsContext,
  standing: JsonObject,
  merged: JsonObject,
  definition: TaskDefinition | undefined,
): void {
  const current = state.taskDefinitions[text(standing['taskDefinition']) ?? ''];
  if (current === undefined || definition === undefined || current === definition) return;
  const { containers } = definitionFacts(definition.request);
  const before = definitionFacts(current.request).containers;
  refuse(
    protocolFaults({ request: standing, containers: before }, { request: merged, containers }),
  );
}

/** 2.17: listed, with tasks, and of that revision. 4.19: one that has FAILED stays behind. */
function mayComeBack(deployment: DeploymentState, revision: ServiceRevision): boolean {
  const { counts, rolloutState } = deployment;
  return (
    sameRevision(deployment.revision, revision) && live(counts) > 0 && rolloutState !== 'FAILED'
  );
}

/** 2.52: the desired count and the percentages change the service, and start no deployment. */
function applyCounts(context: EcsContext, service: ServiceState, request: JsonObject): void {
  const daemon = service.schedulingStrategy === 'DAEMON';
  const { deploymentConfiguration } = request;
  service.configuration = configurationOf(deploymentConfiguration, daemon, service.configuration);
  const desired = number(request['desiredCount']);
  if (desired !== undefined && desired !== service.desiredCount) {
    service.desiredCount = desired;
    service.steady = false;
  }
  const primary = primaryOf(service);
  for (const set of taskSetsOf(service)) set.userStopped = 0;
  if (primary !== undefined) primary.userStopped = 0; // a deploy repairs what StopTask left (4.13)
  moves(service);
  markDirty(context.state, service);
}

function takeUpAgain(
  context: EcsContext,
  service: ServiceState,
  deployment: DeploymentState,
): void {
  deployment.rolloutState = 'IN_PROGRESS';
  deployment.rolloutStateReason = rolloutReason.inProgress(deployment.id);
  deployment.failedTasks = 0;
  deployment.userStopped = 0;
  deployment.lifecycle = resumeLifecycle(service, deployment);
  deployment.resurrected = false; // a deployment of the user's again, which a breaker watches
  beginServiceDeployment(context, service, deployment);
  makePrimary(context, service, deployment);
}
