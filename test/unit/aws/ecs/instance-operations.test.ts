import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registerInstances } from '../../../../src/aws/ecs/index.ts';
import { type JsonObject, present } from '../../../../src/base/index.ts';
import { contextOf, createEcsWorld, ecsOf, pass } from '../../../support/ecs-world.ts';

function withInstances(count: number) {
  const world = createEcsWorld();
  const { api } = ecsOf(world);
  api.createCluster({ clusterName: 'main' });
  const one = { cpuUnits: 1_024, memoryMebibytes: 900, attributes: { rack: 'a' } };
  registerInstances(
    contextOf(world),
    'main',
    Array.from({ length: count }, () => one),
  );
  const { containerInstanceArns } = api.listContainerInstances({ cluster: 'main' });
  return { world, api, arns: containerInstanceArns as string[] };
}

function resource(instance: JsonObject, of: string, name: string): unknown {
  const found = (instance[of] as JsonObject[]).find((one) => one['name'] === name);
  return found?.['integerValue'] ?? found?.['stringSetValue'];
}

test('an instance is described with what it has, what is left and what runs on it', () => {
  const { world, api, arns } = withInstances(1);
  api.registerTaskDefinition({
    family: 'web',
    containerDefinitions: [
      {
        ...{ name: 'app', image: 'web:1', cpu: 256, memory: 300 },
        portMappings: [{ containerPort: 80, hostPort: 8080 }],
      },
    ],
  });
  api.runTask({ cluster: 'main', taskDefinition: 'web', count: 2 });
  pass(world, 0);
  const { containerInstances } = api.describeContainerInstances({
    ...{ cluster: 'main', containerInstances: arns },
  });
  const instance = present((containerInstances as JsonObject[])[0], 'it is described');
  assert.equal(resource(instance, 'registeredResources', 'CPU'), 1_024);
  assert.equal(resource(instance, 'remainingResources', 'CPU'), 768);
  assert.equal(resource(instance, 'remainingResources', 'MEMORY'), 600);
  assert.deepEqual([instance['status'], instance['agentConnected']], ['ACTIVE', true]);
  // 14a: of the two tasks one finds its host port taken, which under `local` is a failed start.
  assert.deepEqual([instance['runningTasksCount'], instance['pendingTasksCount']], [1, 0]);
  assert((instance['attributes'] as JsonObject[]).some(({ name }) => name === 'rack'));
});

test('1.8: an instance that is not known is listed as MISSING', () => {
  const { api } = withInstances(1);
  const answer = api.describeContainerInstances({ cluster: 'main', containerInstances: ['nope'] });
  assert.deepEqual(answer, {
    containerInstances: [],
    failures: [{ arn: 'nope', reason: 'MISSING' }],
  });
});

test('a cluster counts its instances', () => {
  const { api, arns } = withInstances(3);
  assert.equal(arns.length, 3);
  const { clusters } = api.describeClusters({ clusters: ['main'] });
  assert.equal((clusters as JsonObject[])[0]?.['registeredContainerInstancesCount'], 3);
  assert.deepEqual(api.listContainerInstances({ cluster: 'main', status: 'DRAINING' }), {
    containerInstanceArns: [],
  });
});
