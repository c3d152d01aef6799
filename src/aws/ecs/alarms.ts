import { addMs, type EpochMs } from '../../base/index.ts';
import type { EcsContext } from './context.ts';
import { cleansUp } from './lifecycle.ts';
import type { AlarmState, DeploymentState, EcsState, ServiceState } from './model.ts';
import { markDirty, visitLater } from './state.ts';
import type { Turn } from './turn.ts';

/** An alarm changed its state: the services that list it are visited. */
export function noteAlarm({ state }: EcsContext, name: string, now: AlarmState): void {
  if (now === 'OK') delete state.alarms[name];
  else state.alarms[name] = now;
  for (const service of Object.values(state.services)) {
    if (service.configuration.alarms.alarmNames.includes(name)) markDirty(state, service);
  }
}

/** 4.41: an alarm that fires already when a deployment begins is not watched in it. */
export function anyAlarm(
  state: EcsState,
  { configuration }: Pick<ServiceState, 'configuration'>,
): boolean {
  const { enable, alarmNames } = configuration.alarms;
  return enable && alarmNames.some((name) => state.alarms[name] === 'ALARM');
}

/** Whether alarms may still fail the deployment (4.40, 4.41). */
export function watchesAlarms(
  { configuration }: ServiceState,
  deployment: DeploymentState,
): boolean {
  const { rolloutState, ignoresAlarms, resurrected } = deployment;
  const { enable, alarmNames } = configuration.alarms;
  const isWatched = enable && alarmNames.length > 0 && !ignoresAlarms && !resurrected;
  return isWatched && rolloutState === 'IN_PROGRESS' && !cleansUp(deployment);
}

/** 4.42: all tasks count; the deployment is COMPLETED once it has baked. */
export function beginBaking(turn: Turn, service: ServiceState, primary: DeploymentState): void {
  const { bakeMs } = turn.rulesOf(service);
  primary.bakesUntilMs = addMs(turn.nowMs, bakeMs);
  visitLater(turn, service, bakeMs);
}

/** Whether the deployment has to bake, or is at it. */
export function bakes(service: ServiceState, primary: DeploymentState, nowMs: EpochMs) {
  if (!watchesAlarms(service, primary)) return 'none';
  if (primary.bakesUntilMs === null) return 'to-begin';
  return primary.bakesUntilMs > nowMs ? 'under-way' : 'none';
}
