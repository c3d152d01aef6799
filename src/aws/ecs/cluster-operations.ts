import { type JsonObject, nameIn } from '../../base/index.ts';
import { clusterArn, failure, invalid, known, pageOf, type Reader } from './answers.ts';
import { capacityIn } from './capacity-strategy.ts';
import {
  clusterThere,
  createCluster as create,
  optionsIn,
  deleteCluster as remove,
} from './clusters.ts';
import type { EcsContext } from './context.ts';
import { EcsException } from './exception.ts';
import type { Cluster, EcsState, LaunchType, ServiceState, TaskState } from './model.ts';
import { list, text, textList } from './request-values.ts';
import { checkedTags, tagsAnswer, tagsOf } from './tags.ts';

/** CreateCluster: one that is there already is answered as it is. */
export function createCluster(context: EcsContext, request: JsonObject): JsonObject {
  const name = text(request['clusterName']) ?? 'default';
  if (!/^[\w-]{1,255}$/.test(name)) {
    throw invalid(`Cluster must match ^[a-zA-Z0-9\\-_]{1,255}$, but was ${name}`);
  }
  checkedTags(request);
  return { cluster: answer(context, create(context, request), EVERYTHING) };
}

const EVERYTHING = ['SETTINGS', 'CONFIGURATIONS', 'TAGS'];
const INCLUDABLE = ['ATTACHMENTS', 'CONFIGURATIONS', 'SETTINGS', 'STATISTICS', 'TAGS'];

/** UpdateCluster: what the request names is replaced. */
export function updateCluster(context: EcsContext, request: JsonObject): JsonObject {
  const cluster = named(context, request);
  cluster.options = { ...cluster.options, ...optionsIn(request) };
  return { cluster: answer(context, cluster, EVERYTHING) };
}

/** UpdateClusterSettings: setting by setting. */
export function updateClusterSettings(context: EcsContext, request: JsonObject): JsonObject {
  const cluster = named(context, request);
  const given = list(request['settings']);
  const others = settingsOf(cluster).filter((one) =>
    given.every(({ name }) => name !== one['name']),
  );
  cluster.options = { ...cluster.options, settings: [...others, ...given] };
  return { cluster: answer(context, cluster, EVERYTHING) };
}

/**
 * PutClusterCapacityProviders: the cluster has these and no others.
 *
 * @throws EcsException ResourceInUseException when a service or task runs on one that would go
 */
export function putClusterCapacityProviders(context: EcsContext, request: JsonObject): JsonObject {
  const cluster = named(context, request);
  const wanted = capacityIn(context, request);
  const kept = new Set(wanted.capacityProviders);
  const used = providersInUse(context.state, cluster);
  if (cluster.capacityProviders.some((name) => !kept.has(name) && used.has(name))) {
    throw new EcsException(
      'ResourceInUseException',
      'The specified capacity provider is in use and cannot be removed.',
    );
  }
  Object.assign(cluster, wanted);
  return { cluster: answer(context, cluster, EVERYTHING) };
}

function providersInUse(state: EcsState, cluster: Cluster): ReadonlySet<string> {
  const { services, tasks } = contentsOf(state, cluster);
  return new Set([
    ...services.flatMap(({ request }) =>
      list(request['capacityProviderStrategy']).map((item) =>
        nameIn(String(item['capacityProvider'])),
      ),
    ),
    ...tasks.flatMap(({ placement }) => placement.capacityProvider ?? []),
  ]);
}

/** DescribeClusters: `default` where the request names none. */
export function describeClusters(context: Reader, request: JsonObject): JsonObject {
  const include = textList(request['include']);
  if (include.some((part) => !INCLUDABLE.includes(part))) {
    throw invalid(`include should be one of [${INCLUDABLE.join(',')}]`);
  }
  const given = textList(request['clusters']).map(nameIn);
  const names = given.length > 0 ? given : ['default'];
  const { clusters } = context.state;
  return {
    clusters: names.flatMap((name) => {
      const cluster = clusters[name];
      return cluster === undefined ? [] : [answer(context, cluster, include)];
    }),
    failures: names
      .filter((name) => clusters[name] === undefined)
      .map((name) => failure(clusterArn(context, name), 'MISSING')),
  };
}

