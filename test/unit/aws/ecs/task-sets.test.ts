import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computedDesiredCount, type TaskSet } from '../../../../src/aws/ecs/task-set.ts';
import { type JsonObject, nameIn } from '../../../../src/base/index.ts';
import type { World } from '../../../../src/world/index.ts';
import {
  createEcsWorld,
  createWeb,
  describeTargetGroup,
  ecsOf,
  eventTexts,
  type Images,
  pass,
  register,
  serviceState,
  stateOf,
  tasksOf,
  update,
  webRequest,
} from '../../../support/ecs-world.ts';
import { createSession, deployText } from '../../../support/world.ts';

const FARGATE = {
  launchType: 'FARGATE',
  networkConfiguration: { awsvpcConfiguration: { subnets: ['subnet-0aa1'] } },
};

function external(desiredCount: number, images: Images = {}) {
  const world = createEcsWorld(images);
  register(world, 'web:1');
  register(world, 'web:2');
  const { service } = ecsOf(world).createService({
    ...{ serviceName: 'web', desiredCount, deploymentController: { type: 'EXTERNAL' } },
  });
  return { world, service };
}

function codeDeploy() {
  const world = createEcsWorld();
  const containerDefinitions = [
    { name: 'app', image: 'web:1', portMappings: [{ containerPort: 80 }] },
  ];
  register(world, 'web:1', { containerDefinitions });
  describeTargetGroup(world, 'arn:one', { intervalMs: 5_000, healthyThreshold: 2 });
  const loadBalancers = [{ targetGroupArn: 'arn:one', containerName: 'app', containerPort: 80 }];
  const deploymentController = { type: 'CODE_DEPLOY' };
  const service = createWeb(world, { loadBalancers, deploymentController });
  return { world, service };
}

function addSet(world: World, value: number, more: JsonObject = {}): string {
  const scale = { unit: 'PERCENT', value };
  const request = { service: 'web', taskDefinition: 'web:1', ...FARGATE, scale, ...more };
  const { taskSet } = ecsOf(world).api.createTaskSet(request);
  return String((taskSet as JsonObject)['id']);
}

function sets(world: World): readonly JsonObject[] {
  return ecsOf(world).api.describeTaskSets({ service: 'web' })['taskSets'] as JsonObject[];
}

/** `ACTIVE STEADY_STATE web:1 2/2` (running of computed), newest first. */
function pictures(world: World): readonly string[] {
  return sets(world).map((set) => {
    const { status, stabilityStatus, runningCount, computedDesiredCount: desired } = set;
    const definition = nameIn(String(set['taskDefinition']));
    return `${status} ${stabilityStatus} ${definition} ${runningCount}/${desired}`;
  });
}

const shares: readonly [desired: number, percent: number, computed: number][] = [
  [10, 0, 0],
  [10, 5, 1],
  [10, 50, 5],
  [3, 50, 2],
  [3, 100, 3],
  [100, 7, 7], // 100 · 0.07 is more than 7 in floating point
  [0, 100, 0],
];
for (const [desiredCount, scalePercent, computed] of shares) {
  test(`3.14: ${scalePercent} % of ${desiredCount} are ${computed}`, () => {
    const set = { status: 'ACTIVE', taskSet: { scalePercent } } as unknown as TaskSet;
    assert.equal(computedDesiredCount({ desiredCount }, set), computed);
  });
}

test('2.1: an EXTERNAL service has no task set until CreateTaskSet, and runs nothing', () => {
  const { world, service } = external(2);
  pass(world, 60_000);
  assert.deepEqual(pictures(world), []);
  assert.deepEqual(eventTexts(world, service), []);
});

test('8.33: a task set is STABILIZING until its tasks count, then in its STEADY_STATE', () => {
  const { world } = external(3);
  addSet(world, 50);
  assert.deepEqual(pictures(world), ['ACTIVE STABILIZING web:1 0/2']);
  pass(world, 2_999);
  assert.deepEqual(pictures(world), ['ACTIVE STABILIZING web:1 2/2']);
  pass(world, 1);
  assert.deepEqual(pictures(world), ['ACTIVE STEADY_STATE web:1 2/2']);
});

