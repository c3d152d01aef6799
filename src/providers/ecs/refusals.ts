import { EcsException, NOT_IDEMPOTENT } from '../../aws/ecs/index.ts';
import type { HandlerErrorCode, ProgressEvent } from '../../registry/index.ts';

const CODES: { readonly [code: string]: HandlerErrorCode } = {
  ClientException: 'InvalidRequest',
  InvalidParameterException: 'InvalidRequest',
  PlatformUnknownException: 'InvalidRequest',
  PlatformTaskDefinitionIncompatibilityException: 'InvalidRequest',
  ClusterNotFoundException: 'NotFound',
  ServiceNotFoundException: 'NotFound',
  ServiceNotActiveException: 'NotFound',
  TaskSetNotFoundException: 'NotFound',
  ClusterContainsServicesException: 'ResourceConflict',
  ClusterContainsTasksException: 'ResourceConflict',
  ClusterContainsContainerInstancesException: 'ResourceConflict',
};

/**
 * Runs a call of the ECS API; its refusal becomes the handler's FAILED, worded as CloudFormation
 * words it (8.24, 8.25): `Invalid request provided: Create TaskDefinition: …`.
 *
 * @param taken - the answer where the name belongs to a service already (L33)
 */
export function orRefused(
  what: string,
  call: () => ProgressEvent,
  taken?: ProgressEvent,
): ProgressEvent {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof EcsException)) throw error;
    if (taken !== undefined && error.message === NOT_IDEMPOTENT) return taken;
    const errorCode = CODES[error.code] ?? 'GeneralServiceException';
    const message =
      errorCode === 'InvalidRequest'
        ? `Invalid request provided: ${what}: ${error.message}`
        : error.message;
    return { status: 'FAILED', errorCode, message };
  }
}
