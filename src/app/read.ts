import { everyService, taskLogs, tasksOfService } from '../aws/ecs/index.ts';
import {
  type JsonObject,
  nearest,
  type Place,
  placeKey,
  toRfc3339,
  UserError,
} from '../base/index.ts';
import type { Stack } from '../engine/index.ts';
import type { EventRecord } from '../events/index.ts';
import { maskNoEcho, maskNoEchoIn } from '../language/index.ts';
import { openStore, type Store } from '../store/index.ts';
import type { World } from '../world/index.ts';
import { seeContainers } from './live.ts';
import { savedWorlds } from './session.ts';
import { placeFrom } from './targets.ts';
import { type CommonOptions, DEFAULTS, type Listing, type ReadOptions } from './use-cases.ts';

/** What a reading command looks at. */
interface Reader {
  readonly worlds: readonly World[];
  readonly place: Place;
  readonly store: Store<World>;
}

/** The last commits, and the place a reading command looks at. Reads only; makes no files. */
function openReader(options: CommonOptions): Reader {
  const store = openStore<World>(options.stateDir ?? DEFAULTS.common.stateDir);
  return { worlds: savedWorlds(store), place: placeFrom(options), store };
}

/** The same, with containers as they are by now. */
async function openLive(options: ReadOptions, withOutput = false): Promise<Reader> {
  const reader = openReader(options);
  const { stateDir = DEFAULTS.common.stateDir } = options;
  for (const world of reader.worlds) {
    const { note } = options;
    await seeContainers(world, { stateDir, withOutput, ...(note === undefined ? {} : { note }) });
  }
  return reader;
}

/** What a reading command answers, without a trace of NoEcho parameters (P17). */
function shown(items: readonly JsonObject[]): Listing {
  return { items: maskNoEchoIn(items) };
}

/** The stacks of the place that are not deleted, in the spelling of DescribeStacks. */
export function listStacks(options: CommonOptions): Listing {
  return shown(stacksOf(openReader(options)).map(describe));
}

/** @throws UserError `UnknownStack` */
export function describeStack(options: CommonOptions, name: string): Listing {
  return shown([describe(stackNamed(openReader(options), name))]);
}

/** Events of one stack, or of all, oldest first, in the spelling of DescribeStackEvents. */
export function stackEvents(options: CommonOptions, name?: string): Listing {
  const reader = openReader(options);
  const items = chosen(reader, name).flatMap((stack) => [
    ...stack.operations.flatMap(({ id }) => {
      const record = reader.store.readRecord(id) as EventRecord | undefined;
      return record === undefined ? [] : eventsOf(record, stack);
    }),
    ...underWay(reader, stack),
  ]);
  return shown(items);
}

/** Of an operation that a command is at, or left in the middle: with containers it is saved as it goes. */
function underWay({ worlds }: Reader, stack: Stack): JsonObject[] {
  if (stack.operation === null) return [];
  const world = worlds.find(({ engine }) => engine.stacks[stack.stackId] === stack);
  return world === undefined ? [] : eventsOf(world.record, stack);
}

function eventsOf({ entries }: EventRecord, { stackId }: Stack): JsonObject[] {
  return entries.flatMap((event) => {
    if (event.type !== 'stack' && event.type !== 'stack-resource') return [];
    if (event.stackId !== stackId) return [];
    const isStack = event.type === 'stack';
    return [
      {
        EventId: event.eventId,
        StackId: event.stackId,
        StackName: event.stackName,
        LogicalResourceId: isStack ? event.stackName : event.logicalId,
        PhysicalResourceId: isStack ? event.stackId : event.physicalId,
        ResourceType: isStack ? 'AWS::CloudFormation::Stack' : event.resourceType,
        Timestamp: toRfc3339(event.atMs),
        ResourceStatus: event.status,
        ...(event.statusReason === undefined ? {} : { ResourceStatusReason: event.statusReason }),
        ...(event.detailedStatus === undefined ? {} : { DetailedStatus: event.detailedStatus }),
      },
    ];
  });
}

/** Resources of one stack, or of all, in the spelling of DescribeStackResources. */
export function stackResources(options: CommonOptions, name?: string): Listing {
  const items = chosen(openReader(options), name).flatMap((stack) =>
    Object.values(stack.resources).map((resource) => ({
      StackName: stack.stackName,
      LogicalResourceId: resource.logicalId,
      PhysicalResourceId: resource.physicalId,
      ResourceType: resource.type,
      ResourceStatus: resource.status,
      ResourceStatusReason: resource.statusReason,
      Timestamp: toRfc3339(resource.statusSinceMs),
    })),
  );
  return shown(items);
}

/** Outputs of one stack, or of all, in the spelling of DescribeStacks. */
export function stackOutputs(options: CommonOptions, name?: string): Listing {
  const items = chosen(openReader(options), name).flatMap((stack) =>
    outputsOf(stack).map((output) => ({ StackName: stack.stackName, ...output })),
  );
  return shown(items);
}

