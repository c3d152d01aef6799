export type EcsExceptionCode =
  | 'ClientException'
  | 'InvalidParameterException'
  | 'ClusterNotFoundException'
  | 'ClusterContainsServicesException'
  | 'ClusterContainsTasksException'
  | 'ServiceNotFoundException'
  | 'ServiceNotActiveException';

/** A refusal of the ECS API: `code` and message as the API gives them, HTTP status 400. */
export class EcsException extends Error {
  override readonly name = 'EcsException';
  readonly code: EcsExceptionCode;

  constructor(code: EcsExceptionCode, message: string) {
    super(message);
    this.code = code;
  }
}
