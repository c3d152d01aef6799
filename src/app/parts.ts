import { type Account, createAccount } from '../aws/account/index.ts';
import {
  type EcsContext,
  LOCAL_RULES,
  schedulerDueMs,
  stepScheduler,
  type TaskRuntime,
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
import { createProviders, type StabilizeLimit } from '../providers/index.ts';
import type { Registry, ResourceProvider } from '../registry/index.ts';
import {
  createSimulatedRuntime,
  createSimulatedRuntimeState,
  type SimulatedTurn,
  simulatedRuntimeDueMs,
  stepSimulatedRuntime,
} from '../runtime/simulated/index.ts';
import type { Scenario } from '../scenario/index.ts';
import type { World } from '../world/index.ts';
import type { Part } from './loop.ts';

/** What the parts of a run are made with, beside the world. */
export interface Setting {
  readonly registry: Registry;
  readonly stabilizeLimit: StabilizeLimit;
}

/** The account and the runtime of a place, made where there are none yet. */
export function settle(world: World, key: PlaceKey): Account {
  const account = world.accounts[key] ?? createAccount();
  world.accounts[key] = account;
  world.runtimes[key] ??= createSimulatedRuntimeState();
  return account;
}

/**
 * The parts of a world in the order of a round: runtime, services, engine (`docs/architecture.md`).
 * Made for the places that the world has by now.
 */
export function partsOf(world: World, setting: Setting): readonly Part[] {
  const places = (Object.keys(world.accounts) as PlaceKey[]).map((key) => {
    const turn = runtimeTurn(world, key);
    return { turn, ecs: ecsContext(world, key), runtime: createSimulatedRuntime(turn) };
  });
  return [
    ...places.map(({ turn }) => runtimePart(world, turn)),
    ...places.map(({ turn, ecs, runtime }) => ecsPart(world, turn, ecs, runtime)),
    enginePart(world, engineTurn(world, setting)),
  ];
}

function runtimePart(world: World, turn: SimulatedTurn): Part {
  const nextDueMs = () => simulatedRuntimeDueMs(turn.state, world.nowMs);
  return {
    step() {
      if (isDue(nextDueMs(), world)) stepSimulatedRuntime(turn);
    },
    nextDueMs,
    pendingOutside: () => false,
  };
}

function ecsPart(world: World, turn: SimulatedTurn, ecs: EcsContext, runtime: TaskRuntime): Part {
  const nextDueMs = () => schedulerDueMs(ecs.state, world.nowMs);
  const schedulerTurn = live(world, {
    state: ecs.state,
    place: ecs.place,
    runtime,
    rules: LOCAL_RULES,
  });
  return {
    step() {
      // Most rounds of a long wait are about nothing of this place.
      const seen = simulatedRuntimeDueMs(turn.state, world.nowMs);
      if (isDue(nextDueMs(), world) || isDue(seen, world)) stepScheduler(schedulerTurn);
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
export function engineTurn(world: World, { registry, stabilizeLimit }: Setting): EngineTurn {
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
    const ecs = ecsContext(world, key);
    return createProviders({ account, ecs, registry, stabilizeLimit, createTimes })(typeName);
  }
}

/** What operations of ECS work with, over a world as it stands whenever it is read. */
export function ecsContext(world: World, key: PlaceKey): EcsContext {
  return live(world, { state: accountOf(world, key).ecs, place: placeOf(key) });
}

function runtimeTurn(world: World, key: PlaceKey): SimulatedTurn {
  const scenarios = new Map<ServiceArn, Scenario | undefined>();
  const state = present(world.runtimes[key], 'the place of an account has a runtime');
  const turn = live(world, {
    state,
    scenarioOf(service: ServiceArn | null) {
      if (service === null) return undefined;
      if (!scenarios.has(service)) scenarios.set(service, scenarioOf(world, service));
      return scenarios.get(service);
    },
  });
  return turn;
}

/** The scenario of the stack whose template made the service. */
function scenarioOf(world: World, service: ServiceArn): Scenario | undefined {
  const stack = Object.values(world.engine.stacks).find(
    ({ resources, deletedAtMs }) =>
      deletedAtMs === null &&
      Object.values(resources).some(({ physicalId }) => physicalId === service),
  );
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
