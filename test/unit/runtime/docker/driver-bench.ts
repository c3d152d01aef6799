import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlaceKey, TaskId } from '../../../../src/base/index.ts';
import {
  type Bench,
  createDriver,
  type DockerTask,
  type Driver,
  type JournalEntry,
  type OutputLine,
  type TaskNews,
} from '../../../../src/runtime/docker/index.ts';
import { type ContainerEngine, containerEngine, type EngineTraits } from './container-engine.ts';

const PLACE = '000000000000/us-east-1' as PlaceKey;
const HOME = { id: 'a1b2c3d4e5f6', folder: '/nowhere/.overcast-cfn' };
const LIMIT_MS = 10_000;

type Effect = Parameters<Driver['perform']>[1];

/** A driver over an engine that is played, and all that it says. */
export interface DriverBench {
  readonly played: ContainerEngine;
  readonly driver: Driver;
  readonly told: TaskNews[];
  readonly journal: JournalEntry[];
  readonly pulls: string[]; // as `web:1 begun`
  readonly output: OutputLine[];
  readonly lost: string[];
  readonly defects: unknown[];
  prepare(task: DockerTask, anew?: boolean): void;
  start(task: DockerTask, container: string): void;
  end(task: DockerTask): void;
  /** Waits until it holds. */
  until(holds: () => boolean): Promise<void>;
  /** Waits until nothing is under way. */
  idle(): Promise<void>;
}

/** `<pw>` stands for a NoEcho value, as does `{{resolve:noecho:web/Pw}}`. */
const values: Bench['values'] = {
  reveal: (_, text) => text.replace(/<pw>|\{\{resolve:noecho:web\/Pw\}\}/g, 'hunter2'),
  secret: (_, valueFrom) => `secret of ${valueFrom}`,
};

export async function driverBench(
  t: TestContext,
  traits: EngineTraits = {},
  more: Partial<Bench> = {},
): Promise<DriverBench> {
  const played = await containerEngine(t, traits);
  const said = {
    ...{ told: [] as TaskNews[], journal: [] as JournalEntry[], pulls: [] as string[] },
    ...{ output: [] as OutputLine[], lost: [] as string[], defects: [] as unknown[] },
  };
  const driver = await createDriver({
    ...{ engine: played.engine, home: HOME, values },
    journal: (entry) => said.journal.push(entry),
    tell: (_, news) => said.told.push(news),
    onLost: (why) => said.lost.push(why),
    onDefect: (error) => said.defects.push(error),
    onPull: (image, progress) => said.pulls.push(`${image} ${String(progress)}`),
    onOutput: (line) => said.output.push(line),
    ...more,
  });
  t.after(() => driver.close());
  played.asked.length = 0;
  const perform = (task: DockerTask, effect: Effect) => driver.perform(PLACE, effect, task);
  const until = async (holds: () => boolean) => {
    const endMs = Date.now() + LIMIT_MS;
    while (!holds()) {
      if (Date.now() > endMs) throw new Error(`it does not come: ${JSON.stringify(said)}`);
      await sleep(5);
    }
  };
  return {
    ...{ played, driver, ...said, until },
    prepare: (task, anew = false) => perform(task, { type: 'prepare', task: idOf(task), anew }),
    start(task, container) {
      Object.assign(task.containers, { [container]: standing('starting') });
      perform(task, { type: 'start-container', task: idOf(task), container });
    },
    end: (task) => perform(task, { type: 'end', task: idOf(task) }),
    idle: () => until(() => !driver.isBusy()),
  };
}

function idOf({ order }: DockerTask): TaskId {
  return order.task;
}

/** How a container stands, of which nothing else is known. */
export function standing(
  status: DockerTask['containers'][string]['status'],
): DockerTask['containers'][string] {
  return {
    ...{ status, exitCode: null, reason: null, startedAtMs: null },
    ...{ logTail: [], bindings: [] },
  };
}
