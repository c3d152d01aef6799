import {
  assumeNoInstances,
  createEcs,
  EcsException,
  type NewInstance,
  registerInstances,
} from '../aws/ecs/index.ts';
import {
  isObject,
  type JsonObject,
  type JsonValue,
  type LogicalId,
  nameIn,
  placeKey,
} from '../base/index.ts';
import type { Stack } from '../engine/index.ts';
import { append } from '../events/index.ts';
import type { World } from '../world/index.ts';
import type { Part } from './loop.ts';
import { ecsContext } from './parts.ts';

/** Zones of a region, as instances are spread over them that do not say where they are. */
const ZONES = ['a', 'b', 'c'];

/** Of one call of RunTask. */
const AT_ONCE_MAX = 10;
/** An instance that does not say how large it is. */
const CPU_UNITS = 2048;
const MEMORY_MEBIBYTES = 3840;

/** What a scenario gives a cluster, once that is there. */
interface Given {
  readonly kind: 'instances' | 'running_tasks';
  readonly stack: Stack;
  readonly entry: JsonObject;
  readonly key: string;
}

/**
 * Registers the container instances of scenarios and runs their tasks of no service, each entry once,
 * as soon as what it names exists.
 */
export function clusterPart(world: World): Part {
  let waiting = givenIn(world);
  return {
    step() {
      if (waiting.length === 0) return;
      waiting = waiting.filter((given) =>
        given.kind === 'instances' ? !register(world, given) : !runTasks(world, given),
      );
    },
    nextDueMs: () => undefined,
    pendingOutside: () => false,
  };
}

function givenIn(world: World): readonly Given[] {
  return world.engine.active.flatMap((id) => {
    const stack = world.engine.stacks[id];
    const facts = world.settings[id]?.scenario?.world;
    if (stack === undefined || stack.operation?.kind === 'DELETE') return [];
    if (facts?.['instances'] !== undefined) {
      assumeNoInstances(ecsContext(world, placeKey(stack.place)));
    }
    return (['instances', 'running_tasks'] as const).flatMap((kind) =>
      objectsIn(facts?.[kind])
        .map((entry, index) => ({ kind, stack, entry, key: `${id} ${kind} ${index}` }))
        .filter(({ key }) => world.given[key] !== true),
    );
  });
}

function objectsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Answers whether the entry is done with. */
function register(world: World, { stack, entry, key }: Given): boolean {
  const cluster = physicalName(stack, String(entry['registers'] ?? entry['cluster']));
  if (cluster === undefined) return false;
  world.given[key] = true;
  const context = ecsContext(world, placeKey(stack.place));
  registerInstances(context, nameIn(cluster), instancesOf(entry, stack.place.region));
  return true;
}

/** Tasks that no service owns; one that finds no room is not there, and one that is refused is told. */
function runTasks(world: World, { stack, entry, key }: Given): boolean {
  const { cluster: onCluster, task_definition: runs, count = 1, started_by: startedBy } = entry;
  const cluster = physicalName(stack, String(onCluster));
  const taskDefinition = physicalName(stack, String(runs));
  if (cluster === undefined || taskDefinition === undefined) return false;
  world.given[key] = true;
  const { api } = createEcs(ecsContext(world, placeKey(stack.place)));
  const asked = { cluster, taskDefinition, ...(startedBy === undefined ? {} : { startedBy }) };
  try {
    for (let left = Number(count); left > 0; left -= AT_ONCE_MAX) {
      api.runTask({ ...asked, count: Math.min(left, AT_ONCE_MAX) });
    }
  } catch (error) {
    if (!(error instanceof EcsException)) throw error;
    const text = `tasks of ${String(runs)} that the scenario has in ${String(onCluster)} do not run: ${error.message}`;
    append(world.record, { type: 'assumption', atMs: world.nowMs, text });
  }
  return true;
}

/** A logical id means the resource of the stack, once it has been created; anything else is a name. */
function physicalName({ model, resources }: Stack, named: string): string | undefined {
  if (!Object.hasOwn(model.resources, named)) return named;
  const resource = resources[named as LogicalId];
  const isThere = resource?.status === 'CREATE_COMPLETE' && resource.physicalId !== null;
  return isThere ? String(resource.physicalId) : undefined;
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
