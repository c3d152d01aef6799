import {
  HOUR_MS,
  type LogicalId,
  type Place,
  placeKey,
  present,
  virtualClock,
} from '../base/index.ts';
import { diagnose, notSimulated } from '../diagnosis/index.ts';
import { type CreateRequest, createStack, deleteStack, type Stack } from '../engine/index.ts';
import { append, type ServiceView } from '../events/index.ts';
import type { ResourceModel } from '../language/index.ts';
import { NOT_SIMULATED, type StabilizeLimit } from '../providers/index.ts';
import { type Finding, findingResult, type StackResult, stackResult } from '../result/index.ts';
import { forgetAssumptions } from '../runtime/simulated/index.ts';
import { beginOperation, type World } from '../world/index.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { runUntil } from './loop.ts';
import { engineTurn, partsOf, type Setting } from './parts.ts';
import type { Session } from './session.ts';
import type { Progress } from './use-cases.ts';
import { serviceView, watcher } from './watch.ts';

/** How one operation on one stack ended. */
export interface Ended {
  readonly stack: Stack;
  readonly result: StackResult;
  readonly findings: readonly Finding[];
  readonly assumptions: readonly string[];
}

/** How long a service may take: 36 hours, unless the command says otherwise (`docs/decisions.md` 4). */
export function stabilizeLimit(givenMs: number | undefined): StabilizeLimit {
  return { ms: givenMs ?? 36 * HOUR_MS, isSet: givenMs !== undefined };
}

/** Runs operations of one command: they share its inbox, so that Ctrl-C reaches whichever runs. */
export interface Runner {
  create(request: CreateRequest, seed: number, assumptions: readonly string[]): Promise<Ended>;
  remove(stack: Stack, seed: number, retain: readonly LogicalId[]): Promise<Ended>;
  readonly interrupted: boolean;
}

export function createRunner(
  session: Session,
  stabilizeLimit: StabilizeLimit,
  progress: Progress,
): Runner {
  const { world, registry } = session;
  const setting: Setting = { registry, stabilizeLimit };
  const inbox = createInbox();
  let interrupted = false;
  progress.interruptible?.(() => {
    interrupted = true;
    inbox.write({ type: 'signal', signal: 'SIGINT' });
  });
  return {
    get interrupted() {
      return interrupted;
    },
    async create(request, seed, assumptions) {
      begin(world, request.place, request.stackName, seed);
      for (const text of assumptions) {
        append(world.record, { type: 'assumption', atMs: world.nowMs, text });
      }
      const stack = createStack(engineTurn(world, setting), request);
      const changes = Object.keys(request.model.resources).length;
      return run(session, setting, stack, changes, inbox, progress);
    },
    async remove(stack, seed, retain) {
      begin(world, stack.place, stack.stackName, seed);
      deleteStack(engineTurn(world, setting), stack, retain);
      const changes = Object.values(stack.resources).filter(isLeft).length;
      return run(session, setting, stack, changes, inbox, progress);
    },
  };
}

function begin(world: World, place: Place, stackName: string, seed: number): void {
  beginOperation(world, place, stackName, seed);
  for (const runtime of Object.values(world.runtimes)) forgetAssumptions(runtime);
}

async function run(
  session: Session,
  setting: Setting,
  stack: Stack,
  changes: number,
  inbox: Inbox,
  progress: Progress,
): Promise<Ended> {
  const { world } = session;
  await runUntil(() => stack.operation === null, world, {
    parts: partsOf(world, setting),
    clock: virtualClock,
    inbox,
    onInstant: watcher(progress, stack),
  });
  const operation = present(stack.operations.at(-1), 'an operation that ended is kept');
  session.records[operation.id] = world.record;
  const { record } = world;
  const currentServices = servicesNow(world, stack);
  const unsimulated = operation.kind === 'CREATE' ? unsimulatedIn(stack) : [];
  const result = stackResult({
    ...{ stack, record, changes, currentServices },
    kind: operation.kind,
    startedAtMs: operation.startedAtMs,
    finishedAtMs: operation.finishedAtMs,
    undetermined: unsimulated.length > 0,
  });
  const open = result.verdict === 'undetermined' ? unsimulated : [];
  return {
    stack,
    result,
    findings: [
      ...findingsOf(stack, world, currentServices),
      ...open.map((one) => findingResult(notSimulated(one), stack.stackName)),
    ],
    assumptions: [
      ...assumptionsOf(world),
      ...unsimulated.map(({ logicalId, type, what }) => `${logicalId} (${type}): ${what}`),
    ],
  };
}

/** Resources that run something which is not simulated, and what is not run of each. */
function unsimulatedIn({ model }: Stack): readonly (ResourceModel & { readonly what: string })[] {
  return Object.values(model.resources).flatMap((resource) => {
    const what = NOT_SIMULATED[resource.type];
    return what === undefined ? [] : [{ ...resource, what }];
  });
}

function assumptionsOf({ record }: World): readonly string[] {
  return record.entries.flatMap((event) => (event.type === 'assumption' ? [event.text] : []));
}

function findingsOf(stack: Stack, world: World, now: readonly ServiceView[]): readonly Finding[] {
  const { record } = world;
  const facts = {
    record,
    sourceOf: (logicalId: LogicalId) => stack.model.resources[logicalId]?.source,
    serviceOf(logicalId: LogicalId) {
      const arn = stack.resources[logicalId]?.physicalId;
      const ended = record.entries.find(
        (event) => event.type === 'ecs-service-ended' && event.service === arn,
      );
      if (ended?.type === 'ecs-service-ended') return ended.view;
      return now.find(({ serviceArn }) => serviceArn === arn);
    },
  };
  return diagnose(facts).map((finding) => findingResult(finding, stack.stackName));
}

function servicesNow(world: World, stack: Stack): readonly ServiceView[] {
  return Object.values(stack.resources).flatMap(({ type, physicalId }) => {
    if (type !== 'AWS::ECS::Service') return [];
    const view = serviceView(world, placeKey(stack.place), physicalId);
    return view === undefined ? [] : [view];
  });
}

function isLeft({ status }: { readonly status: string }): boolean {
  return status !== 'DELETE_COMPLETE' && status !== 'DELETE_SKIPPED';
}
