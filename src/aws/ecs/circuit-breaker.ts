import { assert } from '../../base/index.ts';
import type { ThresholdConfiguration } from './model.ts';

const THRESHOLD_MIN = 3;
const THRESHOLD_MAX = 200;
const HALF: ThresholdConfiguration = { type: 'BOUNDED_PERCENT', value: 50 };

/**
 * How many tasks of one deployment may fail before the circuit breaker fails the deployment.
 *
 * By default half the desired count, rounded up and kept within 3 and 200: a service of 1 fails
 * after 3 failed tasks, a service of 7 after 4, one of 25 after 13, one of 400 or more after 200. A
 * percentage without bounds is at least one task, and `COUNT` is the number itself (4.4).
 *
 * @param desiredCount - whole tasks, 0 or more, as set on the service at this moment (4.5)
 * @returns whole tasks; the breaker trips when `failedTasks` reaches it (4.7)
 * @throws when `desiredCount` is negative or fractional, which is a defect of the caller
 * @see https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_DeploymentCircuitBreaker.html
 *   and rules 4.1 to 4.5 in README.md. Texts until 2023 have a minimum of 10.
 */
export function failureThreshold(
  desiredCount: number,
  { type, value }: ThresholdConfiguration = HALF,
): number {
  assert(Number.isInteger(desiredCount) && desiredCount >= 0, 'a task count is a whole number');
  if (type === 'COUNT') return value;
  const share = Math.ceil((desiredCount * value) / 100); // multiplied before divided (3.22)
  if (type === 'UNBOUNDED_PERCENT') return Math.max(share, 1);
  return Math.min(Math.max(share, THRESHOLD_MIN), THRESHOLD_MAX);
}
