import { isObject, type JsonObject } from '../../base/index.ts';
import type { Cluster, EcsState, ServiceState } from './model.ts';
import { faultIf, type RequestFault } from './request-fault.ts';
import { isGiven, knownText, list, memberOf, text } from './request-values.ts';

const PATH = ['serviceConnectConfiguration'];
const MAX_ALIASES = 1;
const ALIAS_NAME = /^[a-z0-9_.][a-z0-9_.-]{0,126}$/;
const DISCOVERY_NAME = /^[a-z0-9_][a-z0-9_-]{0,63}$/;

/** 1.72, 1.73, 7.16: a Service Connect configuration for itself. */
export function connectFaults(request: JsonObject): readonly RequestFault[] {
  const services = exposedBy(request);
  const names = services.map(discoveryNameOf);
  const twice = names.findIndex(
    (name, index) => name !== undefined && names.indexOf(name) !== index,
  );
  return [
    ...services.flatMap(exposedFaults),
    ...faultIf(twice >= 0, nameTaken(names[twice] ?? ''), [...PATH, 'services', twice]),
  ];
}

function exposedFaults(exposed: JsonObject, index: number): readonly RequestFault[] {
  const aliases = list(exposed['clientAliases']);
  const path = [...PATH, 'services', index];
  const tooMany = `${aliases.length} clientAliases exceeds the max limit of ${MAX_ALIASES}`;
  return [
    ...faultIf(aliases.length > MAX_ALIASES, tooMany, [...path, 'clientAliases']),
    ...aliases.flatMap(({ port, dnsName }, at) => [
      ...faultIf(!fits(dnsName, ALIAS_NAME), 'The DNS name that you provided is invalid', [
        ...[...path, 'clientAliases', at, 'dnsName'],
      ]),
      ...faultIf(!isGiven(port), 'A client alias needs a port.', [...path, 'clientAliases', at]),
    ]),
    ...faultIf(
      !fits(exposed['discoveryName'], DISCOVERY_NAME), // 7.16: the wording was not seen
      'A discovery name has at most 64 characters: lowercase letters, digits, underscores and hyphens, no hyphen first.',
      [...path, 'discoveryName'],
    ),
  ];
}

function fits(value: JsonObject[string] | undefined, pattern: RegExp): boolean {
  const name = knownText(value) ?? '';
  return name === '' || pattern.test(name);
}

/** 1.71. */
export function connectedPortFaults(
  request: JsonObject,
  containers: readonly JsonObject[],
): readonly RequestFault[] {
  const mappings = containers.flatMap(({ portMappings }) => list(portMappings));
  const named = mappings.map(({ name }) => name);
  if (named.some((name) => isGiven(name) && knownText(name) === undefined)) return [];
  return exposedBy(request).flatMap(({ portName }, index) => {
    const name = knownText(portName);
    const isUnknown = name !== undefined && !named.includes(name);
    const message = `portName(${name ?? ''}) does not refer to any named PortMapping in the container definitions`;
    return faultIf(isUnknown, message, [...PATH, 'services', index, 'portName']);
  });
}

/**
 * 1.70, 7.16: there is a namespace, the request's or the cluster's, and no other service of the
 * account answers to the same discovery name in it (AWS's wording of this was not seen).
 */
export function namespaceFaults(
  { services, clusters }: Pick<EcsState, 'services' | 'clusters'>,
  request: JsonObject,
  self: Pick<ServiceState, 'arn' | 'cluster'>,
): readonly RequestFault[] {
  if (!isConnected(request)) return [];
  const cluster = clusters[self.cluster];
  const namespace = namespaceOf(request, cluster);
  if (namespace === undefined) {
    // What a cluster that nobody made here has by default is not known.
    const isKnown = cluster?.assumed === false;
    return faultIf(isKnown, 'Namespace is missing', [...PATH, 'namespace']);
  }
  const taken = Object.values(services)
    .filter(({ arn, status }) => arn !== self.arn && status === 'ACTIVE')
    .filter((other) => namespaceOf(other.request, clusters[other.cluster]) === namespace)
    .flatMap((other) => exposedBy(other.request).map(discoveryNameOf));
  return exposedBy(request).flatMap((exposed, index) => {
    const name = discoveryNameOf(exposed);
    const isTaken = name !== undefined && taken.includes(name);
    return faultIf(isTaken, nameTaken(name ?? ''), [...PATH, 'services', index]);
  });
}

/** 7.16: the protocols of a port that clients know stay as they are; the wording was not seen. */
export function protocolFaults(
  standing: { readonly request: JsonObject; readonly containers: readonly JsonObject[] },
  asked: { readonly request: JsonObject; readonly containers: readonly JsonObject[] },
): readonly RequestFault[] {
  const exposed = exposedBy(standing.request).map(({ portName }) => text(portName));
  return exposedBy(asked.request).flatMap(({ portName }, index) => {
    if (!exposed.includes(text(portName))) return [];
    const was = mappingNamed(standing.containers, portName);
    const is = mappingNamed(asked.containers, portName);
    if (was === undefined || is === undefined) return [];
    const changed = ['protocol', 'appProtocol'].find(
      (member) => protocolOf(was, member) !== protocolOf(is, member),
    );
    const message = `The ${changed} of port ${text(portName)} cannot be changed in a service that uses Service Connect.`;
    return faultIf(changed !== undefined, message, [...PATH, 'services', index, 'portName']);
  });
}

function mappingNamed(containers: readonly JsonObject[], name: JsonObject[string] | undefined) {
  return containers
    .flatMap(({ portMappings }) => list(portMappings))
    .find((mapping) => isGiven(name) && mapping['name'] === name);
}

function protocolOf(mapping: JsonObject, member: string): string {
  return text(mapping[member]) ?? 'tcp';
}

function nameTaken(name: string): string {
  return `The discovery name ${name} is used twice in the Service Connect namespace.`;
}

function isConnected({ serviceConnectConfiguration: given }: JsonObject): boolean {
  return isObject(given) && given['enabled'] === true;
}

/** The services that a request lets clients discover. */
function exposedBy(request: JsonObject): readonly JsonObject[] {
  const { serviceConnectConfiguration: given } = request;
  return isConnected(request) && isObject(given) ? list(given['services']) : [];
}

/** The name of its port, unless it has one of its own. */
function discoveryNameOf({ discoveryName, portName }: JsonObject): string | undefined {
  return knownText(isGiven(discoveryName) ? discoveryName : portName);
}

function namespaceOf(
  { serviceConnectConfiguration: given }: JsonObject,
  cluster: Cluster | undefined,
): string | undefined {
  const namespace = isObject(given) ? text(given['namespace']) : undefined;
  return namespace === undefined || namespace === '' ? defaultNamespace(cluster) : namespace;
}

function defaultNamespace(cluster: Cluster | undefined): string | undefined {
  return text(memberOf(cluster?.options['serviceConnectDefaults'], 'namespace'));
}
