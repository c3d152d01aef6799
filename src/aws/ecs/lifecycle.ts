import type { DeploymentId, EpochMs } from '../../base/index.ts';
import { append, type LifecycleStageEvent } from '../../events/index.ts';
import type { EcsContext } from './context.ts';
import type { DeploymentState, ServiceState } from './model.ts';
import { type LifecycleHook, type LifecycleStage, type ShiftingStep, stepsOf } from './shifting.ts';
import { isDrained, primaryOf } from './state.ts';

/** Where a deployment stands that moves traffic from blue to green, which is itself (4.46). */
export interface Lifecycle {
  readonly steps: readonly ShiftingStep[];
  readonly hooks: readonly LifecycleHook[];
  /** The deployment that served when it began; null on the first deployment of a service. */
  readonly blue: DeploymentId | null;
  /** Its tasks are targets of the alternate target groups: those that blue does not use. */
  readonly alternate: boolean;
  /** Which step it is at; null before it was entered. */
  at: number | null;
  stage: LifecycleStage;
  /** What of the traffic green has. */
  testPercent: number;
  productionPercent: number;
  /** Hooks of the stage that have not answered. */
  pending: readonly PendingHook[];
  /** The step bakes until then; null while it does not. */
  bakesUntilMs: EpochMs | null;
}

export interface PendingHook {
  readonly id: string; // by which ContinueServiceDeployment names a PAUSE
  readonly targetType: 'AWS_LAMBDA' | 'PAUSE';
  readonly targetArn: string;
  readonly untilMs: EpochMs;
  readonly onTimeout: 'CONTINUE' | 'ROLLBACK';
  /** What ContinueServiceDeployment said; null while it said nothing. */
  answer: 'CONTINUE' | 'ROLLBACK' | null;
}

/** The way that a new deployment of the service goes; null for a rolling one. */
export function beginLifecycle(
  service: ServiceState,
  green: Pick<DeploymentState, 'id'>,
): Lifecycle | null {
  const { shifting } = service.configuration;
  if (shifting === null || service.controller !== 'ECS') return null;
  const others = service.deployments.filter((one) => one.id !== green.id && !isDrained(one));
  const blue = others.find(({ id }) => id === service.lastCompleted?.id);
  const steps = stepsOf(shifting, {
    blue: blue !== undefined,
    reconciles: others.length > (blue === undefined ? 0 : 1),
  });
  return {
    steps,
    hooks: shifting.hooks,
    blue: blue?.id ?? null,
    alternate: blue !== undefined && blue.lifecycle?.alternate !== true,
    at: null,
    stage: steps[0]?.stage ?? 'PRE_SCALE_UP',
    testPercent: 0,
    productionPercent: 0,
    pending: [],
    bakesUntilMs: null,
  };
}

/** 2.17: blue has the traffic and goes no way again; any other one begins its way anew. */
export function resumeLifecycle(service: ServiceState, back: DeploymentState): Lifecycle | null {
  return service.lastCompleted?.id === back.id ? back.lifecycle : beginLifecycle(service, back);
}

/** Its traffic moves, or is about to: stages decide, and not the percentages. */
export function isShifting({ rolloutState, lifecycle }: DeploymentState): boolean {
  return rolloutState === 'IN_PROGRESS' && lifecycle !== null && lifecycle.stage !== 'CLEAN_UP';
}

/** Blue goes: nothing is left to go back to, and nothing watches any more. */
export function cleansUp({ lifecycle }: DeploymentState): boolean {
  return lifecycle?.stage === 'CLEAN_UP';
}

/** The deployment that serves beside a PRIMARY one which is not there yet. */
export function blueOf(service: ServiceState): DeploymentState | undefined {
  const green = primaryOf(service);
  if (green === undefined || !isShifting(green)) return undefined;
  return service.deployments.find(({ id }) => id === green.lifecycle?.blue);
}

/** It did not come up: traffic is blue's again, at once. */
export function giveTrafficBack(
  context: EcsContext,
  service: ServiceState,
  green: DeploymentState,
): void {
  const { lifecycle } = green;
  if (lifecycle === null) return;
  const { stage, productionPercent: had } = lifecycle;
  lifecycle.testPercent = 0;
  lifecycle.productionPercent = 0;
  lifecycle.pending = [];
  if (had > 0) tellStage(context, service, green, { stage, productionPercent: 0 });
}

/** Not a service event: how AWS tells of stages was not seen. */
export function tellStage(
  { record, nowMs }: EcsContext,
  service: ServiceState,
  { id: deployment }: DeploymentState,
  said: Pick<LifecycleStageEvent, 'stage' | 'productionPercent' | 'failedHook'>,
): void {
  append(record, {
    ...{ type: 'ecs-lifecycle-stage', atMs: nowMs, service: service.arn, deployment },
    ...said,
  });
}
