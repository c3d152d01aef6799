import { arnOf, type EpochMs, type Place, type TaskId } from '../../base/index.ts';
import type { DeploymentView, ServiceView, TaskView } from '../../events/index.ts';
import {
  type DeploymentState,
  type EcsState,
  live,
  type ServiceState,
  serving,
  type TaskCounts,
  type TaskState,
} from './model.ts';

const TASKS_SHOWN_MAX = 200; // `docs/cli-contract.md`

/** A service and the deployment that a handler watches, which may be gone. */
export interface HandlerFacing {
  readonly service: ServiceState;
  readonly deployment: DeploymentState | undefined;
}

/** The service as it stands: its deployments, the tasks that have not stopped, and some that have. */
export function viewService(
  state: EcsState,
  service: ServiceState,
  place: Place,
  nowMs: EpochMs,
): ServiceView {
  const running = sum(service, ({ counts }) => runningIn(counts));
  const pending = sum(service, (deployment) => deployment.counts.starting);
  const ids = Object.keys(service.taskIds) as TaskId[];
  const shown = ids.slice(0, TASKS_SHOWN_MAX).flatMap((id) => state.tasks[id] ?? []);
  const tasks = [...shown.map((task) => viewTask(task, place)), ...stoppedTasks(service)];
  return {
    serviceArn: service.arn,
    serviceName: service.name,
    atMs: nowMs,
    desiredCount: service.desiredCount,
    runningCount: running,
    pendingCount: pending,
    // Only the ECS controller has deployments; the others have task sets (2.1).
    deployments:
      service.controller === 'ECS'
        ? service.deployments.map((deployment) => viewDeployment(service, deployment))
        : [],
    tasks: tasks.sort((a, b) => b.createdAtMs - a.createdAtMs),
    tasksOmitted: ids.length - shown.length,
  };
}

function stoppedTasks(service: ServiceState): TaskView[] {
  return Object.values(service.stopped).flatMap((group) =>
    [...group.first, ...group.last].map((task) => ({ ...task, alike: group.count })),
  );
}

function viewDeployment(service: ServiceState, deployment: DeploymentState): DeploymentView {
  const { counts } = deployment;
  return {
    id: deployment.id,
    status: deployment.status,
    taskDefinition: deployment.revision.taskDefinition,
    rolloutState: deployment.rolloutState,
    rolloutStateReason: deployment.rolloutStateReason,
    desiredCount: deployment.status === 'PRIMARY' ? service.desiredCount : live(counts),
    runningCount: runningIn(counts),
    pendingCount: counts.starting,
    failedTasks: deployment.failedTasks,
    createdAtMs: deployment.createdAtMs,
  };
}

export function viewTask(task: TaskState, place: Place): TaskView {
  return {
    taskId: task.id,
    taskArn: taskArn(task.cluster, task.id, place),
    deployment: task.deployment,
    lastStatus: task.lastStatus,
    stopCode: task.stop?.code ?? null,
    stoppedReason: task.stop?.reason ?? null,
    alike: 1,
    createdAtMs: task.createdAtMs,
    startedAtMs: task.startedAtMs,
    stoppingAtMs: task.stoppingAtMs,
    stoppedAtMs: null,
    containers: task.containers,
  };
}

export function taskArn(cluster: string, id: TaskId, place: Place): string {
  return arnOf('ecs', place, `task/${cluster}/${id}`);
}

/** 2.4: tasks that are RUNNING, healthy or not. */
function runningIn(counts: TaskCounts): number {
  return serving(counts) + counts.unhealthy;
}

function sum(service: ServiceState, of: (deployment: DeploymentState) => number): number {
  return service.deployments.reduce((total, deployment) => total + of(deployment), 0);
}
