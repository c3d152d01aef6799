import { arnOf, type JsonObject, nameIn } from '../../base/index.ts';
import { append } from '../../events/index.ts';
import type { EcsContext } from './context.ts';
import { EcsException } from './exception.ts';
import type { Cluster } from './model.ts';
import { memberOf, text } from './request-values.ts';
import { noteMade } from './state.ts';

/** CreateCluster: an existing cluster of the name is answered as it is, as the API does. */
export function createCluster(context: EcsContext, request: JsonObject): Cluster {
  const name = text(request['clusterName']) ?? 'default';
  const existing = context.state.clusters[name];
  if (existing !== undefined && !existing.assumed) return existing;
  const cluster = addCluster(context, name, false);
  setDefaults(cluster, request);
  noteMade(context.state, request['clientToken'], cluster.arn);
  return cluster;
}

/** UpdateCluster: what is absent stays. */
export function updateCluster({ state }: EcsContext, request: JsonObject): void {
  const cluster = state.clusters[nameIn(text(request['cluster']) ?? '')];
  if (cluster === undefined) {
    throw new EcsException('ClusterNotFoundException', 'Cluster not found.');
  }
  setDefaults(cluster, request);
}

function setDefaults(cluster: Cluster, { serviceConnectDefaults }: JsonObject): void {
  const namespace = text(memberOf(serviceConnectDefaults, 'namespace'));
  if (namespace !== undefined) cluster.namespace = namespace;
}

function addCluster({ state, place }: EcsContext, name: string, assumed: boolean): Cluster {
  const cluster: Cluster = { name, arn: arnOf('ecs', place, `cluster/${name}`), assumed };
  state.clusters[name] = cluster;
  return cluster;
}

/** A cluster by name or ARN. One that nobody made is taken to exist (`docs/decisions.md` 6). */
export function clusterNamed(context: EcsContext, nameOrArn: string): Cluster {
  const name = nameIn(nameOrArn);
  const known = context.state.clusters[name];
  if (known !== undefined && !known.assumed) return known;
  const said = name === 'default' ? '' : ' (it lies outside the template)';
  append(context.record, {
    type: 'assumption',
    atMs: context.nowMs,
    text: `ECS cluster ${name} exists${said}`,
  });
  return known ?? addCluster(context, name, true);
}

/** DeleteCluster. Refused while the cluster holds services or tasks. */
export function deleteCluster({ state }: EcsContext, nameOrArn: string): void {
  const name = nameIn(nameOrArn);
  if (state.clusters[name] === undefined) {
    throw new EcsException('ClusterNotFoundException', 'Cluster not found.');
  }
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
  delete state.clusters[name];
  delete state.instances[name];
}
