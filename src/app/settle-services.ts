import { createEcs, type Ecs } from '../aws/ecs/index.ts';
import { addMs, type LogicalId, placeKey, type ServiceArn } from '../base/index.ts';
import { engineLost, serviceDown } from '../diagnosis/index.ts';
import type { Stack } from '../engine/index.ts';
import type { FailureCause } from '../events/index.ts';
import {
  type Finding,
  findingResult,
  isOnlyHere,
  type StackResult,
  unchangedResult,
} from '../result/index.ts';
import { assumptionsOf, localFindings, servicesNow } from './findings.ts';
import { ecsContext, type Setting } from './parts.ts';
import { isAtRest, type Outfit, runWorld } from './run-world.ts';
import type { Session } from './session.ts';
import { watcher } from './watch.ts';

/** How the services of a stack stand that nothing was changed of. */
export interface Settled {
  readonly result: StackResult;
  readonly findings: readonly Finding[];
  readonly assumptions: readonly string[];
}

/** From one look to the next at a driver that has work under way. */
const BUSY_LOOK_MS = 50;

/** Waits as a handler would that had just been called, for every service at once. */
export async function settleServices(
  session: Session,
  outfit: Outfit,
  stack: Stack,
): Promise<Settled> {
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
  // Work outside may come to its end without any news.
  const wakeAtMs = () =>
    containers?.driver.isBusy() === true ? addMs(world.nowMs, BUSY_LOOK_MS) : until;
  await runWorld(session, outfit, look, watcher(progress, stack), wakeAtMs);

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
