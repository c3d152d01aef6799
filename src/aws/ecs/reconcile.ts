import { live, serving, type TaskBounds, type TaskCounts, type TaskPhase } from './model.ts';
import type { SchedulerRules } from './rules.ts';

/** What one decision needs: counts only, kept up to date by every event. */
export interface ServiceSnapshot {
  readonly desiredCount: number;
  readonly bounds: TaskBounds;
  /** Tasks of the PRIMARY deployment, and of all the others together. */
  readonly current: TaskCounts;
  readonly outdated: TaskCounts;
  /** How many deployments are listed and hold tasks or are PRIMARY. */
  readonly deployments: number;
  readonly rolloutState: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | null;
  /** The newest failure is too recent for another placement. */
  readonly backingOff: boolean;
  /** The newest task was refused for something that an outdated task may hold. */
  readonly refused: boolean;
  /** Tasks of the PRIMARY deployment that a user stopped since the last update. */
  readonly userStopped: number;
  /** Whether alarms are watched for a while before the deployment is COMPLETED (4.42). */
  readonly baking: 'none' | 'to-begin' | 'under-way';
  readonly steady: boolean;
}

export type Action =
  /** `replacing`: how many of them stand in for unhealthy ones, which stop. */
  | { readonly type: 'start-tasks'; readonly count: number; readonly replacing: number }
  | {
      readonly type: 'stop-tasks';
      readonly of: 'current' | 'outdated';
      readonly phase: Exclude<TaskPhase, 'stopping'>;
      readonly count: number; // the oldest ones of that phase
    }
  | { readonly type: 'begin-baking' }
  | { readonly type: 'reach-steady-state' }
  | { readonly type: 'leave-steady-state' }
  /** Nothing may start and nothing may stop: the percentages leave no room (3.10, 3.11). */
  | { readonly type: 'hold' };

/**
 * Decides the next moves of a service. Looks at nothing but counts.
 *
 * In one round tasks start up to the ceiling; then unhealthy ones stop, and old ones, never
 * below the floor, that are surplus, that leave no room for a new one, or that hold what a new one was
 * refused for; not merely because the floor would allow it (`docs/decisions.md`, fine print a).
 */
export function reconcile(service: ServiceSnapshot, rules: SchedulerRules): readonly Action[] {
  const wanted = missing(service, rules);
  const room = roomFor(service, rules);
  const count = service.backingOff ? 0 : Math.max(0, Math.min(wanted, room));

  const actions: Action[] = [];
  if (service.steady && !isSteady(service)) actions.push({ type: 'leave-steady-state' });
  if (count > 0) {
    const replacing = Math.min(count, service.current.unhealthy);
    actions.push({ type: 'start-tasks', count, replacing });
  }
  actions.push(...stopUnhealthy(service));
  actions.push(...scaleIn(service), ...retire(service, wanted, room, rules));
  if (isComplete(service) && service.baking === 'to-begin') actions.push({ type: 'begin-baking' });
  if (!service.steady && isSteady(service)) actions.push({ type: 'reach-steady-state' });
  if (actions.length === 0 && isHeld(service, wanted, room)) actions.push({ type: 'hold' });
  return actions;
}

/**
 * How many tasks the PRIMARY deployment lacks and may place. A FAILED one places nothing more. In a
 * rollout an unhealthy task is a failed one, whose replacement waits like that of any other; after it
 * the replacement comes first (3.13).
 */
function missing(
  { desiredCount, current, userStopped, rolloutState }: ServiceSnapshot,
  rules: SchedulerRules,
): number {
  if (rolloutState === 'FAILED') return 0;
  const leaving = rolloutState === 'COMPLETED' ? 0 : current.unhealthy;
  const withheld = leaving + (rules.replacesUserStopped ? 0 : userStopped);
  return Math.max(0, desiredCount - live(current) - withheld);
}

/** A task that is unhealthy takes its room until it stops. */
function roomFor({ bounds, current, outdated }: ServiceSnapshot, rules: SchedulerRules): number {
  const stopping = rules.stoppingTakesRoom ? current.stopping + outdated.stopping : 0;
  const unhealthy = current.unhealthy + outdated.unhealthy;
  return bounds.activeMax - live(current) - live(outdated) - unhealthy - stopping;
}

/** 6.35, 4.18: whose checks fail stops, of whatever deployment; it serves nobody (3.4). */
function stopUnhealthy({ current, outdated }: ServiceSnapshot): readonly Action[] {
  return [
    { type: 'stop-tasks', of: 'current', phase: 'unhealthy', count: current.unhealthy } as const,
    { type: 'stop-tasks', of: 'outdated', phase: 'unhealthy', count: outdated.unhealthy } as const,
  ].filter(({ count }) => count > 0);
}

/** Tasks of the PRIMARY deployment beyond the desired count: those that serve least go first. */
function scaleIn({ desiredCount, current }: ServiceSnapshot): readonly Action[] {
  let surplus = live(current) - desiredCount;
  const actions: Action[] = [];
  for (const phase of ['starting', 'running', 'counting'] as const) {
    const count = Math.min(Math.max(surplus, 0), current[phase]);
    if (count > 0) actions.push({ type: 'stop-tasks', of: 'current', phase, count });
    surplus -= count;
  }
  return actions;
}

/** Old tasks that go. One that serves goes against a new one that counts, not one that merely runs. */
function retire(
  service: ServiceSnapshot,
  wanted: number,
  room: number,
  rules: SchedulerRules,
): readonly Action[] {
  const { desiredCount, bounds, current, outdated, refused, rolloutState } = service;
  const actions: Action[] = [];
  const stop = (phase: 'starting' | 'running' | 'counting', count: number) => {
    if (count > 0) actions.push({ type: 'stop-tasks', of: 'outdated', phase, count });
  };
  // A FAILED deployment gives nothing up: the old tasks are all that serves (4.17).
  if (rolloutState === 'FAILED') return actions;
  stop('starting', outdated.starting);

  const spare = Math.max(0, serving(outdated) + current.counting - bounds.healthyMin);
  const surplus = serving(outdated) - Math.max(0, desiredCount - current.counting);
  const stopping = rules.stoppingTakesRoom ? current.stopping + outdated.stopping : 0;
  const freed = stopping + current.unhealthy + outdated.unhealthy;
  const inTheWay = wanted - Math.max(0, room) - freed - outdated.starting;
  const asked = refused ? wanted : 0;
  const count = Math.min(spare, serving(outdated), Math.max(surplus, inTheWay, asked, 0));
  stop('running', Math.min(count, outdated.running));
  stop('counting', count - Math.min(count, outdated.running));
  return actions;
}

/** One deployment left, running its desired count, every task counting (2.9), baked if it has to (4.42). */
function isSteady(service: ServiceSnapshot): boolean {
  return isComplete(service) && service.baking === 'none';
}

function isComplete({
  desiredCount,
  current,
  deployments,
  rolloutState,
}: ServiceSnapshot): boolean {
  const alone = deployments === 1 && current.unhealthy === 0;
  const all = live(current) === desiredCount && current.counting === desiredCount;
  return alone && all && rolloutState !== 'FAILED';
}

function isHeld(service: ServiceSnapshot, wanted: number, room: number): boolean {
  const { current, outdated, rolloutState, backingOff } = service;
  if (rolloutState === 'COMPLETED' || backingOff || wanted === 0 || room > 0) return false;
  const settling = current.running + outdated.running;
  return settling + current.starting + current.stopping + outdated.stopping === 0;
}
