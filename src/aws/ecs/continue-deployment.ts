import type { JsonObject } from '../../base/index.ts';
import type { EcsContext } from './context.ts';
import { EcsException } from './exception.ts';
import { isShifting } from './lifecycle.ts';
import { text } from './request-values.ts';
import { markDirty } from './state.ts';
import { deploymentNamed } from './stop-deployment.ts';

/**
 * ContinueServiceDeployment: a PAUSE hook is over, and the deployment goes on (`CONTINUE`, the
 * default) or back (`ROLLBACK`) (4.47).
 *
 * @returns the ARN of the service deployment
 * @throws EcsException ServiceDeploymentNotFoundException, or ConflictException where no such hook
 *   waits; how AWS words them was not seen
 */
export function continueServiceDeployment(context: EcsContext, request: JsonObject): string {
  const arn = text(request['serviceDeploymentArn']) ?? '';
  const { service, one } = deploymentNamed(context.state, arn);
  const deployment = service.deployments.find(({ id }) => id === one.deployment);
  const pending = deployment && isShifting(deployment) ? deployment.lifecycle?.pending : undefined;
  const isAsked = ({ id }: { readonly id: string }) => id === text(request['hookId']);
  const hook = pending?.find((known) => known.targetType === 'PAUSE' && isAsked(known));
  if (hook === undefined) {
    throw new EcsException('ConflictException', 'No such hook of the deployment awaits action.');
  }
  hook.answer = request['action'] === 'ROLLBACK' ? 'ROLLBACK' : 'CONTINUE';
  markDirty(context.state, service);
  return arn;
}
