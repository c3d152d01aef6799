import type { Verdict } from '../result/index.ts';

/** The worst verdict decides. Two ends have none: our own defect, and an interruption. */
export const EXIT_CODES: Readonly<Record<Verdict, number>> = {
  stable: 0,
  failed: 1,
  invalid: 2,
  'would-hang': 3,
  reverted: 4,
  undetermined: 5,
};

/** The command line, a file or the state cannot be used; nothing was changed. */
export const EXIT_UNUSABLE = 2;
/** A check of `doctor` does not hold. */
export const EXIT_UNWELL = 1;
export const EXIT_DEFECT = 70;
export const EXIT_INTERRUPTED = 130;
