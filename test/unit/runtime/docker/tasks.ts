import type { ContainerDefinition, TaskOrder } from '../../../../src/aws/ecs/index.ts';
import type { ServiceArn, TaskDefinitionArn, TaskId } from '../../../../src/base/index.ts';
import type { DockerTask, TaskOwner } from '../../../../src/runtime/docker/index.ts';

export const TASK = '0123456789abcdef0123456789abcdef' as TaskId;
export const SERVICE = 'arn:aws:ecs:us-east-1:000000000000:service/shop/web' as ServiceArn;
export const OWNER: TaskOwner = { stackName: 'demo', publish: '127.0.0.1', images: {} };

/** A check as it is where a task definition says no more than its command. */
export const CHECK = {
  ...{ command: ['CMD', 'true'], intervalMs: 30_000, timeoutMs: 5_000, retries: 3 },
  startPeriodMs: 0,
};

/** A container that asks for nothing. */
export function container(
  name: string,
  more: Partial<ContainerDefinition> = {},
): ContainerDefinition {
  return {
    ...{ name, image: `${name}:1`, essential: true, entryPoint: [], command: [] },
    ...{ environment: [], secrets: [], portMappings: [], dependsOn: [] },
    ...{ unread: [] },
    ...more,
  };
}

/** A task with an interface of its own and one container. */
export function orderOf(more: Partial<TaskOrder> = {}): TaskOrder {
  return {
    ...{ task: TASK, service: SERVICE, deployment: null, cluster: 'shop', unread: [] },
    taskDefinition: 'arn:aws:ecs:us-east-1:000000000000:task-definition/web:2' as TaskDefinitionArn,
    ...{ networkMode: 'awsvpc', sharesHostPorts: false, platform: 'linux/amd64', host: 'shop' },
    times: { provisioningMs: 0, activatingMs: 0, deprovisioningMs: 0 },
    containers: [container('app')],
    ...more,
  };
}

/** A task that was ordered and that nothing was done for. */
export function taskOf(order: Partial<TaskOrder>, owner: Partial<TaskOwner> = {}): DockerTask {
  return {
    ...{ order: orderOf(order), owner: { ...OWNER, ...owner } },
    ...{ phase: 'preparing', containers: {}, isRunning: false, because: null },
  };
}
