import { countIn, withLeast } from './counts.ts';

/** A subnet of a service on Fargate; null where its zone is not known: it counts as one of its own. */
export interface ServiceSubnet {
  readonly id: string;
  readonly zone: string | null;
}

/**
 * The subnet for the next task on Fargate (7.7): the zone with the fewest tasks, in it the subnet with
 * the fewest, ties in listed order, which from an empty start goes round. O(subnets).
 *
 * @param tasksBySubnet - tasks of the service that are there already
 * @returns the id; undefined where the service has no subnets
 */
export function chooseSubnet(
  subnets: readonly ServiceSubnet[],
  tasksBySubnet: { readonly [subnet: string]: number },
): string | undefined {
  const zoneOf = ({ id, zone }: ServiceSubnet) => (zone === null ? `subnet ${id}` : zone);
  const byZone = new Map<string, number>();
  for (const subnet of subnets) {
    const tasks = countIn(tasksBySubnet, subnet.id);
    byZone.set(zoneOf(subnet), (byZone.get(zoneOf(subnet)) ?? 0) + tasks);
  }
  const inBestZone = withLeast(subnets, (subnet) => byZone.get(zoneOf(subnet)) ?? 0);
  return withLeast(inBestZone, ({ id }) => countIn(tasksBySubnet, id))[0]?.id;
}
