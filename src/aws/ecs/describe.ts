import { arnOf, type JsonObject, nameIn, type Place, toRfc3339 } from '../../base/index.ts';
import type { ContainerView, TaskView } from '../../events/index.ts';
import type { CircuitBreaker, EcsState, ServiceState } from './model.ts';
import { viewService } from './views.ts';

/** What the describe operations read: the account as it stands. */
export interface Reader {
  readonly state: EcsState;
  readonly place: Place;
}

/** DescribeServices of every service that is not INACTIVE, in the API's spelling. Newest event first. */
export function describeServices({ state, place }: Reader): JsonObject[] {
  return Object.values(state.services)
    .filter(({ status }) => status !== 'INACTIVE')
    .map((service) => describeService(state, service, place));
}

function describeService(state: EcsState, service: ServiceState, place: Place): JsonObject {
  const view = viewService(state, service, place, service.createdAtMs);
  return {
    serviceArn: service.arn,
    serviceName: service.name,
    clusterArn: arnOf('ecs', place, `cluster/${service.cluster}`),
    status: service.status,
    desiredCount: view.desiredCount,
    runningCount: view.runningCount,
    pendingCount: view.pendingCount,
    launchType: service.launchType,
    schedulingStrategy: service.schedulingStrategy,
    deploymentController: { type: service.controller },
    taskDefinition: view.deployments[0]?.taskDefinition ?? null,
    deploymentConfiguration: {
      maximumPercent: service.configuration.maximumPercent,
      minimumHealthyPercent: service.configuration.minimumHealthyPercent,
      deploymentCircuitBreaker: describeBreaker(service.configuration.circuitBreaker),
    },
    createdAt: toRfc3339(service.createdAtMs),
    deployments: view.deployments.map(({ createdAtMs, ...deployment }) => ({
      ...deployment,
      createdAt: toRfc3339(createdAtMs),
    })),
    events: service.events
      .map(({ id, createdAtMs, message }) => ({ id, createdAt: toRfc3339(createdAtMs), message }))
      .reverse(),
  };
}

function describeBreaker({ threshold, ...breaker }: CircuitBreaker): JsonObject {
  return { ...breaker, ...(threshold && { thresholdConfiguration: { ...threshold } }) };
}

/** DescribeTasks of a service by name or ARN: those that run and the stopped ones that are kept. */
export function describeTasks({ state, place }: Reader, service: string): JsonObject[] | undefined {
  const found = serviceByName(state, service);
  if (found === undefined) return undefined;
  const { tasks } = viewService(state, found, place, found.createdAtMs);
  return tasks.map((task) => ({
    taskArn: task.taskArn,
    startedBy: task.deployment,
    lastStatus: task.lastStatus,
    stopCode: task.stopCode,
    stoppedReason: task.stoppedReason,
    createdAt: toRfc3339(task.createdAtMs),
    startedAt: task.startedAtMs === null ? null : toRfc3339(task.startedAtMs),
    stoppedAt: task.stoppedAtMs === null ? null : toRfc3339(task.stoppedAtMs),
    containers: task.containers.map(describeContainer),
  }));
}

function describeContainer({
  name,
  image,
  lastStatus,
  exitCode,
  reason,
  networkBindings,
}: ContainerView): JsonObject {
  const bindings = networkBindings?.map((binding) => ({ ...binding }));
  return {
    ...{ name, image, lastStatus, exitCode, reason },
    ...(bindings === undefined ? {} : { networkBindings: bindings }),
  };
}

/** What the containers of a service or of one task printed last; undefined: there is no such target. */
export function taskLogs(
  { state, place }: Reader,
  target: string,
  container?: string,
): JsonObject[] | undefined {
  const service = serviceByName(state, target);
  const tasks =
    service === undefined ? tasksNamed(state, target, place) : allTasks(state, service, place);
  if (service === undefined && tasks.length === 0) return undefined;
  return tasks.flatMap((task) =>
    task.containers
      .filter(({ name }) => container === undefined || name === container)
      .flatMap(({ name, logTail }) =>
        logTail.map((text) => ({ taskArn: task.taskArn, container: name, text })),
      ),
  );
}

function allTasks(state: EcsState, service: ServiceState, place: Place): readonly TaskView[] {
  return [...viewService(state, service, place, service.createdAtMs).tasks].reverse();
}

function tasksNamed(state: EcsState, target: string, place: Place): TaskView[] {
  const id = nameIn(target);
  return Object.values(state.services)
    .flatMap((service) => allTasks(state, service, place))
    .filter((task) => task.taskId === id || (id.length >= 8 && task.taskId.startsWith(id)));
}

function serviceByName(state: EcsState, name: string): ServiceState | undefined {
  return Object.values(state.services).find(
    (service) => service.status !== 'INACTIVE' && (service.name === name || service.arn === name),
  );
}
