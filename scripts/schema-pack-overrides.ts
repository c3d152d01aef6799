import type { JsonObject, JsonValue } from '../src/base/index.ts';
import { assert, isObject } from '../src/base/index.ts';
import type { TypeFacts } from '../src/registry/index.ts';

/** One entry of `data/schema-overrides.json`. */
interface Override {
  readonly type: string;
  /** Why the sources are not followed here, or where the facts of a new type come from. */
  readonly reason: string;
  /** Set on the facts as a JSON merge patch (RFC 7396): `null` removes. */
  readonly merge?: JsonObject;
  /** Items taken out of, and put into, lists of the facts. */
  readonly remove?: { readonly [list: string]: readonly string[] };
  readonly add?: { readonly [list: string]: readonly string[] };
}

/** The facts with every override applied; a type that is not there yet is added. */
export function applyOverrides(types: readonly TypeFacts[], file: unknown): readonly TypeFacts[] {
  const byName = new Map(types.map((facts) => [facts.typeName, facts]));
  for (const override of readOverrides(file)) {
    const before = byName.get(override.type) ?? emptyFacts(override.type);
    byName.set(override.type, applyOverride(before, override));
  }
  return [...byName.values()].sort((a, b) => (a.typeName < b.typeName ? -1 : 1));
}

function readOverrides(file: unknown): readonly Override[] {
  assert(Array.isArray(file), 'the overrides are a list');
  return file.map((entry: unknown) => {
    assert(isObject(entry), 'an override is an object');
    const { type, reason, merge, remove, add } = entry;
    assert(typeof type === 'string' && typeof reason === 'string', 'an override has its reason');
    return {
      type,
      reason,
      ...(isObject(merge) ? { merge } : {}),
      ...(remove === undefined ? {} : { remove: listsOf(remove) }),
      ...(add === undefined ? {} : { add: listsOf(add) }),
    };
  });
}

function listsOf(value: JsonValue): { [list: string]: string[] } {
  assert(isObject(value), 'lists are given by name');
  return Object.fromEntries(
    Object.entries(value).map(([name, items]) => [name, stringsOf(items, name)]),
  );
}

function stringsOf(value: JsonValue | undefined, name: string): string[] {
  assert(Array.isArray(value), `${name} is a list`);
  return value.map((item) => {
    assert(typeof item === 'string', `${name} holds texts`);
    return item;
  });
}

function emptyFacts(typeName: string): TypeFacts {
  const schema: JsonObject = {
    type: 'object',
    additionalProperties: false,
    properties: { Id: { type: 'string' } },
  };
  return {
    typeName,
    schema,
    primaryIdentifier: ['Id'],
    ref: ['Id'],
    attributes: [],
    readOnly: ['Id'],
    createOnly: [],
    conditionalCreateOnly: [],
  };
}

function applyOverride(facts: TypeFacts, { type, merge, remove, add }: Override): TypeFacts {
  const plain = mergePatch(plainFacts(facts), merge ?? {});
  for (const [list, items] of Object.entries(remove ?? {})) {
    const before = stringsOf(plain[list], `${type} ${list}`);
    // An override that changes nothing any more has outlived its reason.
    for (const item of items) assert(before.includes(item), `${type} ${list} has ${item}`);
    plain[list] = before.filter((item) => !items.includes(item));
  }
  for (const [list, items] of Object.entries(add ?? {})) {
    plain[list] = [...new Set([...stringsOf(plain[list], `${type} ${list}`), ...items])];
  }
  return factsFrom(plain);
}

function plainFacts(facts: TypeFacts): JsonObject {
  const { schema, primaryIdentifier, ref, attributes, readOnly, createOnly, ...rest } = facts;
  const { conditionalCreateOnly, ...scalars } = rest;
  return {
    ...scalars,
    schema: structuredClone(schema),
    primaryIdentifier: [...primaryIdentifier],
    ref: [...ref],
    attributes: [...attributes],
    readOnly: [...readOnly],
    createOnly: [...createOnly],
    conditionalCreateOnly: [...conditionalCreateOnly],
  };
}

function factsFrom(plain: JsonObject): TypeFacts {
  const { typeName, schema, tagProperty, arnTemplate, lenient } = plain;
  assert(typeof typeName === 'string' && isObject(schema), 'facts have a name and a schema');
  const list = (name: string) => stringsOf(plain[name], `${typeName} ${name}`);
  return {
    typeName,
    schema,
    primaryIdentifier: list('primaryIdentifier'),
    ref: list('ref'),
    attributes: list('attributes'),
    readOnly: list('readOnly'),
    createOnly: list('createOnly'),
    conditionalCreateOnly: list('conditionalCreateOnly'),
    ...(typeof tagProperty === 'string' ? { tagProperty } : {}),
    ...(typeof arnTemplate === 'string' ? { arnTemplate } : {}),
    ...(lenient === true ? { lenient } : {}),
  };
}

function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    const before = merged[key];
    if (value === null) delete merged[key];
    else if (isObject(value)) merged[key] = mergePatch(isObject(before) ? before : {}, value);
    else merged[key] = value;
  }
  return merged;
}
