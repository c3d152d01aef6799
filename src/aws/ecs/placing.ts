import { isObject, type JsonObject, type ServiceArn, type TaskId } from '../../base/index.ts';
import type { EcsContext } from './context.ts';
import { say } from './messages.ts';
import type {
  DeploymentState,
  EcsState,
  LaunchType,
  ServiceState,
  TaskDefinition,
  TaskPlacement,
  TaskState,
} from './model.ts';
import {
  type ContainerInstance,
  chooseSubnet,
  chooseTasksToStop,
  constraintsOf,
  distribute,
  type PlacementConstraint,
  type PlacementFailure,
  placeTask,
  planDaemon,
  release,
  requirementsOf,
  reserve,
  strategiesOf,
  type TaskRequirements,
} from './placement/index.ts';
import { list, number, text, textList } from './request-values.ts';
import { definitionOf, markDirty, sayOnce, serviceOf } from './state.ts';
import type { Turn } from './turn.ts';

/** The instances of a cluster; undefined: none are known, and one host is taken to have room for all. */
export function instancesOf(
  { instances, assumesInstances }: EcsState,
  cluster: string,
): ContainerInstance[] | undefined {
  return instances[cluster] ?? (assumesInstances ? undefined : []);
}

/** Where the next task of a service runs, which is taken for it; or why nowhere. */
export function takePlace(
  turn: Turn,
  service: ServiceState,
  definition: TaskDefinition,
  launchType: LaunchType,
): TaskPlacement | PlacementFailure {
  const { cluster, request } = service;
  const place = takeInstance(turn, {
    ...{ cluster, launchType, request, definition },
    constraints: constraintsFor(service),
    group: groupOf(service),
    capacityProvider: nextProvider(service),
    subnet: nextSubnet(service),
    byHostPort: turn.rulesOf(service).placesByHostPort,
  });
  if (!isRefused(place)) noteShare(service, place, 1);
  return place;
}

/** A task that asks for a place. */
export interface Asking {
  readonly cluster: string;
  readonly launchType: LaunchType;
  readonly definition: TaskDefinition;
  /** Whose `placementStrategy` counts. */
  readonly request: JsonObject;
  readonly constraints: readonly PlacementConstraint[];
  readonly group: string;
  readonly capacityProvider: string | null;
  readonly subnet: string | null;
  readonly byHostPort: boolean;
  /** The only instance that will do (StartTask). */
  readonly instance?: string;
}

/** Takes a place for a task on the instances of its cluster, where these are known and asked for. */
export function takeInstance(
  { state, random }: Pick<EcsContext, 'state' | 'random'>,
  asking: Asking,
): TaskPlacement | PlacementFailure {
  const { cluster, launchType, definition, group, capacityProvider, subnet } = asking;
  const instances = instancesOf(state, cluster);
  if (launchType !== 'EC2' || instances === undefined) {
    return { capacityProvider, subnet, instance: null, byHostPort: false };
  }
  const { byHostPort, constraints } = asking;
  const requirements = asked(definition, byHostPort);
  const strategies = strategiesOf(asking.request['placementStrategy']);
  const candidates = ofProvider(instances, capacityProvider).filter(
    ({ id }) => asking.instance === undefined || id === asking.instance,
  );
  const placed = placeTask(candidates, requirements, { constraints, strategies, group, random });
  if ('failure' in placed) return placed.failure;
  reserve(placed.instance, requirements, group);
  return { capacityProvider, subnet, instance: placed.instance.id, byHostPort };
}

export function isRefused(place: TaskPlacement | PlacementFailure): place is PlacementFailure {
  return 'type' in place;
}

/** A task is STOPPED: what it took is free, and services that wait for room are visited. */
export function leavePlace({ state }: EcsContext, task: TaskState): void {
  const { placement, cluster } = task;
  const service = serviceOf(state, task);
  if (service !== undefined) noteShare(service, placement, -1);
  const instance = instanceNamed(state, cluster, placement.instance);
  if (instance === undefined) return;
  const definition = definitionOf(state, task.taskDefinition);
  release(instance, asked(definition, placement.byHostPort), task.group);
  wakeWaiting(state, cluster);
}

/** There is more room in a cluster, or other: whoever waits for some tries again. */
export function wakeWaiting(state: EcsState, cluster: string): void {
  const waiting = Object.keys(state.awaitingRoom[cluster] ?? {}) as ServiceArn[];
  delete state.awaitingRoom[cluster];
  for (const arn of waiting) {
    const service = state.services[arn];
    if (service === undefined) continue;
    service.awaitsRoom = false;
    markDirty(state, service);
  }
}

/** 5.15, 7.11: no instance takes the task. It is none, no failed one, and is tried again with the next room. */
export function refusePlace(
  turn: Turn,
  service: ServiceState,
  deployment: DeploymentState,
  failure: PlacementFailure,
): void {
  const { state } = turn;
  const waiting = state.awaitingRoom[service.cluster] ?? {};
  state.awaitingRoom[service.cluster] = { ...waiting, [service.arn]: true };
  service.awaitsRoom = true;
  // Old tasks may hold what this one needs: the next visit counts with that (fine print a).
  if (!deployment.refused) markDirty(state, service);
  deployment.refused = true;
  sayOnce(turn, service, deployment, say.noInstanceFits(service.name, failure));
}

