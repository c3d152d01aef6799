import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteAlarm } from '../../../../src/aws/ecs/alarms.ts';
import { type LifecycleHooks, PRESETS } from '../../../../src/aws/ecs/index.ts';
import {
  type JsonObject,
  MINUTE_MS,
  type ServiceArn,
  SIMULATION_START_MS,
} from '../../../../src/base/index.ts';
import type { World } from '../../../../src/world/index.ts';
import {
  answerHooks,
  behave,
  contextOf,
  createEcsWorld,
  createWeb,
  describeTargetGroup,
  ecsOf,
  type Images,
  pass,
  percents,
  primary,
  register,
  serviceState,
  stateOf,
  tasksOf,
  update,
} from '../../../support/ecs-world.ts';

const HOOK = 'arn:aws:lambda:us-east-1:000000000000:function:smoke';
const BLUE_GREEN = { strategy: 'BLUE_GREEN', bakeTimeInMinutes: 5 };

function hookAt(stage: string, more: JsonObject = {}): JsonObject {
  return { lifecycleHooks: [{ hookTargetArn: HOOK, lifecycleStages: [stage], ...more }] };
}

interface Setting {
  readonly images?: Images;
  readonly answer?: LifecycleHooks['answer'];
  readonly more?: JsonObject;
}

/** A service of two tasks whose first deployment is through. */
function steadyWeb(deploymentConfiguration: JsonObject, { images, answer, more }: Setting = {}) {
  const world = createEcsWorld(images);
  register(world, 'web:1');
  const service = createWeb(world, { desiredCount: 2, deploymentConfiguration, ...more });
  pass(world, MINUTE_MS);
  assert.equal(primary(world, service).rolloutState, 'COMPLETED');
  if (answer !== undefined) answerHooks(world, answer);
  register(world, 'web:2');
  return { world, service };
}

/** The same, with an update to `web:2` that has just begun. */
function updatedWeb(configuration: JsonObject, setting: Setting = {}) {
  const { world, service } = steadyWeb(configuration, setting);
  world.record.entries.length = 0;
  update(world, service, { taskDefinition: 'web:2' });
  return { world, service, startedAtMs: world.nowMs };
}

/** `PRE_SCALE_UP@0 …`, in seconds since the update. */
function stages(world: World, sinceMs: number = SIMULATION_START_MS): readonly string[] {
  return world.record.entries.flatMap((event) => {
    if (event.type !== 'ecs-lifecycle-stage') return [];
    const share = event.productionPercent === undefined ? '' : `=${event.productionPercent}`;
    const failed = event.failedHook === undefined ? '' : '!';
    return [`${event.stage}${share}${failed}@${(event.atMs - sinceMs) / 1000}`];
  });
}

function picture(world: World, service: ServiceArn): readonly string[] {
  const view = ecsOf(world).describeService(service);
  return (view?.deployments ?? []).map(
    ({ taskDefinition, status, rolloutState, runningCount }) =>
      `${taskDefinition.split('/').at(-1)} ${status} ${rolloutState} ${runningCount}`,
  );
}

function newest(world: World, service: ServiceArn): JsonObject {
  const arn = serviceState(world, service).serviceDeployments.at(-1)?.arn ?? '';
  const answer = ecsOf(world).api.describeServiceDeployments({ serviceDeploymentArns: [arn] });
  return (answer['serviceDeployments'] as JsonObject[])[0] as JsonObject;
}

