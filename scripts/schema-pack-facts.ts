import serviceSpec from '@aws-cdk/aws-service-spec';
import type { JsonObject, JsonValue } from '../src/base/index.ts';
import { isObject, sameJson } from '../src/base/index.ts';
import type { TypeFacts } from '../src/registry/index.ts';
import type { Constraints, Overlay } from './schema-pack-overlay.ts';

type Database = ReturnType<typeof serviceSpec.loadAwsServiceSpecSync>;
const allResources = (db: Database) => db.all('resource');
type Resource = ReturnType<typeof allResources>[number];
type Property = Resource['properties'][string];
type PropertyType = Property['type'];

/** What a schema is built from, and the definitions met on the way. */
interface Building {
  readonly db: Database;
  readonly overlay: Overlay;
  readonly typeName: string;
  readonly definitions: JsonObject;
}

const TAG_DEFINITION = 'StandardTag';

/** The facts of every type of the database, sorted by name. */
export function factsOfAll(overlay: Overlay): readonly TypeFacts[] {
  const db = serviceSpec.loadAwsServiceSpecSync();
  return (
    allResources(db)
      // Types that a transform has to expand first are no types to CloudFormation itself.
      .filter((resource) => resource.cloudFormationTransform === undefined)
      .map((resource) => factsOf(db, overlay, resource))
      .sort((a, b) => (a.typeName < b.typeName ? -1 : 1))
  );
}

function factsOf(db: Database, overlay: Overlay, resource: Resource): TypeFacts {
  const typeName = resource.cloudFormationType;
  const building: Building = { db, overlay, typeName, definitions: {} };
  const schema = resourceSchema(building, resource);
  const attributes = Object.keys(resource.attributes);
  // A nested property, written with a slash there, has dots everywhere else.
  const dotted = (names: readonly string[]) => names.map((name) => name.replaceAll('/', '.'));
  const primaryIdentifier = dotted(resource.primaryIdentifier ?? ['Id']);
  const tagProperty = resource.tagInformation?.tagPropertyName;
  return {
    typeName,
    schema,
    primaryIdentifier,
    ref: resource.cfnRefIdentifier ? dotted(resource.cfnRefIdentifier) : primaryIdentifier,
    attributes,
    readOnly: attributes.filter((name) => !isSettable(building, resource, name)),
    createOnly: [...replacing(building, resource, 'yes'), ...additionalCreateOnly(resource)],
    conditionalCreateOnly: replacing(building, resource, 'maybe'),
    ...(tagProperty === undefined ? {} : { tagProperty }),
    ...(resource.arnTemplate === undefined ? {} : { arnTemplate: resource.arnTemplate }),
  };
}

function resourceSchema(building: Building, resource: Resource): JsonObject {
  const body = objectSchema(building, building.typeName, resource.properties);
  const properties = isObject(body['properties']) ? body['properties'] : {};
  const constraints = building.overlay.get(`${building.typeName}.Attributes`);
  for (const [name, { type }] of Object.entries(resource.attributes)) {
    if (name.includes('.') || properties[name] !== undefined) continue;
    properties[name] = constrained(schemaOf(building, type), constraints?.get(name));
  }
  for (const name of Object.keys(resource.attributes))
    addNested(building, resource, properties, name);
  for (const name of identifiersOutside(resource, properties))
    properties[name] = { type: 'string' };
  const { definitions } = building;
  return Object.keys(definitions).length === 0 ? body : { ...body, definitions };
}

/** Nested read-only properties whose parent the database does not describe: `Endpoint.Address`. */
function addNested(building: Building, resource: Resource, into: JsonObject, path: string): void {
  const [first, ...rest] = path.split('.');
  const attribute = resource.attributes[path];
  if (first === undefined || rest.length === 0 || attribute === undefined) return;
  if (resource.properties[first] || resource.attributes[first]) return;
  let owner = into;
  for (const step of [first, ...rest.slice(0, -1)]) {
    const child = owner[step];
    const properties = isObject(child) ? child['properties'] : undefined;
    const members = isObject(properties) ? properties : {};
    owner[step] = { type: 'object', properties: members };
    owner = members;
  }
  owner[rest.at(-1) ?? first] = schemaOf(building, attribute.type);
}

/** Identifiers that are neither a property nor an attribute; the schema has to admit them too. */
function identifiersOutside(resource: Resource, properties: JsonObject): readonly string[] {
  const parts = [...(resource.primaryIdentifier ?? ['Id']), ...(resource.cfnRefIdentifier ?? [])];
  return parts.filter((name) => !name.includes('/') && properties[name] === undefined);
}

function objectSchema(
  building: Building,
  owner: string,
  properties: { readonly [name: string]: Property },
): JsonObject {
  const required = Object.keys(properties).filter((name) => properties[name]?.required);
  const constraints = building.overlay.get(owner);
  return {
    type: 'object',
    additionalProperties: false,
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        constrained(propertySchema(building, property), constraints?.get(name)),
      ]),
    ),
  };
}

