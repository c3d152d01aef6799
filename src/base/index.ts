/** What every room may use: identifiers, time, chance, queues, errors. No AWS behaviour. */
export { assert, assertNever, present } from './assert.ts';
export type { Clock, Mailbox, Wait } from './clock.ts';
export { systemClock, virtualClock } from './clock.ts';
export type { Due, DueHeap } from './heap.ts';
export { createHeap, nextDueMs, popDue, pushDue } from './heap.ts';
export type {
  Brand,
  ClusterArn,
  DeploymentId,
  LogicalId,
  OperationId,
  Place,
  PlaceKey,
  ServiceArn,
  StackId,
  TaskDefinitionArn,
  TaskId,
} from './identifiers.ts';
export { arnOf, nameIn, partitionOf, placeKey, urlSuffixOf } from './identifiers.ts';
export type { JsonObject, JsonValue, Path } from './json.ts';
export { isObject, sameJson, toPointer } from './json.ts';
export type { Queue } from './queue.ts';
export { createQueue, dequeue, enqueue } from './queue.ts';
export type { RandomState } from './random.ts';
export {
  ALPHANUMERIC,
  DIGITS,
  HEX,
  nextBelow,
  nextHex32,
  nextText,
  nextUint32,
  nextUuid,
  seedNumber,
  seedRandom,
} from './random.ts';
export type { SourceSpan } from './source-span.ts';
export type { EpochMs } from './time.ts';
export {
  addMs,
  HOUR_MS,
  MINUTE_MS,
  parseDurationMs,
  SECOND_MS,
  SIMULATION_START_MS,
  toIsoDuration,
  toRfc3339,
} from './time.ts';
export type { UserErrorCode, UserErrorDetails } from './user-error.ts';
export { nearest, UserError } from './user-error.ts';
