import {
  arnOf,
  enqueue,
  type JsonObject,
  nameIn,
  type ServiceArn,
  type TaskDefinitionArn,
} from '../../base/index.ts';
import { append } from '../../events/index.ts';
import { clusterNamed } from './clusters.ts';
import type { EcsContext } from './context.ts';
import { startDeployment } from './deployments.ts';
import { EcsException, NOT_IDEMPOTENT } from './exception.ts';
import { stoppedReason } from './messages.ts';
import type { Cluster, ServiceState, TaskDefinition } from './model.ts';
import { instancesOf } from './placing.ts';
import { serviceQuotas, tellQuotas } from './quotas.ts';
import type { RequestFault } from './request-fault.ts';
import { list, text } from './request-values.ts';
import { controllerOf, revisionOf, serviceFrom } from './service-request.ts';
import {
  definitionFacts,
  requestFaults,
  requiredCountFaults,
  serviceFaults,
} from './service-rules.ts';
import { namespaceFaults } from './service-rules-connect.ts';
import { deploymentOf, findTask, markDirty, moveTask, noteMade, serviceOf } from './state.ts';
import { setTags, tagsIn } from './tags.ts';
import { taskDefinitionNamed } from './task-definitions.ts';

/**
 * CreateService: ACTIVE at once, with its first deployment; tasks are placed by the scheduler (1.2).
 * The same client token answers the same service.
 *
 * @throws EcsException InvalidParameterException or ClientException, as rules 1.20 to 1.81 say
 */
export function createService(context: EcsContext, given: JsonObject): ServiceState {
  const name = text(given['serviceName']);
  if (name === undefined) {
    throw new EcsException('InvalidParameterException', 'Service name cannot be empty.');
  }
  const home = clusterNamed(context, text(given['cluster']) ?? 'default');
  const cluster = home.name;
  const request = withDefaultStrategy(home, given);
  const arn = arnOf('ecs', context.place, `service/${cluster}/${name}`) as ServiceArn;
  const existing = context.state.services[arn];
  if (existing !== undefined && existing.status !== 'INACTIVE') {
    return sameOrRefused(existing, request);
  }

  refuse([...requiredCountFaults(request), ...requestFaults(request)]);
  const controller = controllerOf(request);
  const definition = controller === 'EXTERNAL' ? undefined : definitionFor(context, request);
  refuse(namespaceFaults(context.state, request, { arn, cluster }));
  const service = serviceFrom(request, { arn, name, cluster, controller }, context);
  context.state.services[arn] = service; // only now: a request that is refused leaves nothing
  noteMade(context.state, request['clientToken'], arn);
  setTags(context.state, arn, tagsIn(request));
  assumeSurroundings(context, service);
  tellQuotas(context, `service ${name}`, serviceQuotas(request));
  if (definition !== undefined) {
    startDeployment(context, service, revisionOf(definition, request));
  }
  return service;
}

/** A request that says nothing of what it runs on gets the cluster's default strategy, if there is one. */
export function withDefaultStrategy({ defaultStrategy }: Cluster, request: JsonObject): JsonObject {
  const { launchType, capacityProviderStrategy } = request;
  const says = launchType !== undefined || capacityProviderStrategy !== undefined;
  if (says || defaultStrategy.length === 0) return request;
  return { ...request, capacityProviderStrategy: defaultStrategy.map((item) => ({ ...item })) };
}

/** What stands in for the parts of a service's surroundings that are not simulated yet. */
function assumeSurroundings({ record, nowMs, state }: EcsContext, service: ServiceState): void {
  const assume = (text: string) => append(record, { type: 'assumption', atMs: nowMs, text });
  if (list(service.request['loadBalancers']).some((one) => one['targetGroupArn'] === undefined)) {
    assume(
      `instances of the Classic balancer of service ${service.name} are healthy once its tasks have settled`,
    );
  }
  const onHosts = service.launchType === 'EC2' && service.controller !== 'EXTERNAL';
  if (onHosts && instancesOf(state, service.cluster) === undefined) {
    assume(`EC2 tasks of cluster ${service.cluster} share one host with room for all of them`);
  }
}