test('what a task set looks like, with a scale of 0 where none is given', () => {
  const { world } = external(2);
  const request = { service: 'web', taskDefinition: 'web:1', ...FARGATE, externalId: 'blue' };
  const { taskSet } = ecsOf(world).api.createTaskSet(request);
  const { id, ...set } = taskSet as JsonObject;
  assert.match(String(id), /^ecs-svc\/\d{19}$/);
  assert.deepEqual(set, {
    taskSetArn: `arn:aws:ecs:us-east-1:000000000000:task-set/default/web/${id}`,
    serviceArn: 'arn:aws:ecs:us-east-1:000000000000:service/default/web',
    clusterArn: 'arn:aws:ecs:us-east-1:000000000000:cluster/default',
    externalId: 'blue',
    status: 'ACTIVE',
    taskDefinition: 'arn:aws:ecs:us-east-1:000000000000:task-definition/web:1',
    ...{ computedDesiredCount: 0, pendingCount: 0, runningCount: 0 },
    createdAt: 946_684_800,
    updatedAt: 946_684_800,
    ...FARGATE,
    ...{ loadBalancers: [], serviceRegistries: [] },
    scale: { value: 0, unit: 'PERCENT' },
    stabilityStatus: 'STABILIZING',
    stabilityStatusAt: 946_684_800,
  });
});

test('3.14: each task set keeps its own share, and follows the desired count', () => {
  const { world, service } = external(4);
  addSet(world, 100);
  addSet(world, 25, { taskDefinition: 'web:2' });
  pass(world, 10_000);
  assert.deepEqual(pictures(world), [
    'ACTIVE STEADY_STATE web:2 1/1',
    'ACTIVE STEADY_STATE web:1 4/4',
  ]);
  update(world, service, { desiredCount: 8 });
  pass(world, 10_000);
  assert.deepEqual(pictures(world), [
    'ACTIVE STEADY_STATE web:2 2/2',
    'ACTIVE STEADY_STATE web:1 8/8',
  ]);
});

test('2.32: an update of an EXTERNAL service scales its task sets, the PRIMARY one among them', () => {
  const { world, service } = external(1);
  const primaryTaskSet = addSet(world, 100);
  ecsOf(world).api.updateServicePrimaryTaskSet({ service, primaryTaskSet });
  pass(world, 10_000);
  const watched = ecsOf(world).updateService({ service, desiredCount: 3 });
  assert.equal(ecsOf(world).rollout(watched).state, 'in-progress');
  pass(world, 10_000);
  assert.equal(ecsOf(world).rollout(watched).state, 'steady');
  assert.deepEqual(pictures(world), ['PRIMARY STEADY_STATE web:1 3/3']);
  assert.equal(serviceState(world, service).request['taskDefinition'], undefined);
});

test('UpdateTaskSet scales, down to nothing too, and the set stays', () => {
  const { world, service } = external(4);
  const taskSet = addSet(world, 100);
  pass(world, 10_000);
  for (const [value, count] of [
    [50, 2],
    [0, 0],
    [75, 3],
  ]) {
    ecsOf(world).api.updateTaskSet({ service, taskSet, scale: { value: value ?? 0 } });
    pass(world, 10_000);
    assert.deepEqual(pictures(world), [`ACTIVE STEADY_STATE web:1 ${count}/${count}`]);
  }
});

test('UpdateServicePrimaryTaskSet makes one PRIMARY, and the other ACTIVE', () => {
  const { world, service } = external(2);
  const blue = addSet(world, 100);
  const green = addSet(world, 100, { taskDefinition: 'web:2' });
  ecsOf(world).api.updateServicePrimaryTaskSet({ service, primaryTaskSet: blue });
  pass(world, 10_000);
  ecsOf(world).api.updateServicePrimaryTaskSet({ service, primaryTaskSet: green });
  pass(world, 10_000);
  assert.deepEqual(pictures(world), [
    'PRIMARY STEADY_STATE web:2 2/2',
    'ACTIVE STEADY_STATE web:1 2/2',
  ]);
});

