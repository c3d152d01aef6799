import type { Ecs } from '../../aws/ecs/index.ts';
import type { JsonObject } from '../../base/index.ts';
import type { ProgressEvent, ResourceProvider } from '../../registry/index.ts';
import { andThen, updated } from './capacity-provider.ts';
import { orRefused } from './refusals.ts';
import { toApi } from './spelling.ts';

/**
 * AWS::ECS::ClusterCapacityProviderAssociations: which capacity providers a cluster has. A service
 * that still uses one of them keeps it from being deleted.
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
        orRefused(`Delete ${what}`, () => {
          free(ecs, model);
          return kept.delete(request);
        }),
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

/** The cluster has no capacity providers any more; one that is gone has none. */
function free(ecs: Ecs, { Cluster }: JsonObject): void {
  const cluster = String(Cluster);
  if (ecs.describeCluster(cluster) === undefined) return;
  ecs.api.putClusterCapacityProviders({
    ...{ cluster, capacityProviders: [], defaultCapacityProviderStrategy: [] },
  });
}
