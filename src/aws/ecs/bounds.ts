import type { DeploymentConfiguration, TaskBounds } from './model.ts';

type Percentages = Pick<DeploymentConfiguration, 'maximumPercent' | 'minimumHealthyPercent'>;

/**
 * The room a rollout has at a desired count: the ceiling rounded down, the floor rounded up.
 *
 * At 150 and 50 percent a service of 3 may have 4 tasks that are not STOPPED and needs 2 that run.
 * Multiplied before divided (3.22): `Math.ceil(100 * (7 / 100))` is 8.
 *
 * @see rules 3.1, 3.2 in README.md
 */
export function boundsOf(
  desiredCount: number,
  { maximumPercent, minimumHealthyPercent }: Percentages,
): TaskBounds {
  return {
    activeMax: Math.floor((desiredCount * maximumPercent) / 100),
    healthyMin: Math.ceil((desiredCount * minimumHealthyPercent) / 100),
  };
}
