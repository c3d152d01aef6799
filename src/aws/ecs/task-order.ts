import { parseCpuUnits, parseMemoryMebibytes } from './fargate-sizes.ts';
import type { EcsState, ServiceState, TaskDefinition, TaskState } from './model.ts';
import { text } from './request-values.ts';
import type { SchedulerRules, TaskHost } from './rules.ts';
import { definitionOf } from './state.ts';
import { overridden } from './task-overrides.ts';
import type { TaskOrder } from './task-runtime.ts';

/** What a runtime needs to run a task. */
export function orderFor(state: EcsState, task: TaskState, rules: SchedulerRules): TaskOrder {
  const definition = definitionOf(state, task.taskDefinition);
  const overrides = task.standalone?.overrides ?? {};
  const sizes = { memory: text(overrides['memory']), cpu: text(overrides['cpu']) };
  const { memory: wantedMemory = definition.memory, cpu: wantedCpu = definition.cpu } = sizes;
  const memory = wantedMemory === undefined ? undefined : parseMemoryMebibytes(wantedMemory);
  const cpu = wantedCpu === undefined ? undefined : parseCpuUnits(wantedCpu);
  return {
    task: task.id,
    service: task.service,
    deployment: task.deployment,
    taskDefinition: task.taskDefinition,
    cluster: task.cluster,
    networkMode: definition.networkMode,
    sharesHostPorts: sharesHostPorts(task, definition),
    host: task.placement.instance ?? task.cluster,
    times: rules.taskTimes[hostOf(task, definition)],
    platform: definition.platform,
    ...(memory === undefined ? {} : { memoryMebibytes: memory }),
    ...(cpu === undefined ? {} : { cpuUnits: cpu }),
    containers: overridden(definition.containerDefinitions, overrides),
    unread: definition.unread,
  };
}

/** What a task runs on: it decides how long the task takes. */
export function hostOf(
  { launchType }: Pick<ServiceState, 'launchType'>,
  { networkMode }: TaskDefinition,
): TaskHost {
  if (launchType === 'FARGATE') return 'fargate';
  return networkMode === 'awsvpc' ? 'ec2-awsvpc' : 'ec2';
}

/** A task with an interface of its own (awsvpc, Fargate) meets nobody else's ports. */
function sharesHostPorts({ launchType }: TaskState, { networkMode }: TaskDefinition): boolean {
  return launchType !== 'FARGATE' && (networkMode === 'bridge' || networkMode === 'host');
}
