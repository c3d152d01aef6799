import type { EpochMs } from './time.ts';

/** What a clock needs to know of the outside's door: when something has come in. */
export interface Mailbox {
  /** Resolves once something was written, or when `untilMs` of the system's time has come. */
  written(untilMs?: EpochMs): Promise<void>;
}

export interface Wait {
  readonly nowMs: EpochMs;
  readonly dueMs: EpochMs | undefined; // undefined: only the outside can bring news
  readonly pendingOutside: boolean;
  readonly inbox: Mailbox;
}

/** How time passes for a world. The world holds the instant; a clock holds nothing. */
export interface Clock {
  /** Resolves when `dueMs` has come or the inbox is written to; answers what time it is then. */
  pass(wait: Wait): Promise<EpochMs>;
}

/** Sleeps until something is due, and wakes early for the inbox. Never goes back. */
export const systemClock: Clock = {
  async pass({ nowMs, dueMs, inbox }) {
    await inbox.written(dueMs);
    return Math.max(nowMs, Date.now()) as EpochMs;
  },
};

/** Jumps to what is due, but stands still while something outside the process is at work. */
export const virtualClock: Clock = {
  async pass({ nowMs, dueMs, pendingOutside, inbox }) {
    if (dueMs !== undefined && !pendingOutside) return dueMs;
    await inbox.written();
    return nowMs;
  },
};
