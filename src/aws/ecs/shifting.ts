import { isObject, type JsonObject, type JsonValue, MINUTE_MS } from '../../base/index.ts';
import { list, number, text, textList } from './request-values.ts';

/** How a deployment moves traffic from the revision that serves (blue) to its own (green) (4.44). */
export interface Shifting {
  readonly strategy: ShiftingStrategy;
  /** How long both run once all traffic has moved. */
  readonly bakeMinutes: number;
  readonly linear: { readonly stepPercent: number; readonly stepBakeMinutes: number };
  readonly canary: { readonly percent: number; readonly bakeMinutes: number };
  readonly hooks: readonly LifecycleHook[];
}

type ShiftingStrategy = 'BLUE_GREEN' | 'LINEAR' | 'CANARY';

/** The stages of such a deployment, in their order (4.46). */
export type LifecycleStage =
  | 'RECONCILE_SERVICE'
  | 'PRE_SCALE_UP'
  | 'SCALE_UP'
  | 'POST_SCALE_UP'
  | 'TEST_TRAFFIC_SHIFT'
  | 'POST_TEST_TRAFFIC_SHIFT'
  | 'PRE_PRODUCTION_TRAFFIC_SHIFT'
  | 'PRODUCTION_TRAFFIC_SHIFT'
  | 'POST_PRODUCTION_TRAFFIC_SHIFT'
  | 'BAKE_TIME'
  | 'CLEAN_UP';

/** What is asked at some stages before the deployment goes on (4.47). */
export interface LifecycleHook {
  readonly targetType: 'AWS_LAMBDA' | 'PAUSE';
  readonly targetArn: string; // "" of a PAUSE
  readonly stages: readonly string[];
  readonly timeoutMinutes: number;
  readonly onTimeout: 'CONTINUE' | 'ROLLBACK';
}

/** One leg of the way: traffic moves on entering it, then its hooks are asked, then it bakes. */
export interface ShiftingStep {
  readonly stage: LifecycleStage;
  readonly testPercent?: number;
  readonly productionPercent?: number;
  readonly bakeMs?: number;
}

const HOOK_TIMEOUT_MINUTES = 1440;
const DEFAULTS: Omit<Shifting, 'strategy'> = {
  bakeMinutes: 0,
  linear: { stepPercent: 10, stepBakeMinutes: 6 },
  canary: { percent: 5, bakeMinutes: 10 },
  hooks: [],
};
/** Traffic is moved by them itself: nobody pauses there. */
const NO_PAUSE_AT = new Set(['TEST_TRAFFIC_SHIFT', 'PRODUCTION_TRAFFIC_SHIFT']);

/** `deploymentConfiguration`: what is absent stays as it was before; null: a rolling deployment. */
export function shiftingOf(given: JsonObject, before: Shifting | null): Shifting | null {
  const strategy = strategyOf(given['strategy'], before);
  if (strategy === null) return null;
  const { bakeMinutes, linear, canary, hooks } = before ?? DEFAULTS;
  const { bakeTimeInMinutes, linearConfiguration, canaryConfiguration, lifecycleHooks } = given;
  const { stepPercent, stepBakeTimeInMinutes } = objectOf(linearConfiguration);
  const { canaryPercent, canaryBakeTimeInMinutes } = objectOf(canaryConfiguration);
  return {
    strategy,
    bakeMinutes: number(bakeTimeInMinutes) ?? bakeMinutes,
    linear: {
      stepPercent: number(stepPercent) ?? linear.stepPercent,
      stepBakeMinutes: number(stepBakeTimeInMinutes) ?? linear.stepBakeMinutes,
    },
    canary: {
      percent: number(canaryPercent) ?? canary.percent,
      bakeMinutes: number(canaryBakeTimeInMinutes) ?? canary.bakeMinutes,
    },
    hooks: lifecycleHooks === undefined ? hooks : list(lifecycleHooks).map(hookOf),
  };
}

function strategyOf(given: JsonValue | undefined, before: Shifting | null) {
  if (given === 'BLUE_GREEN' || given === 'LINEAR' || given === 'CANARY') return given;
  return given === 'ROLLING' ? null : (before?.strategy ?? null);
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function hookOf(given: JsonObject): LifecycleHook {
  const { timeoutInMinutes, action } = objectOf(given['timeoutConfiguration']);
  const isPause = given['targetType'] === 'PAUSE';
  const stages = textList(given['lifecycleStages']);
  return {
    targetType: isPause ? 'PAUSE' : 'AWS_LAMBDA',
    targetArn: text(given['hookTargetArn']) ?? '',
    stages: isPause ? stages.filter((stage) => !NO_PAUSE_AT.has(stage)) : stages,
    timeoutMinutes: number(timeoutInMinutes) ?? HOOK_TIMEOUT_MINUTES,
    onTimeout: action === 'CONTINUE' ? 'CONTINUE' : 'ROLLBACK',
  };
}

/**
 * The way of one deployment. Without a blue there is nothing to shift from and nothing to stand by:
 * all traffic is green's at once, and nothing bakes.
 *
 * @param reconciles - there is a third revision with tasks, which goes first
 */
export function stepsOf(
  shifting: Shifting,
  has: { readonly blue: boolean; readonly reconciles: boolean },
): readonly ShiftingStep[] {
  const shifts = has.blue ? productionShifts(shifting) : [{ percent: 100, bakeMinutes: 0 }];
  return [
    ...(has.reconciles ? [{ stage: 'RECONCILE_SERVICE' as const }] : []),
    { stage: 'PRE_SCALE_UP' },
    { stage: 'SCALE_UP' },
    { stage: 'POST_SCALE_UP' },
    { stage: 'TEST_TRAFFIC_SHIFT', testPercent: 100 },
    { stage: 'POST_TEST_TRAFFIC_SHIFT' },
    { stage: 'PRE_PRODUCTION_TRAFFIC_SHIFT' },
    ...shifts.map(({ percent, bakeMinutes }) => ({
      stage: 'PRODUCTION_TRAFFIC_SHIFT' as const,
      productionPercent: percent,
      bakeMs: bakeMinutes * MINUTE_MS,
    })),
    { stage: 'POST_PRODUCTION_TRAFFIC_SHIFT' },
    { stage: 'BAKE_TIME', bakeMs: has.blue ? shifting.bakeMinutes * MINUTE_MS : 0 },
    { stage: 'CLEAN_UP' },
  ];
}

/** 4.45: by what shares production traffic moves, and how long each but the last one is watched. */
function productionShifts({ strategy, linear, canary }: Shifting) {
  const shares = {
    BLUE_GREEN: [],
    LINEAR: linearShares(linear.stepPercent),
    CANARY: [canary.percent],
  };
  const bakeMinutes = strategy === 'LINEAR' ? linear.stepBakeMinutes : canary.bakeMinutes;
  const partly = shares[strategy].filter((percent) => percent < 100);
  return [...partly.map((percent) => ({ percent, bakeMinutes })), { percent: 100, bakeMinutes: 0 }];
}

/** 30, 60, 90: in tenths, so that no sum is off by a little. */
function linearShares(stepPercent: number): readonly number[] {
  const step = Math.max(1, Math.round(stepPercent * 10));
  const count = Math.ceil(1000 / step) - 1;
  return Array.from({ length: count }, (_, index) => ((index + 1) * step) / 10);
}
