import { UserError } from '../base/index.ts';
import { refusal } from '../diagnosis/index.ts';
import { type FailureResult, findingResult, refusedResult } from '../result/index.ts';
import { resultDocument } from './document.ts';
import type { Outcome } from './use-cases.ts';

/**
 * The answer to a request that was refused as a whole: verdict `invalid`, and nothing was changed.
 *
 * @throws what is no refusal: a defect, or an option that cannot be used, which gets no document
 */
export function refusedOutcome(error: unknown, stackName: string, seed: number): Outcome {
  if (!(error instanceof UserError) || error.code === 'InvalidOption') throw error;
  const { failure, finding } = refused(error, stackName);
  const result = resultDocument({
    seed,
    runtime: 'simulation',
    deterministic: true,
    stacks: [refusedResult(stackName, failure)],
    findings: [finding],
    assumptions: [],
    inventions: [],
  });
  return { result, interrupted: false };
}

/** What a refused request reads like in the result: AWS's sentence, and a finding with the place. */
export function refused(error: UserError, stackName: string) {
  const failure: FailureResult = {
    logicalId: '<stack>',
    reason: error.message,
    source: 'engine',
    code: error.code,
    then: null,
  };
  return { failure, finding: findingResult(refusal(error), stackName) };
}
