import { createEcs, type Ecs } from '../aws/ecs/index.ts';
import {
  addMs,
  type EpochMs,
  HOUR_MS,
  type LogicalId,
  MINUTE_MS,
  type Place,
  placeKey,
  present,
  type ServiceArn,
  systemClock,
  virtualClock,
} from '../base/index.ts';
import { diagnose, engineLost, notSimulated, onlyHere, serviceDown } from '../diagnosis/index.ts';
import { type CreateRequest, createStack, deleteStack, type Stack } from '../engine/index.ts';
import { append, type FailureCause, type ServiceView } from '../events/index.ts';
import type { ResourceModel } from '../language/index.ts';
import { NOT_SIMULATED, type Stabilizing } from '../providers/index.ts';
import {
  type Finding,
  findingResult,
  isOnlyHere,
  type StackResult,
  stackResult,
  unchangedResult,
} from '../result/index.ts';
import { forgetAssumptions } from '../runtime/simulated/index.ts';
import { beginOperation, type RuntimeKind, type World } from '../world/index.ts';
import { type Containers, openContainers } from './containers.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { runUntil } from './loop.ts';
import { dockerEnginePart, ecsContext, engineTurn, partsOf, type Setting } from './parts.ts';
import type { Desk, Session } from './session.ts';
import type { Progress } from './use-cases.ts';
import { type KnownValues, valueSource } from './values.ts';
import { serviceView, watcher } from './watch.ts';

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
): Stabilizing {
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
  resume(session: Session, turnBack: (stack: Stack) => boolean): Promise<void>;
  /** Lets the services of a world of containers go on until Ctrl-C. */
  follow(session: Session): Promise<void>;
  readonly interrupted: boolean;
  /** Containers stay as they are. */
  close(): void;
}

export function createRunner(
  desk: Desk,
  options: WaitOptions,
  known: KnownValues,
  progress: Progress,
): Runner {
  const inbox = createInbox();
  let containers: Promise<Containers> | undefined;
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
    containers ??= openContainers(desk, session, inbox, valueSource(world, known), followed);
    const opened = await containers;
    return { ...shared, setting: { ...setting, containers: opened }, containers: opened };
  };
  return {
    get interrupted() {
      return interrupted;
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
      const { world } = session;
      for (const id of [...world.engine.active]) {
        const stack = present(world.engine.stacks[id], 'an active stack exists');
        const operation = present(stack.operation, 'an active stack has an operation');
        progress.note?.(`stack ${stack.stackName} is in ${stack.status}: going on with it first`);
        const outfit = await outfitOf(session);
        if (turnBack(stack) && operation.phase === 'creating') operation.interrupted = true;
        await run(session, outfit, stack, Object.keys(stack.resources).length);
      }
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
    close() {
      void containers?.then(
        ({ driver }) => driver.close(),
        () => undefined, // it never opened, and whoever asked for it was told
      );
    },
  };
}

/** What an operation is run with. */
interface Outfit {
  readonly setting: Setting;
  readonly inbox: Inbox;
  readonly progress: Progress;
  readonly containers: Containers | undefined;
  isInterrupted(): boolean;
}

function begin(world: World, place: Place, stackName: string, seed: number): void {
  beginOperation(world, place, stackName, seed);
  toNow(world);
  for (const runtime of Object.values(world.simulated)) forgetAssumptions(runtime);
  for (const runtime of Object.values(world.docker)) runtime.assumed = {};
}

/** Between commands a world of containers goes on, since what it holds does. */
function toNow(world: World): void {
  if (world.kind === 'docker') world.nowMs = Math.max(world.nowMs, Date.now()) as EpochMs;
}

