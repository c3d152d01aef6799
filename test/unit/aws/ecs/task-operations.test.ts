import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOCAL_RULES } from '../../../../src/aws/ecs/index.ts';
import { orderFor } from '../../../../src/aws/ecs/task-order.ts';
import { HOUR_MS, type JsonObject, present } from '../../../../src/base/index.ts';
import {
  apiOf,
  contextOf,
  createEcsWorld,
  createWeb,
  type Images,
  pass,
  refusal,
  register,
  stateOf,
} from '../../../support/ecs-world.ts';

const NETWORK = { awsvpcConfiguration: { subnets: ['subnet-0aa1'] } };
const RUN = { taskDefinition: 'job', launchType: 'FARGATE', networkConfiguration: NETWORK };

/** A cluster `default` and a Fargate task definition `job`. */
function withJob(images: Images = {}, more: JsonObject = {}) {
  const world = createEcsWorld(images);
  const api = apiOf(world);
  api.createCluster({});
  register(world, 'job:1', { family: 'job', ...more });
  return { world, api };
}

function tasksIn(answer: JsonObject): JsonObject[] {
  assert(Array.isArray(answer['tasks']));
  return answer['tasks'] as JsonObject[];
}

function ran(api: ReturnType<typeof apiOf>, more: JsonObject = {}): string {
  const [task] = tasksIn(api.runTask({ ...RUN, ...more }));
  return String(task?.['taskArn']);
}

function described(api: ReturnType<typeof apiOf>, task: string, ...include: string[]): JsonObject {
  return present(tasksIn(api.describeTasks({ tasks: [task], include }))[0], 'it is there');
}

test('RunTask answers tasks on their way, in the group of their family', () => {
  const { api } = withJob();
  const { tasks, failures } = api.runTask({ ...RUN, count: 2, startedBy: 'me' });
  assert.deepEqual(failures, []);
  assert.equal((tasks as JsonObject[]).length, 2);
  const { lastStatus, desiredStatus, group, startedBy, launchType, containers } =
    (tasks as JsonObject[])[0] ?? {};
  assert.deepEqual(
    [lastStatus, desiredStatus, group, startedBy, launchType],
    ['PENDING', 'RUNNING', 'family:job', 'me', 'FARGATE'],
  );
  assert.match(JSON.stringify(containers), /"name":"app".*"lastStatus":"PENDING"/);
});

test('6.6: a standalone task runs, and its time of creation and start are told', () => {
  const { world, api } = withJob();
  const task = ran(api);
  pass(world, 60_000);
  const { lastStatus, createdAt, startedAt, stoppedAt, healthStatus } = described(api, task);
  assert.deepEqual([lastStatus, createdAt, stoppedAt], ['RUNNING', 946_684_800, undefined]);
  assert(Number(startedAt) >= 946_684_800);
  assert.equal(healthStatus, 'UNKNOWN'); // 6.33
});

test('6.7, 6.16: a job that exits with 0 is STOPPED, told once, and nobody starts it again', () => {
  const { world, api } = withJob({ 'job:1': { exits: { afterMs: 5_000, code: 0 } } });
  const task = ran(api);
  pass(world, 120_000);
  const { lastStatus, desiredStatus, stopCode, stoppedReason, containers } = described(api, task);
  assert.deepEqual(
    [lastStatus, desiredStatus, stopCode, stoppedReason],
    ['STOPPED', 'STOPPED', 'EssentialContainerExited', 'Essential container in task exited'],
  );
  const [container] = containers as JsonObject[];
  assert.deepEqual([container?.['exitCode'], container?.['reason']], [0, undefined]); // 6.15
  assert.deepEqual(api.listTasks({})['taskArns'], []);
  assert.deepEqual(api.listTasks({ desiredStatus: 'STOPPED' })['taskArns'], [task]);
  const stops = world.record.entries.filter(({ type }) => type === 'ecs-task-stopped');
  assert.equal(stops.length, 1);
});

test('6.50: a job whose image is not there never starts, and its first container says why', () => {
  const { world, api } = withJob({ 'job:1': { pull: ['not-found'] } });
  const task = ran(api);
  pass(world, 60_000);
  const { stopCode, stoppedReason, startedAt, containers } = described(api, task);
  assert.deepEqual([stopCode, startedAt], ['TaskFailedToStart', undefined]);
  assert.match(String(stoppedReason), /^CannotPullContainerError: /);
  assert.equal((containers as JsonObject[])[0]?.['reason'], stoppedReason);
});

