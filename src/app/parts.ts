import { type Account, createAccount } from '../aws/account/index.ts';
import {
  type EcsContext,
  PRESETS,
  schedulerDueMs,
  stepScheduler,
  type TargetHealth,
  type TaskRuntime,
  type Timing,
} from '../aws/ecs/index.ts';
import {
  type EpochMs,
  type Place,
  type PlaceKey,
  placeKey,
  present,
  type ServiceArn,
} from '../base/index.ts';
import {
  type EngineTurn,
  engineDueMs,
  interrupt,
  type Stack,
  stepEngine,
} from '../engine/index.ts';
import { createProviders, type Stabilizing } from '../providers/index.ts';
import type { Registry, ResourceProvider } from '../registry/index.ts';
import {
  createDockerRuntime,
  createDockerRuntimeState,
  type DockerTurn,
  dockerRuntimeDueMs,
  stepDockerRuntime,
  type TaskNews,
  type TaskOwner,
} from '../runtime/docker/index.ts';
import {
  createSimulatedRuntime,
  createSimulatedRuntimeState,
  createSimulatedTargets,
  type SimulatedTurn,
  simulatedRuntimeDueMs,
  stepSimulatedRuntime,
} from '../runtime/simulated/index.ts';
import type { Scenario } from '../scenario/index.ts';
import type { World } from '../world/index.ts';
import type { Containers } from './containers.ts';
import type { Arrival } from './inbox.ts';
import { lifecycleHooks } from './lifecycle-hooks.ts';
import type { Part } from './loop.ts';
import { targetGroupFacts } from './target-groups.ts';

/** What the parts of a run are made with, beside the world. */
export interface Setting {
  readonly registry: Registry;
  readonly stabilizing: Omit<Stabilizing, 'tellsOwnReason'>;
  /** Where tasks run in a world of containers; absent where nothing is run. */
  readonly containers?: Containers;
}

/** The account and the runtime of a place, made where there are none yet. */
export function settle(world: World, key: PlaceKey): Account {
  const account = world.accounts[key] ?? createAccount();
  world.accounts[key] = account;
  if (world.kind === 'docker') world.docker[key] ??= createDockerRuntimeState();
  else world.simulated[key] ??= createSimulatedRuntimeState();
  return account;
}

/**
 * The parts of a world in the order of a round: runtime, services, engine (`docs/architecture.md`).
 * Made for the places that the world has by now.
 */
export function partsOf(world: World, setting: Setting): readonly Part[] {
  const places = (Object.keys(world.accounts) as PlaceKey[]).map((key) => {
    const running =
      world.kind === 'docker' ? containersOf(world, key, setting) : simulatedTasks(world, key);
    return { key, running };
  });
  return [
    ...places.map(({ running }) => running.part),
    ...places.map(({ key, running }) => ecsPart(world, key, running)),
    enginePart(world, engineTurn(world, setting)),
  ];
}

/** Where the tasks of a place run, as the scheduler orders them and as a part of the loop. */
interface Running {
  readonly runtime: TaskRuntime;
  /** Where somebody checks the targets of balancers. */
  readonly targets?: TargetHealth;
  readonly part: Part;
}

function simulatedTasks(world: World, key: PlaceKey): Running {
  const turn = runtimeTurn(world, key);
  const nextDueMs = () => simulatedRuntimeDueMs(turn.state, world.nowMs);
  return {
    runtime: createSimulatedRuntime(turn),
    targets: createSimulatedTargets(turn),
    part: {
      step() {
        if (isDue(nextDueMs(), world)) stepSimulatedRuntime(turn);
      },
      nextDueMs,
      pendingOutside: () => false,
    },
  };
}

function containersOf(world: World, key: PlaceKey, { containers }: Setting): Running {
  const outside = present(containers, 'a world of containers is run with an engine');
  const turn = dockerTurn(world, key, (effect) => outside.ask(key, effect));
  return {
    runtime: createDockerRuntime(turn),
    part: {
      step: (arrived) => stepDockerRuntime(turn, newsOf(arrived, key)),
      nextDueMs: () => dockerRuntimeDueMs(turn.state, world.nowMs),
      act: () => outside.begin(key, turn.state),
      // What runs may end at any time, and nobody knows when.
      pendingOutside: () => outside.driver.isBusy() || Object.keys(turn.state.tasks).length > 0,
    },
  };
}

/** What came in about tasks of the place. */
function newsOf(arrived: readonly Arrival[], key: PlaceKey): TaskNews[] {
  return arrived.flatMap((arrival) =>
    arrival.type === 'task' && arrival.place === key ? [arrival.news] : [],
  );
}

/** The engine itself: it may go away at any time, whether something of ours is under way or not. */
export function dockerEnginePart(containers: Containers): Part {
  return {
    step(arrived) {
      for (const arrival of arrived) {
        if (arrival.type === 'defect') throw arrival.error;
        if (arrival.type === 'engine-lost') containers.lost = arrival.why;
      }
    },
    nextDueMs: () => undefined,
    pendingOutside: () => true,
  };
}

/** The runtime of containers over a world as it stands whenever it is read. */
export function dockerTurn(
  world: World,
  key: PlaceKey,
  ask: (effect: Parameters<DockerTurn['ask']>[0]) => void,
): DockerTurn {
  const state = present(world.docker[key], 'the place of an account has a runtime');
  return live(world, {
    state,
    ask,
    ownerOf: (service: ServiceArn | null) => taskOwner(world, service),
  });
}

