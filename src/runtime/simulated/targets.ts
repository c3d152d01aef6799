import type { Target, TargetObservation } from '../../aws/ecs/index.ts';
import { addMs, present, pushDue } from '../../base/index.ts';
import { behaviourFor } from './images.ts';
import type { TaskInFlight } from './state.ts';
import { assume, definitionsOf, type SimulatedTurn, type TargetGroupFacts } from './turn.ts';

/** What a balancer says of a target that does not answer (5.50). */
const FAILED = 'Health checks failed';

/**
 * A target is checked once in every interval from its registration on. It is unhealthy after so many
 * failures in a row as its group has it, and healthy after so many answers. What follows is known at
 * once: a container listens from an instant on, or never.
 */
export function checkTarget(turn: SimulatedTurn, target: Target): void {
  const { state, nowMs } = turn;
  const task = state.tasks[target.task];
  if (task === undefined) return;
  task.targetGroups[target.targetGroup] = true;
  const group = turn.targetGroup(target.targetGroup);
  const { intervalMs, healthyThreshold, unhealthyThreshold } = group;
  const say = (checks: number, status: TargetObservation['status']) => {
    const reason = status === 'UNHEALTHY' ? FAILED : null;
    const { task: id, targetGroup } = target;
    const seen = { type: 'target' as const, task: id, targetGroup, status, reason };
    pushDue(state.due, addMs(nowMs, checks * intervalMs), seen);
  };
  const failing = failingChecks(turn, task, target, group);
  if (failing >= unhealthyThreshold) say(unhealthyThreshold, 'UNHEALTHY');
  if (failing < Number.POSITIVE_INFINITY) say(failing + healthyThreshold, 'HEALTHY');
}

/** How many checks come before the container listens at the port that is checked. */
function failingChecks(
  turn: SimulatedTurn,
  task: TaskInFlight,
  { container: name, port, targetGroup }: Target,
  { intervalMs, checkPort }: TargetGroupFacts,
): number {
  const container = definitionsOf(turn, task).find((one) => one.name === name);
  const startedAtMs = task.containers[name]?.startedAtMs ?? null;
  if (container === undefined || startedAtMs === null) return Number.POSITIVE_INFINITY;
  const { listens } = behaviourFor(turn, task, container);
  if (listens === undefined) {
    assume(turn, `targets in ${targetGroup.split('/').at(-2)} answer (no scenario says otherwise)`);
    return 0;
  }
  if (listens.port !== undefined && listens.port !== (checkPort ?? port)) {
    return Number.POSITIVE_INFINITY;
  }
  const fromNowMs = present(startedAtMs, 'it has started') + listens.afterMs - turn.nowMs;
  return Math.max(0, Math.ceil(fromNowMs / intervalMs) - 1);
}
