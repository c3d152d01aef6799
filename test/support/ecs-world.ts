import assert from 'node:assert/strict';
import { ecsContext, settle } from '../../src/app/parts.ts';
import {
  createEcs,
  type Ecs,
  type EcsApi,
  type EcsContext,
  EcsException,
  type LifecycleHooks,
  PRESETS,
  type SchedulerRules,
  schedulerDueMs,
  stepScheduler,
  type TaskObservation,
  type TaskRuntime,
  type Timing,
} from '../../src/aws/ecs/index.ts';
import type { DeploymentState, ServiceState, TaskState } from '../../src/aws/ecs/model.ts';
import {
  addMs,
  type EpochMs,
  type JsonObject,
  present,
  type ServiceArn,
  SIMULATION_START_MS,
  type StackId,
  type TaskId,
} from '../../src/base/index.ts';
import {
  createSimulatedRuntime,
  createSimulatedTargets,
  type SimulatedTurn,
  simulatedRuntimeDueMs,
  stepSimulatedRuntime,
  type TargetGroupFacts,
} from '../../src/runtime/simulated/index.ts';
import type { ImageBehaviour } from '../../src/scenario/index.ts';
import { createWorld, type World } from '../../src/world/index.ts';
import { KEY } from './world.ts';

/** How images behave: reference → what is not as by default. */
export type Images = { readonly [reference: string]: Partial<ImageBehaviour> };

const STACK = 'stack' as StackId; // whose scenario holds for every service of the world

/** A world that holds ECS and nothing else: no stack, no template. */
export function createEcsWorld(images: Images = {}): World {
  const world = createWorld();
  settle(world, KEY);
  behave(world, images);
  return world;
}

/** From here on images behave like this; what runs already goes on as it began. */
export function behave(world: World, images: Images): void {
  const whole = Object.entries(images).map(([name, image]) => [name, { output: [], ...image }]);
  const scenario = {
    parameters: {},
    images: Object.fromEntries(whole),
    world: {},
    notFollowed: [],
  };
  world.settings[STACK] = { runtime: 'simulation', timing: 'local', seed: 1, scenario };
}

/** The ECS API of the world, as it stands whenever it is called. */
export function ecsOf(world: World): Ecs {
  return createEcs(contextOf(world));
}

/** The ECS API of the world as a client calls it. */
export function apiOf(world: World): EcsApi {
  return ecsOf(world).api;
}

/** What the API refuses a call with: `<code>: <message>`; `ok` when it does not. */
export function refusal(call: () => unknown): string {
  try {
    call();
    return 'ok';
  } catch (error) {
    if (error instanceof EcsException) return `${error.code}: ${error.message}`;
    throw error;
  }
}

export function contextOf(world: World, timing?: Timing): EcsContext {
  return ecsContext(world, KEY, timing);
}

const TARGET_GROUP: TargetGroupFacts = {
  ...{ intervalMs: 30_000, healthyThreshold: 5, unhealthyThreshold: 2 },
  deregistrationDelayMs: 300_000,
};
const targetGroups = new WeakMap<World, { readonly [arn: string]: Partial<TargetGroupFacts> }>();

/** How a target group of the world checks its targets, where not as by default. */
export function describeTargetGroup(
  world: World,
  arn: string,
  facts: Partial<TargetGroupFacts>,
): void {
  targetGroups.set(world, { ...targetGroups.get(world), [arn]: facts });
}

const answers = new WeakMap<World, LifecycleHooks['answer']>();

/** What the hooks of deployments answer from here on, where not `success`. */
export function answerHooks(world: World, answer: LifecycleHooks['answer']): void {
  answers.set(world, answer);
}

export function stateOf(world: World) {
  return present(world.accounts[KEY], 'the world has its account').ecs;
}

/** What a watcher is told of, at the moment it happens. */
export interface Watch {
  /** A task was placed, and counts already. */
  started?(task: TaskState): void;
  /** A task was asked to stop, and does not count any more. */
  stopped?(task: TaskState): void;
  /** What the runtime tells, before it is taken in. */
  observed?(observation: TaskObservation, task: TaskState | undefined): void;
  /** A round is over. */
  round?(): void;
}

/** Time passes: what falls into it happens, and what is due at its last instant. */
export function pass(world: World, ms: number, watch: Watch = {}, rules?: SchedulerRules): void {
  const until = addMs(world.nowMs, ms);
  for (let rounds = 0; ; ) {
    const due = stepRound(world, watch, rules);
    rounds = due === world.nowMs ? rounds + 1 : 0;
    assert(rounds < 1_000, 'an instant comes to an end');
    if (due === undefined || due > until) break;
    world.nowMs = due;
  }
  world.nowMs = until;
}

