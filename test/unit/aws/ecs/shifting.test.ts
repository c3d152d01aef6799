import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shiftingOf, stepsOf } from '../../../../src/aws/ecs/shifting.ts';
import { type JsonObject, MINUTE_MS, present } from '../../../../src/base/index.ts';

function shifting(given: JsonObject) {
  return present(shiftingOf(given, null), 'a strategy other than ROLLING');
}

/** Production traffic on its way: `10 for 6, 100` are 10 percent for six minutes, then all of it. */
function shifts(given: JsonObject): string {
  return stepsOf(shifting(given), { blue: true, reconciles: false })
    .flatMap(({ productionPercent, bakeMs = 0 }) =>
      productionPercent === undefined
        ? []
        : [`${productionPercent}${bakeMs === 0 ? '' : ` for ${bakeMs / MINUTE_MS}`}`],
    )
    .join(', ');
}

const shares: readonly [given: JsonObject, then: string][] = [
  [{ strategy: 'BLUE_GREEN' }, '100'],
  [{ strategy: 'CANARY' }, '5 for 10, 100'],
  [{ strategy: 'CANARY', canaryConfiguration: { canaryPercent: 0.1 } }, '0.1 for 10, 100'],
  [{ strategy: 'CANARY', canaryConfiguration: { canaryPercent: 100 } }, '100'],
  [
    { strategy: 'CANARY', canaryConfiguration: { canaryPercent: 20, canaryBakeTimeInMinutes: 0 } },
    '20, 100',
  ],
  [
    { strategy: 'LINEAR', linearConfiguration: { stepPercent: 30, stepBakeTimeInMinutes: 2 } },
    '30 for 2, 60 for 2, 90 for 2, 100',
  ],
  [
    { strategy: 'LINEAR', linearConfiguration: { stepPercent: 33.3, stepBakeTimeInMinutes: 1 } },
    '33.3 for 1, 66.6 for 1, 99.9 for 1, 100',
  ],
  [{ strategy: 'LINEAR', linearConfiguration: { stepPercent: 50 } }, '50 for 6, 100'],
  [{ strategy: 'LINEAR', linearConfiguration: { stepPercent: 100 } }, '100'],
];
for (const [given, then] of shares) {
  test(`4.45: ${JSON.stringify(given)} shifts ${then}`, () => assert.equal(shifts(given), then));
}

test('4.45: LINEAR moves ten percent every six minutes where nothing else is said', () => {
  const all = shifts({ strategy: 'LINEAR' }).split(', ');
  assert.equal(all.length, 10);
  assert.deepEqual([all[0], all[8], all[9]], ['10 for 6', '90 for 6', '100']);
});

test('4.46: the stages in their order; RECONCILE_SERVICE only with a third revision', () => {
  const stages = (reconciles: boolean) =>
    stepsOf(shifting({ strategy: 'BLUE_GREEN' }), { blue: true, reconciles })
      .map(({ stage }) => stage)
      .join(' ');
  const usual =
    'PRE_SCALE_UP SCALE_UP POST_SCALE_UP TEST_TRAFFIC_SHIFT POST_TEST_TRAFFIC_SHIFT ' +
    'PRE_PRODUCTION_TRAFFIC_SHIFT PRODUCTION_TRAFFIC_SHIFT POST_PRODUCTION_TRAFFIC_SHIFT ' +
    'BAKE_TIME CLEAN_UP';
  assert.equal(stages(false), usual);
  assert.equal(stages(true), `RECONCILE_SERVICE ${usual}`);
});

test('4.46: a first deployment has nothing to shift from, and nothing bakes', () => {
  const given = shifting({ strategy: 'LINEAR', bakeTimeInMinutes: 5 });
  const steps = stepsOf(given, { blue: false, reconciles: false });
  assert.equal(steps.filter(({ stage }) => stage === 'PRODUCTION_TRAFFIC_SHIFT').length, 1);
  assert(steps.every(({ bakeMs = 0 }) => bakeMs === 0));
});

test('4.47: what a hook leaves out', () => {
  const given = {
    strategy: 'BLUE_GREEN',
    lifecycleHooks: [
      { hookTargetArn: 'arn', lifecycleStages: ['POST_SCALE_UP'] },
      { targetType: 'PAUSE', lifecycleStages: ['PRODUCTION_TRAFFIC_SHIFT', 'PRE_SCALE_UP'] },
    ],
  };
  assert.deepEqual(shifting(given).hooks, [
    {
      ...{ targetType: 'AWS_LAMBDA', targetArn: 'arn', stages: ['POST_SCALE_UP'] },
      ...{ timeoutMinutes: 1440, onTimeout: 'ROLLBACK' },
    },
    {
      ...{ targetType: 'PAUSE', targetArn: '', stages: ['PRE_SCALE_UP'] },
      ...{ timeoutMinutes: 1440, onTimeout: 'ROLLBACK' },
    },
  ]);
});

test('4.44: an update keeps what it leaves out, and ROLLING ends it', () => {
  const before = shifting({ strategy: 'CANARY', bakeTimeInMinutes: 7 });
  assert.deepEqual(shiftingOf({ maximumPercent: 150 }, before), before);
  assert.equal(shiftingOf({ bakeTimeInMinutes: 1 }, before)?.bakeMinutes, 1);
  assert.equal(shiftingOf({ strategy: 'ROLLING' }, before), null);
  assert.equal(shiftingOf({}, null), null);
});
