import { assertNever, type JsonValue, nextBelow, type RandomState } from '../../../base/index.ts';
import type { RequestFault } from '../request-fault.ts';
import { list, text } from '../request-values.ts';
import { withLeast } from './counts.ts';
import { attributeOf, type ContainerInstance, tasksOf } from './instance.ts';

/** What makes one instance better than another; best effort (7.6). */
export type PlacementStrategy =
  | { readonly type: 'spread'; readonly over: 'instance' }
  | { readonly type: 'spread'; readonly over: 'attribute'; readonly attribute: string }
  | { readonly type: 'binpack'; readonly resource: 'cpuUnits' | 'memoryMebibytes' }
  | { readonly type: 'random' };

/**
 * Of a service that names none: evenly over the zones, and in a zone where the fewest tasks of the
 * service are (7.6; developer guide, "Service scheduler concepts").
 */
export const DEFAULT_STRATEGIES: readonly PlacementStrategy[] = [
  { type: 'spread', over: 'attribute', attribute: 'ecs.availability-zone' },
  { type: 'spread', over: 'instance' },
];

const STRATEGIES_MAX = 5;

/** The strategies of a `placementStrategy` list in which `strategyFaults` found nothing, in its order. */
export function strategiesOf(value: JsonValue | undefined): readonly PlacementStrategy[] {
  const strategies = list(value).flatMap(({ type, field }) => strategyOf(type, text(field)) ?? []);
  return strategies.length === 0 ? DEFAULT_STRATEGIES : strategies;
}

/** What is wrong with a `placementStrategy` list (7.6; 1.69 for its length). */
export function strategyFaults(value: JsonValue | undefined): readonly RequestFault[] {
  const path = ['placementStrategy'];
  const strategies = list(value);
  if (strategies.length > STRATEGIES_MAX) {
    return [{ message: `Maximum number of strategies is ${STRATEGIES_MAX}`, path }];
  }
  return strategies.flatMap(({ type, field }, index) => {
    if (strategyOf(type, text(field)) !== undefined) return [];
    const known = type === 'spread' || type === 'binpack';
    const message = known
      ? `strategy.field '${text(field) ?? ''}' is not supported with strategy.type '${type}'.`
      : `strategy.type '${text(type) ?? ''}' is not supported.`;
    return [{ message, path: [...path, index, known ? 'field' : 'type'] }];
  });
}

function strategyOf(type: JsonValue | undefined, field = ''): PlacementStrategy | undefined {
  const lower = field.toLowerCase();
  if (type === 'random') return { type: 'random' };
  if (type === 'binpack' && lower === 'cpu') return { type, resource: 'cpuUnits' };
  if (type === 'binpack' && (lower === 'memory' || lower === ''))
    return { type, resource: 'memoryMebibytes' };
  if (type !== 'spread' || field === '') return undefined;
  if (lower === 'instanceid' || lower === 'host') return { type, over: 'instance' };
  return { type, over: 'attribute', attribute: field.replace(/^attribute:/, '') };
}

export interface StrategyContext {
  /** All instances of the cluster: tasks on those that are no candidates count as well. */
  readonly instances: readonly ContainerInstance[];
  readonly group: string;
  readonly random: RandomState;
}

/**
 * The best of the candidates: each strategy keeps those that it likes best, the next chooses among
 * them, and what is left at the end goes by order of registration. O(instances) for each strategy.
 *
 * @returns undefined where there is no candidate
 */
export function chooseBest(
  candidates: readonly ContainerInstance[],
  strategies: readonly PlacementStrategy[],
  context: StrategyContext,
): ContainerInstance | undefined {
  let best = candidates;
  for (const strategy of strategies) {
    if (best.length <= 1) break;
    best = keepBest(best, strategy, context);
  }
  return best[0];
}

function keepBest(
  candidates: readonly ContainerInstance[],
  strategy: PlacementStrategy,
  { instances, group, random }: StrategyContext,
): readonly ContainerInstance[] {
  switch (strategy.type) {
    case 'spread': {
      const tasks = (instance: ContainerInstance) => tasksOf(instance, group);
      return withLeast(candidates, spreadScore(instances, strategy, tasks));
    }
    case 'binpack':
      return withLeast(candidates, ({ remaining }) => remaining[strategy.resource]);
    case 'random': {
      const at = nextBelow(random, candidates.length);
      return candidates.slice(at, at + 1);
    }
    default:
      return assertNever(strategy);
  }
}

/**
 * How many tasks share an instance, or a value of an attribute, with one more. Instances without the
 * attribute are a group of their own.
 */
export function spreadScore(
  instances: readonly ContainerInstance[],
  strategy: Extract<PlacementStrategy, { type: 'spread' }>,
  tasks: (instance: ContainerInstance) => number,
): (instance: ContainerInstance) => number {
  if (strategy.over === 'instance') return tasks;
  const counts = new Map<string | undefined, number>();
  for (const instance of instances) {
    const value = attributeOf(instance, strategy.attribute);
    counts.set(value, (counts.get(value) ?? 0) + tasks(instance));
  }
  return (instance) => counts.get(attributeOf(instance, strategy.attribute)) ?? 0;
}
