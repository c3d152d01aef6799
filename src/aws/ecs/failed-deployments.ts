import { anyAlarm, watchesAlarms } from './alarms.ts';
import { createDeployment, putFirst } from './deployments.ts';
import { rolloutReason, say } from './messages.ts';
import type { DeploymentState, Monitor, ServiceState } from './model.ts';
import { tell } from './state.ts';
import type { Turn } from './turn.ts';

/** 4.40: an alarm that fires while the deployment is watched fails it. */
export function failByAlarm(turn: Turn, service: ServiceState, primary: DeploymentState): void {
  if (!watchesAlarms(service, primary) || !anyAlarm(turn.state, service)) return;
  failDeployment(turn, service, primary, 'alarms');
}

/** 4.19, 4.20: FAILED is terminal. With `rollback` the last COMPLETED deployment comes back. */
export function failDeployment(
  turn: Turn,
  service: ServiceState,
  deployment: DeploymentState,
  monitor: Monitor,
): void {
  const rules = turn.rulesOf(service);
  const byBreaker = monitor === 'breaker';
  deployment.rolloutState = 'FAILED';
  deployment.rolloutStateReason = byBreaker ? rules.breakerReason : rolloutReason.alarmDetected;
  deployment.bakesUntilMs = null;
  const said = byBreaker ? say.deploymentFailed : say.alarmDetected;
  tell(turn, service, said(service.name, deployment.id), deployment);
  const { circuitBreaker, alarms } = service.configuration;
  const { rollback } = byBreaker ? circuitBreaker : alarms; // 4.24: that of the one that fired
  const target = service.lastCompleted;
  if (!rollback || target === null) return;
  // Taken up again by the user (2.17), it was COMPLETED itself: there is nothing to go back to.
  if (target.id === deployment.id) return;
  tell(turn, service, say.rollingBack(service.name, target.id), deployment);
  resurrect(turn, service, target, monitor);
  deployment.status = rules.rolledBackStatus;
}

/**
 * 4.14: the last COMPLETED deployment becomes PRIMARY again under its own id and IN_PROGRESS; its
 * tasks count. It may have been drained and left the list meanwhile.
 */
function resurrect(
  turn: Turn,
  service: ServiceState,
  { id, revision }: NonNullable<ServiceState['lastCompleted']>,
  monitor: Monitor,
): void {
  const listed = service.deployments.find((deployment) => deployment.id === id);
  const back = listed ?? createDeployment(id, revision, turn);
  putFirst(service, back);
  back.rolloutState = 'IN_PROGRESS';
  back.rolloutStateReason = rolloutReason.rollingBack(id, monitor);
  back.resurrected = true;
  back.bakesUntilMs = null;
  back.userStopped = 0; // a deploy, if ECS's own: it repairs what StopTask left (4.13)
  service.steady = false;
}
