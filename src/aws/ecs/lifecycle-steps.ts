import { addMs, present } from '../../base/index.ts';
import { endDeployment } from './failed-deployments.ts';
import { keepAtCount } from './keep-count.ts';
import { type Lifecycle, tellStage } from './lifecycle.ts';
import { askHooks, type HookFailure, settleHooks } from './lifecycle-hooks.ts';
import { rolloutReason } from './messages.ts';
import { type DeploymentState, live, type ServiceState } from './model.ts';
import { isDrained, visitLater } from './state.ts';
import type { Turn } from './turn.ts';

/**
 * Takes a deployment that moves traffic as far along its stages as it gets now (4.46). Green stands
 * beside blue with the full desired count, whatever the percentages; blue is kept at that count until
 * CLEAN_UP, from where the ordinary decisions of a rollout stop it.
 */
export function stepLifecycle(turn: Turn, service: ServiceState, green: DeploymentState): void {
  const lifecycle = present(green.lifecycle, 'a deployment that shifts traffic has a way to go');
  if (lifecycle.at === null && !enter(turn, service, green, lifecycle, 0)) return;
  for (;;) {
    if (lifecycle.stage === 'CLEAN_UP') return;
    keepCounts(turn, service, green, lifecycle);
    const failure = settleHooks(turn, lifecycle);
    if (failure !== undefined) return fail(turn, service, green, failure, lifecycle);
    if (!isThrough(turn, service, green, lifecycle)) return;
    if (!enter(turn, service, green, lifecycle, (lifecycle.at ?? 0) + 1)) return;
  }
}

/** Green has its tasks from SCALE_UP on; what is neither green nor blue goes. */
function keepCounts(
  turn: Turn,
  service: ServiceState,
  green: DeploymentState,
  { stage, blue }: Lifecycle,
): void {
  const isUp = stage !== 'RECONCILE_SERVICE' && stage !== 'PRE_SCALE_UP';
  for (const one of [...service.deployments]) {
    const isKept = one === green ? isUp : one.id === blue;
    keepAtCount(turn, service, one, isKept ? service.desiredCount : 0);
  }
}

/** Begins a step: its traffic moves, then its hooks are asked. False: a hook has ended it all. */
function enter(
  turn: Turn,
  service: ServiceState,
  green: DeploymentState,
  lifecycle: Lifecycle,
  at: number,
): boolean {
  const step = present(lifecycle.steps[at], 'the last step of a way is CLEAN_UP');
  const { stage, testPercent, productionPercent, bakeMs = 0 } = step;
  lifecycle.at = at;
  lifecycle.stage = stage;
  lifecycle.testPercent = testPercent ?? lifecycle.testPercent;
  lifecycle.productionPercent = productionPercent ?? lifecycle.productionPercent;
  lifecycle.bakesUntilMs = addMs(turn.nowMs, bakeMs);
  if (bakeMs > 0) visitLater(turn, service, bakeMs);
  const moved = productionPercent === undefined ? {} : { productionPercent };
  tellStage(turn, service, green, { stage, ...moved });
  const failed = askHooks(turn, service, green, lifecycle);
  if (failed === undefined) return true;
  fail(turn, service, green, failed, lifecycle);
  return false;
}

function isThrough(
  turn: Turn,
  service: ServiceState,
  green: DeploymentState,
  { stage, blue, pending, bakesUntilMs }: Lifecycle,
): boolean {
  if (pending.length > 0) return false;
  if (bakesUntilMs !== null && bakesUntilMs > turn.nowMs) return false;
  if (stage === 'SCALE_UP') return isUp(service, green);
  if (stage !== 'RECONCILE_SERVICE') return true;
  return service.deployments.every((one) => one === green || one.id === blue || isDrained(one));
}

/** Every task that is wanted counts. */
function isUp({ desiredCount }: ServiceState, { counts }: DeploymentState): boolean {
  return (
    counts.counting === desiredCount && live(counts) === desiredCount && counts.unhealthy === 0
  );
}

function fail(
  turn: Turn,
  service: ServiceState,
  green: DeploymentState,
  failedHook: HookFailure,
  { stage }: Lifecycle,
): void {
  const reason = rolloutReason.hookFailed(failedHook, stage);
  tellStage(turn, service, green, { stage, failedHook });
  endDeployment(turn, service, green, { by: 'hook', reason, rollback: true });
}
