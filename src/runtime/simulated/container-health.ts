import type { ContainerDefinition, HealthCheck, HealthStatus } from '../../aws/ecs/index.ts';
import { addMs, enqueue, pushDue } from '../../base/index.ts';
import { behaviourFor } from './images.ts';
import type { ContainerInFlight, RuntimeDue, TaskInFlight } from './state.ts';
import { startWhatMay, viewOf } from './task-life.ts';
import { assume, definitionsOf, type SimulatedTurn } from './turn.ts';

/**
 * A container that has started is checked once in every interval. The first success makes it HEALTHY,
 * within its start period too; only failures after the start period count (6.31), and as many in a row
 * as `retries` make it UNHEALTHY.
 */
export function scheduleHealth(
  turn: SimulatedTurn,
  task: TaskInFlight,
  container: ContainerDefinition,
  { starts: start }: ContainerInFlight,
): void {
  const { name, healthCheck } = container;
  if (healthCheck === undefined) return;
  const { healthcheck: answer } = behaviourFor(turn, task, container);
  if (answer === undefined) {
    assume(turn, `health check of container ${name} passes (no scenario says otherwise)`);
  }
  const status = answer === 'fail' ? 'UNHEALTHY' : 'HEALTHY';
  const afterMs = status === 'HEALTHY' ? healthCheck.intervalMs : failsAfterMs(healthCheck);
  const due = { type: 'health' as const, task: task.id, container: name, start, status };
  pushDue(turn.state.due, addMs(turn.nowMs, afterMs), due as RuntimeDue);
}

/** From the start to the failure that makes it UNHEALTHY. */
function failsAfterMs({ intervalMs, retries, startPeriodMs }: HealthCheck): number {
  const inStartPeriod = Math.floor(startPeriodMs / intervalMs);
  return (inStartPeriod + retries) * intervalMs;
}

export function takeHealth(
  turn: SimulatedTurn,
  task: TaskInFlight,
  { container: name, start, status }: Extract<RuntimeDue, { type: 'health' }>,
): void {
  const container = task.containers[name];
  if (container?.status !== 'running' || container.starts !== start) return;
  const before = healthOf(turn, task);
  container.healthStatus = status;
  const health = healthOf(turn, task);
  const seen = { task: task.id, containers: viewOf(turn, task) };
  const isNews = health !== before;
  enqueue(
    turn.state.seen,
    isNews ? { type: 'health', health, ...seen } : { type: 'changed', ...seen },
  );
  if (status === 'HEALTHY') startWhatMay(turn, task); // others may wait for that (6.28)
}

/** 6.34: that of its essential containers that are checked. */
export function healthOf(turn: SimulatedTurn, task: TaskInFlight): HealthStatus {
  const checked = definitionsOf(turn, task)
    .filter(({ essential, healthCheck }) => essential && healthCheck !== undefined)
    .map(({ name }) => task.containers[name]?.healthStatus ?? 'UNKNOWN');
  if (checked.includes('UNHEALTHY')) return 'UNHEALTHY';
  return checked.includes('UNKNOWN') ? 'UNKNOWN' : 'HEALTHY';
}
