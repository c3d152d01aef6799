import { arnOf, type JsonObject, nameIn } from '../../base/index.ts';
import { append } from '../../events/index.ts';
import { invalid } from './answers.ts';
import type { EcsContext } from './context.ts';
import type { CapacityProvider, Cluster, LaunchType, StrategyItem } from './model.ts';
import { list, number, text, textList } from './request-values.ts';

/** The capacity providers that every account has. */
export const FARGATE_PROVIDERS: readonly string[] = ['FARGATE', 'FARGATE_SPOT'];

const ITEMS_MAX = 20; // 7.12, as the next two
const WEIGHT_MAX = 1_000;
const BASE_MAX = 100_000;

/** `capacityProviders` and the default strategy of a request about a cluster, once they are right. */
export function capacityIn(
  context: EcsContext,
  request: JsonObject,
): Pick<Cluster, 'capacityProviders' | 'defaultStrategy'> {
  const names = textList(request['capacityProviders']).map(nameIn);
  for (const name of names) capacityProviderNamed(context, name);
  const strategy = strategyIn(request, 'defaultCapacityProviderStrategy');
  if (strategy.some(({ capacityProvider }) => !names.includes(capacityProvider))) {
    throw invalid(
      'The default capacity provider strategy names a capacity provider that is not associated with the cluster.',
    );
  }
  return { capacityProviders: names, defaultStrategy: strategy };
}

/** A capacity provider by name or ARN. One that nobody made is taken to exist (`docs/decisions.md` 6). */
export function capacityProviderNamed(context: EcsContext, nameOrArn: string): CapacityProvider {
  const { state, place, record, nowMs } = context;
  const name = nameIn(nameOrArn);
  const existing = activeProvider(context, name);
  if (existing !== undefined && !existing.assumed) return existing;
  const text = `capacity provider ${name} exists (it lies outside the template)`;
  append(record, { type: 'assumption', atMs: nowMs, text });
  const provider: CapacityProvider = existing ?? {
    ...{ name, arn: providerArn({ place }, name), assumed: true },
    ...{ status: 'ACTIVE', updateStatus: 'CREATE_COMPLETE' },
  };
  state.capacityProviders[name] = provider;
  return provider;
}

/** One that is not INACTIVE; Fargate's two always are. */
export function activeProvider(
  { state, place }: Pick<EcsContext, 'state' | 'place'>,
  name: string,
): CapacityProvider | undefined {
  if (FARGATE_PROVIDERS.includes(name)) {
    return {
      ...{ name, arn: providerArn({ place }, name), assumed: false },
      ...{ status: 'ACTIVE', updateStatus: 'CREATE_COMPLETE' },
    };
  }
  const found = state.capacityProviders[name];
  return found?.status === 'ACTIVE' ? found : undefined;
}

export function providerArn({ place }: Pick<EcsContext, 'place'>, name: string): string {
  return arnOf('ecs', place, `capacity-provider/${name}`);
}

/**
 * A capacity provider strategy of a request: weight and base are 0 where it names none (7.12).
 *
 * @throws EcsException InvalidParameterException for the first rule it breaks (1.61, 1.62, 7.12, 7.14)
 */
export function strategyIn(request: JsonObject, field: string): readonly StrategyItem[] {
  const items = list(request[field]).map(({ capacityProvider, weight, base }) => ({
    capacityProvider: nameIn(text(capacityProvider) ?? ''),
    weight: number(weight) ?? 0,
    base: number(base) ?? 0,
  }));
  const [fault] = strategyFaults(items);
  if (fault !== undefined) throw invalid(fault);
  return items;
}

/** What is wrong with a strategy. Only the beginnings of 1.61 and 1.62 were seen on AWS. */
export function strategyFaults(items: readonly StrategyItem[]): readonly string[] {
  const faults: string[] = [];
  if (items.length > ITEMS_MAX) {
    faults.push(`A capacity provider strategy can have at most ${ITEMS_MAX} items.`);
  }
  if (items.some(({ weight }) => weight < 0 || weight > WEIGHT_MAX)) {
    faults.push(`The weight of a capacity provider must be between 0 and ${WEIGHT_MAX}.`);
  }
  if (items.some(({ base }) => base < 0 || base > BASE_MAX)) {
    faults.push(`The base of a capacity provider must be between 0 and ${BASE_MAX}.`);
  }
  if (items.filter(({ base }) => base > 0).length > 1) {
    faults.push(
      'There are multiple capacity providers in the specified capacity provider strategy with a base value defined.',
    );
  }
  if (items.length > 0 && items.every(({ weight }) => weight === 0)) {
    faults.push(
      'There are no capacity providers in the capacity provider strategy with a weight value greater than zero.',
    );
  }
  const onFargate = items.filter(({ capacityProvider }) => isFargate(capacityProvider));
  if (onFargate.length > 0 && onFargate.length < items.length) {
    faults.push('A capacity provider strategy cannot mix Fargate and Auto Scaling groups.');
  }
  return faults;
}

function isFargate(name: string): boolean {
  return FARGATE_PROVIDERS.includes(name);
}

export function launchTypeOn(capacityProvider: string): LaunchType {
  return isFargate(capacityProvider) ? 'FARGATE' : 'EC2';
}

/**
 * Where the next task goes when so many went to each provider before: the base first, then to the
 * one that has the least for its weight, ties in listed order (7.13).
 */
export function nextProvider(
  strategy: readonly StrategyItem[],
  placed: ReadonlyMap<string, number>,
): string | undefined {
  const on = ({ capacityProvider }: StrategyItem) => placed.get(capacityProvider) ?? 0;
  const short = strategy.find((item) => on(item) < item.base);
  if (short !== undefined) return short.capacityProvider;
  const weighed = strategy.filter(({ weight }) => weight > 0);
  const load = (item: StrategyItem) => (on(item) - item.base) / item.weight;
  const least = Math.min(...weighed.map(load));
  return weighed.find((item) => load(item) === least)?.capacityProvider;
}
