import { engineLost } from '../diagnosis/index.ts';
import type { Stack } from '../engine/index.ts';
import type { Invention } from '../language/index.ts';
import { type Finding, findingResult, type StackResult, worstOf } from '../result/index.ts';
import type { StackSettings, World } from '../world/index.ts';
import type { Ended } from './run-operation.ts';

/** What came of one stack of the command. */
export interface Done {
  readonly result: StackResult;
  readonly seed: number;
  readonly timing: StackSettings['timing'];
  readonly world: World;
  readonly ended?: Ended;
  /** As it was found, of a stack that nothing was changed of. */
  readonly unchanged?: Stack;
  readonly findings: readonly Finding[];
  readonly assumptions: readonly string[];
  readonly inventions: readonly Invention[];
}

/** Whether a stack came up, so that those which may need it can follow. */
export function isUp({ verdict, failure, status }: Done['result']): boolean {
  if (verdict === 'stable') return true;
  return verdict === 'undetermined' && failure === null && status === 'CREATE_COMPLETE';
}

/** The stack that is there by now; undefined where the request was refused, or it is deleted. */
export function stackThere({ ended, unchanged }: Done): Stack | undefined {
  const stack = ended?.stack ?? unchanged;
  return stack?.deletedAtMs === null ? stack : undefined;
}

/** Whether something goes on running in a stack when the command ends. */
export function hasServices({ resources }: Pick<Stack, 'resources'>): boolean {
  return Object.values(resources).some(
    ({ type, status }) => type === 'AWS::ECS::Service' && status !== 'DELETE_COMPLETE',
  );
}

/** `--rm`: a removal that did not come about is part of what came of the stack. */
export function afterRemoval(done: Done, { result, findings }: Ended): Done {
  if (result.verdict === 'stable') return done;
  const { status, statusReason } = result;
  return {
    ...done,
    result: {
      ...done.result,
      ...{ status, statusReason },
      verdict: worstOf([done.result.verdict, result.verdict]),
      failure: done.result.failure ?? result.failure,
    },
    findings: [...done.findings, ...findings],
  };
}

/**
 * The engine went away: told once, at the stack that the command had come to.
 *
 * @param why - undefined where it is still there
 */
export function afterLoss<T extends Pick<Ended, 'result' | 'findings'>>(
  all: readonly T[],
  why: string | undefined,
): readonly T[] {
  const isTold = all.some(({ findings }) => findings.some(({ code }) => code === 'ENGINE-LOST'));
  const last = all.at(-1);
  if (why === undefined || isTold || last === undefined) return all;
  const { result, findings } = last;
  const told: T = {
    ...last,
    result: { ...result, verdict: worstOf([result.verdict, 'undetermined']) },
    findings: [findingResult(engineLost(why), result.stackName), ...findings],
  };
  return [...all.slice(0, -1), told];
}
