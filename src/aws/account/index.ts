import { createEcsState, type EcsState } from '../ecs/index.ts';
import { createResourceStore, type ResourceStore } from '../resources/index.ts';
import { createSsmState, type SsmState } from '../ssm/index.ts';

/** One region of one simulated account: everything its services know. */
export interface Account {
  readonly ecs: EcsState;
  readonly ssm: SsmState;
  readonly other: ResourceStore;
}

export function createAccount(): Account {
  return { ecs: createEcsState(), ssm: createSsmState(), other: createResourceStore() };
}
