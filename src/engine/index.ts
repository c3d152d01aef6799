/**
 * Runs stack operations: create, delete, and the way back of a create that fails.
 *
 * `createStack` and `deleteStack` begin one; `stepEngine`, once per round of the loop, carries on
 * what is under way. The engine knows no resource type: it calls handlers and reads their answers.
 */
export type {
  EngineState,
  OnFailure,
  Operation,
  OperationSummary,
  Stack,
  StackResource,
} from './model.ts';
export { createEngineState } from './model.ts';
export {
  type CreateRequest,
  createStack,
  deleteStack,
  findStack,
  interrupt,
  stacksUnderWay,
} from './operations.ts';
export { engineDueMs, stepEngine } from './step.ts';
export type { EngineTurn } from './turn.ts';
