import { nextUuid, present, toRfc3339 } from '../base/index.ts';
import {
  append,
  type FailureCause,
  type ResourceStatus,
  type StackStatus,
} from '../events/index.ts';
import type { Stack, StackResource } from './model.ts';
import type { EngineTurn } from './turn.ts';

interface Details {
  readonly statusReason?: string;
  readonly cause?: FailureCause;
  readonly detailedStatus?: 'CONFIGURATION_COMPLETE';
}

/** The stack takes a status and says so (L8 to L12). */
export function tellStack(
  turn: EngineTurn,
  stack: Stack,
  status: StackStatus,
  details: Details = {},
): void {
  stack.status = status;
  stack.statusReason = details.statusReason ?? null;
  append(turn.record, {
    type: 'stack',
    atMs: turn.nowMs,
    eventId: nextUuid(turn.random),
    ...namesOf(stack),
    status,
    ...details,
  });
}

/** A resource takes a status and says so; its event id is made of both (L10). */
export function tellResource(
  turn: EngineTurn,
  stack: Stack,
  resource: StackResource,
  status: ResourceStatus,
  details: Details = {},
): void {
  const changed = resource.status !== status;
  resource.status = status;
  resource.statusReason = details.statusReason ?? null;
  if (changed) resource.statusSinceMs = turn.nowMs;
  append(turn.record, {
    type: 'stack-resource',
    atMs: turn.nowMs,
    eventId: `${resource.logicalId}-${status}-${toRfc3339(turn.nowMs)}`,
    ...namesOf(stack),
    logicalId: resource.logicalId,
    resourceType: resource.type,
    physicalId: resource.physicalId ?? '',
    status,
    ...details,
  });
}

function namesOf({ stackId, stackName, operation }: Stack) {
  const operationId = present(operation, 'events belong to an operation').id;
  return { stackId, stackName, operationId };
}