test('6.5: a stopped task can be described for an hour', () => {
  const { world, api } = withJob({ 'job:1': { exits: { afterMs: 0, code: 1 } } });
  const task = ran(api);
  pass(world, 60_000);
  pass(world, HOUR_MS - 120_000);
  assert.equal(described(api, task)['lastStatus'], 'STOPPED');
  pass(world, 120_000);
  const { tasks, failures } = api.describeTasks({ tasks: [task] });
  assert.deepEqual([tasks, failures], [[], [{ arn: task, reason: 'MISSING' }]]);
  ran(api);
  pass(world, 60_000);
  assert.equal(Object.keys(stateOf(world).stoppedTasks).length, 1, 'the old one is forgotten');
});

test('6.52: StopTask answers the task, which stops with the reason that was passed', () => {
  const { world, api } = withJob();
  const task = ran(api);
  pass(world, 60_000);
  const asked = api.stopTask({ task, reason: 'enough' })['task'] as JsonObject;
  assert.deepEqual(
    [asked['lastStatus'], asked['desiredStatus'], asked['stopCode'], asked['stoppedReason']],
    ['RUNNING', 'STOPPED', 'UserInitiated', 'enough'],
  );
  pass(world, 120_000);
  const { lastStatus, stoppedReason, stoppingAt } = described(api, task);
  assert.deepEqual([lastStatus, stoppedReason], ['STOPPED', 'enough']);
  assert.equal(typeof stoppingAt, 'number');
  assert.equal((api.stopTask({ task })['task'] as JsonObject)['lastStatus'], 'STOPPED');
});

test('StopTask before the task was passed on to the runtime', () => {
  const { world, api } = withJob();
  const task = ran(api);
  api.stopTask({ task });
  pass(world, 60_000);
  const { lastStatus, stopCode } = described(api, task);
  assert.deepEqual([lastStatus, stopCode], ['STOPPED', 'UserInitiated']);
});

test('6.35: a failing health check leaves a standalone task alone', () => {
  const healthCheck = { command: ['CMD', 'true'], interval: 5, retries: 1 };
  const { world, api } = withJob(
    { 'job:1': { healthcheck: 'fail' } },
    { containerDefinitions: [{ name: 'app', image: 'job:1', healthCheck }] },
  );
  const task = ran(api);
  pass(world, 300_000);
  const { lastStatus, desiredStatus } = described(api, task);
  assert.deepEqual([lastStatus, desiredStatus], ['RUNNING', 'RUNNING']);
  assert.equal(described(api, task)['healthStatus'], 'UNHEALTHY'); // 6.34
});

const REFUSED: readonly { readonly more: JsonObject; readonly says: RegExp }[] = [
  {
    more: { count: 11 },
    says: /^InvalidParameterException: Tasks count should be between 1 and 10/,
  },
  { more: { count: 0 }, says: /^InvalidParameterException: Tasks count/ },
  { more: { taskDefinition: 'none' }, says: /^ClientException: TaskDefinition not found\.$/ }, // 1.76
  {
    more: { taskDefinition: 'job:1' },
    says: /^InvalidParameterException: TaskDefinition is inactive$/,
  },
  {
    more: { networkConfiguration: null }, // 1.27
    says: /^InvalidParameterException: Network Configuration must be provided/,
  },
  {
    more: { capacityProviderStrategy: [{ capacityProvider: 'FARGATE', weight: 1 }] }, // 1.30
    says: /^InvalidParameterException: Specifying both a launch type and capacity provider/,
  },
  {
    more: { overrides: { containerOverrides: [{ name: 'other' }] } },
    says: /Override for container named other is not a container in the TaskDefinition\.$/,
  },
  { more: { tags: [{ key: 'aws:x', value: '1' }] }, says: /^InvalidParameterException: Tag keys/ },
];

for (const { more, says } of REFUSED) {
  test(`RunTask with ${JSON.stringify(more)}: ${String(says)}`, () => {
    const { world, api } = withJob();
    register(world, 'job:2', { family: 'job' });
    api.deregisterTaskDefinition({ taskDefinition: 'job:1' });
    assert.match(
      refusal(() => api.runTask({ ...RUN, ...more })),
      says,
    );
    assert.deepEqual(api.listTasks({})['taskArns'], []);
  });
}