test('4.46: blue/green goes through its stages; green stands beside blue until CLEAN_UP', () => {
  const { world, service, startedAtMs } = updatedWeb(BLUE_GREEN);
  pass(world, 4 * MINUTE_MS);
  assert.deepEqual(picture(world, service), [
    'web:2 PRIMARY IN_PROGRESS 2',
    'web:1 ACTIVE COMPLETED 2',
  ]);
  pass(world, 2 * MINUTE_MS);
  assert.deepEqual(stages(world, startedAtMs), [
    'PRE_SCALE_UP@0',
    'SCALE_UP@0',
    'POST_SCALE_UP@3',
    'TEST_TRAFFIC_SHIFT@3',
    'POST_TEST_TRAFFIC_SHIFT@3',
    'PRE_PRODUCTION_TRAFFIC_SHIFT@3',
    'PRODUCTION_TRAFFIC_SHIFT=100@3',
    'POST_PRODUCTION_TRAFFIC_SHIFT@3',
    'BAKE_TIME@3',
    'CLEAN_UP@303',
  ]);
  assert.deepEqual(picture(world, service), ['web:2 PRIMARY COMPLETED 2']);
  assert.equal(newest(world, service)['status'], 'SUCCESSFUL');
});

test('4.46: percentages do not hold green back: 100/100 is twice the desired count too', () => {
  const { world, service } = updatedWeb({ ...BLUE_GREEN, ...percents(100, 100) });
  pass(world, MINUTE_MS);
  assert.equal(tasksOf(world, service).length, 4);
  pass(world, 5 * MINUTE_MS);
  assert.deepEqual(picture(world, service), ['web:2 PRIMARY COMPLETED 2']);
});

test('4.46: under the rules of AWS the stages are the same, and tasks take their time', () => {
  const { world, service, startedAtMs } = updatedWeb({ ...BLUE_GREEN, ...percents(100, 100) });
  pass(world, 30 * MINUTE_MS, {}, PRESETS.aws);
  const [scaleUp, , postScaleUp] = stages(world, startedAtMs).map((stage) => stage.split('@')[1]);
  assert.deepEqual([scaleUp, postScaleUp], ['0', '73']); // 18 s, 15 s, and 40 s to count
  assert.deepEqual(picture(world, service), ['web:2 PRIMARY COMPLETED 2']);
});

test('4.45: LINEAR shifts in steps, and CANARY in two', () => {
  const linear = { stepPercent: 40, stepBakeTimeInMinutes: 2 };
  const canary = { canaryPercent: 20, canaryBakeTimeInMinutes: 3 };
  const shiftsOf = (configuration: JsonObject) => {
    const { world, startedAtMs } = updatedWeb(configuration);
    pass(world, 30 * MINUTE_MS);
    return stages(world, startedAtMs).filter((stage) => stage.includes('='));
  };
  assert.deepEqual(shiftsOf({ strategy: 'LINEAR', linearConfiguration: linear }), [
    'PRODUCTION_TRAFFIC_SHIFT=40@3',
    'PRODUCTION_TRAFFIC_SHIFT=80@123',
    'PRODUCTION_TRAFFIC_SHIFT=100@243',
  ]);
  assert.deepEqual(shiftsOf({ strategy: 'CANARY', canaryConfiguration: canary }), [
    'PRODUCTION_TRAFFIC_SHIFT=20@3',
    'PRODUCTION_TRAFFIC_SHIFT=100@183',
  ]);
});

test('the shares of blue and green stand in the service deployment', () => {
  const canary = { canaryPercent: 20, canaryBakeTimeInMinutes: 3 };
  const { world, service } = updatedWeb({ strategy: 'CANARY', canaryConfiguration: canary });
  pass(world, MINUTE_MS);
  const { targetServiceRevision, sourceServiceRevisions, lifecycleStage } = newest(world, service);
  const weight = (one: unknown) =>
    (one as JsonObject | undefined)?.['requestedProductionTrafficWeight'];
  assert.deepEqual(
    [
      lifecycleStage,
      weight(targetServiceRevision),
      weight((sourceServiceRevisions as JsonObject[])[0]),
    ],
    ['PRODUCTION_TRAFFIC_SHIFT', 20, 80],
  );
});

