import {
  ALPHANUMERIC,
  arnOf,
  type DeploymentId,
  type EpochMs,
  nameIn,
  nextText,
  type Place,
  seedRandom,
} from '../../base/index.ts';
import { failureThreshold } from './circuit-breaker.ts';
import type { EcsContext } from './context.ts';
import type { MonitorStatus, ServiceDeployment, ServiceDeploymentStatus } from './history.ts';
import type { DeploymentState, EcsState, Monitor, ServiceState } from './model.ts';
import { isDrained, primaryOf } from './state.ts';

const KEPT_MAX = 100;
const ID_LENGTH = 21; // 4.53

const ONGOING: ReadonlySet<ServiceDeploymentStatus> = new Set([
  'PENDING',
  'IN_PROGRESS',
  'STOP_REQUESTED',
  'ROLLBACK_REQUESTED',
  'ROLLBACK_IN_PROGRESS',
]);

export function isOngoing({ status }: ServiceDeployment): boolean {
  return ONGOING.has(status);
}

/** 4.51: a deployment starts, and with it a service deployment; one that is under way is STOPPED. */
export function beginServiceDeployment(
  context: EcsContext,
  service: ServiceState,
  deployment: DeploymentState,
): void {
  const { nowMs, place } = context;
  const { serviceDeployments, revisions, launchType } = service;
  const before = serviceDeployments.at(-1);
  if (before !== undefined && isOngoing(before)) end(before, 'STOPPED', nowMs);
  serviceDeployments.push(pendingOf(service, deployment, nowMs, place));
  if (serviceDeployments.length > KEPT_MAX) serviceDeployments.shift();
  revisions[deployment.id] ??= {
    deployment: deployment.id,
    createdAtMs: nowMs,
    launchType,
    revision: deployment.revision,
  };
  forgetRevisions(service);
}

function pendingOf(
  service: ServiceState,
  deployment: DeploymentState,
  nowMs: EpochMs,
  place: Place,
): ServiceDeployment {
  const others = service.deployments.filter((one) => one !== deployment && !isDrained(one));
  return {
    arn: newArn(service, deployment.id, nowMs, place),
    deployment: deployment.id,
    status: 'PENDING',
    statusReason: null,
    createdAtMs: nowMs,
    startedAtMs: null,
    stoppedAtMs: null,
    finishedAtMs: null,
    updatedAtMs: nowMs,
    sources: others.map(({ id }) => id),
    lifecycleStage: deployment.lifecycle?.stage ?? null,
    rollback: null,
    stopType: null,
    breaker: monitorStatus(service.configuration.circuitBreaker.enable, false),
    failureCount: 0,
    threshold: thresholdOf(service),
    alarms: alarmStatus(service, deployment, false),
    triggeredAlarms: [],
    triggeredBy: null,
  };
}

/** Drawn from its deployment and not from the account: ids of tasks and events stay what they are. */
function newArn(service: ServiceState, id: DeploymentId, nowMs: EpochMs, place: Place): string {
  const earlier = service.serviceDeployments.filter((one) => one.deployment === id).length;
  const random = seedRandom(`${service.arn} ${id} ${nowMs} ${earlier}`);
  const name = nextText(random, ID_LENGTH, ALPHANUMERIC);
  return arnOf('ecs', place, `service-deployment/${service.cluster}/${service.name}/${name}`);
}

/** 4.53: with the digits of the deployment that brings the revision up, which is assumed. */
export function revisionArn({ cluster, name }: ServiceState, id: DeploymentId, place: Place) {
  return arnOf('ecs', place, `service-revision/${cluster}/${name}/${nameIn(id)}`);
}

/** Revisions that no service deployment which is kept tells of go with the last one that did. */
function forgetRevisions({ serviceDeployments, revisions }: ServiceState): void {
  const known = new Set(
    serviceDeployments.flatMap(({ deployment, sources, rollback }) => [
      ...[deployment, ...sources],
      ...(rollback === null ? [] : [rollback.to]),
    ]),
  );
  for (const id of Object.keys(revisions) as DeploymentId[]) {
    if (!known.has(id)) delete revisions[id];
  }
}

