import type { JsonObject } from '../base/index.ts';

/** The resources of all types without a service of their own, as one place of an account holds them. */
export interface GenericStore {
  /** Models by type name and primary identifier. */
  readonly resources: { [typeName: string]: { [identifier: string]: JsonObject } };
  /** Which request made what: identifiers by type and token, so that one asked twice makes one. */
  madeBy?: { [typeName: string]: { [token: string]: string } };
}

export function createGenericStore(): GenericStore {
  return { resources: {} };
}

export function findResource(
  store: GenericStore,
  typeName: string,
  identifier: string,
): JsonObject | undefined {
  const ofType = store.resources[typeName] ?? {};
  return Object.hasOwn(ofType, identifier) ? ofType[identifier] : undefined;
}

export function putResource(
  store: GenericStore,
  typeName: string,
  identifier: string,
  model: JsonObject,
): void {
  const ofType = store.resources[typeName] ?? {};
  ofType[identifier] = model;
  store.resources[typeName] = ofType;
}

export function removeResource(store: GenericStore, typeName: string, identifier: string): void {
  delete store.resources[typeName]?.[identifier];
  for (const [token, made] of Object.entries(store.madeBy?.[typeName] ?? {})) {
    if (made === identifier) delete store.madeBy?.[typeName]?.[token];
  }
}

/** What this token made, if that is still there. */
export function madeBefore(
  store: GenericStore,
  typeName: string,
  token: string,
): JsonObject | undefined {
  const identifier = store.madeBy?.[typeName]?.[token];
  return identifier === undefined ? undefined : findResource(store, typeName, identifier);
}

export function noteMaker(
  store: GenericStore,
  typeName: string,
  token: string,
  identifier: string,
): void {
  const madeBy = store.madeBy ?? {};
  madeBy[typeName] = { ...madeBy[typeName], [token]: identifier };
  store.madeBy = madeBy;
}