const HOOKABLE = [
  'PRE_SCALE_UP',
  'POST_SCALE_UP',
  'TEST_TRAFFIC_SHIFT',
  'POST_TEST_TRAFFIC_SHIFT',
  'PRE_PRODUCTION_TRAFFIC_SHIFT',
  'PRODUCTION_TRAFFIC_SHIFT',
  'POST_PRODUCTION_TRAFFIC_SHIFT',
];
for (const stage of HOOKABLE) {
  test(`4.47: a hook that fails at ${stage} rolls back at once`, () => {
    const { world, service, startedAtMs } = updatedWeb(
      { ...BLUE_GREEN, ...hookAt(stage) },
      { answer: () => 'failed' },
    );
    pass(world, MINUTE_MS);
    assert.deepEqual(picture(world, service), ['web:1 PRIMARY COMPLETED 2']);
    const atS = stage === 'PRE_SCALE_UP' ? 0 : 3;
    assert(stages(world, startedAtMs).includes(`${stage}!@${atS}`));
    const { status, statusReason, lifecycleStage } = newest(world, service);
    assert.deepEqual(
      [status, lifecycleStage, statusReason],
      ['ROLLBACK_SUCCESSFUL', stage, `Lifecycle hook ${HOOK} failed at ${stage}.`],
    );
    assert(tasksOf(world, service).every(({ taskDefinition }) => taskDefinition.endsWith(':1')));
  });
}

test('4.47: a hook of PRODUCTION_TRAFFIC_SHIFT is asked at every step of it', () => {
  const asked: string[] = [];
  const linear = { stepPercent: 25, stepBakeTimeInMinutes: 1 };
  const { world, service, startedAtMs } = updatedWeb(
    {
      ...{ strategy: 'LINEAR', linearConfiguration: linear },
      ...hookAt('PRODUCTION_TRAFFIC_SHIFT'),
    },
    { answer: (_service, _arn, stage) => (asked.push(stage) < 3 ? 'success' : 'failed') },
  );
  pass(world, 10 * MINUTE_MS);
  assert.equal(asked.length, 3);
  assert.deepEqual(stages(world, startedAtMs).slice(-2), [
    'PRODUCTION_TRAFFIC_SHIFT!@123',
    'PRODUCTION_TRAFFIC_SHIFT=0@123',
  ]);
  assert.deepEqual(picture(world, service), ['web:1 PRIMARY COMPLETED 2']);
});

test('4.47: a hook that never answers is waited for a day, then rolls back', () => {
  const { world, service } = updatedWeb(
    { ...BLUE_GREEN, ...hookAt('POST_SCALE_UP') },
    { answer: () => 'never' },
  );
  pass(world, 1440 * MINUTE_MS);
  assert.equal(newest(world, service)['lifecycleStage'], 'POST_SCALE_UP');
  assert.equal(newest(world, service)['status'], 'IN_PROGRESS');
  pass(world, MINUTE_MS);
  const { status, statusReason } = newest(world, service);
  assert.equal(status, 'ROLLBACK_SUCCESSFUL');
  assert.equal(statusReason, `Lifecycle hook ${HOOK} timed out at POST_SCALE_UP.`);
});

test('4.47: … or goes on, where its timeout says so', () => {
  const timeoutConfiguration = { timeoutInMinutes: 10, action: 'CONTINUE' };
  const { world, service } = updatedWeb(
    { ...BLUE_GREEN, ...hookAt('POST_SCALE_UP', { timeoutConfiguration }) },
    { answer: () => 'never' },
  );
  pass(world, 10 * MINUTE_MS);
  assert.equal(newest(world, service)['lifecycleStage'], 'POST_SCALE_UP');
  pass(world, 6 * MINUTE_MS);
  assert.equal(newest(world, service)['status'], 'SUCCESSFUL');
});

