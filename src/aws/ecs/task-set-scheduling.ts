import { dropDrained } from './deployments.ts';
import { forgetFailures } from './failed-tasks.ts';
import { keepAtCount } from './keep-count.ts';
import { live, type ServiceState } from './model.ts';
import { repeatSteadyState, saySteadyState } from './perform.ts';
import { forgetSayings, primaryOf } from './state.ts';
import { computedDesiredCount, placesTasks, type TaskSet, taskSetsOf } from './task-set.ts';
import type { Turn } from './turn.ts';

/** One visit of a service under CODE_DEPLOY or EXTERNAL: each task set is kept at its own count. */
export function visitTaskSets(turn: Turn, service: ServiceState): void {
  dropDrained(turn, service);
  for (const set of taskSetsOf(service)) {
    keepAtCount(turn, service, set, computedDesiredCount(service, set));
    judgeStability(turn, service, set);
  }
  noteSteadyState(turn, service);
}

/**
 * 8.33: it runs as many as it is to, none is on the way, and all of them are well. One that has just
 * begun to run does not count before it has settled (2.10).
 */
function judgeStability({ nowMs }: Turn, service: ServiceState, set: TaskSet): void {
  const { counts, taskSet } = set;
  const desired = computedDesiredCount(service, set);
  const isSteady =
    counts.counting === desired && live(counts) === desired && counts.unhealthy === 0;
  const stability = isSteady ? 'STEADY_STATE' : 'STABILIZING';
  if (stability === taskSet.stability) return;
  taskSet.stability = stability;
  taskSet.stabilityAtMs = nowMs;
  if (isSteady) forgetFailures(service, set);
}

/** 8.14: with no rollout to end, counts alone decide: every task set has what it is to have. */
function noteSteadyState(turn: Turn, service: ServiceState): void {
  const sets = taskSetsOf(service);
  const isSteady =
    sets.length > 0 &&
    sets.every((set) => placesTasks(set) && set.taskSet.stability === 'STEADY_STATE');
  const wasSteady = service.steady;
  service.steady = isSteady;
  const said = primaryOf(service) ?? sets[0];
  if (!isSteady || said === undefined) return;
  if (wasSteady) return repeatSteadyState(turn, service, said);
  service.steadyEdges += 1;
  forgetSayings(service);
  saySteadyState(turn, service, said);
}
