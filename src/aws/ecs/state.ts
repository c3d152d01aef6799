import {
  addMs,
  createHeap,
  createQueue,
  type DeploymentId,
  dequeue,
  enqueue,
  type JsonValue,
  nameIn,
  nextUuid,
  present,
  pushDue,
  type TaskDefinitionArn,
  type TaskId,
} from '../../base/index.ts';
import { append, rankOf } from '../../events/index.ts';
import type { EcsContext } from './context.ts';
import type { Saying } from './messages.ts';
import {
  type DeploymentState,
  type EcsState,
  type ServiceState,
  type TaskDefinition,
  type TaskPhase,
  type TaskState,
  unstopped,
} from './model.ts';
import type { Turn } from './turn.ts';

const EVENTS_MAX = 100; // 5.40
const STALE_MIN = 64;

export function createEcsState(): EcsState {
  return {
    clusters: {},
    capacityProviders: {},
    families: {},
    taskDefinitions: {},
    services: {},
    tasks: {},
    stoppedTasks: {},
    dirty: createQueue(),
    toStart: createQueue(),
    toStop: createQueue(),
    due: createHeap(),
    instances: {},
    assumesInstances: true,
    awaitingRoom: {},
    alarms: {},
    madeWith: {},
    tags: {},
  };
}

/** Notes what the create that holds this client token has made. */
export function noteMade(state: EcsState, clientToken: JsonValue | undefined, arn: string): void {
  if (typeof clientToken === 'string') state.madeWith[clientToken] = arn;
}

/** The scheduler visits the service in its next turn. */
export function markDirty(state: EcsState, service: ServiceState): void {
  if (service.isDirty) return;
  service.isDirty = true;
  enqueue(state.dirty, service.arn);
}

/** The scheduler visits the service again in `delayMs`. */
export function visitLater(context: EcsContext, service: ServiceState, delayMs: number): void {
  const at = addMs(context.nowMs, delayMs);
  pushDue(context.state.due, at, { type: 'visit-service', service: service.arn });
}

/**
 * The service that a task belongs to. None when that is gone and another one has its name since
 * (1.7): the tasks of an INACTIVE service may still be stopping.
 */
export function serviceOf(state: EcsState, task: TaskState): ServiceState | undefined {
  const named = task.service === null ? undefined : state.services[task.service];
  return named?.deployments.some(({ id }) => id === task.deployment) ? named : undefined;
}

export function deploymentOf(service: ServiceState, id: DeploymentId): DeploymentState {
  const found = service.deployments.find((deployment) => deployment.id === id);
  return present(found, 'a task that has not stopped belongs to a listed deployment');
}

export function primaryOf(service: ServiceState): DeploymentState | undefined {
  return service.deployments.find((deployment) => deployment.status === 'PRIMARY');
}

/** The only place where counts change: a task leaves one phase and enters another. */
export function moveTask(state: EcsState, task: TaskState, to: TaskPhase): void {
  const service = serviceOf(state, task);
  const from = task.phase;
  task.phase = to;
  if (service === undefined || task.deployment === null) return;
  const deployment = deploymentOf(service, task.deployment);
  deployment.counts[from] -= 1;
  deployment.counts[to] += 1;
  if (to !== 'stopping') enqueueTask(state, deployment, to, task.id);
  markDirty(state, service);
}

type QueuedPhase = Exclude<TaskPhase, 'stopping'>;

/** Tasks that have moved on stay in their old queue; once they are most of it they are dropped. */
function enqueueTask(
  state: EcsState,
  deployment: DeploymentState,
  phase: QueuedPhase,
  id: TaskId,
): void {
  const queue = deployment.queues[phase];
  enqueue(queue, id);
  const waiting = queue.items.length - queue.head;
  if (waiting <= STALE_MIN || waiting <= 2 * deployment.counts[phase]) return;
  queue.items = queue.items.slice(queue.head).filter((one) => state.tasks[one]?.phase === phase);
  queue.head = 0;
}

/** A task enters the account, PENDING. */
export function addTask(state: EcsState, task: TaskState): void {
  state.tasks[task.id] = task;
  const service = serviceOf(state, task);
  if (service === undefined || task.deployment === null) return;
  const deployment = deploymentOf(service, task.deployment);
  service.taskIds[task.id] = true;
  deployment.counts[task.phase] += 1;
  if (task.phase !== 'stopping') enqueueTask(state, deployment, task.phase, task.id);
}

/** A task is STOPPED and leaves the counts. */
export function removeTask(state: EcsState, task: TaskState): void {
  delete state.tasks[task.id];
  const named = task.service === null ? undefined : state.services[task.service];
  if (named !== undefined) delete named.taskIds[task.id];
  const service = serviceOf(state, task);
  if (service === undefined || task.deployment === null) return;
  deploymentOf(service, task.deployment).counts[task.phase] -= 1;
  markDirty(state, service);
}

/** The oldest tasks of a deployment that are still in a phase, at most `count`; taken off its queue. */
export function takeOldest(
  state: EcsState,
  deployment: DeploymentState,
  phase: QueuedPhase,
  count: number,
): TaskState[] {
  const taken: TaskState[] = [];
  while (taken.length < count) {
    const id = dequeue(deployment.queues[phase]);
    if (id === undefined) return taken;
    const task = state.tasks[id];
    if (task?.phase === phase) taken.push(task);
  }
  return taken;
}

export function isDrained({ counts }: DeploymentState): boolean {
  return unstopped(counts) === 0;
}

/** A task starts or stops: the service does not hold any more. */
export function moves({ said }: ServiceState): void {
  said.holdingSinceMs = null;
  said.percentages = false;
}

/** A new episode: what was said once may be said again. */
export function forgetSayings(service: ServiceState): void {
  service.said.placements = {};
  service.said.consistently = false;
  moves(service);
}

/** Says a service event: in the service's own list, and in the record of the operation. */
export function tell(
  context: EcsContext,
  service: ServiceState,
  { kind, message }: Saying,
  deployment: DeploymentState | undefined = primaryOf(service),
): void {
  const { nowMs: atMs, random, record } = context;
  const eventId = nextUuid(random);
  service.events.push({ id: eventId, createdAtMs: atMs, message });
  if (service.events.length > EVENTS_MAX) service.events.shift();
  const rank = rankOf(kind);
  if (rank !== undefined && deployment !== undefined) deployment.reasons[rank] = message;
  append(record, {
    type: 'ecs-service',
    atMs,
    eventId,
    service: service.arn,
    kind,
    deployment: deployment?.id ?? null,
    message,
  });
}

/** The task definition of a task or a deployment. */
export function definitionOf(state: EcsState, arn: TaskDefinitionArn): TaskDefinition {
  return present(state.taskDefinitions[arn], 'what is run names a task definition that is kept');
}

/** 5.41 and fine print e: an equal message is held back, until the next steady state or for a time. */
export function sayOnce(
  turn: Turn,
  service: ServiceState,
  deployment: DeploymentState,
  saying: Saying,
): void {
  const { placements } = service.said;
  const saidAtMs = placements[saying.message];
  const { repeatsAfterMs } = turn.rulesOf(service);
  const isHeldBack =
    saidAtMs !== undefined &&
    (repeatsAfterMs === null || addMs(saidAtMs, repeatsAfterMs) > turn.nowMs);
  if (isHeldBack) return;
  placements[saying.message] = turn.nowMs;
  tell(turn, service, saying, deployment);
}

/** A task by its id or by the tail of its ARN. */
export function findTask(state: EcsState, name: string): TaskState | undefined {
  return state.tasks[nameIn(name) as TaskId];
}
