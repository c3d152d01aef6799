/** The use cases: what a command or a program asks for, put together from all other rooms. */
export { UserError } from '../base/index.ts';
export { deleteStacks } from './delete.ts';
export { deploy } from './deploy.ts';
export { doctor } from './doctor.ts';
export {
  containerLogs,
  describeStack,
  listServices,
  listStacks,
  listTasks,
  stackEvents,
  stackOutputs,
  stackResources,
} from './read.ts';
export type {
  CommonOptions,
  DeleteRequest,
  DeployRequest,
  DoctorItem,
  DoctorRequest,
  Listing,
  Outcome,
  Progress,
  ProgressView,
  ReadOptions,
  StackProgress,
  ValidateRequest,
} from './use-cases.ts';
export { validate } from './validate.ts';
