import assert from 'node:assert/strict';
import { addMs, SIMULATION_START_MS } from '../../src/base/index.ts';
import {
  createSimulatedRuntime,
  createSimulatedRuntimeState,
  simulatedRuntimeDueMs,
  stepSimulatedRuntime,
} from '../../src/runtime/simulated/index.ts';
import type { ImageBehaviour, Scenario } from '../../src/scenario/index.ts';
import {
  type Behaviour,
  type RuntimeSubject,
  type Seen,
  SMALL_MEBIBYTES,
  taskRuntimeContract,
} from '../support/runtime-contract.ts';

taskRuntimeContract('in simulation', async () => openSimulation());

function openSimulation(): RuntimeSubject {
  const state = createSimulatedRuntimeState();
  const images: { [reference: string]: ImageBehaviour } = {};
  const scenario: Scenario = { parameters: {}, images, world: {}, notFollowed: [] };
  const targetGroup = () => assert.fail('no task is a target');
  const turn = { state, nowMs: SIMULATION_START_MS, scenarioOf: () => scenario, targetGroup };
  const runtime = createSimulatedRuntime(turn);
  const seen: Seen[number][] = [];
  let hostPort = 8_000;

  /** What is due happens; answers when more is. */
  const step = () => {
    stepSimulatedRuntime(turn);
    seen.push(...runtime.observations());
    return simulatedRuntimeDueMs(state, turn.nowMs);
  };

  return {
    image: async (behaviour = {}) => {
      const reference = `image-${Object.keys(images).length}:v1`;
      images[reference] = imageOf(behaviour);
      return reference;
    },
    freeHostPort: async () => hostPort++,
    start: (order) => runtime.start(order),
    stop: (task) => runtime.stop(task),
    observe: async (until) => {
      for (;;) {
        const due = step();
        if (until(seen)) return [...seen];
        if (due === undefined) throw new Error(`it never comes: ${JSON.stringify(seen)}`);
        turn.nowMs = due;
      }
    },
    pass: async (ms) => {
      const endMs = addMs(turn.nowMs, ms);
      for (let due = step(); due !== undefined && due <= endMs; due = step()) turn.nowMs = due;
      turn.nowMs = endMs;
      return [...seen];
    },
    gotGoing: async () => undefined,
    close: async () => undefined,
  };
}

/** As a scenario tells of it, which has no word for a process that ignores SIGTERM. */
function imageOf({ prints = ['up'], ...behaviour }: Behaviour): ImageBehaviour {
  const { cannotBePulled, exits, outgrowsMemory } = behaviour;
  return {
    output: prints,
    executables: ['sh'],
    ...(cannotBePulled === undefined ? {} : { pull: ['not-found'] }),
    ...(exits === undefined ? {} : { exits }),
    ...(outgrowsMemory === undefined
      ? {}
      : { memory: { mebibytes: SMALL_MEBIBYTES + 1, afterMs: 0 } }),
  };
}
