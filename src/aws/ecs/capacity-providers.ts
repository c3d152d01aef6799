import { isObject, type JsonObject, type JsonValue, nameIn, sameJson } from '../../base/index.ts';
import { failure, includes, invalid, known, type Reader } from './answers.ts';
import { activeProvider, FARGATE_PROVIDERS, providerArn } from './capacity-strategy.ts';
import type { EcsContext } from './context.ts';
import { EcsException } from './exception.ts';
import type { CapacityProvider, EcsState } from './model.ts';
import { text, textList } from './request-values.ts';
import { checkedTags, setTags, tagsAnswer, tagsOf } from './tags.ts';

/** CreateCapacityProvider. Asked twice for the same, it makes one. */
export function createCapacityProvider(context: EcsContext, request: JsonObject): JsonObject {
  const { state } = context;
  const name = text(request['name']) ?? '';
  const capacity = capacityOf(request);
  if (!/^[\w-]{1,255}$/.test(name) || /^(aws|ecs|fargate)/i.test(name)) {
    throw invalid(
      'The name of a capacity provider has up to 255 letters, numbers, underscores and hyphens, and does not begin with aws, ecs or fargate.',
    );
  }
  const existing = activeProvider(context, name);
  if (existing !== undefined && !existing.assumed) {
    const { group, managedInstances } = existing;
    const isSame =
      sameJson(group, capacity.group) && sameJson(managedInstances, capacity.managedInstances);
    if (isSame) return { capacityProvider: answer(context, existing, true) };
    throw new EcsException('ClientException', `The capacity provider ${name} already exists.`);
  }
  if (capacity.group !== undefined) refuseGroupInUse(state, capacity.group);
  const tags = checkedTags(request);
  const provider: CapacityProvider = {
    ...{ name, arn: providerArn(context, name), assumed: false },
    ...{ status: 'ACTIVE', updateStatus: 'CREATE_COMPLETE', ...capacity },
  };
  state.capacityProviders[name] = provider;
  setTags(state, provider.arn, tags);
  return { capacityProvider: answer(context, provider, true) };
}

/** An Auto Scaling group, or instances that ECS manages. */
function capacityOf(request: JsonObject): Pick<CapacityProvider, 'group' | 'managedInstances'> {
  const { autoScalingGroupProvider, managedInstancesProvider } = request;
  if (isObject(managedInstancesProvider)) return { managedInstances: managedInstancesProvider };
  return { group: groupIn(autoScalingGroupProvider) };
}

/** The group of a request, with what counts where it says nothing. */
function groupIn(given: JsonValue | undefined): JsonObject {
  if (!isObject(given) || text(given['autoScalingGroupArn']) === undefined) {
    throw invalid('An Auto Scaling group must be specified.');
  }
  const { managedScaling } = given;
  return {
    managedTerminationProtection: 'DISABLED',
    managedDraining: 'ENABLED',
    ...given,
    managedScaling: {
      ...{ status: 'DISABLED', targetCapacity: 100, minimumScalingStepSize: 1 },
      ...{ maximumScalingStepSize: 10_000, instanceWarmupPeriod: 300 },
      ...(isObject(managedScaling) ? managedScaling : {}),
    },
  };
}

function refuseGroupInUse({ capacityProviders }: EcsState, group: JsonObject): void {
  const arn = group['autoScalingGroupArn'];
  const users = Object.values(capacityProviders).filter(({ status }) => status === 'ACTIVE');
  if (!users.some((other) => other.group?.['autoScalingGroupArn'] === arn)) return;
  throw new EcsException(
    'ClientException',
    'The specified Auto Scaling group ARN is already being used by another capacity provider. Specify a unique Auto Scaling group ARN and try again.',
  );
}