/** One round, runtime before services; answers when the next one is due. */
function stepRound(
  world: World,
  watch: Watch,
  rules: SchedulerRules | undefined,
): EpochMs | undefined {
  const state = stateOf(world);
  const scenario = world.settings[STACK]?.scenario ?? undefined;
  const runtimeState = present(world.simulated[KEY], 'the world has its runtime');
  const turn: SimulatedTurn = {
    state: runtimeState,
    nowMs: world.nowMs,
    scenarioOf: () => scenario,
    targetGroup: (arn) => ({ ...TARGET_GROUP, ...targetGroups.get(world)?.[arn] }),
  };
  stepSimulatedRuntime(turn);
  const runtime = watched(createSimulatedRuntime(turn), state.tasks, watch);
  const targets = createSimulatedTargets(turn);
  const rulesOf = (service: ServiceState) => rules ?? PRESETS[service.timing];
  const hooks = { answer: answers.get(world) ?? (() => 'success' as const) };
  stepScheduler({ ...contextOf(world), runtime, targets, hooks, rulesOf });
  watch.round?.();
  const dues = [
    simulatedRuntimeDueMs(runtimeState, world.nowMs),
    schedulerDueMs(state, world.nowMs),
  ].filter((due) => due !== undefined);
  return dues.length === 0 ? undefined : (Math.min(...dues) as EpochMs);
}

function watched(
  runtime: TaskRuntime,
  tasks: { readonly [id: TaskId]: TaskState },
  watch: Watch,
): TaskRuntime {
  const named = (id: TaskId) => present(tasks[id], 'the task is known');
  return {
    feedsHealth: runtime.feedsHealth,
    start(order) {
      runtime.start(order);
      watch.started?.(named(order.task));
    },
    stop(id) {
      runtime.stop(id);
      watch.stopped?.(named(id));
    },
    observations() {
      const seen = runtime.observations();
      for (const one of seen) {
        if (one.type !== 'assumed') watch.observed?.(one, tasks[one.task]);
      }
      return seen;
    },
  };
}

/** A Fargate task definition with one container of the image; `more` adds to the request. */
export function register(world: World, image: string, more: JsonObject = {}): string {
  const request = {
    family: 'web',
    requiresCompatibilities: ['FARGATE'],
    networkMode: 'awsvpc',
    cpu: '256',
    memory: '512',
    containerDefinitions: [{ name: 'app', image }],
    ...more,
  };
  return ecsOf(world).registerTaskDefinition(request).arn;
}

const NETWORK = { awsvpcConfiguration: { subnets: ['subnet-0aa1'] } };

/** A Fargate service `web` of the newest revision of family `web`; `more` adds to the request. */
export function createWeb(world: World, more: JsonObject = {}): ServiceArn {
  return ecsOf(world).createService({ ...webRequest(), ...more }).service;
}

export function webRequest(): JsonObject {
  return {
    ...{ serviceName: 'web', taskDefinition: 'web', launchType: 'FARGATE', desiredCount: 1 },
    networkConfiguration: NETWORK,
  };
}

export function percents(maximumPercent: number, minimumHealthyPercent: number): JsonObject {
  return { maximumPercent, minimumHealthyPercent };
}

export function breaker(rollback: boolean): JsonObject {
  return { deploymentCircuitBreaker: { enable: true, rollback } };
}

export function update(world: World, service: ServiceArn, request: JsonObject = {}): void {
  ecsOf(world).updateService({ service, ...request });
}

/** The service's own state, for what no operation of the API tells. */
export function serviceState(world: World, service: ServiceArn): ServiceState {
  return present(stateOf(world).services[service], 'the service was created');
}

export function primary(world: World, service: ServiceArn): DeploymentState {
  const { deployments } = serviceState(world, service);
  return present(deployments[0], 'the service has a deployment');
}

/** The service's events, oldest first, as `<seconds> <text>`, with tasks and deployments unnamed. */
export function eventTexts(world: World, service: ServiceArn): readonly string[] {
  return serviceState(world, service).events.map(({ createdAtMs, message }) => {
    const text = message.replace(/\(task [0-9a-f]{32}\)/g, '(task)').replace(/\d{19}/g, '#');
    return `${(createdAtMs - SIMULATION_START_MS) / 1000} ${text}`;
  });
}

/** Tasks of the service that have not stopped, oldest first. */
export function tasksOf(world: World, service: ServiceArn): readonly TaskState[] {
  return Object.values(stateOf(world).tasks).filter((task) => task.service === service);
}
