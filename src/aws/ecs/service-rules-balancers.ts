import { isObject, type JsonObject } from '../../base/index.ts';
import { faultIf, type RequestFault } from './request-fault.ts';
import { isGiven, knownText, list, number } from './request-values.ts';
import { runsOnFargate } from './service-rules-capacity.ts';

const LINKED_ROLE = 'AWSServiceRoleForECS';

/** 1.34, 1.35. */
export function balancerFaults(request: JsonObject): readonly RequestFault[] {
  return list(request['loadBalancers']).flatMap((entry, index) => {
    const isClassic = isGiven(entry['loadBalancerName']);
    const isBoth = isClassic && isGiven(entry['targetGroupArn']);
    const path = ['loadBalancers', index, 'loadBalancerName'];
    return [
      ...faultIf(isBoth, 'loadBalancerName and targetGroupArn cannot both be specified', path),
      ...faultIf(
        isClassic && runsOnFargate(request),
        'Classic Load Balancers are not supported with Fargate',
        path,
      ),
    ];
  });
}

/** 1.31, 1.32. */
export function balancedContainerFaults(
  request: JsonObject,
  containers: readonly JsonObject[],
): readonly RequestFault[] {
  return list(request['loadBalancers']).flatMap(({ containerName, containerPort }, index) => {
    const path = ['loadBalancers', index];
    const unknown = unknownContainerFaults(containers, containerName, [...path, 'containerName']);
    const container = containers.find(({ name }) => name === containerName);
    if (unknown.length > 0 || container === undefined) return unknown;
    const ports = list(container['portMappings']).map((mapping) =>
      number(mapping['containerPort']),
    );
    const port = number(containerPort);
    // A range of ports, and a port that is still to be resolved, may well be the one.
    const isMapped = port === undefined || ports.includes(port) || ports.includes(undefined);
    const message = `The container ${knownText(containerName)} did not have a container port ${port} defined.`;
    return faultIf(!isMapped, message, [...path, 'containerPort']);
  });
}

function unknownContainerFaults(
  containers: readonly JsonObject[],
  containerName: JsonObject[string] | undefined,
  path: RequestFault['path'],
): readonly RequestFault[] {
  const name = knownText(containerName);
  const names = containers.map((container) => knownText(container['name']));
  if (name === undefined || names.includes(name) || names.includes(undefined)) return [];
  return [{ message: `The container ${name} does not exist in the task definition.`, path }];
}

/** 1.36: refused only where no container has a check either, to which the period applies too. */
export function gracePeriodFaults(
  request: JsonObject,
  containers: readonly JsonObject[],
): readonly RequestFault[] {
  const seconds = number(request['healthCheckGracePeriodSeconds']) ?? 0;
  const isChecked =
    isGiven(request['loadBalancers']) ||
    isGiven(request['vpcLatticeConfigurations']) ||
    containers.some(({ healthCheck }) => isObject(healthCheck));
  const message =
    'Health check grace period is only valid for services configured to use load balancers';
  return faultIf(seconds > 0 && !isChecked, message, ['healthCheckGracePeriodSeconds']);
}

/** 1.63. */
export function roleFaults(
  { role }: JsonObject,
  networkMode: string | undefined,
): readonly RequestFault[] {
  const message = 'You cannot specify an IAM role for services that require a service linked role.';
  return faultIf(networkMode === 'awsvpc' && isRoleOfItsOwn(role), message, ['role']);
}

/** 1.64: of a new service; its role stays when an update takes the balancers away. */
export function roleWithoutBalancerFaults({
  role,
  loadBalancers,
}: JsonObject): readonly RequestFault[] {
  const message = 'IAM roles are only valid for services configured to use load balancers.';
  return faultIf(isRoleOfItsOwn(role) && !isGiven(loadBalancers), message, ['role']);
}

function isRoleOfItsOwn(role: JsonObject[string] | undefined): boolean {
  return isGiven(role) && !knownText(role)?.includes(LINKED_ROLE);
}

/** 1.53, 1.65; 7.15: that a port goes with no container is documented, the wording was not seen. */
export function registryFaults(request: JsonObject): readonly RequestFault[] {
  const registries = list(request['serviceRegistries']);
  const path = ['serviceRegistries'];
  return [
    ...faultIf(
      registries.length > 0 && request['launchType'] === 'EXTERNAL',
      'Service registries are not supported for external launch type.',
      path,
    ),
    ...faultIf(registries.length > 1, 'service registries can have at most 1 items', path),
    ...registries.flatMap(({ port, containerName, containerPort }, index) =>
      faultIf(
        isGiven(port) && isGiven(containerName) && isGiven(containerPort),
        'A service registry has either a port, or a container name and a container port.',
        [...path, index, 'port'],
      ),
    ),
  ];
}

/** 7.15: worded as AWS words it for a balancer (1.31). */
export function registeredContainerFaults(
  request: JsonObject,
  containers: readonly JsonObject[],
): readonly RequestFault[] {
  return list(request['serviceRegistries']).flatMap(({ containerName }, index) =>
    unknownContainerFaults(containers, containerName, [
      ...['serviceRegistries', index, 'containerName'],
    ]),
  );
}
