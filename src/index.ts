/**
 * The library's public face: the use cases of the command line, with typed requests and answers.
 *
 * `deploy`, `deleteStacks` and `validate` answer the result document of `docs/cli-contract.md`; what
 * the user got wrong is thrown as UserError, with a message, a hint and a place where there is one.
 */

export type {
  CommonOptions,
  DeleteRequest,
  DeployRequest,
  DoctorItem,
  DoctorRequest,
  Listing,
  Outcome,
  Progress,
  ReadOptions,
  ValidateRequest,
} from './app/index.ts';
export {
  containerLogs,
  deleteStacks,
  deploy,
  describeStack,
  doctor,
  listServices,
  listStacks,
  listTasks,
  stackEvents,
  stackOutputs,
  stackResources,
  UserError,
  validate,
} from './app/index.ts';
export type { SourceSpan } from './base/index.ts';
export type { Finding, ResultDocument, StackResult, Verdict } from './result/index.ts';
