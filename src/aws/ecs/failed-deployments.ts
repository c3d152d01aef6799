import { anyAlarm, watchesAlarms } from './alarms.ts';
import { createDeployment, putFirst } from './deployments.ts';
import { giveTrafficBack } from './lifecycle.ts';
import { rolloutReason, type Saying, say } from './messages.ts';
import type { DeploymentState, EndedBy, Monitor, ServiceState } from './model.ts';
import { noteTrigger } from './service-deployments.ts';
import { tell } from './state.ts';
import type { Turn } from './turn.ts';

/** How a deployment ends that does not come up. */
export interface Ending {
  readonly by: EndedBy;
  readonly reason: string; // its `rolloutStateReason`
  /** Absent where no source tells what AWS says of it. */
  readonly said?: Saying;
  /** Whether the last COMPLETED deployment is put back, if there is one. */
  readonly rollback: boolean;
}

/** 4.40: an alarm that fires while the deployment is watched fails it. */
export function failByAlarm(turn: Turn, service: ServiceState, primary: DeploymentState): void {
  if (!watchesAlarms(service, primary) || !anyAlarm(turn.state, service)) return;
  failDeployment(turn, service, primary, 'alarms');
}

/** 4.20, 4.24: the breaker or an alarm fails a deployment; it goes back if that one is to. */
export function failDeployment(
  turn: Turn,
  service: ServiceState,
  deployment: DeploymentState,
  monitor: Monitor,
): void {
  const { breakerReason } = turn.rulesOf(service);
  const { circuitBreaker, alarms } = service.configuration;
  const byBreaker = monitor === 'breaker';
  noteTrigger(turn.state, service, deployment, monitor);
  const said = byBreaker ? say.deploymentFailed : say.alarmDetected;
  endDeployment(turn, service, deployment, {
    by: monitor,
    reason: byBreaker ? breakerReason : rolloutReason.alarmDetected,
    said: said(service.name, deployment.id),
    rollback: (byBreaker ? circuitBreaker : alarms).rollback,
  });
}

/** 4.19: FAILED is terminal. With `rollback` the last COMPLETED deployment comes back. */
export function endDeployment(
  turn: Turn,
  service: ServiceState,
  deployment: DeploymentState,
  { by, reason, said, rollback }: Ending,
): void {
  deployment.rolloutState = 'FAILED';
  deployment.rolloutStateReason = reason;
  deployment.bakesUntilMs = null;
  if (said !== undefined) tell(turn, service, said, deployment);
  const target = service.lastCompleted;
  if (!rollback || target === null) return;
  // Taken up again by the user (2.17), it was COMPLETED itself: there is nothing to go back to.
  if (target.id === deployment.id) return;
  tell(turn, service, say.rollingBack(service.name, target.id), deployment);
  giveTrafficBack(turn, service, deployment);
  resurrect(turn, service, target, by);
  deployment.status = turn.rulesOf(service).rolledBackStatus;
}

/**
 * 4.14: the last COMPLETED deployment becomes PRIMARY again under its own id and IN_PROGRESS; its
 * tasks count. It may have been drained and left the list meanwhile.
 */
function resurrect(
  turn: Turn,
  service: ServiceState,
  { id, revision }: NonNullable<ServiceState['lastCompleted']>,
  endedBy: EndedBy,
): void {
  const listed = service.deployments.find((deployment) => deployment.id === id);
  const back = listed ?? createDeployment(id, revision, turn);
  putFirst(service, back);
  back.rolloutState = 'IN_PROGRESS';
  back.rolloutStateReason = rolloutReason.rollingBack(id, endedBy);
  back.resurrected = true;
  back.bakesUntilMs = null;
  back.userStopped = 0; // a deploy, if ECS's own: it repairs what StopTask left (4.13)
  service.steady = false;
}
