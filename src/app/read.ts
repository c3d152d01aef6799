import { describeServices, describeTasks, taskLogs } from '../aws/ecs/index.ts';
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
import { openStore } from '../store/index.ts';
import type { World } from '../world/index.ts';
import { savedWorld } from './session.ts';
import { placeFrom } from './targets.ts';
import { type CommonOptions, DEFAULTS, type Listing } from './use-cases.ts';

function storeOf({ stateDir = DEFAULTS.common.stateDir }: CommonOptions) {
  return openStore<World>(stateDir);
}

/** The last commit, and the place a reading command looks at. Reads only; makes no files. */
function openWorld(options: CommonOptions): { readonly world: World; readonly place: Place } {
  const world = savedWorld(storeOf(options));
  return { world, place: placeFrom(options) };
}

/** What a reading command answers, without a trace of NoEcho parameters (P17). */
function shown(items: readonly JsonObject[]): Listing {
  return { items: maskNoEchoIn(items) };
}

/** The stacks of the place that are not deleted, in the spelling of DescribeStacks. */
export function listStacks(options: CommonOptions): Listing {
  const { world, place } = openWorld(options);
  return shown(stacksOf(world, place).map(describe));
}

/** @throws UserError `UnknownStack` */
export function describeStack(options: CommonOptions, name: string): Listing {
  const { world, place } = openWorld(options);
  return shown([describe(stackNamed(world, place, name))]);
}

/** Events of one stack, or of all, oldest first, in the spelling of DescribeStackEvents. */
export function stackEvents(options: CommonOptions, name?: string): Listing {
  const { world, place } = openWorld(options);
  const store = storeOf(options);
  const items = chosen(world, place, name).flatMap((stack) =>
    stack.operations.flatMap(({ id }) => {
      const record = store.readRecord(id) as EventRecord | undefined;
      return record === undefined ? [] : eventsOf(record, stack);
    }),
  );
  return shown(items);
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
  const { world, place } = openWorld(options);
  const items = chosen(world, place, name).flatMap((stack) =>
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
  const { world, place } = openWorld(options);
  const items = chosen(world, place, name).flatMap((stack) =>
    outputsOf(stack).map((output) => ({ StackName: stack.stackName, ...output })),
  );
  return shown(items);
}

/** Services of one stack, or of all, as DescribeServices answers. */
export function listServices(options: CommonOptions, stack?: string): Listing {
  const { world, place } = openWorld(options);
  const all = accountItems(world, place, (ecs) => describeServices({ state: ecs, place }));
  if (stack === undefined) return shown(all);
  const { resources } = stackNamed(world, place, stack);
  const own = new Set(Object.values(resources).map(({ physicalId }) => physicalId));
  return shown(all.filter(({ serviceArn }) => own.has(String(serviceArn))));
}

/**
 * Tasks of a service by name, ARN or logical id, as DescribeTasks answers.
 *
 * @throws UserError `UnknownService`
 */
export function listTasks(options: CommonOptions, service: string): Listing {
  const { world, place } = openWorld(options);
  const state = world.accounts[placeKey(place)]?.ecs;
  const name = serviceNamed(world, place, service);
  const items = state === undefined ? undefined : describeTasks({ state, place }, name);
  if (items === undefined) throw unknownService(world, place, service, 'service');
  return shown(items);
}

/**
 * What the containers of a service or task printed last.
 *
 * @throws UserError `UnknownService` for what is neither
 */
export function containerLogs(options: CommonOptions, target: string, container?: string): Listing {
  const { world, place } = openWorld(options);
  const state = world.accounts[placeKey(place)]?.ecs;
  const name = serviceNamed(world, place, target);
  const items = state === undefined ? undefined : taskLogs({ state, place }, name, container);
  if (items === undefined) throw unknownService(world, place, target, 'service or task');
  return shown(items);
}

/** A service may also be named as the template names it. */
function serviceNamed(world: World, place: Place, name: string): string {
  for (const stack of stacksOf(world, place)) {
    const resource = stack.resources[name];
    if (resource?.type === 'AWS::ECS::Service' && resource.physicalId !== null) {
      return resource.physicalId;
    }
  }
  return name;
}

function unknownService(world: World, place: Place, name: string, what: string): UserError {
  const names = accountItems(world, place, (ecs) => describeServices({ state: ecs, place })).map(
    ({ serviceName }) => maskNoEcho(String(serviceName)),
  );
  const meant = nearest(name, names);
  return new UserError('UnknownService', `no ${what} is named "${name}"`, {
    hint:
      meant === undefined
        ? 'overcast-cfn services lists those that are there'
        : `did you mean "${meant}"?`,
  });
}

function accountItems(
  world: World,
  place: Place,
  items: (ecs: World['accounts'][keyof World['accounts']]['ecs']) => JsonObject[],
): JsonObject[] {
  const account = world.accounts[placeKey(place)];
  return account === undefined ? [] : items(account.ecs);
}

function stacksOf(world: World, place: Place): Stack[] {
  return Object.values(world.engine.stacks).filter(
    (stack) => stack.deletedAtMs === null && placeKey(stack.place) === placeKey(place),
  );
}

function chosen(world: World, place: Place, name: string | undefined): Stack[] {
  return name === undefined ? stacksOf(world, place) : [stackNamed(world, place, name)];
}

/** By name, or by id, which finds deleted ones too (L48). */
function stackNamed(world: World, place: Place, name: string): Stack {
  const stacks = stacksOf(world, place);
  const byName = stacks.find(({ stackName }) => stackName === name);
  const found =
    byName ?? Object.values(world.engine.stacks).find(({ stackId }) => stackId === name);
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
