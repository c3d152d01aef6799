import { arnOf, nextHex32 } from '../../base/index.ts';
import type { EcsContext } from './context.ts';
import { type InstanceRegistration, registerInstance } from './placement/index.ts';
import { wakeWaiting } from './placing.ts';
import { markDirty } from './state.ts';

/** An instance as whoever starts it describes it; ids are made. */
export type NewInstance = Omit<InstanceRegistration, 'id' | 'arn' | 'cluster' | 'registeredAtMs'>;

/** RegisterContainerInstance, of several at once: services that wait for room are placed now. */
export function registerInstances(
  { state, place, nowMs, random }: EcsContext,
  cluster: string,
  instances: readonly NewInstance[],
): void {
  const known = state.instances[cluster] ?? [];
  state.instances[cluster] = known;
  for (const instance of instances) {
    const id = nextHex32(random);
    const arn = arnOf('ecs', place, `container-instance/${cluster}/${id}`);
    known.push(registerInstance({ ...instance, id, arn, cluster, registeredAtMs: nowMs }));
  }
  wakeWaiting(state, cluster);
  for (const service of Object.values(state.services)) {
    const isDaemon = service.schedulingStrategy === 'DAEMON';
    if (isDaemon && service.cluster === cluster) markDirty(state, service);
  }
}

/** From now on a cluster has the instances that are registered in it, and no others. */
export function assumeNoInstances({ state }: EcsContext): void {
  state.assumesInstances = false;
}
