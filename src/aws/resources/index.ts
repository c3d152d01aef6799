import type { JsonObject } from '../../base/index.ts';

/** Resources of services that have no simulation of their own, as one place of an account has them. */
export interface ResourceStore {
  /** Models by type name and primary identifier. */
  readonly resources: { [typeName: string]: { [identifier: string]: JsonObject } };
  /** Which request made what: identifiers by type and token, so that one asked twice makes one. */
  readonly madeBy: { [typeName: string]: { [token: string]: string } };
}

export function createResourceStore(): ResourceStore {
  return { resources: {}, madeBy: {} };
}

export function findResource(
  store: ResourceStore,
  typeName: string,
  identifier: string,
): JsonObject | undefined {
  const ofType = store.resources[typeName] ?? {};
  return Object.hasOwn(ofType, identifier) ? ofType[identifier] : undefined;
}

export function putResource(
  store: ResourceStore,
  typeName: string,
  identifier: string,
  model: JsonObject,
): void {
  const ofType = store.resources[typeName] ?? {};
  ofType[identifier] = model;
  store.resources[typeName] = ofType;
}

export function removeResource(store: ResourceStore, typeName: string, identifier: string): void {
  delete store.resources[typeName]?.[identifier];
  for (const [token, made] of Object.entries(store.madeBy[typeName] ?? {})) {
    if (made === identifier) delete store.madeBy[typeName]?.[token];
  }
}

/** What this token made, if that is still there. */
export function madeBefore(
  store: ResourceStore,
  typeName: string,
  token: string,
): JsonObject | undefined {
  const identifier = store.madeBy[typeName]?.[token];
  return identifier === undefined ? undefined : findResource(store, typeName, identifier);
}

export function noteMaker(
  store: ResourceStore,
  typeName: string,
  token: string,
  identifier: string,
): void {
  const ofType = store.madeBy[typeName] ?? {};
  ofType[token] = identifier;
  store.madeBy[typeName] = ofType;
}
