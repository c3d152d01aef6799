import {
  ALPHANUMERIC,
  addMs,
  MINUTE_MS,
  nextText,
  type ServiceArn,
  seedRandom,
} from '../../base/index.ts';
import type { Lifecycle, PendingHook } from './lifecycle.ts';
import type { DeploymentState, ServiceState } from './model.ts';
import type { LifecycleHook } from './shifting.ts';
import { visitLater } from './state.ts';
import type { Turn } from './turn.ts';

/** What the functions answer that are hooks of deployments. */
export interface LifecycleHooks {
  /** @returns `never`: it is waited for until its timeout */
  answer(service: ServiceArn, hookTargetArn: string, stage: string): HookAnswer;
}

export type HookAnswer = 'success' | 'failed' | 'never';

/** How a hook ends a deployment; the target of a PAUSE is "". */
export interface HookFailure {
  readonly target: string;
  readonly outcome: 'failed' | 'timed out' | 'was answered with ROLLBACK';
}

const ID_LENGTH = 43;

/**
 * Asks the hooks of the stage that was just entered. Functions answer at once or not at all; a
 * PAUSE waits for ContinueServiceDeployment (4.47).
 *
 * @returns the hook that failed, if one did
 */
export function askHooks(
  turn: Turn,
  service: ServiceState,
  { id }: DeploymentState,
  lifecycle: Lifecycle,
): HookFailure | undefined {
  const { stage, at, hooks } = lifecycle;
  const asked = hooks.filter(({ stages }) => stages.includes(stage));
  const waiting: PendingHook[] = [];
  for (const [index, hook] of asked.entries()) {
    const answer = answerOf(turn, service, hook, stage);
    if (answer === 'failed') return { target: hook.targetArn, outcome: 'failed' };
    if (answer === 'success') continue;
    const delayMs = hook.timeoutMinutes * MINUTE_MS;
    visitLater(turn, service, delayMs);
    waiting.push({
      id: hookId(`${service.arn} ${id} ${at} ${index}`, hook),
      ...{ targetType: hook.targetType, targetArn: hook.targetArn },
      untilMs: addMs(turn.nowMs, delayMs),
      ...{ onTimeout: hook.onTimeout, answer: null },
    });
  }
  lifecycle.pending = waiting;
  return undefined;
}

function answerOf(
  turn: Turn,
  service: ServiceState,
  { targetType, targetArn }: LifecycleHook,
  stage: string,
): HookAnswer {
  if (targetType === 'PAUSE') return 'never';
  return turn.hooks?.answer(service.arn, targetArn, stage) ?? 'success';
}

/** Drawn from what it belongs to and not from the account, as are names of service deployments. */
function hookId(seed: string, { targetType }: LifecycleHook): string {
  const kind = targetType === 'PAUSE' ? 'pause' : 'lambda';
  return `ecs-${kind}-${nextText(seedRandom(seed), ID_LENGTH, ALPHANUMERIC)}`;
}

/**
 * Takes in what was said of pending hooks, and whose time is over.
 *
 * @returns the hook that ends the deployment, if one does
 */
export function settleHooks({ nowMs }: Turn, lifecycle: Lifecycle): HookFailure | undefined {
  const decided = lifecycle.pending.map((hook) => {
    const timedOut = hook.untilMs <= nowMs ? hook.onTimeout : null;
    return { hook, decision: hook.answer ?? timedOut };
  });
  lifecycle.pending = decided.filter(({ decision }) => decision === null).map(({ hook }) => hook);
  const ending = decided.find(({ decision }) => decision === 'ROLLBACK')?.hook;
  if (ending === undefined) return undefined;
  const outcome = ending.answer === null ? 'timed out' : 'was answered with ROLLBACK';
  return { target: ending.targetArn, outcome };
}