for (const action of ['CONTINUE', 'ROLLBACK']) {
  test(`4.47: a PAUSE ends with ContinueServiceDeployment: ${action}`, () => {
    const { world, service } = steadyWeb(BLUE_GREEN);
    const pause = { targetType: 'PAUSE', lifecycleStages: ['POST_TEST_TRAFFIC_SHIFT'] };
    const deploymentConfiguration = { lifecycleHooks: [pause] };
    update(world, service, { taskDefinition: 'web:2', deploymentConfiguration });
    pass(world, 60 * MINUTE_MS);
    const { serviceDeploymentArn, lifecycleHookDetails } = newest(world, service);
    const [hook] = lifecycleHookDetails as JsonObject[];
    assert.equal(hook?.['status'], 'AWAITING_ACTION');
    const hookId = hook['hookId'] as string;
    ecsOf(world).api.continueServiceDeployment({
      ...{ serviceDeploymentArn: String(serviceDeploymentArn), hookId },
      ...(action === 'CONTINUE' ? {} : { action }), // the default
    });
    pass(world, 10 * MINUTE_MS);
    const ending = action === 'CONTINUE' ? 'SUCCESSFUL' : 'ROLLBACK_SUCCESSFUL';
    assert.equal(newest(world, service)['status'], ending);
    assert.throws(() => {
      const arn = String(serviceDeploymentArn);
      ecsOf(world).api.continueServiceDeployment({ serviceDeploymentArn: arn, hookId });
    }, /awaits action/);
  });
}

test('4.46, 4.47: a first deployment whose hook fails is FAILED, with nothing to go back to', () => {
  const world = createEcsWorld();
  register(world, 'web:1');
  answerHooks(world, () => 'failed');
  const deploymentConfiguration = { ...BLUE_GREEN, ...hookAt('POST_SCALE_UP') };
  const service = createWeb(world, { deploymentConfiguration });
  pass(world, MINUTE_MS);
  assert.deepEqual(picture(world, service), ['web:1 PRIMARY FAILED 1']);
  assert.equal(newest(world, service)['status'], 'STOPPED');
});

const CRASHES: Images = { 'web:2': { exits: { afterMs: 1_000, code: 1 } } };
test('4.44: the breaker watches green, and puts blue back', () => {
  const deploymentCircuitBreaker = { enable: true, rollback: true };
  const { world, service } = updatedWeb(
    { ...BLUE_GREEN, deploymentCircuitBreaker },
    { images: CRASHES },
  );
  pass(world, 5 * MINUTE_MS);
  assert.deepEqual(picture(world, service), ['web:1 PRIMARY COMPLETED 2']);
  assert.equal(newest(world, service)['status'], 'ROLLBACK_SUCCESSFUL');
});

test('4.17, 4.44: without rollback the failed green stays, and blue has the traffic', () => {
  const deploymentCircuitBreaker = { enable: true, rollback: false };
  const { world, service } = updatedWeb(
    { ...BLUE_GREEN, deploymentCircuitBreaker },
    { images: CRASHES },
  );
  pass(world, 5 * MINUTE_MS);
  assert.deepEqual(picture(world, service), ['web:2 PRIMARY FAILED 0', 'web:1 ACTIVE COMPLETED 2']);
  assert.equal(newest(world, service)['status'], 'STOPPED');
});

test('4.44: an alarm that fires in the bake time gives the traffic back', () => {
  const alarms = { alarmNames: ['errors'], enable: true, rollback: true };
  const { world, service, startedAtMs } = updatedWeb({ ...BLUE_GREEN, alarms });
  pass(world, 2 * MINUTE_MS);
  noteAlarm(contextOf(world), 'errors', 'ALARM');
  pass(world, MINUTE_MS);
  assert.deepEqual(stages(world, startedAtMs).slice(-1), ['BAKE_TIME=0@120']);
  assert.deepEqual(picture(world, service), ['web:1 PRIMARY COMPLETED 2']);
});

test('4.46: with alarms nothing bakes a second time after CLEAN_UP', () => {
  const alarms = { alarmNames: ['errors'], enable: true, rollback: true };
  const { world, service } = updatedWeb({ ...BLUE_GREEN, alarms });
  pass(world, 5 * MINUTE_MS + 3_000);
  assert.deepEqual(picture(world, service), ['web:2 PRIMARY COMPLETED 2']);
});

test('4.46: a task of blue that dies meanwhile is replaced from its own revision', () => {
  const { world, service } = updatedWeb(BLUE_GREEN, {
    images: { 'web:1': { exits: { afterMs: 90_000, code: 1 } } },
  });
  behave(world, {});
  pass(world, 2 * MINUTE_MS); // both died half a minute after the update
  assert.deepEqual(picture(world, service), [
    'web:2 PRIMARY IN_PROGRESS 2',
    'web:1 ACTIVE COMPLETED 2',
  ]);
});

