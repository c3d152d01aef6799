import type { Account } from '../aws/account/index.ts';
import { createEcs, type EcsContext } from '../aws/ecs/index.ts';
import {
  isObject,
  type JsonValue,
  MINUTE_MS,
  parseDurationMs,
  present,
  SECOND_MS,
} from '../base/index.ts';
import type { HandlerRequest, Registry, ResourceProvider } from '../registry/index.ts';
import { capacityProviderProvider } from './ecs/capacity-provider.ts';
import { associationsProvider } from './ecs/capacity-provider-associations.ts';
import { clusterProvider } from './ecs/cluster.ts';
import { primaryTaskSetProvider } from './ecs/primary-task-set.ts';
import { serviceProvider } from './ecs/service.ts';
import type { Stabilizing } from './ecs/stabilizing.ts';
import { taskDefinitionProvider } from './ecs/task-definition.ts';
import { taskSetProvider } from './ecs/task-set.ts';
import { genericProvider } from './generic.ts';
import { takingTime } from './taking-time.ts';

export type { Stabilizing } from './ecs/stabilizing.ts';
export { serviceArnOf } from './ecs/task-set.ts';
export { NOT_SIMULATED } from './not-simulated.ts';

/** What handlers are made with: the account of their stack as it stands, and the facts of types. */
export interface ProviderContext {
  readonly account: Account;
  readonly ecs: EcsContext;
  readonly registry: Registry;
  readonly stabilizing: Stabilizing;
  /** Whether resources take as long as AWS typically does; a service takes what its tasks take. */
  readonly takesTime: boolean;
  /** `world.create_times` of the scenario: logical id → duration. */
  readonly createTimes?: JsonValue | undefined;
}

/** Types whose handlers wait for tasks: they take what those take. */
const WAITING: ReadonlySet<string> = new Set(['AWS::ECS::Service', 'AWS::ECS::TaskSet']);

/** The handlers of every known type: those with a service of their own, and the generic ones. */
export function createProviders(context: ProviderContext): (typeName: string) => ResourceProvider {
  return (typeName) => {
    const provider = handlersOf(typeName, context);
    const { registry, createTimes, takesTime } = context;
    if (WAITING.has(typeName) || !takesTime) return provider;
    const deleteSeconds = registry.typicalSeconds(typeName, 'delete');
    const createSeconds = ({ logicalId }: HandlerRequest) =>
      givenSeconds(createTimes, logicalId) ?? registry.typicalSeconds(typeName, 'create');
    return takingTime(provider, { createSeconds, deleteSeconds });
  };
}

function handlersOf(typeName: string, context: ProviderContext): ResourceProvider {
  const { ecs, stabilizing, registry } = context;
  const { random } = ecs;
  switch (typeName) {
    case 'AWS::ECS::Cluster':
      return clusterProvider(createEcs(ecs), random);
    case 'AWS::ECS::TaskDefinition':
      return taskDefinitionProvider(createEcs(ecs), random);
    case 'AWS::ECS::Service':
      return serviceProvider(
        createEcs(ecs),
        random,
        withinTimeout(stabilizing, registry, typeName),
      );
    case 'AWS::ECS::TaskSet':
      return taskSetProvider(
        createEcs(ecs),
        ecs.place,
        withinTimeout(stabilizing, registry, typeName),
      );
    case 'AWS::ECS::PrimaryTaskSet':
      return primaryTaskSetProvider(createEcs(ecs));
    case 'AWS::ECS::CapacityProvider':
      return capacityProviderProvider(generic(typeName, context), createEcs(ecs));
    case 'AWS::ECS::ClusterCapacityProviderAssociations':
      return associationsProvider(generic(typeName, context), createEcs(ecs));
    default:
      return generic(typeName, context);
  }
}

function generic(typeName: string, { account, ecs, registry }: ProviderContext): ResourceProvider {
  const { place, random } = ecs;
  const facts = present(registry.facts(typeName), 'the type of a resource is known');
  return genericProvider(facts, {
    ...{ place, random, store: account.other },
    get nowMs() {
      return ecs.nowMs; // read at every call, not once
    },
  });
}

/** No wait outlasts the registry's own timeout, which is a limit that nobody set. */
function withinTimeout(
  stabilizing: Stabilizing,
  registry: Registry,
  typeName: string,
): Stabilizing {
  const ms = registry.handlerTimeoutMinutes(typeName, 'create') * MINUTE_MS;
  return stabilizing.limitMs <= ms ? stabilizing : { ...stabilizing, limitMs: ms, isSet: false };
}

function givenSeconds(createTimes: JsonValue | undefined, logicalId: string): number | undefined {
  const given = isObject(createTimes) ? createTimes[logicalId] : undefined;
  const ms = typeof given === 'string' ? parseDurationMs(given) : undefined;
  return ms === undefined ? undefined : ms / SECOND_MS;
}

export { toApi, toTemplate } from './ecs/spelling.ts';