const PUBLISH_DEFAULT = '127.0.0.1';

function taskOwner(world: World, service: ServiceArn | null): TaskOwner {
  const stack = service === null ? undefined : stackOf(world, service);
  const settings = stack === undefined ? undefined : world.settings[stack.stackId];
  const { publish = PUBLISH_DEFAULT, images = {} } = settings?.containers ?? {};
  return { stackName: stack?.stackName ?? '', publish, images };
}

function ecsPart(world: World, key: PlaceKey, { runtime, targets, part }: Running): Part {
  const ecs = ecsContext(world, key);
  const nextDueMs = () => schedulerDueMs(ecs.state, world.nowMs);
  const schedulerTurn = live(world, {
    state: ecs.state,
    place: ecs.place,
    timing: ecs.timing,
    runtime,
    targets,
    hooks: lifecycleHooks(world, (service) => stackOf(world, service)),
    rulesOf: ({ timing }: { readonly timing: Timing }) => PRESETS[timing],
  });
  return {
    step() {
      // Most rounds of a long wait are about nothing of this place.
      if (isDue(nextDueMs(), world) || isDue(part.nextDueMs(), world)) {
        stepScheduler(schedulerTurn);
      }
    },
    nextDueMs,
    pendingOutside: () => false,
  };
}

function enginePart(world: World, turn: EngineTurn): Part {
  const nextDueMs = () => engineDueMs(world.engine, world.nowMs);
  return {
    step(arrived) {
      if (arrived.some(({ type }) => type === 'signal')) interrupt(world.engine);
      if (isDue(nextDueMs(), world)) stepEngine(turn);
    },
    nextDueMs,
    pendingOutside: () => false,
  };
}

/** Adds what every turn reads from the world as it is at that moment. */
function live<T extends object>(world: World, fixed: T) {
  return Object.defineProperties(fixed, {
    nowMs: { get: () => world.nowMs, enumerable: true },
    random: { get: () => world.random, enumerable: true },
    record: { get: () => world.record, enumerable: true },
  }) as T & Pick<World, 'nowMs' | 'random' | 'record'>;
}

/** The engine's turns over a world; handlers are made once for each stack and type. */
export function engineTurn(world: World, { registry, stabilizing }: Setting): EngineTurn {
  const made = new Map<Stack, Map<string, ResourceProvider>>();
  const turn = live(world, {
    state: world.engine,
    registry,
    providerOf(stack: Stack, typeName: string): ResourceProvider {
      const ofStack = made.get(stack) ?? new Map<string, ResourceProvider>();
      made.set(stack, ofStack);
      const provider = ofStack.get(typeName) ?? newProvider(stack, typeName);
      ofStack.set(typeName, provider);
      return provider;
    },
  });
  return turn;

  function newProvider(stack: Stack, typeName: string): ResourceProvider {
    const key = placeKey(stack.place);
    const account = accountOf(world, key);
    const createTimes = world.settings[stack.stackId]?.scenario?.world['create_times'];
    const timing = world.settings[stack.stackId]?.timing ?? 'local';
    const ecs = ecsContext(world, key, timing);
    const { tellsOwnReason } = PRESETS[timing];
    const takesTime = world.kind === 'simulation'; // `docs/decisions.md` 22
    const waiting = { ...stabilizing, tellsOwnReason };
    const context = { account, ecs, registry, stabilizing: waiting, takesTime, createTimes };
    return createProviders(context)(typeName);
  }
}

/**
 * What operations of ECS work with, over a world as it stands whenever it is read.
 *
 * @param timing - of the stack that asks
 */
export function ecsContext(world: World, key: PlaceKey, timing: Timing = 'local'): EcsContext {
  return live(world, { state: accountOf(world, key).ecs, place: placeOf(key), timing });
}

function runtimeTurn(world: World, key: PlaceKey): SimulatedTurn {
  const scenarios = new Map<ServiceArn, Scenario | undefined>();
  const state = present(world.simulated[key], 'the place of an account has a runtime');
  const turn = live(world, {
    state,
    scenarioOf(service: ServiceArn | null) {
      if (service === null) return undefined;
      if (!scenarios.has(service)) scenarios.set(service, scenarioOf(world, service));
      return scenarios.get(service);
    },
    targetGroup: (arn: string) => targetGroupFacts(accountOf(world, key), arn),
  });
  return turn;
}

/** The stack whose template made the service. */
export function stackOf(world: World, service: ServiceArn): Stack | undefined {
  return Object.values(world.engine.stacks).find(
    ({ resources, deletedAtMs }) =>
      deletedAtMs === null &&
      Object.values(resources).some(({ physicalId }) => physicalId === service),
  );
}

function scenarioOf(world: World, service: ServiceArn): Scenario | undefined {
  const stack = stackOf(world, service);
  return stack === undefined ? undefined : (world.settings[stack.stackId]?.scenario ?? undefined);
}

function placeOf(key: PlaceKey): Place {
  const [accountId = '', region = ''] = key.split('/');
  return { accountId, region };
}

function accountOf(world: World, key: PlaceKey): Account {
  return present(world.accounts[key], 'the place of a stack has an account');
}

function isDue(atMs: EpochMs | undefined, { nowMs }: World): boolean {
  return atMs !== undefined && atMs <= nowMs;
}