/** What failed a deployment is told by the service deployment of it (4.50). */
export function noteTrigger(
  state: EcsState,
  service: ServiceState,
  deployment: DeploymentState,
  monitor: Monitor,
): void {
  const one = service.serviceDeployments.at(-1);
  if (one?.deployment !== deployment.id) return;
  one.triggeredBy = monitor;
  if (monitor === 'breaker') return;
  const { alarmNames } = service.configuration.alarms;
  one.triggeredAlarms = alarmNames.filter((name) => state.alarms[name] === 'ALARM');
}

/** Brings the service deployment that is under way to where its deployment stands by now. */
export function followServiceDeployment({ nowMs }: EcsContext, service: ServiceState): void {
  const one = service.serviceDeployments.at(-1);
  if (one === undefined || !isOngoing(one)) return;
  const known = [...service.deployments, ...(service.lastFailed ? [service.lastFailed] : [])];
  const own = known.find(({ id }) => id === one.deployment);
  if (own === undefined) return;
  if (one.status === 'PENDING') change(one, 'IN_PROGRESS', nowMs);
  one.startedAtMs ??= nowMs;
  one.failureCount = own.failedTasks;
  one.lifecycleStage = own.lifecycle?.stage ?? null;
  one.threshold = thresholdOf(service);
  if (own.rolloutState === 'COMPLETED') end(one, 'SUCCESSFUL', nowMs);
  else if (own.rolloutState === 'FAILED') followFailure(service, one, own, nowMs);
  const isOver = !isOngoing(one);
  const { enable } = service.configuration.circuitBreaker;
  one.breaker = one.triggeredBy === 'breaker' ? 'TRIGGERED' : monitorStatus(enable, isOver);
  one.alarms = one.triggeredBy === 'alarms' ? 'TRIGGERED' : alarmStatus(service, own, isOver);
}

/** 4.49: back to what was there before, or STOPPED. */
function followFailure(
  service: ServiceState,
  one: ServiceDeployment,
  own: DeploymentState,
  nowMs: EpochMs,
): void {
  one.statusReason = own.rolloutStateReason;
  one.stoppedAtMs ??= nowMs;
  const back = primaryOf(service);
  if (back === undefined || back.id === own.id || !back.resurrected) {
    return end(one, 'STOPPED', nowMs);
  }
  one.rollback ??= { to: back.id, startedAtMs: nowMs };
  if (back.rolloutState === 'COMPLETED') end(one, 'ROLLBACK_SUCCESSFUL', nowMs);
  else if (back.rolloutState === 'FAILED') end(one, 'STOPPED', nowMs);
  else if (one.stopType === null) change(one, 'ROLLBACK_IN_PROGRESS', nowMs);
}

function end(one: ServiceDeployment, status: ServiceDeploymentStatus, nowMs: EpochMs): void {
  change(one, status, nowMs);
  one.finishedAtMs = nowMs;
  if (status === 'STOPPED') one.stoppedAtMs ??= nowMs;
}

function change(one: ServiceDeployment, status: ServiceDeploymentStatus, nowMs: EpochMs): void {
  if (one.status === status) return;
  one.status = status;
  one.updatedAtMs = nowMs;
}

function thresholdOf({ desiredCount, configuration }: ServiceState): number {
  return failureThreshold(desiredCount, configuration.circuitBreaker.threshold);
}

function alarmStatus(service: ServiceState, { ignoresAlarms }: DeploymentState, isOver: boolean) {
  const { enable, alarmNames } = service.configuration.alarms;
  return monitorStatus(enable && alarmNames.length > 0 && !ignoresAlarms, isOver);
}

function monitorStatus(isOn: boolean, isOver: boolean): MonitorStatus {
  if (!isOn) return 'DISABLED';
  return isOver ? 'MONITORING_COMPLETE' : 'MONITORING';
}