test('DeleteTaskSet: DRAINING, and gone with its last task; scaled above 0 it takes force', () => {
  const { world, service } = external(2);
  const taskSet = addSet(world, 100);
  pass(world, 10_000);
  assert.throws(() => ecsOf(world).api.deleteTaskSet({ service, taskSet }), /scaled above 0/);
  ecsOf(world).api.deleteTaskSet({ service, taskSet, force: true });
  assert.deepEqual(pictures(world), ['DRAINING STEADY_STATE web:1 2/0']);
  pass(world, 1_000);
  assert.deepEqual(pictures(world), []);
  assert.equal(tasksOf(world, service).length, 0);
});

test('8.34: a task set replaces what fails with the usual backoff, and no breaker ends it', () => {
  const { world, service } = external(1, { 'web:1': { exits: { afterMs: 1_000, code: 1 } } });
  addSet(world, 100);
  pass(world, 120_000);
  const starts = eventTexts(world, service).filter((text) => text.includes('has started'));
  assert.deepEqual(
    starts.map((text) => Number(text.split(' ')[0])),
    [0, 1.5, 3.5, 6.5, 11.5, 20.5, 37.5, 68.5, 99.5],
  );
  assert.deepEqual(pictures(world), ['ACTIVE STABILIZING web:1 0/1']);
  assert(eventTexts(world, service).every((text) => !text.includes('deployment failed')));
});

test('one task set that fails does not hold up another', () => {
  const { world } = external(1, { 'web:2': { pull: ['not-found'] } });
  addSet(world, 100, { taskDefinition: 'web:2' });
  addSet(world, 100);
  pass(world, 30_000);
  assert.deepEqual(pictures(world), [
    'ACTIVE STEADY_STATE web:1 1/1',
    'ACTIVE STABILIZING web:2 0/1',
  ]);
});

test('2.1, 2.6, 8.14: CODE_DEPLOY has one PRIMARY task set, and counts alone say it is steady', () => {
  const { world, service } = codeDeploy();
  const watched = ecsOf(world).currentRollout(service);
  assert(watched !== undefined);
  assert.equal(ecsOf(world).rollout(watched).state, 'in-progress');
  pass(world, 60_000);
  assert.deepEqual(pictures(world), ['PRIMARY STEADY_STATE web:1 1/1']);
  assert.equal(ecsOf(world).rollout(watched).state, 'steady');
  assert.deepEqual(ecsOf(world).describeService(service)?.deployments, []);
  assert.deepEqual(serviceState(world, service).serviceDeployments, []);
});

const network = { awsvpcConfiguration: { subnets: ['subnet-0bb2'] } };
const refusals: readonly [rule: string, request: JsonObject, message: RegExp][] = [
  ['1.56', { taskDefinition: 'web:2' }, /^Unable to update task definition on services with a/],
  ['1.57', { networkConfiguration: network }, /^Unable to update network parameters on services/],
  ['1.58', { forceNewDeployment: true }, /^Cannot force a new deployment on services with a/],
];
for (const [rule, request, message] of refusals) {
  test(`${rule}: CODE_DEPLOY refuses ${Object.keys(request)}`, () => {
    const { world, service } = codeDeploy();
    register(world, 'web:2');
    assert.throws(() => update(world, service, request), { message });
    assert.equal(sets(world).length, 1);
  });
}

test('2.31: CODE_DEPLOY scales, and takes what it has already', () => {
  const { world, service } = codeDeploy();
  const { taskDefinition, networkConfiguration } = webRequest();
  const same = { taskDefinition: `${taskDefinition}:1`, networkConfiguration };
  update(world, service, { desiredCount: 2, ...(same as JsonObject) });
  pass(world, 60_000);
  assert.deepEqual(pictures(world), ['PRIMARY STEADY_STATE web:1 2/2']);
});

