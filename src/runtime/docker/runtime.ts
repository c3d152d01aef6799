import type { TaskObservation, TaskRuntime } from '../../aws/ecs/index.ts';
import { dequeue, type EpochMs, nextDueMs, popDue } from '../../base/index.ts';
import type { DockerRuntimeState, TaskNews } from './state.ts';
import { begin, type DockerTurn, giveUpWaiting, stop, takeNews } from './task-life.ts';

/** Tasks as containers of a Docker engine, on the system clock. */
export function createDockerRuntime(turn: DockerTurn): TaskRuntime {
  return {
    feedsHealth: false,
    start: (order) => begin(turn, order),
    stop: (task) => stop(turn, task),
    observations() {
      const seen: TaskObservation[] = [];
      const queue = turn.state.seen;
      for (let one = dequeue(queue); one !== undefined; one = dequeue(queue)) seen.push(one);
      return seen;
    },
  };
}

/** The runtime's turn: news from the engine is taken in, and waits that are over end. */
export function stepDockerRuntime(turn: DockerTurn, news: readonly TaskNews[]): void {
  for (const one of news) takeNews(turn, one);
  for (;;) {
    const due = popDue(turn.state.due, turn.nowMs);
    if (due === undefined) return;
    giveUpWaiting(turn, due.task, due.container);
  }
}

/** When the runtime, or whoever takes what it saw, next needs a turn. */
export function dockerRuntimeDueMs(
  { seen, due }: DockerRuntimeState,
  nowMs: EpochMs,
): EpochMs | undefined {
  return seen.head < seen.items.length ? nowMs : nextDueMs(due);
}
