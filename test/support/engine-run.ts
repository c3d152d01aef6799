import assert from 'node:assert/strict';
import {
  addMs,
  type EpochMs,
  type JsonObject,
  type LogicalId,
  present,
  SIMULATION_START_MS,
  type StackId,
  seedRandom,
} from '../../src/base/index.ts';
import {
  type CreateRequest,
  createEngineState,
  createStack,
  deleteStack,
  type EngineTurn,
  engineDueMs,
  interrupt,
  type Stack,
  stepEngine,
} from '../../src/engine/index.ts';
import {
  createRecord,
  type RecordedEvent,
  type ResourceEvent,
  type StackEvent,
} from '../../src/events/index.ts';
import type { OutputModel, ResourceModel, StackModel } from '../../src/language/index.ts';
import type { Registry, TypeFacts } from '../../src/registry/index.ts';
import { type HandlerCall, type Script, testProvider } from './test-provider.ts';
import { PLACE } from './world.ts';

/** A resource of a small model, with what its handlers do. */
export interface TestResource extends Script {
  readonly type?: string;
  readonly dependsOn?: readonly LogicalId[];
  readonly deletionPolicy?: ResourceModel['deletionPolicy'];
  readonly properties?: JsonObject;
}

export interface RunOptions {
  readonly resources: { readonly [logicalId: LogicalId]: TestResource };
  readonly outputs?: { readonly [name: string]: OutputModel };
  readonly facts?: (typeName: string) => TypeFacts | undefined;
  readonly handlerTimeoutMinutes?: number;
}

type Asked = Partial<Pick<CreateRequest, 'onFailure' | 'timeoutInMinutes' | 'preflightFailure'>>;

/** The engine alone, on a small model and scripted handlers, in virtual time. */
export interface EngineRun {
  readonly calls: readonly HandlerCall[];
  readonly turn: EngineTurn;
  /** Turns of the engine so far. */
  rounds(): number;
  create(asked?: Asked, stackName?: string): Stack;
  delete(stack: Stack, retain?: readonly LogicalId[]): void;
  interrupt(): void;
  /** Goes on until no operation is under way, or for so many seconds. */
  run(seconds?: number): void;
  events(): readonly (StackEvent | ResourceEvent)[];
}

export function createEngineRun(options: RunOptions): EngineRun {
  const { provider, calls } = testProvider(options.resources);
  const state = createEngineState();
  const clock = { nowMs: SIMULATION_START_MS };
  const record = createRecord();
  const turn: EngineTurn = {
    ...{ state, record, random: seedRandom('engine'), registry: testRegistry(options) },
    providerOf: () => provider,
    get nowMs() {
      return clock.nowMs;
    },
  };
  let rounds = 0;
  return {
    ...{ calls, turn },
    rounds: () => rounds,
    create: (asked = {}, stackName = 'demo') =>
      createStack(turn, requestOf(options, stackName, asked)),
    delete: (stack, retain = []) => deleteStack(turn, stack, retain),
    interrupt: () => interrupt(state),
    run(seconds) {
      const until = seconds === undefined ? undefined : addMs(clock.nowMs, seconds * 1000);
      for (;;) {
        const due = engineDueMs(state, clock.nowMs);
        if (state.active.length === 0 || (until !== undefined && (due ?? until) > until)) break;
        clock.nowMs = present(due, 'an operation under way waits for something');
        stepEngine(turn);
        rounds += 1;
        assert(rounds < 100_000, 'a run comes to an end');
      }
      if (until !== undefined) clock.nowMs = until;
    },
    events: () => record.entries.filter(isOfStack),
  };
}

function isOfStack(event: RecordedEvent): event is StackEvent | ResourceEvent {
  return event.type === 'stack' || event.type === 'stack-resource';
}

function requestOf({ resources, outputs }: RunOptions, stackName: string, asked: Asked) {
  const stackId = `arn:aws:cloudformation:us-east-1:000000000000:stack/${stackName}/1` as StackId;
  const model = modelOf(resources, outputs ?? {});
  return {
    stackId,
    stackName,
    place: PLACE,
    tags: {},
    model,
    onFailure: 'ROLLBACK' as const,
    ...asked,
  };
}

function modelOf(
  resources: RunOptions['resources'],
  outputs: NonNullable<RunOptions['outputs']>,
): StackModel {
  const source = { file: 'template.yml', line: 1, column: 1, lineText: '' };
  const modelled = Object.entries(resources).map(
    ([logicalId, resource]): [string, ResourceModel] => [
      logicalId,
      {
        ...{ logicalId, source, updateReplacePolicy: 'Delete' },
        type: resource.type ?? 'AWS::SNS::Topic',
        properties: resource.properties ?? {},
        dependsOn: resource.dependsOn ?? [],
        deletionPolicy: resource.deletionPolicy ?? 'Delete',
      },
    ],
  );
  return {
    ...{ parameters: {}, conditions: {}, outputs, imports: [], capabilities: [] },
    resources: Object.fromEntries(modelled),
  };
}

/** Every type is known, takes any property and is named by its `Id`. */
function testRegistry({ facts, handlerTimeoutMinutes = 120 }: RunOptions): Registry {
  const known = new Map<string, TypeFacts>();
  return {
    facts(typeName) {
      const found = facts?.(typeName) ?? known.get(typeName) ?? plainFacts(typeName);
      known.set(typeName, found);
      return found;
    },
    typeNames: () => [],
    typicalSeconds: () => 0,
    handlerTimeoutMinutes: () => handlerTimeoutMinutes,
  };
}

function plainFacts(typeName: string): TypeFacts {
  return {
    ...{ typeName, schema: {}, primaryIdentifier: ['Id'], ref: ['Id'], attributes: [] },
    ...{ readOnly: [], createOnly: [], conditionalCreateOnly: [] },
  };
}

/** A stack's events on a line each: seconds since the start, status, whose it is, and why. */
export function briefly(events: readonly (StackEvent | ResourceEvent)[]): readonly string[] {
  return events.map((event) => {
    const seconds = (event.atMs - SIMULATION_START_MS) / 1000;
    const whose = event.type === 'stack' ? event.stackName : event.logicalId;
    const why = event.statusReason ?? '';
    return `${seconds} ${event.status} ${whose} ${why}`.trimEnd();
  });
}

/** Seconds since the start of simulated time. */
export function secondsAt(atMs: EpochMs): number {
  return (atMs - SIMULATION_START_MS) / 1000;
}
