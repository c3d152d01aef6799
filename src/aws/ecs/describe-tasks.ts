import { addMs, arnOf, HOUR_MS, type JsonObject, nameIn, type TaskId } from '../../base/index.ts';
import type { ContainerView } from '../../events/index.ts';
import {
  clusterArn,
  failure,
  includes,
  inSeconds,
  known,
  namesIn,
  nameWithin,
  pageOf,
  type Reader,
} from './answers.ts';
import { clusterIn } from './clusters.ts';
import type { HowToDescribe } from './describe-services.ts';
import type { ContainerDefinition, StoppedTask, TaskState } from './model.ts';
import { text } from './request-values.ts';
import { serviceNamed } from './services.ts';
import { tagsAnswer } from './tags.ts';
import { taskArn } from './views.ts';

const AT_ONCE_MAX = 100;
const RETENTION_MS = HOUR_MS; // 6.5

/** DescribeTasks: tasks that have not stopped, and stopped ones for an hour (6.5). */
export function describeTasks(reader: Reader, request: JsonObject): JsonObject {
  const cluster = clusterIn(reader, request);
  const withTags = includes(request, 'TAGS');
  const found = namesIn(request, 'tasks', AT_ONCE_MAX).map((given) => {
    const id = nameWithin(cluster, given) as TaskId;
    const task = taskWithin(reader, cluster, id);
    return { arn: taskArn(cluster, id, reader.place), task };
  });
  return {
    tasks: found.flatMap(({ task }) =>
      task === undefined ? [] : [describeTask(reader, task, { withTags })],
    ),
    failures: found
      .filter(({ task }) => task === undefined)
      .map(({ arn }) => failure(arn, 'MISSING')),
  };
}

/** A task of the cluster that can be described. */
export function taskWithin(reader: Reader, cluster: string, id: TaskId): TaskState | undefined {
  const { tasks, stoppedTasks } = reader.state;
  const stopped = stoppedTasks[id];
  const task =
    tasks[id] ?? (stopped !== undefined && isKept(reader, stopped) ? stopped : undefined);
  return task?.cluster === cluster ? task : undefined;
}

function isKept({ nowMs }: Reader, { stoppedAtMs }: StoppedTask): boolean {
  return addMs(stoppedAtMs, RETENTION_MS) >= nowMs;
}

/** ListTasks: those that are to run, unless the request asks for stopped ones. */
export function listTasks(reader: Reader, request: JsonObject): JsonObject {
  const cluster = clusterIn(reader, request);
  const { state, place } = reader;
  const service =
    request['serviceName'] === undefined
      ? undefined
      : serviceNamed(reader, { service: request['serviceName'], cluster }).arn;
  const wanted = text(request['desiredStatus']) ?? 'RUNNING';
  const stopped = Object.values(state.stoppedTasks).filter((task) => isKept(reader, task));
  const arns = [...Object.values(state.tasks), ...stopped]
    .filter((task) => task.cluster === cluster && desiredStatusOf(task) === wanted)
    .filter((task) => service === undefined || task.service === service)
    .filter((task) => hasAll(task, request))
    .map(({ id }) => taskArn(cluster, id, place));
  return pageOf(arns, request, { field: 'taskArns' });
}

function hasAll(task: TaskState, request: JsonObject): boolean {
  const { family, startedBy, launchType, containerInstance } = request;
  return (
    (family === undefined || familyOf(task) === family) &&
    (startedBy === undefined || startedByOf(task) === startedBy) &&
    (launchType === undefined || task.launchType === launchType) &&
    (containerInstance === undefined ||
      task.placement.instance === nameIn(text(containerInstance) ?? ''))
  );
}

/** `web` of `…:task-definition/web:3`. */
function familyOf({ taskDefinition }: TaskState): string {
  return taskDefinition.split('/').at(-1)?.split(':')[0] ?? '';
}

function startedByOf({ deployment, standalone }: TaskState): string | null {
  return deployment ?? standalone?.startedBy ?? null; // 2.3
}

/** 6.3: what is asked of it, whatever it is at. */
function desiredStatusOf(task: TaskState | StoppedTask): 'RUNNING' | 'STOPPED' {
  return task.phase === 'stopping' || 'stoppedAtMs' in task ? 'STOPPED' : 'RUNNING';
}

/** A task as the API describes it. */
export function describeTask(
  reader: Reader,
  task: TaskState | StoppedTask,
  { withTags = false, time = inSeconds }: HowToDescribe = {},
): JsonObject {
  const { place, state } = reader;
  const arn = taskArn(task.cluster, task.id, place);
  const definition = state.taskDefinitions[task.taskDefinition];
  const { standalone, startedAtMs, stoppingAtMs } = task;
  const overrides = standalone?.overrides ?? {};
  const stoppedAtMs = 'stoppedAtMs' in task ? task.stoppedAtMs : null;
  const instant = (at: typeof stoppingAtMs) => (at === null ? undefined : time(at));
  return known({
    ...{ taskArn: arn, clusterArn: clusterArn(reader, task.cluster) },
    taskDefinitionArn: task.taskDefinition,
    ...(task.placement.instance === null
      ? {}
      : {
          containerInstanceArn: arnOf(
            'ecs',
            place,
            `container-instance/${task.cluster}/${task.placement.instance}`,
          ),
        }),
    ...{ lastStatus: task.lastStatus, desiredStatus: desiredStatusOf(task) },
    launchType: task.launchType,
    capacityProviderName: task.placement.capacityProvider ?? undefined,
    platformFamily: task.launchType === 'FARGATE' ? 'Linux' : undefined,
    group: task.group,
    startedBy: startedByOf(task),
    healthStatus: task.health?.containers ?? 'UNKNOWN', // 6.33, 6.34
    cpu: text(overrides['cpu']) ?? definition?.cpu,
    memory: text(overrides['memory']) ?? definition?.memory,
    overrides,
    ...{ createdAt: time(task.createdAtMs), startedAt: instant(startedAtMs) },
    ...{ stoppingAt: instant(stoppingAtMs), stoppedAt: instant(stoppedAtMs) },
    ...endOf(task),
    attachments: [],
    containers: containersOf(task, definition?.containerDefinitions ?? []).map((container) => ({
      containerArn: arnOf('ecs', place, `container/${task.cluster}/${task.id}/${container.name}`),
      taskArn: arn,
      ...describeContainer(container),
    })),
    tags: withTags ? tagsAnswer(task.tags ?? []) : undefined,
  });
}

/** An unhealthy task knows its reason before it is asked to stop, and tells it only then. */
function endOf(task: TaskState): JsonObject {
  if (desiredStatusOf(task) === 'RUNNING' || task.stop === null) return {};
  return { stopCode: task.stop.code, stoppedReason: task.stop.reason };
}

/** Before anything was seen of them they are those of the task definition. */
function containersOf(
  { containers }: TaskState,
  definitions: readonly ContainerDefinition[],
): readonly ContainerView[] {
  if (containers.length > 0) return containers;
  return definitions.map(({ name, image }) => ({
    ...{ name, image, lastStatus: 'PENDING', exitCode: null, reason: null, logTail: [] },
  }));
}

export function describeContainer({
  name,
  image,
  lastStatus,
  exitCode,
  reason,
  healthStatus = 'UNKNOWN', // 6.33
  networkBindings = [],
}: ContainerView): JsonObject {
  const bindings = networkBindings.map((binding) => ({ ...binding }));
  return known({
    ...{ name, image, lastStatus, exitCode, reason, healthStatus },
    networkBindings: bindings,
  });
}
