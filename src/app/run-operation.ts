import { HOUR_MS, type LogicalId, MINUTE_MS, type Place, present } from '../base/index.ts';
import { engineLost, notSimulated } from '../diagnosis/index.ts';
import {
  type CreateRequest,
  createStack,
  deleteStack,
  type Stack,
  stacksUnderWay,
} from '../engine/index.ts';
import { append } from '../events/index.ts';
import { type Finding, findingResult, type StackResult, stackResult } from '../result/index.ts';
import { forgetAssumptions } from '../runtime/simulated/index.ts';
import { beginOperation, type RuntimeKind, type World } from '../world/index.ts';
import { closeDriver } from './close-driver.ts';
import { type Containers, openContainers } from './containers.ts';
import {
  assumptionsOf,
  findingsOf,
  localFindings,
  servicesNow,
  unsimulatedIn,
} from './findings.ts';
import { createInbox } from './inbox.ts';
import { engineTurn, type Setting } from './parts.ts';
import { isSettled, type Outfit, restUntilMs, runWorld, toNow } from './run-world.ts';
import type { Desk, Session } from './session.ts';
import { type Settled, settleServices } from './settle-services.ts';
import type { Progress } from './use-cases.ts';
import { type KnownValues, valueSource } from './values.ts';
import { watcher } from './watch.ts';

/** How one operation on one stack ended. */
export interface Ended {
  readonly stack: Stack;
  readonly result: StackResult;
  readonly findings: readonly Finding[];
  readonly assumptions: readonly string[];
}

/** How the command wants services to be waited for. */
export interface WaitOptions {
  readonly stabilizeTimeoutMs?: number;
  readonly failFast?: boolean;
  /** Whether what containers print is passed on. */
  readonly follow?: boolean;
}

const LIMIT_MS: Readonly<Record<RuntimeKind, number>> = {
  simulation: 36 * HOUR_MS, // `docs/decisions.md` 4
  docker: 10 * MINUTE_MS,
};
/** Fine print f; on the system's clock a look costs next to nothing, and waiting for one does. */
const LOOK_EVERY_SECONDS: Readonly<Record<RuntimeKind, number>> = { simulation: 5, docker: 0.1 };

function stabilizing(
  kind: RuntimeKind,
  { stabilizeTimeoutMs, failFast }: WaitOptions,
): Setting['stabilizing'] {
  const isFast = failFast ?? kind === 'docker';
  return {
    limitMs: stabilizeTimeoutMs ?? LIMIT_MS[kind],
    isSet: stabilizeTimeoutMs !== undefined,
    giveUpOn: !isFast ? 'nothing' : kind === 'docker' ? 'likely' : 'proven',
    lookEverySeconds: LOOK_EVERY_SECONDS[kind],
  };
}

/** Runs operations of one command: they share its inbox, so that Ctrl-C reaches whichever runs. */
export interface Runner {
  create(
    session: Session,
    request: CreateRequest,
    seed: number,
    assumptions: readonly string[],
  ): Promise<Ended>;
  remove(
    session: Session,
    stack: Stack,
    seed: number,
    retain: readonly LogicalId[],
  ): Promise<Ended>;
  /** Lets the services of a stack that is complete come back to their steady state, if they left it. */
  settle(session: Session, stack: Stack, seed: number): Promise<Settled>;
  /** Goes on with what an earlier command left in the middle, to its end. */
  resume(session: Session, turnBack: (stack: Stack) => boolean): Promise<readonly Ended[]>;
  /** Lets the services of a world of containers go on until Ctrl-C. */
  follow(session: Session): Promise<void>;
  readonly interrupted: boolean;
  /** Why the engine is not there any more; undefined while it is, or where none is needed. */
  readonly lost: string | undefined;
  /** Containers stay as they are. What is under way outside has a moment to come to its end. */
  close(): Promise<void>;
}

/** After Ctrl-C, or without its engine, a command begins nothing more. */
export function isCutShort({ interrupted, lost }: Runner): boolean {
  return interrupted || lost !== undefined;
}

