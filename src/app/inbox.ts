import type { EpochMs, Mailbox, PlaceKey } from '../base/index.ts';
import type { TaskNews } from '../runtime/docker/index.ts';

/** What comes in from outside the world: Ctrl-C, and what became of work at the Docker engine. */
export type Arrival =
  | { readonly type: 'signal'; readonly signal: 'SIGINT' }
  | { readonly type: 'task'; readonly place: PlaceKey; readonly news: TaskNews }
  | { readonly type: 'engine-lost'; readonly why: string }
  | { readonly type: 'defect'; readonly error: unknown };

/** The one door from outside, in order of arrival; it wakes a clock that waits. */
export interface Inbox extends Mailbox {
  write(arrival: Arrival): void;
  take(): readonly Arrival[];
  readonly isEmpty: boolean;
}

export function createInbox(): Inbox {
  let arrived: Arrival[] = [];
  let wake: (() => void) | undefined;
  return {
    write(arrival) {
      arrived.push(arrival);
      wake?.();
    },
    take() {
      const taken = arrived;
      arrived = [];
      return taken;
    },
    get isEmpty() {
      return arrived.length === 0;
    },
    written(untilMs?: EpochMs) {
      if (arrived.length > 0) return Promise.resolve();
      return new Promise((resolve) => {
        const timer =
          untilMs === undefined
            ? undefined
            : setTimeout(resolve, Math.max(0, untilMs - Date.now()));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
