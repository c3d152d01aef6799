import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ecsContext } from '../../src/app/parts.ts';
import { createEcs } from '../../src/aws/ecs/index.ts';
import { type JsonObject, present, type ServiceArn } from '../../src/base/index.ts';
import { serviceEvents } from '../../src/events/index.ts';
import { toApi } from '../../src/providers/index.ts';
import { parseTemplate } from '../../src/template/index.ts';
import { ROOT } from '../support/root.ts';
import { passTime } from '../support/story.ts';
import { createSession, deployText, KEY } from '../support/world.ts';

const read = (name: string) => readFileSync(join(ROOT, 'templates', name), 'utf8');

/** Deploys the one sample, then rolls its service to the other's task definition through the API. */
async function rollOut(deploymentConfiguration: JsonObject) {
  const session = createSession();
  const { world } = session;
  await deployText(session, read('host-port-rollout-before.yml'));
  const ecs = createEcs(ecsContext(world, KEY));
  const service = present(ecs.listServices()[0], 'the sample has a service');
  const { family } = present(ecs.listTaskDefinitions()[0], 'it runs a task definition');
  const after = ecs.registerTaskDefinition({ ...afterDefinition(), family });
  ecs.updateService({ service, taskDefinition: after.arn, deploymentConfiguration });
  await passTime(world, 3_600_000);
  const { deployments } = present(ecs.describeService(service), 'the service is there');
  const standing = deployments.map(({ status, rolloutState, runningCount }) => [
    status,
    rolloutState,
    runningCount,
  ]);
  return { standing, messages: messagesOf(world.record, service) };
}

function afterDefinition(): JsonObject {
  const { body } = parseTemplate(read('host-port-rollout-after.yml'), 'after.yml');
  const resources = body['Resources'] as { [logicalId: string]: { Properties: JsonObject } };
  return toApi(present(resources['TaskDefinition'], 'the sample defines a task').Properties);
}

function messagesOf(record: Parameters<typeof serviceEvents>[0], service: ServiceArn): string {
  return serviceEvents(record, service)
    .map(({ event }) => event.message)
    .join('\n');
}

test('5.29: the samples of a fixed host port never roll over at 200 and 100 percent', async () => {
  const { standing, messages } = await rollOut({});
  assert.deepEqual(standing, [
    ['PRIMARY', 'IN_PROGRESS', 0],
    ['ACTIVE', 'COMPLETED', 1],
  ]);
  assert.match(messages, /was unable to place a task\. Reason: .* port is already allocated\./);
});

test('10.22: at 100 and 0 percent the port is given up first, and they do', async () => {
  const { standing } = await rollOut({ maximumPercent: 100, minimumHealthyPercent: 0 });
  assert.deepEqual(standing, [['PRIMARY', 'COMPLETED', 1]]);
});
