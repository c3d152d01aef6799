import {
  enqueue,
  isObject,
  type JsonObject,
  nameIn,
  nextHex32,
  type TaskId,
} from '../../base/index.ts';
import { failure, invalid, nameWithin } from './answers.ts';
import { launchTypeOn, nextProvider, strategyIn } from './capacity-strategy.ts';
import { clusterIn, clusterThere } from './clusters.ts';
import type { EcsContext } from './context.ts';
import { describeTask, taskWithin } from './describe-tasks.ts';
import { EcsException } from './exception.ts';
import type {
  Cluster,
  LaunchType,
  Standalone,
  StrategyItem,
  TaskDefinition,
  TaskPlacement,
  TaskState,
} from './model.ts';
import { constraintsOf, failureCode } from './placement/index.ts';
import { instanceNamed, isRefused, takeInstance } from './placing.ts';
import { list, number, text, textList } from './request-values.ts';
import { PRESETS } from './rules.ts';
import { definitionFacts, serviceFaults } from './service-rules.ts';
import { stopTask as stop, withDefaultStrategy } from './services.ts';
import { addTask } from './state.ts';
import { checkedTags, managedTags, propagated } from './tags.ts';
import { findTaskDefinition } from './task-definition-operations.ts';
import { hostOf } from './task-order.ts';

const AT_ONCE_MAX = 10;

/**
 * RunTask: up to ten tasks without a service, which nobody replaces. What cannot be placed is
 * listed under `failures`.
 *
 * @throws EcsException for a request that is refused as a whole, before anything is placed
 */
export function runTask(context: EcsContext, request: JsonObject): JsonObject {
  const order = orderIn(context, request);
  const made = madeBefore(context, request);
  if (made.length > 0) return answer(context, made, []);
  const count = number(request['count']) ?? 1;
  if (!Number.isInteger(count) || count < 1 || count > AT_ONCE_MAX) {
    throw invalid(`Tasks count should be between 1 and ${AT_ONCE_MAX}.`);
  }
  const placed = new Map<string, number>();
  const tasks: TaskState[] = [];
  const failures: JsonObject[] = [];
  for (let i = 0; i < count; i += 1) {
    const provider = nextProvider(order.strategy, placed) ?? null;
    if (provider !== null) placed.set(provider, (placed.get(provider) ?? 0) + 1);
    const launchType = provider === null ? order.launchType : launchTypeOn(provider);
    const wish = { ...order, launchType, provider };
    const place = placeFor(context, wish);
    if ('reason' in place) failures.push(failure(place.arn ?? order.cluster.arn, place.reason));
    else tasks.push(start(context, wish, place));
  }
  return answer(context, tasks, failures);
}

/** StartTask: one task on each of the container instances that the request names. */
export function startTask(context: EcsContext, request: JsonObject): JsonObject {
  const instances = textList(request['containerInstances']);
  if (instances.length === 0) throw invalid('Container instances cannot be empty.');
  if (instances.length > AT_ONCE_MAX) {
    throw invalid(`Container instances can have at most ${AT_ONCE_MAX} items.`);
  }
  const order = orderIn(context, { ...request, launchType: 'EC2' });
  const wish = { ...order, provider: null };
  const tasks: TaskState[] = [];
  const failures: JsonObject[] = [];
  for (const instance of instances) {
    const known = instanceNamed(context.state, order.cluster.name, nameIn(instance));
    const place: Place =
      known === undefined ? { reason: 'MISSING' } : placeFor(context, wish, known.id);
    if ('reason' in place) failures.push(failure(place.arn ?? instance, place.reason));
    else tasks.push(start(context, wish, place));
  }
  return answer(context, tasks, failures);
}

/** A task that is to be placed. */
export interface Wish {
  readonly request: JsonObject;
  readonly cluster: Cluster;
  readonly definition: TaskDefinition;
  readonly launchType: LaunchType;
  readonly provider: string | null;
}

/** Where a task runs, or why it goes nowhere (6.63). */
type Place = TaskPlacement | { readonly reason: string; readonly arn?: string };

/**
 * Where a task of RunTask or StartTask goes, which is taken for it.
 *
 * @throws EcsException InvalidParameterException in a cluster without instances
 */
function placeFor(context: EcsContext, wish: Wish, instance?: string): Place {
  const { request, cluster, definition, launchType, provider } = wish;
  const place = takeInstance(context, {
    ...{ cluster: cluster.name, launchType, definition, request },
    constraints: constraintsOf(request['placementConstraints']),
    group: groupIn(wish),
    capacityProvider: provider,
    subnet: null,
    byHostPort: PRESETS[context.timing].placesByHostPort,
    ...(instance === undefined ? {} : { instance }),
  });
  if (!isRefused(place)) return place;
  if (place.type === 'no-instances') throw invalid(NO_INSTANCES);
  const closest = instanceNamed(context.state, cluster.name, place.closest);
  return { reason: failureCode(place.shortfall), ...(closest && { arn: closest.arn }) };
}

const NO_INSTANCES = 'No Container Instances were found in your cluster.';

function groupIn({ request, definition }: Wish): string {
  return text(request['group']) ?? `family:${definition.family}`;
}

interface Order extends Omit<Wish, 'provider'> {
  readonly strategy: readonly StrategyItem[];
}