function sameOrRefused(existing: ServiceState, request: JsonObject): ServiceState {
  const token = text(request['clientToken']);
  if (token !== undefined && token === existing.clientToken) return existing;
  throw new EcsException(
    'InvalidParameterException',
    existing.status === 'DRAINING'
      ? 'Unable to Start a service that is still Draining.'
      : NOT_IDEMPOTENT,
  );
}

/**
 * The task definition of a request, once everything the request says of it holds. A service keeps
 * the one it runs, `current`, although that is INACTIVE by now (DeregisterTaskDefinition).
 */
export function definitionFor(
  context: EcsContext,
  request: JsonObject,
  current?: TaskDefinitionArn,
): TaskDefinition {
  const named = text(request['taskDefinition']) ?? '';
  if (named === '') {
    throw new EcsException('InvalidParameterException', 'TaskDefinition can not be blank.');
  }
  const definition = taskDefinitionNamed(context, named);
  if (definition.status !== 'ACTIVE' && definition.arn !== current) {
    throw new EcsException('ClientException', 'TaskDefinition is inactive');
  }
  if (definition.assumed) return definition;
  refuse(serviceFaults(request, definitionFacts(definition.request)));
  return definition;
}

/** @throws EcsException InvalidParameterException, unless the fault names another, with the first fault */
export function refuse([fault]: readonly RequestFault[]): void {
  if (fault === undefined) return;
  throw new EcsException(fault.code ?? 'InvalidParameterException', fault.message);
}

/**
 * DeleteService: DRAINING, then INACTIVE once every task is stopping (1.3, 1.4).
 *
 * @throws EcsException InvalidParameterException without `force` above a desired count of 0 (1.26)
 */
export function deleteService(context: EcsContext, request: JsonObject): ServiceState {
  const service = serviceNamed(context, request);
  if (service.status === 'INACTIVE') {
    throw new EcsException('ServiceNotActiveException', 'Service was not ACTIVE.');
  }
  const scaled = service.schedulingStrategy === 'REPLICA' && service.desiredCount > 0;
  if (scaled && request['force'] !== true) {
    throw new EcsException(
      'InvalidParameterException',
      'The service cannot be stopped while it is scaled above 0.',
    );
  }
  service.status = 'DRAINING';
  service.desiredCount = 0;
  markDirty(context.state, service);
  return service;
}

/**
 * StopTask: the task is asked to stop, as no failure of its deployment (4.13).
 *
 * @throws EcsException InvalidParameterException when no task of the name runs
 */
export function stopTask(context: EcsContext, request: JsonObject): void {
  const task = findTask(context.state, text(request['task']) ?? '');
  if (task === undefined) {
    throw new EcsException('InvalidParameterException', 'The referenced task was not found.');
  }
  if (task.phase === 'stopping') return;
  task.stop = {
    code: 'UserInitiated',
    reason: text(request['reason']) ?? stoppedReason.byUser,
    isFailure: false,
  };
  task.stoppingAtMs = context.nowMs;
  moveTask(context.state, task, 'stopping');
  const service = serviceOf(context.state, task);
  if (service !== undefined && task.deployment !== null) {
    deploymentOf(service, task.deployment).userStopped += 1;
  }
  enqueue(context.state.toStop, task.id);
}

/** A service by ARN, or by name and cluster. */
export function serviceNamed(
  context: Pick<EcsContext, 'state' | 'place'>,
  request: JsonObject,
): ServiceState {
  const found = findService(context, request);
  if (found === undefined) {
    throw new EcsException('ServiceNotFoundException', 'Service not found.');
  }
  return found;
}

export function findService(
  { state, place }: Pick<EcsContext, 'state' | 'place'>,
  request: JsonObject,
): ServiceState | undefined {
  const name = text(request['service']) ?? '';
  if (name.startsWith('arn:')) return state.services[name as ServiceArn];
  const cluster = nameIn(text(request['cluster']) ?? 'default');
  return state.services[arnOf('ecs', place, `service/${cluster}/${name}`) as ServiceArn];
}
