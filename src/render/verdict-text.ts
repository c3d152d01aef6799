import { assertNever } from '../base/index.ts';
import {
  type ResultDocument,
  type RuntimeSummary,
  type StackResult,
  VERDICTS,
  type Verdict,
} from '../result/index.ts';
import type { Paint } from './paint.ts';
import { lastPart, plain, plural } from './text.ts';
import { isoDurationText } from './time-text.ts';

/** The line above several stacks: `FAILED  3 stacks: 1 failed, 2 stable`. */
export function totalLine(result: ResultDocument, paint: Paint): string {
  if (result.stacks.length === 0) return `${verdictText(result.verdict, paint)}  nothing to do`;
  const counts = VERDICTS.map((verdict) => ({
    verdict,
    count: result.stacks.filter((stack) => stack.verdict === verdict).length,
  })).filter(({ count }) => count > 0);
  const parts = counts.map(({ verdict, count }) => `${count} ${label(verdict).toLowerCase()}`);
  const stacks = plural(result.stacks.length, 'stack');
  return `${verdictText(result.verdict, paint)}  ${stacks}: ${parts.join(', ')}`;
}

/** A stack's first line: `FAILED  web  ROLLBACK_COMPLETE after 41.5 s (simulated)`. */
export function stackLine(stack: StackResult, runtime: RuntimeSummary, paint: Paint): string {
  const nested = stack.parent === null ? '' : ` (in ${parentName(stack.parent)})`;
  const name = `${paint.strong(stack.stackName)}${nested}`;
  return `${verdictText(stack.verdict, paint)}  ${name}  ${summary(stack, runtime)}`;
}

/** What a verdict means that does not explain itself; undefined for the others. */
export function verdictMeaning(verdict: Verdict): string | undefined {
  switch (verdict) {
    case 'would-hang':
      return 'Only a limit that nobody set would end the wait: this deployment hangs.';
    case 'reverted':
      return 'The stack is green, but what runs is not what the template says.';
    case 'undetermined':
      return 'What decides it is not simulated, or is a matter of this machine, so nobody can tell.';
    case 'stable':
    case 'failed':
    case 'invalid':
      return undefined;
    default:
      return assertNever(verdict);
  }
}

/** `WOULD HANG`, coloured by how bad it is. */
function verdictText(verdict: Verdict, paint: Paint): string {
  const text = label(verdict);
  if (verdict === 'stable') return paint.good(paint.strong(text));
  const isDoubt = verdict === 'reverted' || verdict === 'undetermined';
  return (isDoubt ? paint.warn : paint.bad)(paint.strong(text));
}

function label(verdict: Verdict): string {
  return verdict.replace('-', ' ').toUpperCase();
}

function summary(stack: StackResult, runtime: RuntimeSummary): string {
  const { status, operation, verdict } = stack;
  if (verdict === 'invalid') return 'refused; nothing was changed';
  if (operation === null || status === null) {
    const found = verdict === 'stable' ? 'nothing stands against it' : 'it would not come up';
    return `${found} (checked without running)`;
  }
  if (stack.changes === 0 && operation === 'UPDATE') return `no changes (${status})`;
  const after = stack.duration === null ? '' : ` after ${isoDurationText(stack.duration)}`;
  return `${plain(status)}${after} (${runtimeText(runtime)})`;
}

function runtimeText({ kind, timing }: RuntimeSummary): string {
  const where = kind === 'docker' ? 'Docker' : 'simulated';
  return timing === 'aws' ? `${where}, AWS's timing` : where;
}

/** The name in a stack's id (`arn:…:stack/web/1a2b…`), or the name itself. */
function parentName(parent: string): string {
  return /:stack\/([^/]+)\//.exec(parent)?.[1] ?? lastPart(parent);
}
