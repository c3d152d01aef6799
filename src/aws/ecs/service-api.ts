import type { DeploymentId, JsonObject, ServiceArn } from '../../base/index.ts';
import { append, type ServiceView } from '../../events/index.ts';
import { createCluster, deleteCluster } from './clusters.ts';
import type { EcsContext } from './context.ts';
import { type FailureReason, failureReason } from './failure-reason.ts';
import type { Cluster, DeploymentState, ServiceState, TaskDefinition } from './model.ts';
import { updateService } from './service-updates.ts';
import { createService, deleteService, findService, stopTask } from './services.ts';
import { deregisterTaskDefinition, registerTaskDefinition } from './task-definitions.ts';
import { viewService } from './views.ts';

/**
 * The ECS API of one account and region. Requests are in the API's spelling (`desiredCount`);
 * refusals are thrown as EcsException with the API's code and message.
 */
export interface Ecs {
  createCluster(request: JsonObject): Cluster;
  deleteCluster(nameOrArn: string): void;
  describeCluster(nameOrArn: string): Cluster | undefined;
  listClusters(): readonly Cluster[];
  registerTaskDefinition(request: JsonObject): TaskDefinition;
  deregisterTaskDefinition(arn: string): void;
  describeTaskDefinition(arn: string): TaskDefinition | undefined;
  listTaskDefinitions(): readonly TaskDefinition[];
  createService(request: JsonObject): Rollout;
  updateService(request: JsonObject): Rollout;
  deleteService(request: JsonObject): void;
  stopTask(request: JsonObject): void;
  listServices(): readonly ServiceArn[];
  /** Undefined once it is INACTIVE or unknown. */
  describeService(service: ServiceArn): ServiceView | undefined;
  /** ARN of what a create with this `clientToken` has made. */
  madeWith(clientToken: string): string | undefined;
  /** How a rollout stands: what a handler that waits for it asks, again and again. */
  rollout(watched: Rollout): RolloutStanding;
  /** Puts the service as it stands on the record: a handler reports the end of its wait. */
  recordEnd(service: ServiceArn): void;
}

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
}

export function createEcs(context: EcsContext): Ecs {
  const { state, place } = context;
  const live = (arn: ServiceArn): ServiceState | undefined => {
    const service = state.services[arn];
    return service?.status === 'INACTIVE' ? undefined : service;
  };
  return {
    createCluster: (request) => createCluster(context, request),
    deleteCluster: (name) => deleteCluster(context, name),
    describeCluster: (name) => state.clusters[name.split('/').at(-1) ?? name],
    listClusters: () => Object.values(state.clusters).filter(({ assumed }) => !assumed),
    registerTaskDefinition: (request) => registerTaskDefinition(context, request),
    deregisterTaskDefinition: (arn) => deregisterTaskDefinition(context, arn),
    describeTaskDefinition: (arn) => state.taskDefinitions[arn],
    listTaskDefinitions: () =>
      Object.values(state.taskDefinitions).filter(
        ({ status, assumed }) => status === 'ACTIVE' && !assumed,
      ),
    createService: (request) => rolloutOf(createService(context, request)),
    updateService: (request) => rolloutOf(updateService(context, request)),
    deleteService: (request) => {
      deleteService(context, request);
    },
    stopTask: (request) => stopTask(context, request),
    listServices: () =>
      Object.values(state.services)
        .filter(({ status }) => status === 'ACTIVE')
        .map(({ arn }) => arn),
    describeService: (arn) => {
      const service = live(arn);
      return service === undefined ? undefined : viewService(state, service, place, context.nowMs);
    },
    madeWith: (clientToken) => state.madeWith[clientToken],
    rollout: (watched) => standingOf(findService(context, { service: watched.service }), watched),
    recordEnd: (arn) => {
      const service = state.services[arn];
      if (service === undefined) return;
      const { nowMs, record } = context;
      const view = viewService(state, service, place, nowMs);
      append(record, { type: 'ecs-service-ended', atMs: nowMs, service: arn, view });
    },
  };
}

function rolloutOf(service: ServiceState): Rollout {
  const primary = service.deployments.find(({ status }) => status === 'PRIMARY');
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
function standingOf(service: ServiceState | undefined, watched: Rollout): RolloutStanding {
  if (service === undefined || service.status === 'INACTIVE') {
    const reason = `service ${watched.service} is not there any more`;
    return { state: 'failed', reason: () => ({ reason, source: 'handler' }) };
  }
  const known = [...service.deployments, ...(service.lastFailed ? [service.lastFailed] : [])];
  const deployment = known.find(({ id }) => id === watched.deployment);
  return {
    state: stateOf(service, deployment, watched),
    reason: () => failureReason({ service, deployment }),
  };
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
    const back = service.deployments.find(({ status }) => status === 'PRIMARY');
    const rollingBack = back?.resurrected === true && back.rolloutState === 'IN_PROGRESS';
    return rollingBack ? 'rolling-back' : 'failed';
  }
  const edge = deployment.status === 'PRIMARY' && service.steadyEdges >= watched.awaitedEdge;
  return edge ? 'steady' : 'in-progress';
}
