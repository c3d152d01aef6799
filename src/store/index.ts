/**
 * The state folder: the world as of the last commit, the records of its operations, the lock.
 *
 * A changing command takes the `lock`, reads the world, runs, and calls `commit` once, at its end;
 * readers need no lock and see the last commit (`docs/decisions.md` 23).
 */

export type { Journal } from './journal.ts';
export type { LockHolder, LockRequest, Unlock } from './lock.ts';
export type { Store, WorldName } from './store.ts';
export { openStore } from './store.ts';