/** ListClusters: those that somebody made. */
export function listClusters({ state }: Reader, request: JsonObject): JsonObject {
  const arns = Object.values(state.clusters)
    .filter(({ status, assumed }) => status === 'ACTIVE' && !assumed)
    .map(({ arn }) => arn);
  return pageOf(arns, request, { field: 'clusterArns' });
}

/** DeleteCluster. */
export function deleteCluster(context: EcsContext, request: JsonObject): JsonObject {
  const name = text(request['cluster']) ?? '';
  return { cluster: answer(context, remove(context, name), EVERYTHING) };
}

function named({ state }: EcsContext, request: JsonObject): Cluster {
  return clusterThere(state, text(request['cluster']) ?? 'default');
}

interface Contents {
  readonly services: readonly ServiceState[]; // not INACTIVE
  readonly tasks: readonly TaskState[]; // not STOPPED
}

function contentsOf({ services, tasks }: EcsState, { name }: Cluster): Contents {
  return {
    services: Object.values(services).filter(
      ({ cluster, status }) => cluster === name && status !== 'INACTIVE',
    ),
    tasks: Object.values(tasks).filter(({ cluster }) => cluster === name),
  };
}

function answer({ state }: Reader, cluster: Cluster, include: readonly string[]): JsonObject {
  const { arn, name, status, options, capacityProviders, defaultStrategy } = cluster;
  const contents = contentsOf(state, cluster);
  const has = (part: string) => include.includes(part);
  return known({
    ...{ clusterArn: arn, clusterName: name, status },
    registeredContainerInstancesCount: (state.instances[name] ?? []).length,
    runningTasksCount: contents.tasks.filter(isRunning).length,
    pendingTasksCount: contents.tasks.filter(isPending).length,
    activeServicesCount: contents.services.filter((one) => one.status === 'ACTIVE').length,
    statistics: has('STATISTICS') ? statisticsOf(contents) : [],
    tags: has('TAGS') ? tagsAnswer(tagsOf(state, arn)) : [],
    settings: has('SETTINGS') ? settingsOf(cluster) : [],
    configuration: has('CONFIGURATIONS') ? options['configuration'] : undefined,
    capacityProviders: [...capacityProviders],
    defaultCapacityProviderStrategy: defaultStrategy.map((item) => ({ ...item })),
    serviceConnectDefaults: options['serviceConnectDefaults'],
  });
}

function settingsOf({ options }: Cluster): JsonObject[] {
  const settings = list(options['settings']);
  return settings.length > 0 ? [...settings] : [{ name: 'containerInsights', value: 'disabled' }];
}

function isRunning({ startedAtMs, phase }: TaskState): boolean {
  return startedAtMs !== null && phase !== 'stopping';
}

function isPending({ phase }: TaskState): boolean {
  return phase === 'starting';
}

const STATISTICS_OF: readonly { readonly launchType: LaunchType; readonly name: string }[] = [
  { launchType: 'EC2', name: 'EC2' },
  { launchType: 'FARGATE', name: 'Fargate' },
  { launchType: 'EXTERNAL', name: 'External' },
];

function statisticsOf({ services, tasks }: Contents): JsonObject[] {
  return STATISTICS_OF.flatMap(({ launchType: type, name }) => {
    const own = tasks.filter(({ launchType }) => launchType === type);
    const ownServices = services.filter(({ launchType }) => launchType === type);
    const of = (wanted: ServiceState['status']) =>
      ownServices.filter(({ status }) => status === wanted).length;
    return [
      { name: `running${name}TasksCount`, value: String(own.filter(isRunning).length) },
      { name: `pending${name}TasksCount`, value: String(own.filter(isPending).length) },
      { name: `active${name}ServiceCount`, value: String(of('ACTIVE')) },
      { name: `draining${name}ServiceCount`, value: String(of('DRAINING')) },
    ];
  });
}