test('5.24: an unhealthy target of a task set is told in a form of its own', () => {
  const world = createEcsWorld({ 'web:1': { listens: { port: 81, afterMs: 0 } } });
  const containerDefinitions = [
    { name: 'app', image: 'web:1', portMappings: [{ containerPort: 80 }] },
  ];
  register(world, 'web:1', { containerDefinitions });
  describeTargetGroup(world, 'arn:one', { intervalMs: 5_000, unhealthyThreshold: 2 });
  const { service } = ecsOf(world).createService({
    ...{ serviceName: 'web', desiredCount: 1, deploymentController: { type: 'EXTERNAL' } },
  });
  const loadBalancers = [{ targetGroupArn: 'arn:one', containerName: 'app', containerPort: 80 }];
  addSet(world, 100, { loadBalancers });
  pass(world, 60_000);
  const said = eventTexts(world, service).find((text) => text.includes('is unhealthy in'));
  assert.match(said ?? 'nothing', /\(service web, taskSet ecs-svc\/#\) \(task\) \(port 80\) is /);
});

test('operations on task sets refuse what is not there, and other controllers', () => {
  const { world, service } = external(1);
  const ecs = ecsOf(world);
  const unknown = { code: 'TaskSetNotFoundException' };
  assert.throws(() => ecs.api.updateTaskSet({ service, taskSet: 'ecs-svc/1', scale: {} }), unknown);
  assert.throws(() => ecs.api.deleteTaskSet({ service, taskSet: 'ecs-svc/1' }), unknown);
  assert.throws(() => ecs.api.createTaskSet({ service: 'nobody' }), {
    code: 'ServiceNotFoundException',
  });
  assert.throws(() => addSet(world, 101), /between 0 and 100/);
  assert.deepEqual(ecs.api.describeTaskSets({ service, taskSets: ['ecs-svc/1'] }), {
    taskSets: [],
    failures: [{ arn: 'ecs-svc/1', reason: 'MISSING' }],
  });
  const other = createEcsWorld();
  register(other, 'web:1');
  createWeb(other);
  assert.throws(() => addSet(other, 100), { code: 'InvalidParameterException' });
});

test('the same client token answers the same task set', () => {
  const { world } = external(1);
  const one = addSet(world, 100, { clientToken: 'a' });
  assert.equal(addSet(world, 100, { clientToken: 'a' }), one);
  assert.notEqual(addSet(world, 100, { clientToken: 'b' }), one);
});

test('the delete of a service takes its task sets along', () => {
  const { world, service } = external(2);
  addSet(world, 100);
  pass(world, 10_000);
  ecsOf(world).deleteService({ service, force: true });
  pass(world, 10_000);
  assert.equal(ecsOf(world).isGone(service), true);
  assert.equal(Object.keys(stateOf(world).tasks).length, 0);
});

test('the state of task sets is plain data, and a copy goes on as the original does', () => {
  const { world } = external(3, { 'web:1': { exits: { afterMs: 7_000, code: 1 } } });
  addSet(world, 50);
  pass(world, 20_000);
  assert.deepEqual(JSON.parse(JSON.stringify(stateOf(world))), stateOf(world));
  const copy = structuredClone(world);
  for (const one of [world, copy]) pass(one, 60_000);
  assert.equal(JSON.stringify(copy), JSON.stringify(world));
});

const TEMPLATE = `
Resources:
  Task:
    Type: AWS::ECS::TaskDefinition
    Properties:
      RequiresCompatibilities: [FARGATE]
      NetworkMode: awsvpc
      Cpu: '256'
      Memory: '512'
      ContainerDefinitions: [{ Name: app, Image: 'web:1' }]
  Web:
    Type: AWS::ECS::Service
    Properties: { DeploymentController: { Type: EXTERNAL } }
  Blue:
    Type: AWS::ECS::TaskSet
    Properties:
      Cluster: default
      Service: !Ref Web
      TaskDefinition: !Ref Task
      LaunchType: FARGATE
      Scale: { Unit: PERCENT, Value: 100 }
      NetworkConfiguration: { AwsVpcConfiguration: { Subnets: [subnet-0aa1] } }
`;

test('tasks of a task set that fail stand in the diagnosis, and in the service of the result', async () => {
  const scenario = `images: { 'web:1': { exits: { after: 2s, code: 9 }, output: 'no database' } }`;
  const { result, findings } = await deployText(createSession(), TEMPLATE, { scenario });
  const [finding] = findings;
  assert.deepEqual([finding?.code, finding?.logicalId], ['SERVICE-NOT-STABLE', 'Blue']);
  const evidence = finding?.evidence.map(({ text }) => text).join('\n') ?? '';
  assert.match(evidence, /app: exit code 9/);
  assert.match(evidence, /no database/);
  assert(result.services.some(({ tasks }) => tasks.some(({ stopCode }) => stopCode !== null)));
});