/** Services of one stack, or of all, as DescribeServices answers. */
export async function listServices(options: ReadOptions, stack?: string): Promise<Listing> {
  const reader = await openLive(options);
  const all = servicesIn(reader);
  if (stack === undefined) return shown(all);
  const { resources } = stackNamed(reader, stack);
  const own = new Set(Object.values(resources).map(({ physicalId }) => physicalId));
  return shown(all.filter(({ serviceArn }) => own.has(String(serviceArn))));
}

/**
 * Tasks of a service by name, ARN or logical id, as DescribeTasks answers.
 *
 * @throws UserError `UnknownService`
 */
export async function listTasks(options: ReadOptions, service: string): Promise<Listing> {
  const reader = await openLive(options);
  const name = serviceNamed(reader, service);
  const items = firstOf(reader, (ecs) => tasksOfService(ecs, name));
  if (items === undefined) throw unknownService(reader, service, 'service');
  return shown(items);
}

/**
 * What the containers of a service or task printed last.
 *
 * @throws UserError `UnknownService` for what is neither
 */
export async function containerLogs(
  options: ReadOptions,
  target: string,
  container?: string,
): Promise<Listing> {
  const reader = await openLive(options, true);
  const name = serviceNamed(reader, target);
  const items = firstOf(reader, (ecs) => taskLogs(ecs, name, container));
  if (items === undefined) throw unknownService(reader, target, 'service or task');
  return shown(items);
}

/** A service may also be named as the template names it. */
function serviceNamed(reader: Reader, name: string): string {
  for (const stack of stacksOf(reader)) {
    const resource = stack.resources[name];
    if (resource?.type === 'AWS::ECS::Service' && resource.physicalId !== null) {
      return resource.physicalId;
    }
  }
  return name;
}

function unknownService(reader: Reader, name: string, what: string): UserError {
  const names = servicesIn(reader).map(({ serviceName }) => maskNoEcho(String(serviceName)));
  const meant = nearest(name, names);
  return new UserError('UnknownService', `no ${what} is named "${name}"`, {
    hint:
      meant === undefined
        ? 'overcast-cfn services lists those that are there'
        : `did you mean "${meant}"?`,
  });
}

type Ecs = Parameters<typeof everyService>[0];

/** ECS of the place, in every world that has it. */
function ecsIn({ worlds, place }: Reader): Ecs[] {
  return worlds.flatMap(({ accounts }) => {
    const account = accounts[placeKey(place)];
    return account === undefined ? [] : [{ state: account.ecs, place }];
  });
}

function servicesIn(reader: Reader): JsonObject[] {
  return ecsIn(reader).flatMap(everyService);
}

function firstOf(
  reader: Reader,
  answer: (ecs: Ecs) => JsonObject[] | undefined,
): JsonObject[] | undefined {
  for (const ecs of ecsIn(reader)) {
    const items = answer(ecs);
    if (items !== undefined) return items;
  }
  return undefined;
}

function stacksOf({ worlds, place }: Reader): Stack[] {
  return worlds
    .flatMap(({ engine }) => Object.values(engine.stacks))
    .filter((stack) => stack.deletedAtMs === null && placeKey(stack.place) === placeKey(place));
}

function chosen(reader: Reader, name: string | undefined): Stack[] {
  return name === undefined ? stacksOf(reader) : [stackNamed(reader, name)];
}

/** By name, or by id, which finds deleted ones too (L48). */
function stackNamed(reader: Reader, name: string): Stack {
  const stacks = stacksOf(reader);
  const byName = stacks.find(({ stackName }) => stackName === name);
  const every = reader.worlds.flatMap(({ engine }) => Object.values(engine.stacks));
  const found = byName ?? every.find(({ stackId }) => stackId === name);
  if (found !== undefined) return found;
  const meant = nearest(
    name,
    stacks.map(({ stackName }) => stackName),
  );
  throw new UserError('UnknownStack', `Stack with id ${name} does not exist`, {
    hint:
      meant === undefined
        ? 'overcast-cfn list shows those that are there'
        : `did you mean "${meant}"?`,
  });
}

function describe(stack: Stack): JsonObject {
  const { model } = stack;
  return {
    StackName: stack.stackName,
    StackId: stack.stackId,
    StackStatus: stack.status,
    ...(stack.statusReason === null ? {} : { StackStatusReason: stack.statusReason }),
    ...(model.description === undefined ? {} : { Description: model.description }),
    CreationTime: toRfc3339(stack.createdAtMs),
    Parameters: Object.entries(model.parameters).map(([key, { shown }]) => ({
      ParameterKey: key,
      ParameterValue: shown,
    })),
    Outputs: outputsOf(stack),
    Tags: Object.entries(stack.tags).map(([Key, Value]) => ({ Key, Value })),
  };
}

function outputsOf({ model, outputs }: Stack): JsonObject[] {
  return Object.entries(outputs).map(([key, value]) => {
    const { description, exportName } = model.outputs[key] ?? {};
    return {
      OutputKey: key,
      OutputValue: value,
      ...(description === undefined ? {} : { Description: description }),
      ...(exportName === undefined ? {} : { ExportName: exportName }),
    };
  });
}