function orderIn(context: EcsContext, given: JsonObject): Order {
  const { state } = context;
  const cluster = clusterThere(state, text(given['cluster']) ?? 'default');
  if (given['launchType'] !== undefined && list(given['capacityProviderStrategy']).length > 0) {
    throw invalid(
      'Specifying both a launch type and capacity provider strategy is not supported', // 1.30
    );
  }
  const request = withDefaultStrategy(cluster, given);
  const definition = definitionIn(context, request);
  const strategy = strategyIn(request, 'capacityProviderStrategy');
  const launchType = launchTypeIn(request, strategy);
  const { networkConfiguration } = request;
  const asked = { launchType, ...(networkConfiguration && { networkConfiguration }) };
  const [fault] = definition.assumed
    ? []
    : serviceFaults(asked, definitionFacts(definition.request));
  if (fault !== undefined) throw invalid(fault.message);
  refuseUnknownContainers(request, definition);
  checkedTags(request);
  return { request, cluster, definition, launchType, strategy };
}

/** 1.75, 1.76. */
function definitionIn(context: EcsContext, request: JsonObject): TaskDefinition {
  const name = text(request['taskDefinition']) ?? '';
  if (name === '') throw invalid('TaskDefinition can not be blank.');
  const definition = findTaskDefinition(context, name);
  if (definition === undefined) {
    throw new EcsException('ClientException', 'TaskDefinition not found.');
  }
  if (definition.status !== 'ACTIVE') throw invalid('TaskDefinition is inactive');
  return definition;
}

function launchTypeIn(request: JsonObject, [first]: readonly StrategyItem[]): LaunchType {
  if (first !== undefined) return launchTypeOn(first.capacityProvider);
  const given = request['launchType'];
  return given === 'FARGATE' || given === 'EXTERNAL' ? given : 'EC2';
}

function refuseUnknownContainers(request: JsonObject, definition: TaskDefinition): void {
  const names = definition.containerDefinitions.map(({ name }) => name);
  const unknown = overridesIn(request).find(({ name }) => !names.includes(text(name) ?? ''));
  if (unknown === undefined) return;
  throw invalid(
    `Override for container named ${text(unknown['name']) ?? ''} is not a container in the TaskDefinition.`,
  );
}

function overridesIn({ overrides }: JsonObject): readonly JsonObject[] {
  return isObject(overrides) ? list(overrides['containerOverrides']) : [];
}

/** A request with the same client token as before answers what that one made. */
function madeBefore({ state }: EcsContext, request: JsonObject): readonly TaskState[] {
  const token = text(request['clientToken']);
  if (token === undefined) return [];
  return [...Object.values(state.tasks), ...Object.values(state.stoppedTasks)].filter(
    ({ standalone }) => standalone?.clientToken === token,
  );
}

/** The task enters the account; the scheduler passes it on to the runtime. */
function start(context: EcsContext, wish: Wish, placement: TaskPlacement): TaskState {
  const { state, random, nowMs, timing } = context;
  const { cluster, definition, launchType, request } = wish;
  const { provisioningMs } = PRESETS[timing].taskTimes[hostOf(wish, definition)];
  const isChecked = definition.containerDefinitions.some(
    ({ essential, healthCheck }) => essential && healthCheck !== undefined,
  );
  const task: TaskState = {
    ...{ id: nextHex32(random) as TaskId, service: null, deployment: null },
    ...{ cluster: cluster.name, launchType, placement, taskDefinition: definition.arn },
    group: groupIn(wish),
    ...{ phase: 'starting', lastStatus: provisioningMs > 0 ? 'PROVISIONING' : 'PENDING' },
    ...{ createdAtMs: nowMs, startedAtMs: null, stoppingAtMs: null, stop: null },
    ...{ hasCounted: false, hasEnded: false, containers: [] },
    health: isChecked ? { containers: 'UNKNOWN', targets: {} } : null,
    standalone: standaloneOf(context, wish),
    tags: [
      ...propagated(state, request, { TASK_DEFINITION: definition.arn }),
      ...checkedTags(request),
      ...(request['enableECSManagedTags'] === true ? managedTags(cluster.name) : []),
    ],
  };
  addTask(state, task);
  enqueue(state.toStart, task.id);
  return task;
}

function standaloneOf({ timing }: EcsContext, { request }: Wish): Standalone {
  const { overrides } = request;
  return {
    timing,
    startedBy: text(request['startedBy']) ?? null,
    clientToken: text(request['clientToken']) ?? null,
    overrides: isObject(overrides) ? overrides : {},
  };
}

function answer(
  context: EcsContext,
  tasks: readonly TaskState[],
  failures: readonly JsonObject[],
): JsonObject {
  return {
    tasks: tasks.map((task) => describeTask(context, task, { withTags: true })),
    failures: [...failures],
  };
}

/**
 * StopTask. One that is stopping or has stopped already is answered as it is.
 *
 * @throws EcsException InvalidParameterException when the cluster has no such task
 */
export function stopTask(context: EcsContext, request: JsonObject): JsonObject {
  const cluster = clusterIn(context, request);
  const id = nameWithin(cluster, text(request['task']) ?? '') as TaskId;
  const task = taskWithin(context, cluster, id);
  if (task === undefined) throw invalid('The referenced task was not found.');
  if (context.state.tasks[id] !== undefined) stop(context, { ...request, task: id });
  return { task: describeTask(context, task) };
}
