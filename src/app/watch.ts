import { createEcs } from '../aws/ecs/index.ts';
import type { PlaceKey, ServiceArn } from '../base/index.ts';
import { placeKey } from '../base/index.ts';
import type { Stack } from '../engine/index.ts';
import type { ServiceView } from '../events/index.ts';
import { maskNoEchoIn } from '../language/index.ts';
import type { World } from '../world/index.ts';
import { ecsContext } from './parts.ts';
import type { Progress, ProgressView, StackProgress } from './use-cases.ts';

/**
 * Hands new entries of the record, and how the stack stands, to whoever follows a run.
 *
 * @param told - how many entries are known already
 */
export function watcher(
  { recorded, view }: Progress,
  stack: Stack | undefined,
  told = 0,
): (world: World) => void {
  return (world) => {
    const { entries } = world.record;
    if (entries.length === told) return;
    recorded?.(maskNoEchoIn(entries.slice(told)));
    told = entries.length;
    if (stack !== undefined) view?.(() => maskNoEchoIn(progressOf(world, stack)));
  };
}

function progressOf(world: World, stack: Stack): ProgressView {
  const startedAtMs = stack.operation?.startedAtMs ?? world.nowMs;
  return { elapsedMs: world.nowMs - startedAtMs, stacks: [stackProgress(world, stack)] };
}

function stackProgress(world: World, stack: Stack): StackProgress {
  return {
    stackName: stack.stackName,
    status: stack.status,
    resources: Object.values(stack.resources).map((resource) => {
      const service = serviceView(world, placeKey(stack.place), resource.physicalId);
      return {
        logicalId: resource.logicalId,
        type: resource.type,
        status: resource.status,
        statusReason: resource.statusReason,
        sinceMs: world.nowMs - resource.statusSinceMs,
        ...(resource.type === 'AWS::ECS::Service' && service !== undefined ? { service } : {}),
      };
    }),
  };
}

/** A service as it stands; undefined once it is gone. */
export function serviceView(
  world: World,
  key: PlaceKey,
  arn: string | null,
): ServiceView | undefined {
  if (arn === null || world.accounts[key] === undefined) return undefined;
  return createEcs(ecsContext(world, key)).describeService(arn as ServiceArn);
}
