import type { SourceSpan } from './source-span.ts';

/**
 * Stable and documented in `docs/errors.md`; safe to match on.
 *
 * - `ValidationError`: CloudFormation would refuse the request; `message` is what it says.
 * - `InvalidTarget`, `InvalidOption`, `InvalidScenario`, `InvalidAssembly`: an input cannot be used.
 * - `UnknownStack`, `UnknownService`: a name that leads nowhere.
 * - `StateLocked`, `StateUnreadable`: the state folder cannot be used.
 * - `EngineUnavailable`: there is no Docker engine to run containers, or it may not be used.
 * - `NotAvailable`: known, but this version does not do it yet.
 */
export type UserErrorCode =
  | 'ValidationError'
  | 'InvalidTarget'
  | 'InvalidOption'
  | 'InvalidScenario'
  | 'InvalidAssembly'
  | 'UnknownStack'
  | 'UnknownService'
  | 'StateLocked'
  | 'StateUnreadable'
  | 'EngineUnavailable'
  | 'NotAvailable';

export interface UserErrorDetails {
  /** What to do about it, in one sentence without "please try again". */
  readonly hint: string;
  readonly span?: SourceSpan | undefined;
  readonly cause?: unknown;
}

/**
 * A problem the user can fix. Every other throw is a defect of ours and keeps its stack trace.
 *
 * `message` says what is wrong, in the user's words (or CloudFormation's), naming the offending
 * value; `hint` says what to do about it; `span` is the place in the user's file, where there is one.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly code: UserErrorCode;
  readonly hint: string;
  readonly span?: SourceSpan;

  constructor(code: UserErrorCode, message: string, { hint, span, cause }: UserErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.hint = hint;
    if (span !== undefined) this.span = span;
  }
}

/** The known name closest to a misspelt one, or undefined when none is close (two edits or fewer). */
export function nearest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = 3;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
