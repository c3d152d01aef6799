import type { Account } from '../aws/account/index.ts';
import type { Timing } from '../aws/ecs/index.ts';
import {
  type EpochMs,
  type JsonObject,
  type Place,
  type PlaceKey,
  placeKey,
  type RandomState,
  SIMULATION_START_MS,
  type StackId,
  seedRandom,
} from '../base/index.ts';
import type { EngineState } from '../engine/index.ts';
import { createRecord, type EventRecord } from '../events/index.ts';
import type { DockerRuntimeState } from '../runtime/docker/index.ts';
import type { SimulatedRuntimeState } from '../runtime/simulated/index.ts';
import type { Scenario } from '../scenario/index.ts';

/** Where tasks run, and with that how time passes: a world has one of them. */
export type RuntimeKind = 'simulation' | 'docker';

/**
 * All that a run depends on, as plain data: no class, closure or promise. The store saves it.
 *
 * A state folder holds one world for each kind of runtime, since one has its own time and the other
 * the system's; they share names of stacks and exports.
 */
export interface World {
  readonly kind: RuntimeKind;
  /** What the containers of this world are told apart by from those of others; null without any. */
  readonly home: string | null;
  nowMs: EpochMs; // its own time, standing still between commands
  deterministic: boolean; // false once an answer came from outside
  readonly accounts: { [place: PlaceKey]: Account };
  readonly engine: EngineState;
  /** By place; of the two the one of the world's kind. */
  readonly simulated: { [place: PlaceKey]: SimulatedRuntimeState };
  readonly docker: { [place: PlaceKey]: DockerRuntimeState };
  /** How each stack was made; later commands on it go on like that (`docs/decisions.md` 24). */
  readonly settings: { [stack: StackId]: StackSettings };
  random: RandomState;
  /** What scenarios gave to the account already: by stack and place in its list. */
  readonly given: { [key: string]: true };
  /** Operations begun on stacks of a place and name: what ids are made from, so that they differ. */
  readonly begun: { [placeAndName: string]: number };
  /** The record of the operation that is running, or ran last. */
  record: EventRecord;
}

export interface StackSettings {
  readonly runtime: RuntimeKind;
  readonly timing: Timing;
  readonly seed: number;
  readonly scenario: Scenario | null;
  /** With Docker: how its containers are run. */
  readonly containers?: ContainerSettings;
}

export interface ContainerSettings {
  /** The address of this machine at which host ports are published (`--publish`). */
  readonly publish: string;
  /** Images run in place of others (`--image`). */
  readonly images: { readonly [from: string]: string };
}

/** A world of tasks in virtual time. */
export function createWorld(): World {
  return emptyWorld('simulation', null, SIMULATION_START_MS);
}

/** @param home - as no other world has it */
export function createDockerWorld(home: string, nowMs: EpochMs): World {
  return emptyWorld('docker', home, nowMs);
}

function emptyWorld(kind: RuntimeKind, home: string | null, nowMs: EpochMs): World {
  return {
    kind,
    home,
    nowMs,
    deterministic: true,
    accounts: {},
    engine: { stacks: {}, active: [] },
    simulated: {},
    docker: {},
    settings: {},
    random: seedRandom(''),
    given: {},
    begun: {},
    record: createRecord(),
  };
}

/** Whether saved data is a world at all; its members are what `createWorld` and the rooms made. */
export function isWorld(value: object): value is World {
  return Object.keys(createWorld()).every((member) => Object.hasOwn(value, member));
}

/** A second world that goes its own way: predictions and tried fixes run in one. */
export function fork(world: World): World {
  return structuredClone(world);
}

/**
 * That a world is data and survives being saved: plain objects, lists, texts, finite numbers,
 * booleans and null, nothing else.
 *
 * @returns the first place that is not, as `a.b.0`, or undefined when all is well
 */
export function findUnserialisable(value: unknown, at = 'world'): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : at;
  if (typeof value !== 'object') return at;
  const prototype: unknown = Object.getPrototypeOf(value);
  const plain = Array.isArray(value) || prototype === Object.prototype || prototype === null;
  if (!plain) return at;
  for (const [key, member] of Object.entries(value as JsonObject)) {
    const found = findUnserialisable(member, `${at}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * What ids of a world of containers are drawn from beside what those of the simulated one are: the
 * two share a folder of records, and a name may be used in one after the other.
 */
export function ofHome({ home }: World): string {
  return home === null ? '' : ` ${home}`;
}

/** How many operations were begun so far on stacks of this place and name. */
export function operationsBegun(world: World, place: Place, stackName: string): number {
  return world.begun[`${placeKey(place)} ${stackName}`] ?? 0;
}

/** Counts one operation more, and draws chance anew for it: from the seed, the name and the count. */
export function beginOperation(world: World, place: Place, stackName: string, seed: number): void {
  const count = operationsBegun(world, place, stackName) + 1;
  world.begun[`${placeKey(place)} ${stackName}`] = count;
  world.random = seedRandom(`${seed} ${placeKey(place)} ${stackName} ${count}${ofHome(world)}`);
  world.record = createRecord();
}
