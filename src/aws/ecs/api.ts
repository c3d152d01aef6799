import type { JsonObject } from '../../base/index.ts';
import type { Reader } from './answers.ts';
import {
  createCapacityProvider,
  deleteCapacityProvider,
  describeCapacityProviders,
  updateCapacityProvider,
} from './capacity-providers.ts';
import {
  createCluster,
  deleteCluster,
  describeClusters,
  listClusters,
  putClusterCapacityProviders,
  updateCluster,
  updateClusterSettings,
} from './cluster-operations.ts';
import { clusterIn } from './clusters.ts';
import type { EcsContext } from './context.ts';
import { continueServiceDeployment } from './continue-deployment.ts';
import { describeService, describeServices, listServices } from './describe-services.ts';
import { describeTasks, listTasks } from './describe-tasks.ts';
import { describeContainerInstances, listContainerInstances } from './instance-operations.ts';
import type { ServiceState } from './model.ts';
import {
  describeServiceDeployments,
  describeServiceRevisions,
  listServiceDeployments,
} from './service-deployment-views.ts';
import { updateService } from './service-updates.ts';
import { createService, deleteService, serviceNamed } from './services.ts';
import { stopServiceDeployment } from './stop-deployment.ts';
import { checkedTags, listTagsForResource, tagResource, untagResource } from './tags.ts';
import {
  deleteTaskDefinitions,
  deregisterTaskDefinition,
  describeTaskDefinition,
  listTaskDefinitionFamilies,
  listTaskDefinitions,
  registerTaskDefinition,
} from './task-definition-operations.ts';
import { runTask, startTask, stopTask } from './task-operations.ts';
import type { TaskSet } from './task-set.ts';
import { describeTaskSets, viewTaskSet } from './task-set-views.ts';
import { createTaskSet, deleteTaskSet, updatePrimaryTaskSet, updateTaskSet } from './task-sets.ts';

/**
 * One operation of the API: request and answer in the API's spelling, instants in seconds since
 * 1970 as the protocol has them.
 *
 * @throws EcsException as AWS refuses the request
 */
export type Operation = (request: JsonObject) => JsonObject;

/** The operations of the ECS API, named as AWS names them. */
export interface EcsApi
  extends ClusterOperations,
    CapacityProviderOperations,
    ContainerInstanceOperations,
    TaskDefinitionOperations,
    ServiceOperations,
    ServiceDeploymentOperations,
    TaskSetOperations,
    TaskOperations,
    TagOperations {}

export interface ClusterOperations {
  readonly createCluster: Operation;
  readonly updateCluster: Operation;
  readonly updateClusterSettings: Operation;
  readonly putClusterCapacityProviders: Operation;
  readonly describeClusters: Operation;
  readonly listClusters: Operation;
  readonly deleteCluster: Operation;
}

export interface CapacityProviderOperations {
  readonly createCapacityProvider: Operation;
  readonly updateCapacityProvider: Operation;
  readonly describeCapacityProviders: Operation;
  readonly deleteCapacityProvider: Operation;
}

/** Instances join and leave as the scenario has it. */
export interface ContainerInstanceOperations {
  readonly describeContainerInstances: Operation;
  readonly listContainerInstances: Operation;
}

export interface TaskDefinitionOperations {
  readonly registerTaskDefinition: Operation;
  readonly describeTaskDefinition: Operation;
  readonly listTaskDefinitions: Operation;
  readonly listTaskDefinitionFamilies: Operation;
  readonly deregisterTaskDefinition: Operation;
  readonly deleteTaskDefinitions: Operation;
}

export interface ServiceOperations {
  readonly createService: Operation;
  readonly updateService: Operation;
  readonly describeServices: Operation;
  readonly listServices: Operation;
  readonly deleteService: Operation;
}

export interface ServiceDeploymentOperations {
  readonly describeServiceDeployments: Operation;
  readonly listServiceDeployments: Operation;
  readonly describeServiceRevisions: Operation;
  readonly stopServiceDeployment: Operation;
  readonly continueServiceDeployment: Operation;
}

/** Of a service under EXTERNAL. */
export interface TaskSetOperations {
  readonly createTaskSet: Operation;
  readonly updateTaskSet: Operation;
  readonly deleteTaskSet: Operation;
  readonly updateServicePrimaryTaskSet: Operation;
  readonly describeTaskSets: Operation;
}

export interface TaskOperations {
  readonly runTask: Operation;
  readonly startTask: Operation;
  readonly stopTask: Operation;
  readonly describeTasks: Operation;
  readonly listTasks: Operation;
}

export interface TagOperations {
  readonly tagResource: Operation;
  readonly untagResource: Operation;
  readonly listTagsForResource: Operation;
}

type Calls = {
  readonly [Name in keyof EcsApi]: (context: EcsContext, request: JsonObject) => JsonObject;
};

const CALLS: Calls = {
  ...{ createCluster, updateCluster, updateClusterSettings, putClusterCapacityProviders },
  ...{ describeClusters, listClusters, deleteCluster },
  ...{ createCapacityProvider, updateCapacityProvider, describeCapacityProviders },
  ...{ deleteCapacityProvider, registerTaskDefinition, describeTaskDefinition },
  ...{ describeContainerInstances, listContainerInstances },
  ...{ listTaskDefinitions, listTaskDefinitionFamilies, deregisterTaskDefinition },
  deleteTaskDefinitions,
  createService(context, request) {
    clusterIn(context, request);
    checkedTags(request);
    return serviceAnswer(context, createService(context, request));
  },
  updateService(context, request) {
    clusterIn(context, request);
    return serviceAnswer(context, updateService(context, request));
  },
  deleteService(context, request) {
    clusterIn(context, request);
    return serviceAnswer(context, deleteService(context, request));
  },
  ...{ describeServices, listServices },
  ...{ describeServiceDeployments, listServiceDeployments, describeServiceRevisions },
  stopServiceDeployment: (context, request) => ({
    serviceDeploymentArn: stopServiceDeployment(context, request),
  }),
  continueServiceDeployment: (context, request) => ({
    serviceDeploymentArn: continueServiceDeployment(context, request),
  }),
  createTaskSet: (context, request) =>
    taskSetAnswer(context, request, createTaskSet(context, request)),
  updateTaskSet: (context, request) =>
    taskSetAnswer(context, request, updateTaskSet(context, request)),
  deleteTaskSet: (context, request) =>
    taskSetAnswer(context, request, deleteTaskSet(context, request)),
  updateServicePrimaryTaskSet: (context, request) =>
    taskSetAnswer(context, request, updatePrimaryTaskSet(context, request)),
  describeTaskSets,
  ...{ runTask, startTask, stopTask, describeTasks, listTasks },
  ...{ tagResource, untagResource, listTagsForResource },
};

/** The API of one account and region, over an account as it stands whenever it is called. */
export function createApi(context: EcsContext): EcsApi {
  const bound = Object.entries(CALLS).map(([name, call]) => [
    name,
    (request: JsonObject) => call(context, request),
  ]);
  return Object.fromEntries(bound) as EcsApi;
}

function taskSetAnswer(context: EcsContext, request: JsonObject, set: TaskSet): JsonObject {
  return { taskSet: viewTaskSet(serviceNamed(context, request), set, context.place) };
}

function serviceAnswer(reader: Reader, service: ServiceState): JsonObject {
  return { service: describeService(reader, service, { withTags: true }) };
}
