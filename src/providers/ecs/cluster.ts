import type { Ecs } from '../../aws/ecs/index.ts';
import { type JsonObject, present, type RandomState } from '../../base/index.ts';
import type { HandlerRequest, ProgressEvent, ResourceProvider } from '../../registry/index.ts';
import { generatedName } from '../names.ts';
import { alreadyExists, changesAny, notFound, notUpdatable } from './answers.ts';
import { orRefused } from './refusals.ts';
import { toApi } from './spelling.ts';
import { retag } from './tags.ts';

const TYPE = 'AWS::ECS::Cluster';

export function clusterProvider(ecs: Ecs, random: RandomState): ResourceProvider {
  return {
    typeName: TYPE,
    create: (request) => create(ecs, random, request),
    read: (request) => read(ecs, request),
    /** Everything but the name changes in place. */
    update(request) {
      const answer = read(ecs, request);
      if (answer.status !== 'SUCCESS') return answer;
      const { desired, previous = {} } = request;
      const name = nameOf(request);
      if (changesAny(['ClusterName'], desired, previous)) return notUpdatable(TYPE, name);
      const { arn } = present(ecs.describeCluster(name), 'a cluster that was read is there');
      return orRefused('Update Cluster', () => {
        change(ecs, name, request);
        retag(ecs, arn, desired);
        return { status: 'SUCCESS', model: modelOf(desired, name, arn) };
      });
    },
    delete(request) {
      return orRefused('Delete Cluster', () => {
        ecs.deleteCluster(nameOf(request));
        return { status: 'SUCCESS' };
      });
    },
    list: () => ecs.listClusters().map(({ name }) => name),
  };
}

function create(ecs: Ecs, random: RandomState, request: HandlerRequest): ProgressEvent {
  const { desired, clientRequestToken: clientToken } = request;
  const made = ecs.describeCluster(ecs.madeWith(clientToken) ?? '');
  if (made !== undefined)
    return { status: 'SUCCESS', model: modelOf(desired, made.name, made.arn) };
  const given = desired['ClusterName'];
  const name = typeof given === 'string' ? given : generatedName(request, random, 255);
  const existing = ecs.describeCluster(name);
  if (existing !== undefined && !existing.assumed) return alreadyExists(TYPE, name);
  return orRefused('Create Cluster', () => {
    const { arn } = ecs.createCluster({ ...toApi(desired), clusterName: name, clientToken });
    return { status: 'SUCCESS', model: modelOf(desired, name, arn) };
  });
}

/** Capacity providers that a template does not name may be those of an association: they stay. */
function change(ecs: Ecs, cluster: string, { desired, previous = {} }: HandlerRequest): void {
  const { clusterSettings: settings = [], configuration = {}, ...rest } = toApi(desired);
  const { serviceConnectDefaults } = rest;
  ecs.api.updateCluster({
    ...{ cluster, settings, configuration },
    ...(serviceConnectDefaults && { serviceConnectDefaults }),
  });
  const isSaid = ['CapacityProviders', 'DefaultCapacityProviderStrategy'].some(
    (property) => desired[property] !== undefined || previous[property] !== undefined,
  );
  if (!isSaid) return;
  const { capacityProviders = [], defaultCapacityProviderStrategy = [] } = rest;
  ecs.api.putClusterCapacityProviders({
    ...{ cluster, capacityProviders, defaultCapacityProviderStrategy },
  });
}

function read(ecs: Ecs, request: HandlerRequest): ProgressEvent {
  const name = nameOf(request);
  const cluster = ecs.describeCluster(name);
  if (cluster === undefined) return notFound(TYPE, name);
  return { status: 'SUCCESS', model: modelOf(request.previous ?? {}, name, cluster.arn) };
}

function modelOf(properties: JsonObject, name: string, arn: string): JsonObject {
  return { ...properties, ClusterName: name, Arn: arn };
}

function nameOf({ previous }: HandlerRequest): string {
  return String(previous?.['ClusterName'] ?? '');
}