/** UpdateCapacityProvider: how the group scales; which group it is stays. */
export function updateCapacityProvider(context: EcsContext, request: JsonObject): JsonObject {
  const provider = ownProvider(context, text(request['name']) ?? '');
  const { autoScalingGroupProvider: given, managedInstancesProvider } = request;
  if (isObject(managedInstancesProvider)) {
    provider.managedInstances = { ...provider.managedInstances, ...managedInstancesProvider };
    provider.updateStatus = 'UPDATE_COMPLETE';
    return { capacityProvider: answer(context, provider) };
  }
  if (!isObject(given)) throw invalid('autoScalingGroupProvider can not be blank.');
  const { managedScaling: before, ...others } = provider.group ?? {};
  const { managedScaling, autoScalingGroupArn: _, ...changed } = given;
  provider.group = {
    ...others,
    ...changed,
    managedScaling: { ...asObject(before), ...asObject(managedScaling) },
  };
  provider.updateStatus = 'UPDATE_COMPLETE';
  return { capacityProvider: answer(context, provider) };
}

function asObject(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** DeleteCapacityProvider: INACTIVE. Refused while a cluster has it. */
export function deleteCapacityProvider(context: EcsContext, request: JsonObject): JsonObject {
  const provider = ownProvider(context, text(request['capacityProvider']) ?? '');
  const user = Object.values(context.state.clusters).find(
    ({ status, capacityProviders }) =>
      status === 'ACTIVE' && capacityProviders.includes(provider.name),
  );
  if (user !== undefined) {
    throw new EcsException(
      'ClientException',
      `The capacity provider cannot be deleted because it is associated with cluster: ${user.name}. Remove the capacity provider from the cluster and try again.`,
    );
  }
  provider.status = 'INACTIVE';
  provider.updateStatus = 'DELETE_COMPLETE';
  return { capacityProvider: answer(context, provider) };
}

/** One that can be changed: Fargate's two are reserved. */
function ownProvider(context: EcsContext, nameOrArn: string): CapacityProvider {
  const name = nameIn(nameOrArn);
  if (FARGATE_PROVIDERS.includes(name)) {
    throw invalid(`The capacity provider ${name} is reserved.`);
  }
  const found = activeProvider(context, name);
  if (found !== undefined) return found;
  throw invalid('The specified capacity provider was not found.');
}

/** DescribeCapacityProviders: all of them where the request names none. */
export function describeCapacityProviders(context: Reader, request: JsonObject): JsonObject {
  const { state } = context;
  const given = textList(request['capacityProviders']).map(nameIn);
  const every = Object.keys(state.capacityProviders).filter((name) => find(context, name));
  const names = given.length > 0 ? given : [...FARGATE_PROVIDERS, ...every];
  const found = names.map((name) => ({ name, provider: find(context, name) }));
  return {
    capacityProviders: found.flatMap(({ provider }) =>
      provider === undefined ? [] : [answer(context, provider, includes(request, 'TAGS'))],
    ),
    failures: found.flatMap(({ name, provider }) =>
      provider === undefined ? [failure(providerArn(context, name), 'MISSING')] : [],
    ),
  };
}

/** One that was deleted can be described for a while. */
function find(context: Reader, name: string): CapacityProvider | undefined {
  return activeProvider(context, name) ?? context.state.capacityProviders[name];
}

function answer(
  { state }: Pick<Reader, 'state'>,
  { arn, name, status, updateStatus, group, managedInstances }: CapacityProvider,
  withTags = false,
): JsonObject {
  return known({
    ...{ capacityProviderArn: arn, name, status, updateStatus },
    type: typeOf(name, managedInstances),
    ...{ autoScalingGroupProvider: group, managedInstancesProvider: managedInstances },
    tags: withTags ? tagsAnswer(tagsOf(state, arn)) : [],
  });
}

function typeOf(name: string, managedInstances: JsonObject | undefined): string {
  if (FARGATE_PROVIDERS.includes(name)) return name;
  return managedInstances === undefined ? 'EC2_AUTOSCALING' : 'MANAGED_INSTANCES';
}
