import { present } from '../../base/index.ts';
import type { EcsState, ServiceState, TaskDefinition, TaskState } from './model.ts';
import { parseCpuUnits, parseMemoryMebibytes } from './request-rules.ts';
import type { TaskOrder } from './task-runtime.ts';

/** What a runtime needs to run a task of a service. */
export function orderFor(state: EcsState, service: ServiceState, task: TaskState): TaskOrder {
  const definition = present(
    state.taskDefinitions[task.taskDefinition],
    'a service names a task definition that is registered',
  );
  const memory =
    definition.memory === undefined ? undefined : parseMemoryMebibytes(definition.memory);
  const cpu = definition.cpu === undefined ? undefined : parseCpuUnits(definition.cpu);
  return {
    task: task.id,
    service: service.arn,
    deployment: task.deployment,
    taskDefinition: task.taskDefinition,
    cluster: task.cluster,
    networkMode: definition.networkMode,
    sharesHostPorts: sharesHostPorts(service, definition),
    platform: definition.platform,
    ...(memory === undefined ? {} : { memoryMebibytes: memory }),
    ...(cpu === undefined ? {} : { cpuUnits: cpu }),
    containers: definition.containerDefinitions,
    unread: definition.unread,
  };
}

/** A task with an interface of its own (awsvpc, Fargate) meets nobody else's ports. */
function sharesHostPorts(service: ServiceState, { networkMode }: TaskDefinition): boolean {
  return service.launchType !== 'FARGATE' && (networkMode === 'bridge' || networkMode === 'host');
}
