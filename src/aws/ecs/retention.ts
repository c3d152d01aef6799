import type { EcsState } from './model.ts';

/**
 * Drops what the API would not show for long: services that are INACTIVE (1.5), and task definitions
 * that are INACTIVE and that no service runs. Families keep their count, so no revision comes twice.
 */
export function forgetEnded(state: EcsState): void {
  const { services, taskDefinitions, tasks } = state;
  const holding = new Set(Object.values(tasks).map(({ service }) => service));
  for (const { arn, status } of Object.values(services)) {
    if (status === 'INACTIVE' && !holding.has(arn)) delete services[arn];
  }
  const used = new Set(
    Object.values(services).flatMap(({ deployments, lastCompleted }) =>
      [...deployments, ...(lastCompleted === null ? [] : [lastCompleted])].map(
        ({ revision }) => revision.taskDefinition,
      ),
    ),
  );
  for (const { arn, status } of Object.values(taskDefinitions)) {
    if (status === 'INACTIVE' && !used.has(arn)) delete taskDefinitions[arn];
  }
  forgetTokens(state);
}

/** A client token is remembered as long as what it made is there. */
function forgetTokens({ madeWith, services, taskDefinitions, clusters }: EcsState): void {
  const known = new Set([
    ...Object.keys(services),
    ...Object.keys(taskDefinitions),
    ...Object.values(clusters).map(({ arn }) => arn),
  ]);
  for (const [token, arn] of Object.entries(madeWith)) if (!known.has(arn)) delete madeWith[token];
}
