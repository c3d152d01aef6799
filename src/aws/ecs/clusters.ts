import { arnOf, type JsonObject, nameIn } from '../../base/index.ts';
import { append } from '../../events/index.ts';
import { known } from './answers.ts';
import { capacityIn } from './capacity-strategy.ts';
import type { EcsContext } from './context.ts';
import { EcsException } from './exception.ts';
import type { Cluster, EcsState } from './model.ts';
import { text } from './request-values.ts';
import { noteMade } from './state.ts';
import { setTags, tagsIn } from './tags.ts';

/** CreateCluster: an existing cluster of the name is answered as it is, as the API does. */
export function createCluster(context: EcsContext, request: JsonObject): Cluster {
  const name = text(request['clusterName']) ?? 'default';
  const existing = activeCluster(context.state, name);
  if (existing !== undefined && !existing.assumed) return existing;
  const wanted = capacityIn(context, request);
  const cluster = addCluster(context, name, false);
  Object.assign(cluster, { options: optionsIn(request), ...wanted });
  setTags(context.state, cluster.arn, tagsIn(request));
  noteMade(context.state, request['clientToken'], cluster.arn);
  return cluster;
}

/** `settings`, `configuration` and `serviceConnectDefaults`, where the request names them. */
export function optionsIn(request: JsonObject): JsonObject {
  const { settings, clusterSettings, configuration, serviceConnectDefaults } = request;
  const given = settings ?? clusterSettings; // CloudFormation calls them ClusterSettings
  return known({ settings: given, configuration, serviceConnectDefaults });
}

function addCluster({ state, place }: EcsContext, name: string, assumed: boolean): Cluster {
  const cluster: Cluster = {
    ...{ name, arn: arnOf('ecs', place, `cluster/${name}`), assumed, status: 'ACTIVE' },
    ...{ options: {}, capacityProviders: [], defaultStrategy: [] },
  };
  state.clusters[name] = cluster;
  return cluster;
}

/** A cluster of the name that is not INACTIVE. */
export function activeCluster(state: EcsState, nameOrArn: string): Cluster | undefined {
  const found = state.clusters[nameIn(nameOrArn)];
  return found?.status === 'ACTIVE' ? found : undefined;
}

/** A cluster by name or ARN. One that nobody made is taken to exist (`docs/decisions.md` 6). */
export function clusterNamed(context: EcsContext, nameOrArn: string): Cluster {
  const name = nameIn(nameOrArn);
  const existing = activeCluster(context.state, name);
  if (existing !== undefined && !existing.assumed) return existing;
  const said = name === 'default' ? '' : ' (it lies outside the template)';
  append(context.record, {
    type: 'assumption',
    atMs: context.nowMs,
    text: `ECS cluster ${name} exists${said}`,
  });
  return existing ?? addCluster(context, name, true);
}

/** DeleteCluster: INACTIVE. Refused while the cluster holds services or tasks. */
export function deleteCluster({ state }: EcsContext, nameOrArn: string): Cluster {
  const cluster = clusterThere(state, nameOrArn);
  const { name } = cluster;
  const services = Object.values(state.services);
  if (services.some((service) => service.cluster === name && service.status !== 'INACTIVE')) {
    throw new EcsException(
      'ClusterContainsServicesException',
      'The Cluster cannot be deleted while Services are active.',
    );
  }
  if (Object.values(state.tasks).some((task) => task.cluster === name)) {
    throw new EcsException(
      'ClusterContainsTasksException',
      'The Cluster cannot be deleted while Tasks are active.',
    );
  }
  cluster.status = 'INACTIVE';
  delete state.instances[name];
  return cluster;
}

/** A cluster by name or ARN that somebody made or named: an API call assumes none. */
export function clusterThere(state: EcsState, nameOrArn: string): Cluster {
  const cluster = activeCluster(state, nameOrArn);
  if (cluster === undefined) {
    throw new EcsException('ClusterNotFoundException', 'Cluster not found.');
  }
  return cluster;
}

/**
 * The name of the cluster that a request about services or tasks means (1.9).
 *
 * @throws EcsException ClusterNotFoundException when it names one that is not there
 */
export function clusterIn({ state }: Pick<EcsContext, 'state'>, { cluster }: JsonObject): string {
  const given = text(cluster);
  return given === undefined ? 'default' : clusterThere(state, given).name;
}
