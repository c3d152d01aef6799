import { type AlarmState, noteAlarm } from '../aws/ecs/index.ts';
import {
  addMs,
  type EpochMs,
  isObject,
  type JsonValue,
  parseDurationMs,
  placeKey,
} from '../base/index.ts';
import type { Stack } from '../engine/index.ts';
import type { World } from '../world/index.ts';
import type { Part } from './loop.ts';
import { ecsContext } from './parts.ts';

/** One change of an alarm, as a scenario has it: so long after the operation began. */
interface Change {
  readonly stack: Stack;
  readonly alarm: string; // a name, or a logical id of the stack
  readonly state: AlarmState;
  readonly at: EpochMs;
}

/**
 * Alarms in the states that the scenario of a stack gives them, while an operation on the stack runs:
 * `OK` at its start, or as `before` says, and then as time passes.
 */
export function alarmPart(world: World): Part {
  const ahead = changesIn(world);
  return {
    step() {
      while (ahead[0] !== undefined && ahead[0].at <= world.nowMs) {
        const change = ahead.shift();
        if (change !== undefined) tell(world, change);
      }
    },
    nextDueMs: () => ahead[0]?.at,
    pendingOutside: () => false,
  };
}

function tell(world: World, { stack, alarm, state }: Change): void {
  const physicalId = Object.entries(stack.resources).find(([id]) => id === alarm)?.[1].physicalId;
  noteAlarm(ecsContext(world, placeKey(stack.place)), physicalId ?? alarm, state);
}

/** The changes of all operations that run, the earliest first. */
function changesIn(world: World): Change[] {
  const changes = world.engine.active.flatMap((id) => {
    const stack = world.engine.stacks[id];
    const alarms = world.settings[id]?.scenario?.world['alarms'];
    if (stack?.operation == null || !isObject(alarms)) return [];
    const { startedAtMs, kind } = stack.operation;
    return Object.entries(alarms).flatMap(([alarm, entries]) => [
      { stack, alarm, state: 'OK' as const, at: startedAtMs },
      ...list(entries)
        .filter(({ during }) => isDuring(during, kind))
        .map(({ during, after, state }) => {
          const at = during === 'before' ? startedAtMs : addMs(startedAtMs, delayMs(after));
          return { stack, alarm, state: stateOf(state), at };
        }),
    ]);
  });
  // What is of one instant keeps its order: `before` stands ahead of what comes after it.
  return changes.sort((a, b) => a.at - b.at);
}

function list(value: JsonValue | undefined) {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** What was so before an operation is so when it begins. */
function isDuring(during: JsonValue | undefined, kind: string): boolean {
  return during === undefined || during === 'before' || during === kind.toLowerCase();
}

function delayMs(after: JsonValue | undefined): number {
  return typeof after === 'string' ? (parseDurationMs(after) ?? 0) : 0;
}

function stateOf(state: JsonValue | undefined): AlarmState {
  return state === 'ALARM' || state === 'INSUFFICIENT_DATA' ? state : 'OK';
}
