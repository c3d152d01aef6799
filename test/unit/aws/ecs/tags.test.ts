import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../../src/base/index.ts';
import {
  apiOf,
  createEcsWorld,
  createWeb,
  pass,
  refusal,
  register,
  stateOf,
} from '../../../support/ecs-world.ts';

const ARN = 'arn:aws:ecs:us-east-1:000000000000';
const A = { key: 'a', value: '1' };
const B = { key: 'b', value: '2' };

/** One of everything that carries tags, with the ARN of each. */
function everything() {
  const world = createEcsWorld();
  const api = apiOf(world);
  const autoScalingGroupProvider = { autoScalingGroupArn: 'group' };
  api.createCapacityProvider({ name: 'big', autoScalingGroupProvider, tags: [A] });
  api.createCluster({ clusterName: 'default', tags: [A] });
  const definition = register(world, 'web:1', { tags: [A] });
  const service = createWeb(world, { tags: [A], propagateTags: 'SERVICE' });
  pass(world, 60_000);
  const [task = ''] = api.listTasks({})['taskArns'] as string[];
  const cluster = `${ARN}:cluster/default`;
  const provider = `${ARN}:capacity-provider/big`;
  return { world, api, arns: { cluster, provider, definition, service, task } };
}

for (const kind of ['cluster', 'provider', 'definition', 'service', 'task'] as const) {
  test(`a ${kind} takes tags, gives them and loses them`, () => {
    const { api, arns } = everything();
    const resourceArn = arns[kind];
    const tags = () => api.listTagsForResource({ resourceArn })['tags'];
    assert.deepEqual(tags(), [A]);
    api.tagResource({ resourceArn, tags: [B] });
    assert.deepEqual(tags(), [A, B]);
    api.tagResource({ resourceArn, tags: [{ key: 'a', value: '3' }] });
    assert.deepEqual(tags(), [B, { key: 'a', value: '3' }]);
    api.untagResource({ resourceArn, tagKeys: ['b', 'none'] });
    assert.deepEqual(tags(), [{ key: 'a', value: '3' }]);
  });
}

const unknown = [
  [`${ARN}:cluster/none`, 'ClusterNotFoundException'],
  [`${ARN}:service/default/none`, 'ServiceNotFoundException'],
  [`${ARN}:task/default/none`, 'ResourceNotFoundException'],
  [`${ARN}:task-definition/none:1`, 'ResourceNotFoundException'],
  ['web', 'InvalidParameterException'],
] as const;

for (const [resourceArn, code] of unknown) {
  test(`tags of ${resourceArn}: ${code}`, () => {
    const said = refusal(() => everything().api.listTagsForResource({ resourceArn }));
    assert.equal(said.split(':')[0], code);
  });
}

const many = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ key: `k${n}`, value: '' }));
const limits: readonly {
  readonly what: string;
  readonly tags: JsonObject[];
  readonly says: string;
}[] = [
  { what: '50 tags', tags: many(50), says: 'ok' },
  { what: '51 tags', tags: many(51), says: 'A resource can have at most 50 tags.' },
  { what: 'a long key', tags: [{ key: 'k'.repeat(128), value: '' }], says: 'ok' },
  { what: 'a longer key', tags: [{ key: 'k'.repeat(129), value: '' }], says: 'Tag keys must have' },
  { what: 'no key', tags: [{ key: '', value: '' }], says: 'Tag keys must have' },
  { what: 'a long value', tags: [{ key: 'k', value: 'v'.repeat(256) }], says: 'ok' },
  { what: 'a longer value', tags: [{ key: 'k', value: 'v'.repeat(257) }], says: 'Tag values must' },
  { what: "AWS's own", tags: [{ key: 'AWS:x', value: '' }], says: 'Tag keys must not begin with' },
];

for (const { what, tags, says } of limits) {
  test(`9.5: ${what}: ${says}`, () => {
    const said = refusal(() => apiOf(createEcsWorld()).createCluster({ tags }));
    assert(said.includes(says), said);
  });
}

test('9.5: TagResource counts what there is already', () => {
  const { api, arns } = everything();
  const said = refusal(() => api.tagResource({ resourceArn: arns.cluster, tags: many(50) }));
  assert.match(said, /at most 50 tags/);
});

const MANAGED = [
  { key: 'aws:ecs:clusterName', value: 'default' },
  { key: 'aws:ecs:serviceName', value: 'web' },
];
const propagations: readonly { readonly more: JsonObject; readonly then: readonly JsonObject[] }[] =
  [
    { more: {}, then: [] },
    { more: { propagateTags: 'SERVICE' }, then: [B] },
    { more: { propagateTags: 'TASK_DEFINITION' }, then: [A] },
    { more: { propagateTags: 'NONE', enableECSManagedTags: true }, then: MANAGED },
    { more: { propagateTags: 'SERVICE', enableECSManagedTags: true }, then: [B, ...MANAGED] },
  ];

for (const { more, then } of propagations) {
  test(`tasks of a service with ${JSON.stringify(more)} carry ${JSON.stringify(then)}`, () => {
    const world = createEcsWorld();
    register(world, 'web:1', { tags: [A] });
    createWeb(world, { tags: [B], ...more });
    pass(world, 0);
    const [task] = Object.values(stateOf(world).tasks);
    assert.deepEqual(task?.tags ?? [], then);
  });
}

test('a standalone task carries its own tags, those of its definition if asked, and the cluster', () => {
  const world = createEcsWorld();
  const api = apiOf(world);
  api.createCluster({});
  register(world, 'job:1', { family: 'job', tags: [A] });
  const { tasks } = api.runTask({
    ...{ taskDefinition: 'job', launchType: 'FARGATE', tags: [B] },
    networkConfiguration: { awsvpcConfiguration: { subnets: ['subnet-0aa1'] } },
    ...{ propagateTags: 'TASK_DEFINITION', enableECSManagedTags: true },
  });
  assert.deepEqual((tasks as JsonObject[])[0]?.['tags'], [A, B, MANAGED[0]]);
});
