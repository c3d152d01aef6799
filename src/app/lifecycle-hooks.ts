import type { LifecycleHooks } from '../aws/ecs/index.ts';
import { isObject, nameIn, type ServiceArn } from '../base/index.ts';
import type { Stack } from '../engine/index.ts';
import { append } from '../events/index.ts';
import type { World } from '../world/index.ts';

/**
 * Functions that are hooks answer as the scenario of the stack says whose service they are for: its
 * `world.functions`, by logical id.
 */
export function lifecycleHooks(
  world: World,
  stackOf: (service: ServiceArn) => Stack | undefined,
): LifecycleHooks {
  return {
    answer(service, hookTargetArn) {
      const stack = stackOf(service);
      const given = stack && world.settings[stack.stackId]?.scenario?.world['functions'];
      const named = Object.entries(isObject(given) ? given : {}).find(
        ([logicalId]) => stack !== undefined && isFunction(stack, logicalId, hookTargetArn),
      );
      const responds = isObject(named?.[1]) ? named[1]['responds'] : undefined;
      if (responds === 'failed' || responds === 'never' || responds === 'success') return responds;
      const hook = hookTargetArn.split(':')[6] ?? hookTargetArn;
      const text = `lifecycle hook ${hook} of service ${nameIn(service)} succeeds (no scenario names it)`;
      append(world.record, { type: 'assumption', atMs: world.nowMs, text });
      return 'success';
    },
  };
}

/** The ARN of a function may go on with a version or an alias. */
function isFunction({ resources }: Stack, logicalId: string, arn: string): boolean {
  const resource = resources[logicalId as keyof typeof resources];
  if (resource === undefined || resource.physicalId === null) return false;
  return arn === resource.model['Arn'] || arn.split(':')[6] === resource.physicalId;
}
