import type { DeploymentId, JsonObject, ServiceArn } from '../../base/index.ts';
import { append, type ServiceView } from '../../events/index.ts';
import { createApi, type EcsApi } from './api.ts';
import { activeCluster, clusterNamed, createCluster, deleteCluster } from './clusters.ts';
import type { EcsContext } from './context.ts';
import type { Cluster, TaskDefinition } from './model.ts';
import { type Rollout, type RolloutStanding, rolloutOf, standingOf } from './rollout.ts';
import { updateService } from './service-updates.ts';
import { createService, deleteService, findService, stopTask } from './services.ts';
import { deregisterTaskDefinition, registerTaskDefinition } from './task-definitions.ts';
import { type TaskSetStanding, taskSetStanding } from './task-set-views.ts';
import { viewService } from './views.ts';

/**
 * The ECS of one account and region. Requests are in the API's spelling (`desiredCount`); refusals
 * are thrown as EcsException with the API's code and message. `api` is the whole API as a client
 * sees it; the rest is for handlers that make something and follow it.
 */
export interface Ecs {
  readonly api: EcsApi;
  createCluster(request: JsonObject): Cluster;
  deleteCluster(nameOrArn: string): void;
  describeCluster(nameOrArn: string): Cluster | undefined;
  listClusters(): readonly Cluster[];
  /** A cluster that a template names: taken to exist where nobody made it. */
  clusterNamed(nameOrArn: string): Cluster;
  registerTaskDefinition(request: JsonObject): TaskDefinition;
  deregisterTaskDefinition(arn: string): void;
  describeTaskDefinition(arn: string): TaskDefinition | undefined;
  listTaskDefinitions(): readonly TaskDefinition[];
  createService(request: JsonObject): Rollout;
  updateService(request: JsonObject): Rollout;
  deleteService(request: JsonObject): void;
  /** How a task set stands; of a service that need not be there any more. */
  taskSetStanding(service: ServiceArn, taskSet: DeploymentId): TaskSetStanding;
  stopTask(request: JsonObject): void;
  listServices(): readonly ServiceArn[];
  /** Whether it is there: ACTIVE or DRAINING. */
  isListed(service: ServiceArn): boolean;
  /** Whether it is INACTIVE or unknown, and its last task has stopped. */
  isGone(service: ServiceArn): boolean;
  /** Undefined once it is INACTIVE or unknown. */
  describeService(service: ServiceArn): ServiceView | undefined;
  /** ARN of what a create with this `clientToken` has made. */
  madeWith(clientToken: string): string | undefined;
  /** The service's rollout as it is now; undefined once it is INACTIVE or unknown. */
  currentRollout(service: ServiceArn): Rollout | undefined;
  /** How a rollout stands: what a handler that waits for it asks, again and again. */
  rollout(watched: Rollout): RolloutStanding;
  /** Puts the service as it stands on the record: a handler reports the end of its wait. */
  recordEnd(service: ServiceArn): void;
}

export function createEcs(context: EcsContext): Ecs {
  const { state, place } = context;
  const listed = (arn: ServiceArn) => {
    const service = state.services[arn];
    return service?.status === 'INACTIVE' ? undefined : service;
  };
  return {
    api: createApi(context),
    createCluster: (request) => createCluster(context, request),
    deleteCluster: (name) => {
      deleteCluster(context, name);
    },
    describeCluster: (name) => activeCluster(state, name),
    listClusters: () =>
      Object.values(state.clusters).filter(
        ({ status, assumed }) => status === 'ACTIVE' && !assumed,
      ),
    clusterNamed: (name) => clusterNamed(context, name),
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
    taskSetStanding: (arn, id) => taskSetStanding(listed(arn), id),
    stopTask: (request) => stopTask(context, request),
    listServices: () =>
      Object.values(state.services)
        .filter(({ status }) => status === 'ACTIVE')
        .map(({ arn }) => arn),
    isListed: (arn) => listed(arn) !== undefined,
    isGone: (arn) =>
      listed(arn) === undefined && Object.keys(state.services[arn]?.taskIds ?? {}).length === 0,
    describeService: (arn) => {
      const service = listed(arn);
      return service === undefined ? undefined : viewService(state, service, place, context.nowMs);
    },
    madeWith: (clientToken) => state.madeWith[clientToken],
    currentRollout: (arn) => {
      const service = listed(arn);
      return service === undefined ? undefined : rolloutOf(service);
    },
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