/**
 * A DAEMON runs once on each instance that takes it. What it asks for follows its cluster; instances
 * that are DRAINING, or not what it asks for, are left.
 *
 * @returns ids of the instances whose tasks go
 */
export function followCluster(
  turn: Turn,
  service: ServiceState,
  definition: TaskDefinition,
): ReadonlySet<string> {
  const instances = instancesOf(turn.state, service.cluster);
  if (service.schedulingStrategy !== 'DAEMON' || instances === undefined) return new Set();
  const requirements = asked(definition, turn.rulesOf(service).placesByHostPort);
  const rules = { constraints: constraintsFor(service), group: groupOf(service) };
  const plan = planDaemon(instances, requirements, rules);
  if (plan.desiredCount !== service.desiredCount) {
    service.desiredCount = plan.desiredCount;
    service.steady = false;
  }
  return new Set(plan.stop.map(({ id }) => id));
}

/** 7.8: which tasks of a service go when it has too many on its instances. */
export function tasksToStop(
  { state }: Turn,
  service: ServiceState,
  candidates: readonly TaskState[],
  count: number,
): readonly TaskState[] {
  const instances = instancesOf(state, service.cluster) ?? [];
  const [first] = candidates;
  if (first === undefined) return [];
  const byInstance = new Map<string | null, TaskId[]>();
  for (const { id, placement } of candidates) {
    byInstance.set(placement.instance, [...(byInstance.get(placement.instance) ?? []), id]);
  }
  const running = instances.flatMap((instance) => {
    const tasks = byInstance.get(instance.id);
    return tasks === undefined ? [] : [{ instance, tasks }];
  });
  const requirements = asked(definitionOf(state, first.taskDefinition), false);
  const strategies = strategiesOf(service.request['placementStrategy']);
  const chosen = chooseTasksToStop(running, count, { strategies, requirements });
  return chosen.flatMap((id) => state.tasks[id] ?? []);
}

export function groupOf({ name }: Pick<ServiceState, 'name'>): string {
  return `service:${name}`;
}

/** An instance of a cluster by its id. */
export function instanceNamed(
  { instances }: EcsState,
  cluster: string,
  id: string | null,
): ContainerInstance | undefined {
  return id === null ? undefined : instances[cluster]?.find((one) => one.id === id);
}

/** Requirements follow from a definition alone: they are made once for each. */
const known = new WeakMap<TaskDefinition, TaskRequirements>();

/** Where a taken host port is the runtime's matter, ports are no part of it (`docs/decisions.md` 14a). */
function asked(definition: TaskDefinition, byHostPort: boolean): TaskRequirements {
  const requirements = known.get(definition) ?? requirementsOf(definition);
  known.set(definition, requirements);
  return byHostPort ? requirements : { ...requirements, ports: [] };
}

/** A DAEMON never has two tasks on one instance. */
function constraintsFor({ request, schedulingStrategy }: ServiceState) {
  const given = constraintsOf(request['placementConstraints']);
  const apart = { type: 'distinctInstance' } as const;
  return schedulingStrategy === 'DAEMON' ? [...given, apart] : given;
}

/** Instances of the provider's group, where the scenario says which those are. */
function ofProvider(
  instances: readonly ContainerInstance[],
  provider: string | null,
): readonly ContainerInstance[] {
  const own = instances.filter(({ group }) => provider !== null && group === provider);
  return own.length > 0 ? own : instances;
}

/** 7.12, 7.13: the provider whose turn it is; null without a strategy. */
function nextProvider({ request, shares }: ServiceState): string | null {
  const strategy = list(request['capacityProviderStrategy']).map(
    ({ capacityProvider, weight, base }) => ({
      provider: text(capacityProvider) ?? '',
      weight: number(weight) ?? 0,
      base: number(base) ?? 0,
    }),
  );
  if (strategy.length === 0) return null;
  const next = distribute(strategy, shares.providers, 1).indexOf(1);
  return strategy[Math.max(next, 0)]?.provider ?? null;
}

/** 7.7: the subnet with the fewest tasks; their zones are not known. */
function nextSubnet({ request, shares }: ServiceState): string | null {
  const network = request['networkConfiguration'];
  const awsvpc = isObject(network) ? network['awsvpcConfiguration'] : undefined;
  const subnets = isObject(awsvpc) ? textList(awsvpc['subnets']) : [];
  const all = subnets.map((id) => ({ id, zone: null }));
  return chooseSubnet(all, shares.subnets) ?? null;
}

/** Keeps count of the service's tasks by provider and by subnet. */
function noteShare(
  { shares }: ServiceState,
  { capacityProvider, subnet }: Pick<TaskPlacement, 'capacityProvider' | 'subnet'>,
  change: 1 | -1,
): void {
  if (capacityProvider !== null) add(shares.providers, capacityProvider, change);
  if (subnet !== null) add(shares.subnets, subnet, change);
}

function add(counts: { [key: string]: number }, key: string, change: number): void {
  counts[key] = (counts[key] ?? 0) + change;
}
