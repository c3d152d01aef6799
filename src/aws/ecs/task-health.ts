import { addMs, isObject, pushDue } from '../../base/index.ts';
import { forgetFailures } from './failed-tasks.ts';
import { stoppedReason } from './messages.ts';
import type {
  DeploymentState,
  HealthStatus,
  TaskDefinition,
  TaskHealth,
  TaskState,
} from './model.ts';
import { list, number, text } from './request-values.ts';
import { deploymentOf, moveTask, serviceOf } from './state.ts';
import type { TargetObservation } from './target-health.ts';
import type { Turn } from './turn.ts';

/** The checks of a new task: those that are declared and that somebody feeds (2.10). */
export function checksOf(
  { runtime, targets }: Pick<Turn, 'runtime' | 'targets'>,
  deployment: DeploymentState,
  definition: TaskDefinition,
): TaskHealth | null {
  const isChecked = definition.containerDefinitions.some(
    ({ essential, healthCheck }) => essential && healthCheck !== undefined,
  );
  const health: TaskHealth = {
    ...(isChecked && runtime.feedsHealth ? { containers: 'UNKNOWN' } : {}),
    targets: targets === undefined ? {} : targetsOf(deployment),
  };
  const isNone = health.containers === undefined && Object.keys(health.targets).length === 0;
  return isNone ? null : health;
}

/** The targets that a task of the deployment is to be, by target group: of each pair, blue's or green's. */
export function targetsOf({ revision, lifecycle }: DeploymentState): TaskHealth['targets'] {
  const entries = list(revision.settings['loadBalancers']).flatMap(
    ({ targetGroupArn, advancedConfiguration, containerName, containerPort }) => {
      const { alternateTargetGroupArn } = isObject(advancedConfiguration)
        ? advancedConfiguration
        : {};
      const other = lifecycle?.alternate === true ? text(alternateTargetGroupArn) : undefined;
      const group = other ?? text(targetGroupArn);
      if (group === undefined) return [];
      const container = text(containerName) ?? '';
      const port = number(containerPort) ?? 0;
      return [[group, { container, port, status: 'UNKNOWN' as const, reason: null }] as const];
    },
  );
  return Object.fromEntries(entries);
}

/** The containers of a task say how they are. */
export function takeContainerHealth(turn: Turn, task: TaskState, status: HealthStatus): void {
  if (task.health?.containers === undefined) return;
  task.health.containers = status;
  judge(turn, task);
}

/** A balancer says how a target is. */
export function takeTargetHealth(turn: Turn, seen: TargetObservation): void {
  const task = turn.state.tasks[seen.task];
  const target = task?.health?.targets[seen.targetGroup];
  if (task === undefined || target === undefined) return; // it stopped meanwhile
  target.status = seen.status;
  target.reason = seen.reason;
  judge(turn, task);
}

/**
 * Checks act on RUNNING tasks only (`docs/decisions.md` 10): one that passes all of them counts, one
 * that fails any is to be replaced (6.35), though not within the grace period of its service (6.36).
 */
export function judge(turn: Turn, task: TaskState): void {
  const service = serviceOf(turn.state, task);
  if (service === undefined || task.health === null) return;
  if (task.phase !== 'running' && task.phase !== 'counting') return;
  const reason = failedCheck(task.health);
  if (reason !== undefined) {
    const graceSeconds = number(service.request['healthCheckGracePeriodSeconds']) ?? 0;
    const until = addMs(task.startedAtMs ?? task.createdAtMs, graceSeconds * 1000);
    if (until > turn.nowMs) {
      pushDue(turn.state.due, until, { type: 'judge-task', task: task.id });
      return;
    }
    task.stop = { code: 'ServiceSchedulerInitiated', reason, isFailure: true };
    moveTask(turn.state, task, 'unhealthy');
  } else if (task.phase === 'running' && passesAll(task.health)) {
    startCounting(turn, task);
  }
}

/** A task counts toward the desired count from now on. */
export function startCounting(turn: Turn, task: TaskState): void {
  moveTask(turn.state, task, 'counting');
  task.hasCounted = true;
  const service = serviceOf(turn.state, task);
  if (service === undefined || task.deployment === null) return;
  const { resetOnHealthyTask } = service.configuration.circuitBreaker;
  if (resetOnHealthyTask ?? turn.rulesOf(service).resetsOnHealthyTask) {
    forgetFailures(service, deploymentOf(service, task.deployment));
  }
}

function passesAll({ containers = 'HEALTHY', targets }: TaskHealth): boolean {
  const all = Object.values(targets).every(({ status }) => status === 'HEALTHY');
  return containers === 'HEALTHY' && all;
}

/** 6.54, 6.55: why a task is to be replaced. */
function failedCheck({ containers, targets }: TaskHealth): string | undefined {
  if (containers === 'UNHEALTHY') return stoppedReason.failedContainerChecks;
  const failing = Object.entries(targets).find(([, { status }]) => status === 'UNHEALTHY');
  return failing && stoppedReason.failedTargetChecks(failing[0]);
}
