import { hostname } from 'node:os';
import { isErrno, readIfThere } from './files.ts';

/** One process among all that ever had its pid, as far as the system can tell them apart. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks from boot to its start, from `/proc/<pid>/stat`; null where there is none. */
  readonly startTime: string | null;
  readonly host: string;
}

export function thisProcess(): ProcessIdentity {
  const stat = statOf(process.pid);
  return { pid: process.pid, startTime: stat?.startTime ?? null, host: hostname() };
}

/**
 * Whether the process is known to have ended: no such pid on this host, a pid that a later process
 * has taken, or one that only waits for its parent to notice. Of another host nothing is known.
 */
export function hasEnded({ pid, startTime, host }: ProcessIdentity): boolean {
  if (host !== hostname()) return false;
  if (!pidExists(pid)) return true;
  const stat = statOf(pid);
  if (stat === undefined) return false;
  return stat.state === 'Z' || (startTime !== null && startTime !== stat.startTime);
}

function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if (isErrno(error, 'ESRCH')) return false;
    if (isErrno(error, 'EPERM')) return true; // it is somebody else's
    throw error;
  }
}

/** Fields 3 and 22 of `/proc/<pid>/stat` (proc_pid_stat(5)). */
function statOf(pid: number): { state: string; startTime: string } | undefined {
  const text = readIfThere(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // Field 2 is the program's name in brackets and may hold both blanks and brackets.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, startTime] = [fields[0], fields[19]];
  return state === undefined || startTime === undefined ? undefined : { state, startTime };
}