test('RunTask spreads over a strategy, and says which provider each task is on', () => {
  const { api } = withJob();
  const { launchType: _, ...request } = RUN;
  const capacityProviderStrategy = [
    { capacityProvider: 'FARGATE', weight: 1, base: 1 },
    { capacityProvider: 'FARGATE_SPOT', weight: 1 },
  ];
  const tasks = tasksIn(api.runTask({ ...request, capacityProviderStrategy, count: 3 }));
  assert.deepEqual(
    tasks.map(({ capacityProviderName, launchType }) => [capacityProviderName, launchType]),
    [
      ['FARGATE', 'FARGATE'],
      ['FARGATE', 'FARGATE'],
      ['FARGATE_SPOT', 'FARGATE'],
    ],
  );
});

test('RunTask with the client token of an earlier one answers what that made', () => {
  const { api } = withJob();
  const task = ran(api, { clientToken: 'once' });
  assert.equal(ran(api, { clientToken: 'once' }), task);
  assert.notEqual(ran(api, { clientToken: 'again' }), task);
});

test('overrides change the command, environment and sizes of a container', () => {
  const environment = [
    { name: 'A', value: '1' },
    { name: 'B', value: '1' },
  ];
  const { world, api } = withJob(
    {},
    { containerDefinitions: [{ name: 'app', image: 'job:1', command: ['serve'], environment }] },
  );
  const override = {
    ...{ name: 'app', command: ['migrate'], environment: [{ name: 'B', value: '2' }] },
    ...{ cpu: 128, memory: 256 },
  };
  ran(api, { overrides: { containerOverrides: [override], memory: '1024' } });
  const { state } = contextOf(world);
  const order = orderFor(state, present(Object.values(state.tasks)[0], 'it is there'), LOCAL_RULES);
  const [app] = order.containers;
  assert.deepEqual(
    [app?.command, app?.environment, app?.cpuUnits, app?.memoryMebibytes],
    [
      ['migrate'],
      [
        { name: 'A', value: '1' },
        { name: 'B', value: '2' },
      ],
      128,
      256,
    ],
  );
  assert.deepEqual([order.memoryMebibytes, order.cpuUnits], [1_024, 256]);
});

test('6.63: StartTask on a container instance that nobody knows is a failure', () => {
  const { api } = withJob({}, { networkMode: 'bridge', requiresCompatibilities: ['EC2'] });
  const { tasks, failures } = api.startTask({ taskDefinition: 'job', containerInstances: ['i1'] });
  assert.deepEqual([tasks, failures], [[], [{ arn: 'i1', reason: 'MISSING' }]]);
});

test('2.3, 6.3: the tasks of a service are in its group, and found by service and family', () => {
  const { world, api } = withJob();
  register(world, 'web:1');
  createWeb(world, { desiredCount: 2 });
  const job = ran(api);
  pass(world, 60_000);
  const arns = (request: JsonObject) => api.listTasks(request)['taskArns'] as string[];
  assert.equal(arns({}).length, 3);
  assert.deepEqual(arns({ family: 'job' }), [job]);
  const [web = ''] = arns({ serviceName: 'web', launchType: 'FARGATE' });
  assert.equal(arns({ serviceName: 'web' }).length, 2);
  assert.deepEqual(arns({ launchType: 'EC2' }), []);
  assert.equal(described(api, web)['group'], 'service:web');
  assert.match(String(described(api, web)['startedBy']), /^ecs-svc\/\d+$/);
  const said = refusal(() => api.listTasks({ serviceName: 'none' }));
  assert.equal(said, 'ServiceNotFoundException: Service not found.');
});

test('1.8: an unknown task is listed under failures; stopping it is refused', () => {
  const { api } = withJob();
  const arn = 'arn:aws:ecs:us-east-1:000000000000:task/default/none';
  assert.deepEqual(api.describeTasks({ tasks: ['none'] }), {
    ...{ tasks: [], failures: [{ arn, reason: 'MISSING' }] },
  });
  const said = 'InvalidParameterException: The referenced task was not found.';
  assert.equal(
    refusal(() => api.stopTask({ task: 'none' })),
    said,
  );
});