test('4.46: an update in the midst of one reconciles first: the green that was is gone', () => {
  const { world, service } = updatedWeb(BLUE_GREEN);
  pass(world, MINUTE_MS);
  register(world, 'web:3');
  world.record.entries.length = 0;
  update(world, service, { taskDefinition: 'web:3' });
  pass(world, MINUTE_MS);
  assert.deepEqual(picture(world, service), [
    'web:3 PRIMARY IN_PROGRESS 2',
    'web:1 ACTIVE COMPLETED 2',
  ]);
  assert.match(stages(world)[0] ?? '', /^RECONCILE_SERVICE/);
  pass(world, 10 * MINUTE_MS);
  assert.deepEqual(picture(world, service), ['web:3 PRIMARY COMPLETED 2']);
});

test('2.17: an update back to blue gives it the traffic, and stops green', () => {
  const { world, service } = updatedWeb(BLUE_GREEN);
  pass(world, MINUTE_MS);
  update(world, service, { taskDefinition: 'web:1' });
  pass(world, MINUTE_MS);
  assert.deepEqual(picture(world, service), ['web:1 PRIMARY COMPLETED 2']);
});

test('4.52: StopServiceDeployment rolls one back whose stage waits', () => {
  const { world, service } = updatedWeb(BLUE_GREEN);
  pass(world, MINUTE_MS);
  const serviceDeploymentArn = String(newest(world, service)['serviceDeploymentArn']);
  ecsOf(world).api.stopServiceDeployment({ serviceDeploymentArn });
  pass(world, MINUTE_MS);
  assert.deepEqual(picture(world, service), ['web:1 PRIMARY COMPLETED 2']);
});

test('green uses the target groups that blue does not', () => {
  const balancer = {
    ...{ targetGroupArn: 'arn:one', containerName: 'app', containerPort: 80 },
    advancedConfiguration: { alternateTargetGroupArn: 'arn:two' },
  };
  const world = createEcsWorld();
  for (const arn of ['arn:one', 'arn:two']) {
    describeTargetGroup(world, arn, { intervalMs: 5_000, healthyThreshold: 2 });
  }
  const containerDefinitions = (image: string) => ({
    containerDefinitions: [{ name: 'app', image, portMappings: [{ containerPort: 80 }] }],
  });
  register(world, 'web:1', containerDefinitions('web:1'));
  const loadBalancers = [balancer];
  const service = createWeb(world, { loadBalancers, deploymentConfiguration: BLUE_GREEN });
  const groups = () =>
    tasksOf(world, service).map(({ health }) => Object.keys(health?.targets ?? {}).join());
  pass(world, MINUTE_MS);
  assert.deepEqual(groups(), ['arn:one']);
  register(world, 'web:2', containerDefinitions('web:2'));
  update(world, service, { taskDefinition: 'web:2' });
  pass(world, 10 * MINUTE_MS);
  assert.deepEqual(groups(), ['arn:two']);
  update(world, service, { forceNewDeployment: true });
  pass(world, 10 * MINUTE_MS);
  assert.deepEqual(groups(), ['arn:one']);
});

test('the state is plain data, and a copy goes on as the original does', () => {
  const { world, service } = updatedWeb({
    ...{ strategy: 'LINEAR', bakeTimeInMinutes: 5 },
    ...hookAt('POST_SCALE_UP'),
  });
  pass(world, 7 * MINUTE_MS);
  assert.deepEqual(JSON.parse(JSON.stringify(stateOf(world))), stateOf(world));
  const copy = structuredClone(world);
  for (const one of [world, copy]) pass(one, 90 * MINUTE_MS);
  assert.equal(JSON.stringify(copy), JSON.stringify(world));
  assert.deepEqual(picture(world, service), ['web:2 PRIMARY COMPLETED 2']);
});