export function createRunner(
  desk: Desk,
  options: WaitOptions,
  known: KnownValues,
  progress: Progress,
): Runner {
  const inbox = createInbox();
  let opening: Promise<Containers> | undefined;
  let containers: Containers | undefined;
  let interrupted = false;
  progress.interruptible?.(() => {
    interrupted = true;
    inbox.write({ type: 'signal', signal: 'SIGINT' });
  }, 'the stack is brought to an end it can go on from');

  const outfitOf = async ({ world, registry }: Session): Promise<Outfit> => {
    const setting = { registry, stabilizing: stabilizing(world.kind, options) };
    const shared = { inbox, progress, isInterrupted: () => interrupted };
    if (world.kind === 'simulation') return { ...shared, setting, containers: undefined };
    const session = desk.session('docker');
    const { note, output } = progress;
    const followed = { ...(note && { note }), ...(output && options.follow && { output }) };
    opening ??= openContainers(desk, session, inbox, valueSource(world, known), followed);
    containers = await opening;
    return { ...shared, setting: { ...setting, containers }, containers };
  };
  return {
    get interrupted() {
      return interrupted;
    },
    get lost() {
      return containers?.lost;
    },
    async create(session, request, seed, assumptions) {
      const { world } = session;
      const outfit = await outfitOf(session);
      begin(world, request.place, request.stackName, seed);
      for (const text of assumptions) {
        append(world.record, { type: 'assumption', atMs: world.nowMs, text });
      }
      const stack = createStack(engineTurn(world, outfit.setting), request);
      return run(session, outfit, stack, Object.keys(request.model.resources).length);
    },
    async remove(session, stack, seed, retain) {
      const { world } = session;
      const outfit = await outfitOf(session);
      begin(world, stack.place, stack.stackName, seed);
      deleteStack(engineTurn(world, outfit.setting), stack, retain);
      const changes = Object.values(stack.resources).filter(isLeft).length;
      return run(session, outfit, stack, changes);
    },
    async settle(session, stack, seed) {
      const outfit = await outfitOf(session);
      begin(session.world, stack.place, stack.stackName, seed);
      return settleServices(session, outfit, stack);
    },
    async resume(session, turnBack) {
      const ended: Ended[] = [];
      for (const stack of stacksUnderWay(session.world.engine)) {
        if (containers?.lost !== undefined) break;
        progress.note?.(`stack ${stack.stackName} is in ${stack.status}: going on with it first`);
        const outfit = await outfitOf(session);
        const { operation } = stack; // null where it came to its end beside one before it
        if (operation?.phase === 'creating' && turnBack(stack)) operation.interrupted = true;
        ended.push(await run(session, outfit, stack, Object.keys(stack.resources).length));
      }
      return ended;
    },
    async follow(session) {
      const outfit = await outfitOf(session);
      let isOver = false;
      progress.interruptible?.(() => {
        isOver = true;
        inbox.write({ type: 'signal', signal: 'SIGINT' });
      }, 'its containers go on');
      const until = () => isOver || outfit.containers?.lost !== undefined;
      const { entries } = session.world.record;
      await runWorld(session, outfit, until, watcher(progress, undefined, entries.length));
    },
    async close() {
      // Where there is none, no engine was asked for, or whoever asked was told.
      if (containers !== undefined) await closeDriver(containers.driver);
    },
  };
}

function begin(world: World, place: Place, stackName: string, seed: number): void {
  beginOperation(world, place, stackName, seed);
  toNow(world);
  for (const runtime of Object.values(world.simulated)) forgetAssumptions(runtime);
  for (const runtime of Object.values(world.docker)) runtime.assumed = {};
}

async function run(
  session: Session,
  outfit: Outfit,
  stack: Stack,
  changes: number,
): Promise<Ended> {
  const { world } = session;
  const { containers, progress } = outfit;
  const settled = () =>
    containers?.lost !== undefined || isSettled(world, stack, outfit.isInterrupted());
  await runWorld(session, outfit, settled, watcher(progress, stack), () => restUntilMs(stack));
  const lost = stack.operation === null ? undefined : containers?.lost;
  const operation = stack.operation ?? present(stack.operations.at(-1), 'it ended');
  const { record } = world;
  session.records[operation.id] = record;
  if (containers !== undefined) session.save();
  const currentServices = servicesNow(world, stack);
  const unsimulated = operation.kind === 'CREATE' ? unsimulatedIn(stack) : [];
  const result = stackResult({
    ...{ stack, record, changes, currentServices },
    kind: operation.kind,
    startedAtMs: operation.startedAtMs,
    finishedAtMs: 'finishedAtMs' in operation ? operation.finishedAtMs : world.nowMs,
    undetermined: unsimulated.length > 0,
    runtime: world.kind,
    cutOff: lost !== undefined,
  });
  const open = result.verdict === 'undetermined' && result.failure === null ? unsimulated : [];
  return {
    stack,
    result,
    findings: [
      ...(lost === undefined ? [] : [findingResult(engineLost(lost), stack.stackName)]),
      ...(result.verdict === 'undetermined' ? localFindings(world, stack) : []),
      ...findingsOf(stack, world, currentServices),
      ...open.map((one) => findingResult(notSimulated(one), stack.stackName)),
    ],
    assumptions: [
      ...assumptionsOf(world),
      ...unsimulated.map(({ logicalId, type, what }) => `${logicalId} (${type}): ${what}`),
    ],
  };
}

function isLeft({ status }: { readonly status: string }): boolean {
  return status !== 'DELETE_COMPLETE' && status !== 'DELETE_SKIPPED';
}
