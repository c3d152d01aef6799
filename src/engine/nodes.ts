import { type LogicalId, present } from '../base/index.ts';
import type { FailureCause } from '../events/index.ts';
import type { Work } from './handlers.ts';
import type { Operation } from './model.ts';
import { tellResource } from './tell.ts';

/** A resource has come to its end in this phase; `released`: its dependents did not wait for it. */
export function finishNode(operation: Operation, logicalId: LogicalId, released: boolean): void {
  operation.unfinished -= 1;
  if (!released) releaseDependents(operation, logicalId);
}

/** What depends on the resource, and on nothing else that is missing, may start (L16). */
export function releaseDependents(operation: Operation, logicalId: LogicalId): void {
  if (operation.unconfigured !== null) operation.unconfigured -= 1;
  for (const dependent of nodeOf(operation, logicalId).dependents) {
    const node = nodeOf(operation, dependent);
    node.waitsFor -= 1;
    if (node.waitsFor === 0) operation.ready.push(dependent);
  }
}

function nodeOf(operation: Operation, logicalId: LogicalId) {
  return present(operation.graph[logicalId], 'a resource of an operation is in its graph');
}

/** A resource failed. What depends on it does not start. */
export function fail(
  { turn, stack, operation, resource }: Work,
  status: 'CREATE_FAILED' | 'DELETE_FAILED',
  statusReason: string,
  cause: FailureCause,
): void {
  delete operation.inFlight[resource.logicalId];
  tellResource(turn, stack, resource, status, { statusReason, cause });
  operation.failed.push(resource.logicalId);
}