async function runWorld(
  session: Session,
  { setting, inbox, containers }: Outfit,
  settled: () => boolean,
  watch: (world: World) => void,
): Promise<void> {
  const { world } = session;
  toNow(world);
  let saved = -1;
  const save = () => {
    // What was told and what is about to be asked for is on disk before the engine is asked.
    if (containers === undefined || (world.record.appended === saved && !containers.hasAsked())) {
      return;
    }
    saved = world.record.appended;
    session.save();
  };
  const door = containers === undefined ? [] : [dockerEnginePart(containers)];
  const parts = [...partsOf(world, setting), ...door];
  await runUntil(settled, world, {
    parts,
    clock: containers === undefined ? virtualClock : systemClock,
    inbox,
    onInstant(now) {
      watch(now);
      save();
    },
  });
  save();
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
    containers?.lost !== undefined || (stack.operation === null && isAtRest(world, stack));
  await runWorld(session, outfit, settled, watcher(progress, stack));
  const lost = stack.operation === null ? undefined : containers?.lost;
  const operation = stack.operation ?? present(stack.operations.at(-1), 'it ended');
  session.records[operation.id] = world.record;
  const { record } = world;
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

/** How the services of a stack stand that nothing was changed of. */
export interface Settled {
  readonly result: StackResult;
  readonly findings: readonly Finding[];
  readonly assumptions: readonly string[];
}

/** Waits as a handler would that had just been called, for every service at once. */
async function settleServices(session: Session, outfit: Outfit, stack: Stack): Promise<Settled> {
  const { world } = session;
  const { containers, progress, setting, inbox } = outfit;
  const { limitMs, isSet } = setting.stabilizing;
  const until = addMs(world.nowMs, limitMs);
  const ecs = createEcs(ecsContext(world, placeKey(stack.place)));
  const down = () => servicesOf(stack).flatMap((one) => downCause(ecs, one, setting) ?? []);
  const look = () =>
    containers?.lost !== undefined ||
    outfit.isInterrupted() ||
    world.nowMs >= until ||
    // What ended before the command began may still be news.
    (inbox.isEmpty &&
      containers?.driver.isBusy() !== true &&
      isAtRest(world, stack) &&
      down().every(isGivenUp));
  await runWorld(session, outfit, look, watcher(progress, stack));

  const { record, nowMs } = world;
  const currentServices = servicesNow(world, stack);
  const findings = down().map(({ cause, logicalId, service }) => {
    const view = currentServices.find(({ serviceArn }) => serviceArn === service);
    const source = stack.model.resources[logicalId]?.source;
    return findingResult(
      serviceDown({ logicalId, atMs: nowMs, cause, source, view }),
      stack.stackName,
    );
  });
  const [first] = down();
  const lost = containers?.lost;
  const verdict =
    first !== undefined && isOnlyHere(record, first.service, first.cause.reason)
      ? 'undetermined'
      : verdictOfWait(first?.cause.hang, isSet);
  const failure = first && { logicalId: first.logicalId, ...said(first.cause), then: null };
  const result = unchangedResult(stack, {
    ...{ record, currentServices },
    down: failure && { failure, verdict },
  });
  return {
    result: lost === undefined ? result : { ...result, verdict: 'undetermined' },
    findings: [
      ...(lost === undefined ? [] : [findingResult(engineLost(lost), stack.stackName)]),
      ...(verdict === 'undetermined' ? localFindings(world, stack) : []),
      ...findings,
    ],
    assumptions: assumptionsOf(world),
  };
}

/** Of a wait that a hang, a limit of the command or one that nobody set has ended (`docs/decisions.md` 5). */
function verdictOfWait(hang: FailureCause['hang'], isSet: boolean) {
  if (hang !== undefined) return 'would-hang';
  return isSet ? 'failed' : 'undetermined';
}

interface DownService {
  readonly logicalId: LogicalId;
  readonly service: ServiceArn;
  readonly cause: FailureCause;
}

function servicesOf({ resources }: Stack) {
  return Object.values(resources).filter(({ type }) => type === 'AWS::ECS::Service');
}

/** Why a service is not steady; undefined when it is. */
function downCause(
  ecs: Ecs,
  { logicalId, physicalId }: Stack['resources'][LogicalId],
  { stabilizing: { giveUpOn } }: Setting,
): DownService | undefined {
  const service = physicalId as ServiceArn;
  const watched = ecs.currentRollout(service);
  const standing = watched && ecs.rollout(watched);
  if (standing === undefined || standing.state === 'steady') return undefined;
  const hang = giveUpOn === 'nothing' ? undefined : standing.hang();
  const cause: FailureCause = { ...standing.reason(), limit: 'default', ...(hang && { hang }) };
  return { logicalId, service, cause };
}

function isGivenUp({ cause }: DownService): boolean {
  return cause.hang !== undefined;
}

function said({ reason, source }: FailureCause) {
  return { reason, source };
}

/** Nothing of the stack is between two states, so that the command can leave its containers alone. */
function isAtRest({ docker }: World, { stackName }: Stack): boolean {
  return Object.values(docker).every(({ tasks }) =>
    Object.values(tasks).every(
      ({ owner, phase, containers }) =>
        owner.stackName !== stackName ||
        (phase === 'up' && Object.values(containers).every(({ status }) => status !== 'starting')),
    ),
  );
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

/** What stood in the way on this machine alone, at the services it stood in the way of. */
function localFindings({ record }: World, stack: Stack): readonly Finding[] {
  return record.entries.flatMap((event) => {
    if (event.type !== 'only-here') return [];
    const resource = Object.values(stack.resources).find(
      ({ physicalId }) => physicalId === event.service,
    );
    if (resource === undefined) return [];
    const source = stack.model.resources[resource.logicalId]?.source;
    return [findingResult(onlyHere(event, resource.logicalId, source), stack.stackName)];
  });
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
