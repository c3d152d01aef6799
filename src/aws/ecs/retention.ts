import type { EcsState } from './model.ts';
import { forgetTags } from './tags.ts';
import { taskSetsOf } from './task-set.ts';

/**
 * Drops what the API would not show for long: what is INACTIVE, be it a service (1.5), a cluster, a
 * capacity provider, or a task definition that nothing runs. Families keep their count, so no
 * revision comes twice.
 */
export function forgetEnded(state: EcsState): void {
  const { services, taskDefinitions, tasks } = state;
  const holding = new Set(Object.values(tasks).map(({ service }) => service));
  for (const { arn, status } of Object.values(services)) {
    if (status === 'INACTIVE' && !holding.has(arn)) delete services[arn];
  }
  const used = new Set([
    ...Object.values(tasks).map(({ taskDefinition }) => taskDefinition),
    ...Object.values(services).flatMap(({ deployments, lastCompleted }) =>
      [...deployments, ...(lastCompleted === null ? [] : [lastCompleted])].map(
        ({ revision }) => revision.taskDefinition,
      ),
    ),
  ]);
  for (const { arn, status } of Object.values(taskDefinitions)) {
    if (status !== 'ACTIVE' && !used.has(arn)) delete taskDefinitions[arn];
  }
  for (const of of [state.clusters, state.capacityProviders]) {
    for (const { name, status } of Object.values(of)) if (status === 'INACTIVE') delete of[name];
  }
  forgetTags(state);
  forgetTokens(state);
}

/** A client token is remembered as long as what it made is there. */
function forgetTokens({ madeWith, services, taskDefinitions, clusters }: EcsState): void {
  const known = new Set([
    ...Object.keys(services),
    ...Object.values(services).flatMap((one) => taskSetsOf(one).map(({ taskSet }) => taskSet.arn)),
    ...Object.keys(taskDefinitions),
    ...Object.values(clusters).map(({ arn }) => arn),
  ]);
  for (const [token, arn] of Object.entries(madeWith)) if (!known.has(arn)) delete madeWith[token];
}
