export type EcsExceptionCode =
  | 'ClientException'
  | 'InvalidParameterException'
  | 'ClusterNotFoundException'
  | 'ClusterContainsServicesException'
  | 'ClusterContainsTasksException'
  | 'ClusterContainsContainerInstancesException'
  | 'ResourceInUseException'
  | 'ResourceNotFoundException'
  | 'ServiceNotFoundException'
  | 'ServiceNotActiveException'
  | 'PlatformUnknownException'
  | 'PlatformTaskDefinitionIncompatibilityException'
  | 'ServiceDeploymentNotFoundException'
  | 'ConflictException'
  | 'TaskSetNotFoundException';

/** 1.23: a service of the name is there already, and other than the one asked for. */
export const NOT_IDEMPOTENT = 'Creation of service was not idempotent.';

/** A refusal of the ECS API: `code` and message as the API gives them, HTTP status 400. */
export class EcsException extends Error {
  override readonly name = 'EcsException';
  readonly code: EcsExceptionCode;

  constructor(code: EcsExceptionCode, message: string) {
    super(message);
    this.code = code;
  }
}
