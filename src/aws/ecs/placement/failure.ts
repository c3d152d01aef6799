import type { Shortfall } from './shortfall.ts';

/** Why a task could not be placed: no instance at all, or what the closest one lacks. */
export type PlacementFailure =
  | { readonly type: 'no-instances' }
  | { readonly type: 'none-fits'; readonly closest: string; readonly shortfall: Shortfall };

/** 5.54 to 5.60. An unmet constraint is told like the agent: both were seen in reports. */
const WHY: { readonly [Type in Shortfall['type']]: string } = {
  agent: 'encountered error "AGENT"',
  attribute: 'is missing an attribute required by your task',
  'member-of': 'encountered error "MemberOf placement constraint unsatisfied."',
  'distinct-instance': 'encountered error "DistinctInstance placement constraint unsatisfied."',
  cpu: 'has insufficient CPU units available',
  memory: 'has insufficient memory available',
  'port-taken': 'is already using a port required by your task',
  'port-limit': 'has reached the maximum number of ports/ENIs',
  enis: 'has reached the maximum number of ports/ENIs',
};

/** 6.62, 6.63 */
const CODES: { readonly [Type in Shortfall['type']]: string } = {
  agent: 'AGENT',
  attribute: 'ATTRIBUTE',
  'member-of': 'MemberOf placement constraint unsatisfied.',
  'distinct-instance': 'DistinctInstance placement constraint unsatisfied.',
  cpu: 'RESOURCE:CPU',
  memory: 'RESOURCE:MEMORY',
  'port-taken': 'RESOURCE:PORTS',
  'port-limit': 'RESOURCE:PORTS',
  enis: 'RESOURCE:ENI',
};

const MORE =
  'For more information, see the Troubleshooting section of the Amazon ECS Developer Guide.';

/** The service event 5.15, whole. Its rank is 1 without instances, else 4. */
export function cannotPlaceMessage(service: string, failure: PlacementFailure): string {
  const said = `(service ${service}) was unable to place a task because no container instance met all of its requirements.`;
  return `${said} ${detailOf(failure)} ${MORE}`;
}

function detailOf(failure: PlacementFailure): string {
  if (failure.type === 'no-instances') {
    return 'Reason: No Container Instances were found in your cluster.';
  }
  const why = WHY[failure.shortfall.type];
  return `The closest matching (container-instance ${failure.closest}) ${why}.`;
}

/** `failures[].reason` as RunTask gives it for an instance (6.63), and what follows `TaskFailedToStart: ` (6.62). */
export function failureCode({ type }: Shortfall): string {
  return CODES[type];
}
