import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../../src/base/index.ts';
import { apiOf, createEcsWorld, createWeb, refusal, register } from '../../../support/ecs-world.ts';

const ARN = 'arn:aws:ecs:us-east-1:000000000000:task-definition';

function withRevisions(...families: string[]) {
  const world = createEcsWorld();
  for (const family of families) register(world, `${family}:1`, { family });
  return { world, api: apiOf(world) };
}

function described(api: ReturnType<typeof apiOf>, taskDefinition: string): JsonObject {
  return api.describeTaskDefinition({ taskDefinition })['taskDefinition'] as JsonObject;
}

for (const name of ['web', 'web:2', `${ARN}/web:2`]) {
  test(`DescribeTaskDefinition ${name}: the newest revision of web`, () => {
    const { api } = withRevisions('web', 'web');
    const { taskDefinitionArn, revision, status } = described(api, name);
    assert.deepEqual([taskDefinitionArn, revision, status], [`${ARN}/web:2`, 2, 'ACTIVE']);
  });
}

test('DescribeTaskDefinition answers what was registered, with what counts by default', () => {
  const { api } = withRevisions();
  const { taskDefinition, tags } = api.registerTaskDefinition({
    ...{ family: 'web', requiresCompatibilities: ['FARGATE'], networkMode: 'awsvpc' },
    ...{ cpu: '256', memory: '512', tags: [{ key: 'a', value: '1' }] },
    containerDefinitions: [{ name: 'app', image: 'web:1', portMappings: [{ containerPort: 80 }] }],
  });
  assert.deepEqual(taskDefinition, {
    ...{ taskDefinitionArn: `${ARN}/web:1`, family: 'web', revision: 1, status: 'ACTIVE' },
    ...{ requiresCompatibilities: ['FARGATE'], networkMode: 'awsvpc', cpu: '256', memory: '512' },
    containerDefinitions: [
      {
        ...{ cpu: 0, essential: true, environment: [], mountPoints: [], volumesFrom: [] },
        ...{ name: 'app', image: 'web:1' },
        portMappings: [{ protocol: 'tcp', containerPort: 80 }],
      },
    ],
    ...{ volumes: [], placementConstraints: [], compatibilities: ['EC2', 'FARGATE'] },
    registeredAt: 946_684_800,
  });
  assert.deepEqual(tags, [{ key: 'a', value: '1' }]);
  const include = ['TAGS'];
  assert.deepEqual(api.describeTaskDefinition({ taskDefinition: 'web', include })['tags'], tags);
  assert.deepEqual(api.describeTaskDefinition({ taskDefinition: 'web' })['tags'], []);
});

test('a family without an ACTIVE revision, or of nobody, cannot be described by its name', () => {
  const { api } = withRevisions('web');
  const said = 'ClientException: Unable to describe task definition.';
  assert.equal(
    refusal(() => described(api, 'none')),
    said,
  );
  assert.equal(
    refusal(() => described(api, 'web:2')),
    said,
  );
  api.deregisterTaskDefinition({ taskDefinition: 'web:1' });
  assert.equal(
    refusal(() => described(api, 'web')),
    said,
  );
  assert.equal(described(api, 'web:1')['status'], 'INACTIVE');
});

const lists: readonly { readonly ask: JsonObject; readonly then: string }[] = [
  { ask: {}, then: 'job:1 web:2 web:10 web-admin:1' },
  { ask: { sort: 'DESC' }, then: 'web-admin:1 web:10 web:2 job:1' },
  { ask: { familyPrefix: 'web' }, then: 'web:2 web:10' },
  { ask: { status: 'INACTIVE' }, then: 'web:1' },
  { ask: { maxResults: 2 }, then: 'job:1 web:2 …2' },
  { ask: { maxResults: 2, nextToken: '2' }, then: 'web:10 web-admin:1' },
];

for (const { ask, then } of lists) {
  test(`ListTaskDefinitions ${JSON.stringify(ask)}: ${then}`, () => {
    const { api } = withRevisions('web-admin', 'job', ...Array<string>(10).fill('web'));
    api.deregisterTaskDefinition({ taskDefinition: 'web:1' });
    for (const revision of [3, 4, 5, 6, 7, 8, 9]) {
      const taskDefinition = `web:${revision}`;
      api.deregisterTaskDefinition({ taskDefinition });
      api.deleteTaskDefinitions({ taskDefinitions: [taskDefinition] });
    }
    const { taskDefinitionArns, nextToken } = api.listTaskDefinitions(ask);
    const names = (taskDefinitionArns as string[]).map((arn) => arn.split('/')[1]);
    const more = typeof nextToken === 'string' ? [`…${nextToken}`] : [];
    assert.equal([...names, ...more].join(' '), then);
  });
}

test('ListTaskDefinitionFamilies: ACTIVE with an ACTIVE revision, INACTIVE without', () => {
  const { api } = withRevisions('web', 'web', 'job');
  api.deregisterTaskDefinition({ taskDefinition: 'web:2' });
  api.deregisterTaskDefinition({ taskDefinition: 'job:1' });
  const families = (ask: JsonObject) => api.listTaskDefinitionFamilies(ask)['families'];
  assert.deepEqual(families({}), ['job', 'web']);
  assert.deepEqual(families({ status: 'ACTIVE' }), ['web']);
  assert.deepEqual(families({ status: 'INACTIVE' }), ['job']);
  assert.deepEqual(families({ familyPrefix: 'w' }), ['web']);
});

test('DeregisterTaskDefinition needs the revision', () => {
  const { api } = withRevisions('web');
  const said = refusal(() => api.deregisterTaskDefinition({ taskDefinition: 'web' }));
  assert.match(said, /^InvalidParameterException: /);
});

test('DeleteTaskDefinitions takes those that are INACTIVE, and lists the others as failures', () => {
  const { world, api } = withRevisions('web', 'web');
  api.deregisterTaskDefinition({ taskDefinition: 'web:1' });
  const { taskDefinitions, failures } = api.deleteTaskDefinitions({
    taskDefinitions: ['web:1', 'web:2', 'web:3'],
  });
  assert.match(JSON.stringify(taskDefinitions), /web:1.*DELETE_IN_PROGRESS/);
  assert.deepEqual(
    (failures as JsonObject[]).map(({ arn }) => arn),
    [`${ARN}/web:2`, 'web:3'],
  );
  const said = refusal(() => createWeb(world, { taskDefinition: 'web:1' }));
  assert.equal(said, 'ClientException: TaskDefinition is inactive'); // 1.75
});
