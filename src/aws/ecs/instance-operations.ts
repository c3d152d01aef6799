import type { JsonObject } from '../../base/index.ts';
import { failure, inSeconds, known, namesIn, nameWithin, pageOf, type Reader } from './answers.ts';
import { clusterIn } from './clusters.ts';
import type { ContainerInstance } from './placement/index.ts';
import { instanceNamed } from './placing.ts';
import { text } from './request-values.ts';

const AT_ONCE_MAX = 100;

/** DescribeContainerInstances: what is unknown is listed under `failures`. */
export function describeContainerInstances(reader: Reader, request: JsonObject): JsonObject {
  const cluster = clusterIn(reader, request);
  const asked = namesIn(request, 'containerInstances', AT_ONCE_MAX);
  const found = asked.map((given) => ({
    given,
    instance: instanceNamed(reader.state, cluster, nameWithin(cluster, given)),
  }));
  return {
    containerInstances: found.flatMap(({ instance }) =>
      instance === undefined ? [] : [describeInstance(reader, instance)],
    ),
    failures: found
      .filter(({ instance }) => instance === undefined)
      .map(({ given }) => failure(given, 'MISSING')),
  };
}

/** ListContainerInstances, by status where the request names one. */
export function listContainerInstances(reader: Reader, request: JsonObject): JsonObject {
  const instances = reader.state.instances[clusterIn(reader, request)] ?? [];
  const status = text(request['status']);
  const arns = instances
    .filter((instance) => status === undefined || instance.status === status)
    .map(({ arn }) => arn);
  return pageOf(arns, request, { field: 'containerInstanceArns' });
}

function describeInstance({ state }: Reader, instance: ContainerInstance): JsonObject {
  const { arn, id, cluster, ec2InstanceId, agentVersion, attributes } = instance;
  const tasks = Object.values(state.tasks).filter(
    (task) => task.cluster === cluster && task.placement.instance === id,
  );
  const pending = tasks.filter(({ phase }) => phase === 'starting').length;
  return known({
    ...{ containerInstanceArn: arn, ec2InstanceId, status: instance.status },
    ...{
      agentConnected: instance.agentConnected,
      registeredAt: inSeconds(instance.registeredAtMs),
    },
    versionInfo: agentVersion === null ? undefined : { agentVersion },
    ...{ runningTasksCount: tasks.length - pending, pendingTasksCount: pending },
    registeredResources: resources(instance, instance.registered),
    remainingResources: resources(instance, instance.remaining),
    attributes: Object.entries(attributes).map(([name, value]) =>
      value === '' ? { name } : { name, value },
    ),
  });
}

/** CPU and memory, and the host ports that are in use, by protocol. */
function resources(
  { usedPorts }: ContainerInstance,
  { cpuUnits, memoryMebibytes }: ContainerInstance['registered'],
): JsonObject[] {
  const ports = (protocol: string) =>
    Object.keys(usedPorts)
      .filter((port) => port.endsWith(`/${protocol}`))
      .map((port) => port.split('/')[0] ?? '');
  return [
    { name: 'CPU', type: 'INTEGER', integerValue: cpuUnits },
    { name: 'MEMORY', type: 'INTEGER', integerValue: memoryMebibytes },
    { name: 'PORTS', type: 'STRINGSET', stringSetValue: ports('tcp') },
    { name: 'PORTS_UDP', type: 'STRINGSET', stringSetValue: ports('udp') },
  ];
}
