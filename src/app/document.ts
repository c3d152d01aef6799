import { type Invention, maskNoEchoIn } from '../language/index.ts';
import {
  type Finding,
  type ResultDocument,
  type RuntimeSummary,
  type StackResult,
  worstOf,
} from '../result/index.ts';

/** What this version leaves out of every verdict. */
const NOT_ASKED = 'AWS was not asked: what would happen there is not predicted yet';

/** AWS would have been asked about what it would take. */
function notAsked(stacks: readonly StackResult[]): readonly string[] {
  return stacks.some(({ verdict }) => verdict !== 'invalid') ? [NOT_ASKED] : [];
}

export interface DocumentParts {
  readonly seed: number;
  readonly runtime: RuntimeSummary['kind'];
  /** `local` where nothing was run. */
  readonly timing?: RuntimeSummary['timing'];
  readonly deterministic: boolean;
  readonly stacks: readonly StackResult[];
  readonly findings: readonly Finding[];
  readonly assumptions: readonly string[];
  readonly inventions: readonly Invention[];
}

/** What a command reports, without a trace of NoEcho parameters (P17). */
export function resultDocument(parts: DocumentParts): ResultDocument {
  const verdict = worstOf(parts.stacks.map((stack) => stack.verdict));
  const runtime: RuntimeSummary = {
    kind: parts.runtime,
    timing: parts.timing ?? 'local',
    seed: parts.seed,
    deterministic: parts.deterministic,
  };
  return maskNoEchoIn<ResultDocument>({
    schemaVersion: 1,
    verdict,
    localVerdict: verdict,
    runtime,
    wallSeconds: Math.round(performance.now()) / 1000,
    assumptions: [...new Set([...parts.assumptions, ...notAsked(parts.stacks)])],
    inventions: parts.inventions,
    stacks: parts.stacks,
    diagnosis: parts.findings,
  });
}