function propertySchema(building: Building, property: Property): JsonObject {
  const { type, previousTypes = [] } = property;
  // Free-form JSON was what the old specification said where nobody had described the structure.
  const structured = type.type !== 'json' && type.type !== 'union';
  const kept = previousTypes.filter((previous) => !(structured && isFreeForm(previous)));
  return anyOf([type, ...kept].map((alternative) => schemaOf(building, alternative)));
}

function isFreeForm(type: PropertyType): boolean {
  return type.type === 'json' || (type.type === 'array' && isFreeForm(type.element));
}

function schemaOf(building: Building, type: PropertyType): JsonObject {
  switch (type.type) {
    case 'string':
    case 'integer':
    case 'number': {
      const allowed = 'allowedValues' in type ? type.allowedValues : undefined;
      return { type: type.type, ...(allowed === undefined ? {} : { enum: [...allowed] }) };
    }
    case 'boolean':
      return { type: 'boolean' };
    case 'date-time':
      return { type: 'string' };
    case 'json':
      return {};
    case 'tag':
      return reference(building, TAG_DEFINITION, () => TAG_SCHEMA);
    case 'array':
      return { type: 'array', items: schemaOf(building, type.element) };
    case 'map':
      return { type: 'object', additionalProperties: schemaOf(building, type.element) };
    case 'ref': {
      const { name, properties } = building.db.get('typeDefinition', type.reference.$ref);
      const owner = `${building.typeName}.${name}`;
      return reference(building, name, () => objectSchema(building, owner, properties));
    }
    case 'union':
      return anyOf(type.types.map((alternative) => schemaOf(building, alternative)));
    default:
      throw new Error(`the type database has a kind of type unknown here: ${type.type}`);
  }
}

const TAG_SCHEMA: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['Key', 'Value'],
  properties: { Key: { type: 'string' }, Value: { type: 'string' } },
};

function reference(building: Building, name: string, define: () => JsonObject): JsonObject {
  if (!Object.hasOwn(building.definitions, name)) {
    building.definitions[name] = {}; // holds the place, as definitions may contain themselves
    building.definitions[name] = define();
  }
  return { $ref: `#/definitions/${name}` };
}

function anyOf(alternatives: readonly JsonObject[]): JsonObject {
  const isNumber = (schema: JsonObject) => schema['type'] === 'number' && !schema['enum'];
  const distinct = alternatives
    .filter((schema, index) => alternatives.findIndex((other) => sameJson(schema, other)) === index)
    .filter((schema) => schema['type'] !== 'integer' || !alternatives.some(isNumber));
  const [only, ...others] = distinct;
  return only !== undefined && others.length === 0 ? only : { anyOf: distinct };
}

function constrained(schema: JsonObject, constraints: Constraints | undefined): JsonObject {
  if (constraints === undefined) return schema;
  const { pattern, minLength, maxLength, min, max } = constraints;
  const limits: { [keyword: string]: JsonValue | undefined } = {};
  if (schema['type'] === 'array') {
    Object.assign(limits, { minItems: minLength, maxItems: maxLength });
  } else if (schema['type'] === 'string' && schema['enum'] === undefined) {
    Object.assign(limits, { pattern, minLength, maxLength });
  } else if (schema['type'] === 'integer' || schema['type'] === 'number') {
    Object.assign(limits, { minimum: min, maximum: max });
  }
  const merged: JsonObject = { ...schema };
  for (const [keyword, value] of Object.entries(limits)) {
    if (value !== undefined) merged[keyword] = value;
  }
  return merged;
}

/** Whether the user may set what `Fn::GetAtt` calls `path`. */
function isSettable({ db }: Building, resource: Resource, path: string): boolean {
  let properties: Resource['properties'] | undefined = resource.properties;
  for (const step of path.split('.')) {
    const type: PropertyType | undefined = properties?.[step]?.type;
    if (type === undefined) return false;
    properties =
      type.type === 'ref' ? db.get('typeDefinition', type.reference.$ref).properties : undefined;
  }
  return true;
}

/** Pointers of the properties with this replacement behaviour; not those below one that has it. */
function replacing(building: Building, resource: Resource, when: 'yes' | 'maybe'): string[] {
  const found: string[] = [];
  const visit = (at: string, properties: Resource['properties'], above: readonly string[]) => {
    for (const [name, property] of Object.entries(properties)) {
      const { causesReplacement, type } = property;
      if (causesReplacement === when) found.push(`${at}/${name}`);
      else if (causesReplacement !== 'yes') visitType(`${at}/${name}`, type, above);
    }
  };
  const visitType = (at: string, type: PropertyType, above: readonly string[]): void => {
    if (type.type === 'array' || type.type === 'map') visitType(`${at}/*`, type.element, above);
    if (type.type !== 'ref' || above.includes(type.reference.$ref)) return;
    const { properties } = building.db.get('typeDefinition', type.reference.$ref);
    visit(at, properties, [...above, type.reference.$ref]);
  };
  visit('', resource.properties, []);
  return found;
}

function additionalCreateOnly(resource: Resource): readonly string[] {
  const pointers = (resource.additionalReplacementProperties ?? []).map((p) => `/${p.join('/')}`);
  return [...new Set(pointers)];
}
