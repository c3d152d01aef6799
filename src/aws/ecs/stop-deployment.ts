import type { JsonObject } from '../../base/index.ts';
import type { EcsContext } from './context.ts';
import { EcsException } from './exception.ts';
import { endDeployment } from './failed-deployments.ts';
import type { ServiceDeployment, StopType } from './history.ts';
import { rolloutReason } from './messages.ts';
import type { EcsState, ServiceState } from './model.ts';
import { text } from './request-values.ts';
import { isOngoing } from './service-deployments.ts';
import { markDirty, primaryOf } from './state.ts';
import type { Turn } from './turn.ts';

/**
 * StopServiceDeployment: `ROLLBACK` puts the last COMPLETED deployment back, whether or not the
 * service has a rollback configured; `ABORT` stops it where it is (4.52). The scheduler does it.
 *
 * @returns the ARN of the service deployment
 * @throws EcsException ServiceDeploymentNotFoundException, or ConflictException where it is over; how
 *   AWS words them was not seen
 */
export function stopServiceDeployment(context: EcsContext, request: JsonObject): string {
  const arn = text(request['serviceDeploymentArn']) ?? '';
  const { service, one } = deploymentNamed(context.state, arn);
  if (!isOngoing(one)) {
    throw new EcsException('ConflictException', `Service deployment is ${one.status}.`);
  }
  const stopType: StopType = request['stopType'] === 'ABORT' ? 'ABORT' : 'ROLLBACK';
  if (stopType === 'ROLLBACK' && one.rollback !== null) return arn; // it is at it
  one.stopType = stopType;
  one.status = stopType === 'ABORT' ? 'STOP_REQUESTED' : 'ROLLBACK_REQUESTED';
  one.updatedAtMs = context.nowMs;
  markDirty(context.state, service);
  return arn;
}

export function deploymentNamed(state: EcsState, arn: string) {
  for (const service of Object.values(state.services)) {
    const one = service.serviceDeployments.find((known) => known.arn === arn);
    if (one !== undefined && service.status !== 'INACTIVE') return { service, one };
  }
  const message = 'Service deployment not found.';
  throw new EcsException('ServiceDeploymentNotFoundException', message);
}

/** Carries out what StopServiceDeployment asked for. */
export function stopAsRequested(turn: Turn, service: ServiceState): void {
  const one: ServiceDeployment | undefined = service.serviceDeployments.at(-1);
  const primary = primaryOf(service);
  if (one === undefined || one.stopType === null || primary === undefined) return;
  const rollback = one.stopType === 'ROLLBACK';
  one.stopType = null;
  if (primary.rolloutState !== 'IN_PROGRESS') return; // it ended in the same instant
  const reason = rolloutReason.stoppedByUser(primary.id);
  endDeployment(turn, service, primary, { by: 'user', reason, rollback });
}
