/** What the result document holds: its types and its builder. */

export {
  type Finished,
  findingResult,
  isOnlyHere,
  type Looked,
  refusedResult,
  stackResult,
  unchangedResult,
  worstOf,
} from './build.ts';
export type {
  ContainerResult,
  DeploymentResult,
  EvidenceResult,
  FailureResult,
  Finding,
  InventionSummary,
  Position,
  ResourceResult,
  ResultDocument,
  RuntimeSummary,
  ServiceEventResult,
  ServiceResult,
  StackEventResult,
  StackResult,
  TaskResult,
  Verdict,
} from './document.ts';
export { VERDICTS } from './document.ts';
