import { isObject, type JsonObject } from '../../base/index.ts';
import { append } from '../../events/index.ts';
import type { EcsContext } from './context.ts';
import { list, number, textList } from './request-values.ts';

/** One of AWS's quotas, and what a request asks for against it. */
interface Quota {
  readonly what: string;
  readonly max: number;
  readonly asked: number;
}

/** A quota that is exceeded is told and never refused (`docs/decisions.md` 9). */
export function tellQuotas(
  { record, nowMs }: EcsContext,
  whose: string,
  quotas: readonly Quota[],
): void {
  for (const { what, max, asked } of quotas) {
    if (asked <= max) continue;
    const text = `${whose} asks for ${asked} ${what}, above AWS's quota of ${max}`;
    append(record, { type: 'assumption', atMs: nowMs, text });
  }
}

/** 9.2 to 9.4, 9.7, 9.9, 9.15, 9.19 */
export function serviceQuotas(request: JsonObject): readonly Quota[] {
  const { networkConfiguration, serviceRegistries, serviceConnectConfiguration } = request;
  const network = isObject(networkConfiguration) ? networkConfiguration : {};
  const awsvpc = isObject(network['awsvpcConfiguration']) ? network['awsvpcConfiguration'] : {};
  const tasks = number(request['desiredCount']) ?? 0;
  const isFound =
    list(serviceRegistries).length > 0 ||
    (isObject(serviceConnectConfiguration) && serviceConnectConfiguration['enabled'] === true);
  return [
    { what: 'subnets', max: 16, asked: textList(awsvpc['subnets']).length },
    { what: 'security groups', max: 5, asked: textList(awsvpc['securityGroups']).length },
    {
      what: 'capacity providers in a strategy',
      max: 20,
      asked: list(request['capacityProviderStrategy']).length,
    },
    { what: 'target groups', max: 5, asked: list(request['loadBalancers']).length },
    { what: 'tasks', max: 5_000, asked: tasks },
    { what: 'tasks with service discovery', max: 1_000, asked: isFound ? tasks : 0 },
  ];
}

/** 9.18, 9.21 */
export function definitionQuotas(request: JsonObject): readonly Quota[] {
  return [
    { what: 'containers', max: 10, asked: list(request['containerDefinitions']).length },
    { what: 'bytes of a task definition', max: 65_536, asked: JSON.stringify(request).length },
  ];
}
