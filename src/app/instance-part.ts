import { assumeNoInstances, type NewInstance, registerInstances } from '../aws/ecs/index.ts';
import { isObject, type JsonObject, type LogicalId, nameIn, placeKey } from '../base/index.ts';
import type { Stack } from '../engine/index.ts';
import type { World } from '../world/index.ts';
import type { Part } from './loop.ts';
import { ecsContext } from './parts.ts';

/** Zones of a region, as instances are spread over them that do not say where they are. */
const ZONES = ['a', 'b', 'c'];

/** An instance that does not say how large it is. */
const CPU_UNITS = 2048;
const MEMORY_MEBIBYTES = 3840;

/** Container instances that a scenario gives a cluster, once that is there. */
interface Given {
  readonly stack: Stack;
  readonly entry: JsonObject;
  readonly key: string;
}

/** Registers the instances of scenarios, each entry once, as soon as its cluster exists. */
export function instancePart(world: World): Part {
  let waiting = givenIn(world);
  return {
    step() {
      if (waiting.length === 0) return;
      waiting = waiting.filter((given) => !register(world, given));
    },
    nextDueMs: () => undefined,
    pendingOutside: () => false,
  };
}

function givenIn(world: World): readonly Given[] {
  return world.engine.active.flatMap((id) => {
    const stack = world.engine.stacks[id];
    const instances = world.settings[id]?.scenario?.world['instances'];
    if (stack?.operation?.kind === 'DELETE' || !Array.isArray(instances)) return [];
    if (stack === undefined) return [];
    assumeNoInstances(ecsContext(world, placeKey(stack.place)));
    return instances
      .filter(isObject)
      .map((entry, index) => ({ stack, entry, key: `${id} ${index}` }))
      .filter(({ key }) => world.given[key] !== true);
  });
}

/** Answers whether the entry is done with. */
function register(world: World, { stack, entry, key }: Given): boolean {
  const cluster = clusterName(stack, String(entry['registers'] ?? entry['cluster']));
  if (cluster === undefined) return false;
  world.given[key] = true;
  const context = ecsContext(world, placeKey(stack.place));
  registerInstances(context, cluster, instancesOf(entry, stack.place.region));
  return true;
}

/** A logical id means the cluster of the stack, once it has been created; anything else is a name. */
function clusterName({ model, resources }: Stack, named: string): string | undefined {
  if (!Object.hasOwn(model.resources, named)) return nameIn(named);
  const resource = resources[named as LogicalId];
  const isThere = resource?.status === 'CREATE_COMPLETE' && resource.physicalId !== null;
  return isThere ? nameIn(String(resource.physicalId)) : undefined;
}

function instancesOf(entry: JsonObject, region: string): readonly NewInstance[] {
  const { count = 1, cpu, memory, group, volume_plugins: plugins } = entry;
  const one = (zone: string): NewInstance => ({
    cpuUnits: typeof cpu === 'number' ? cpu : CPU_UNITS,
    memoryMebibytes: typeof memory === 'number' ? memory : MEMORY_MEBIBYTES,
    attributes: { 'ecs.availability-zone': `${region}${zone}` },
    ...(typeof group === 'string' ? { group } : {}),
    ...(Array.isArray(plugins) ? { volumePlugins: plugins.map(String) } : {}),
  });
  return Array.from({ length: Number(count) }, (_, at) => one(ZONES[at % 3] ?? 'a'));
}
