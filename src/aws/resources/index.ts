import type { JsonObject } from '../../base/index.ts';

/** Resources of services that have no simulation of their own: type → identifier → properties. */
export interface ResourceStore {
  readonly resources: { [typeName: string]: { [identifier: string]: JsonObject } };
}

export function createResourceStore(): ResourceStore {
  return { resources: {} };
}
