import { type Ecs, EcsException } from '../../aws/ecs/index.ts';
import { type JsonObject, MINUTE_MS } from '../../base/index.ts';
import type { HandlerRequest, ProgressEvent, ResourceProvider } from '../../registry/index.ts';
import { andThen, updated } from './capacity-provider.ts';
import { orRefused } from './refusals.ts';
import { toApi } from './spelling.ts';

const RETRY_SECONDS = 5;
const RETRY_MAX_MS = 10 * MINUTE_MS; // how long AWS's handler tries was not seen

/**
 * AWS::ECS::ClusterCapacityProviderAssociations: which capacity providers a cluster has. A service
 * that still uses one of them keeps it from being deleted, which is tried again and again.
 *
 * @param kept - the generic handlers, which keep the properties
 */
export function associationsProvider(kept: ResourceProvider, ecs: Ecs): ResourceProvider {
  const what = 'ClusterCapacityProviderAssociations';
  return {
    ...kept,
    create: (request) =>
      andThen(kept.create(request), (model) => {
        const made = orRefused(`Create ${what}`, () => associate(ecs, model));
        if (made.status === 'FAILED') kept.delete({ ...request, previous: model });
        return made;
      }),
    update: (request) =>
      andThen(updated(kept, request), (model) =>
        orRefused(`Update ${what}`, () => associate(ecs, model)),
      ),
    delete: (request) =>
      andThen(kept.read(request), (model) =>
        orRefused(`Delete ${what}`, () =>
          isFreed(ecs, model, request) ? kept.delete(request) : triedAgain(),
        ),
      ),
  };
}

function associate(ecs: Ecs, model: JsonObject): ProgressEvent {
  const { capacityProviders = [], defaultCapacityProviderStrategy = [] } = toApi(model);
  const cluster = ecs.clusterNamed(String(model['Cluster'])).name;
  ecs.api.putClusterCapacityProviders({
    ...{ cluster, capacityProviders, defaultCapacityProviderStrategy },
  });
  return { status: 'SUCCESS', model };
}

/** Whether the cluster has no capacity providers any more; one that is gone has none. */
function isFreed(ecs: Ecs, { Cluster }: JsonObject, request: HandlerRequest): boolean {
  const cluster = String(Cluster);
  if (ecs.describeCluster(cluster) === undefined) return true;
  try {
    ecs.api.putClusterCapacityProviders({
      ...{ cluster, capacityProviders: [], defaultCapacityProviderStrategy: [] },
    });
    return true;
  } catch (error) {
    const isUsed = error instanceof EcsException && error.code === 'ResourceInUseException';
    if (isUsed && request.nowMs - request.startedAtMs < RETRY_MAX_MS) return false;
    throw error;
  }
}

function triedAgain(): ProgressEvent {
  return {
    status: 'IN_PROGRESS',
    callbackContext: { inUse: true },
    callbackDelaySeconds: RETRY_SECONDS,
  };
}
