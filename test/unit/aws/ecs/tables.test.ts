import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { failureThreshold } from '../../../../src/aws/ecs/circuit-breaker.ts';
import { fargateMemorySizes } from '../../../../src/aws/ecs/fargate-sizes.ts';
import { rolloutReason, say, stoppedReason } from '../../../../src/aws/ecs/messages.ts';
import { LOCAL_RULES, PRESETS } from '../../../../src/aws/ecs/rules.ts';
import type { DeploymentId, TaskId } from '../../../../src/base/index.ts';
import { shapeOf } from '../../../../src/events/index.ts';
import { ROOT } from '../../../support/root.ts';

interface Template {
  readonly text: string;
  readonly shape: string;
}

/** What is read of `data/ecs-enums.json`, which names its sources. */
interface EcsTables {
  readonly fargateCpuMemoryMiB: readonly {
    readonly cpu: number;
    readonly memory: readonly number[] | { min: number; max: number; step: number };
  }[];
  readonly circuitBreaker: { readonly thresholds: { readonly [desired: string]: number } };
  readonly seed: { readonly [rule: string]: number };
  readonly rolloutStateReason: { readonly [when: string]: string };
  readonly stoppedReason: { readonly [when: string]: string };
  readonly serviceEvents: { readonly templates: { readonly [name: string]: Template } };
}

const tables = JSON.parse(readFileSync(join(ROOT, 'data/ecs-enums.json'), 'utf8')) as EcsTables;

const DEPLOYMENT = 'ecs-svc/1' as DeploymentId;
const TASK = 'f55a' as TaskId;

test('7.30 to 7.37: the sizes of Fargate are those of the table', () => {
  for (const { cpu, memory } of tables.fargateCpuMemoryMiB) {
    const expected = 'min' in memory ? range(memory) : memory;
    assert.deepEqual(fargateMemorySizes(cpu), expected, `${cpu} CPU units`);
  }
});

test('4.60: the breaker thresholds are those of the table', () => {
  for (const [desired, threshold] of Object.entries(tables.circuitBreaker.thresholds)) {
    assert.equal(failureThreshold(Number(desired)), threshold, `desired ${desired}`);
  }
});

test('section 10: the numbers of the local rules are those of the table', () => {
  const { seed } = tables;
  assert.equal(LOCAL_RULES.settleMs, Number(seed['settleSeconds']) * 1000);
  assert.equal(LOCAL_RULES.settleAfterFailureMs, Number(seed['settleSecondsAfterFailure']) * 1000);
  assert.equal(LOCAL_RULES.backoffFirstMs, seed['replacementDelayMsInitial']);
  assert.equal(LOCAL_RULES.backoffMaxMs, seed['replacementDelayMsMax']);
  assert.equal(LOCAL_RULES.failuresBeforeComplaint, seed['unableToStartAtConsecutiveFailures']);
});

test('2.20 to 2.25, 6.51 to 6.53: the reasons are those of the table', () => {
  const { rolloutStateReason: rollout, stoppedReason: stopped } = tables;
  const of = (text: string | undefined) => text?.replace('{deploymentId}', DEPLOYMENT);
  assert.equal(rolloutReason.inProgress(DEPLOYMENT), of(rollout['inProgress']));
  assert.equal(rolloutReason.completed(DEPLOYMENT), of(rollout['completed']));
  assert.equal(rolloutReason.rollingBack(DEPLOYMENT, 'breaker'), of(rollout['rollingBack']));
  assert.equal(LOCAL_RULES.breakerReason, rollout['circuitBreakerFailedSeed']);
  assert.equal(PRESETS.aws.breakerReason, rollout['circuitBreakerFailedAws']);
  assert.equal(stoppedReason.essentialExited, stopped['essentialExited']);
  assert.equal(stoppedReason.byUser, stopped['userDefault']);
  assert.equal(stoppedReason.scaling(DEPLOYMENT), of(stopped['scaling']));
});

test('5.1, 5.2, 5.4: every event that is said has the text and the shape of the table', () => {
  const said = [
    say.steadyState('web'),
    say.startedTasks('web', [TASK]),
    say.stoppedTasks('web', [TASK]),
    say.deploymentCompleted('web', DEPLOYMENT),
    say.cannotStartConsistently('web'),
    say.deploymentFailed('web', DEPLOYMENT),
    say.rollingBack('web', DEPLOYMENT),
    say.cannotPlace('web', 'why'),
    say.holding('web', 2, 3, 1),
  ];
  const known = new Map(
    Object.values(tables.serviceEvents.templates).map(({ text, shape }) => [filled(text), shape]),
  );
  for (const { kind, message } of said) {
    // 5.12: the table calls it a failure, as AWS's own tool does; it is never a reason (decision 19).
    const shape = kind === 'rolling-back' ? 'failure' : shapeOf(kind);
    assert.equal(known.get(message), shape, message);
  }
});

function filled(text: string): string {
  const values: { readonly [name: string]: string } = {
    service: 'web',
    n: text.includes('holding') ? '2' : '1',
    tasks: `(task ${TASK})`,
    deploymentId: DEPLOYMENT,
    reason: 'why',
    max: '3',
    min: '1',
  };
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

function range({ min, max, step }: { min: number; max: number; step: number }): number[] {
  return Array.from({ length: (max - min) / step + 1 }, (_, index) => min + index * step);
}
