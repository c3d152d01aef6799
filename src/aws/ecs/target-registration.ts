import { addMs, pushDue } from '../../base/index.ts';
import { say } from './messages.ts';
import type { DeploymentState, ServiceState, TaskState } from './model.ts';
import { tell } from './state.ts';
import type { Turn } from './turn.ts';

/** Tasks that run since the last visit become targets of the service's balancers (5.5). */
export function registerTargets(turn: Turn, service: ServiceState): void {
  const { toRegister } = service;
  if (toRegister.length === 0) return;
  service.toRegister = [];
  const counts = new Map<string, number>();
  for (const id of toRegister) {
    const task = turn.state.tasks[id];
    if (task === undefined || task.phase === 'stopping') continue;
    for (const [targetGroup, { container, port }] of Object.entries(task.health?.targets ?? {})) {
      turn.targets?.register({ task: id, targetGroup, container, port });
      counts.set(targetGroup, (counts.get(targetGroup) ?? 0) + 1);
    }
  }
  for (const [targetGroup, count] of counts) {
    tell(turn, service, say.registeredTargets(service.name, count, targetGroup));
  }
}

/** Tasks of a deployment that were just asked to stop are no targets any more (5.6, 5.7). */
export function deregisterTargets(
  turn: Turn,
  service: ServiceState,
  deployment: DeploymentState,
  tasks: readonly TaskState[],
): void {
  const counts = new Map<string, number>();
  let draining = 0;
  for (const task of tasks) {
    const groups = registeredIn(task);
    for (const group of groups) {
      turn.targets?.deregister(task.id, group);
      counts.set(group, (counts.get(group) ?? 0) + 1);
    }
    if (groups.length > 0) draining += 1;
  }
  for (const [group, count] of counts) {
    tell(turn, service, say.deregisteredTargets(service.name, count, group), deployment);
  }
  if (draining === 0) return;
  tell(turn, service, say.drainsConnections(service.name, deployment.id, draining), deployment);
}

/** A task that ended by itself is no target any more (5.6). */
export function forgetTargets(turn: Turn, service: ServiceState, task: TaskState): void {
  for (const group of registeredIn(task)) {
    turn.targets?.deregister(task.id, group);
    tell(turn, service, say.deregisteredTargets(service.name, 1, group));
  }
}

/** A task is stopped at once, or when its targets have drained. */
export function stopWhenDrained(turn: Turn, service: ServiceState, task: TaskState): void {
  const delays = registeredIn(task).map((group) => turn.targets?.deregistrationDelayMs(group) ?? 0);
  const delayMs = turn.rulesOf(service).drainsTargets ? Math.max(0, ...delays) : 0;
  if (delayMs === 0) {
    task.lastStatus = 'STOPPING';
    return turn.runtime.stop(task.id);
  }
  task.lastStatus = 'DEACTIVATING';
  pushDue(turn.state.due, addMs(turn.nowMs, delayMs), { type: 'stop-drained', task: task.id });
}

/** Target groups in which the task is registered, as it is from when it runs. */
function registeredIn({ startedAtMs, health }: TaskState): readonly string[] {
  return startedAtMs === null ? [] : Object.keys(health?.targets ?? {});
}
