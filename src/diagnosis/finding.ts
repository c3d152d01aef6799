import type { EpochMs } from '../base/index.ts';

/** Stable, documented in `docs/findings.md`, safe to match on. */
export type FindingCode =
  | 'TEMPLATE-REFUSED'
  | 'INPUT-UNUSABLE'
  | 'CAPABILITIES-MISSING'
  | 'NOT-SIMULATED'
  | 'RESOURCE-FAILED'
  | 'SERVICE-NOT-STABLE'
  | 'ONLY-HERE'
  | 'ENGINE-LOST'
  | 'STACK-FAILED'
  | 'DELETE-FAILED';

/** One thing a reader can act on. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: 'error' | 'warning' | 'note';
  readonly logicalId: string | null;
  readonly title: string;
  readonly where: Place | null; // the place to change, if the template holds it
  readonly evidence: readonly Evidence[];
  readonly hint?: string;
}

/** A place in the template: file, line and column from 1, and the way there from its root. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly lineText: string;
  readonly path: string;
}

export interface Evidence {
  readonly source:
    | 'stack-event'
    | 'service-event'
    | 'task'
    | 'container-log'
    | 'template'
    | 'inference';
  readonly atMs: EpochMs | null;
  readonly text: string;
}
