import { type EpochMs, systemClock, virtualClock } from '../base/index.ts';
import type { Stack } from '../engine/index.ts';
import type { World } from '../world/index.ts';
import { alarmPart } from './alarm-part.ts';
import { clusterPart } from './cluster-part.ts';
import type { Containers } from './containers.ts';
import type { Inbox } from './inbox.ts';
import { runUntil } from './loop.ts';
import { dockerEnginePart, partsOf, type Setting } from './parts.ts';
import type { Session } from './session.ts';
import type { Progress } from './use-cases.ts';

/** What an operation is run with. */
export interface Outfit {
  readonly setting: Setting;
  readonly inbox: Inbox;
  readonly progress: Progress;
  readonly containers: Containers | undefined;
  isInterrupted(): boolean;
}

/** Between commands a world of containers goes on, since what it holds does. */
export function toNow(world: World): void {
  if (world.kind === 'docker') world.nowMs = Math.max(world.nowMs, Date.now()) as EpochMs;
}

export async function runWorld(
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
  const parts = [alarmPart(world), clusterPart(world), ...partsOf(world, setting), ...door];
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

/** Nothing of the stack is between two states, so that the command can leave its containers alone. */
export function isAtRest({ docker }: World, { stackName }: Stack): boolean {
  return Object.values(docker).every(({ tasks }) =>
    Object.values(tasks).every(
      ({ owner, phase, containers }) =>
        owner.stackName !== stackName ||
        (phase === 'up' && Object.values(containers).every(({ status }) => status !== 'starting')),
    ),
  );
}
