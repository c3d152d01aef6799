import type { LogicalId, SourceSpan } from '../base/index.ts';
import type { OnlyHereEvent } from '../events/index.ts';
import type { Finding } from './finding.ts';

/** A service did not start here for a reason that says nothing about AWS. */
export function onlyHere(
  { text, hint, reason, atMs }: OnlyHereEvent,
  logicalId: LogicalId,
  source: SourceSpan | undefined,
): Finding {
  return {
    code: 'ONLY-HERE',
    severity: 'error',
    logicalId,
    title: `${logicalId} does not start on this machine: ${text}`,
    where: source === undefined ? null : { ...source, path: `Resources/${logicalId}` },
    evidence: [{ source: 'task', atMs, text: reason }],
    hint,
  };
}

/** The engine stopped answering, or went on failing, in the middle of an operation. */
export function engineLost(why: string): Finding {
  return {
    code: 'ENGINE-LOST',
    severity: 'error',
    logicalId: null,
    title: `the Docker engine stopped answering, or fails: ${why}`,
    where: null,
    evidence: [],
    hint: 'start it again and repeat the command: it goes on from where this one ended',
  };
}
