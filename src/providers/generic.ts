import type { ResourceStore } from '../aws/resources/index.ts';
import {
  findResource,
  madeBefore,
  noteMaker,
  putResource,
  removeResource,
} from '../aws/resources/index.ts';
import type { EpochMs, JsonObject, JsonValue, Place, RandomState } from '../base/index.ts';
import { isObject, sameJson } from '../base/index.ts';
import type {
  HandlerErrorCode,
  HandlerRequest,
  ProgressEvent,
  ResourceProvider,
  TypeFacts,
} from '../registry/index.ts';
import { primaryIdentifierOf, valueAt } from '../registry/index.ts';
import { newId } from './generic-ids.ts';
import { isOwn, resourceName } from './generic-names.ts';
import { shapedValues } from './generic-shapes.ts';
import type { Making } from './generic-values.ts';
import { schemaAt, valueFor } from './generic-values.ts';

/** What the generic handlers work on. `random` and `store` are changed in place. */
export interface GenericContext {
  readonly place: Place;
  readonly random: RandomState;
  readonly store: ResourceStore;
  readonly nowMs: EpochMs;
}

const WAIT_CONDITION = 'AWS::CloudFormation::WaitCondition';

/**
 * Handlers for a type without behaviour of its own: they keep what they are given and make up what
 * the service would set, in the shapes AWS documents (cloudformation-semantics section 6). Every
 * call ends at once; how long the type takes is the caller's to add.
 *
 * A wait condition has its signals, and a custom resource its answer, as soon as it is asked for.
 */
export function genericProvider(facts: TypeFacts, context: GenericContext): ResourceProvider {
  return {
    typeName: facts.typeName,
    create: (request) => create(facts, context, request),
    read: (request) =>
      withExisting(facts, context, request, (model) => ({ status: 'SUCCESS', model })),
    update: (request) => update(facts, context, request),
    delete: (request) =>
      withExisting(facts, context, request, (_, identifier) => {
        removeResource(context.store, facts.typeName, identifier);
        return { status: 'SUCCESS' };
      }),
    list: () => Object.keys(context.store.resources[facts.typeName] ?? {}),
  };
}

function create(facts: TypeFacts, context: GenericContext, request: HandlerRequest): ProgressEvent {
  const { store } = context;
  const { typeName } = facts;
  const token = `${request.clientRequestToken}/${request.logicalId}`;
  const before = madeBefore(store, typeName, token);
  if (before !== undefined) return { status: 'SUCCESS', model: before };

  const model = newModel(facts, context, request);
  const identifier = primaryIdentifierOf(facts, model);
  if (findResource(store, typeName, identifier) !== undefined) {
    return failed('AlreadyExists', facts, identifier, 'already exists.');
  }
  putResource(store, typeName, identifier, model);
  noteMaker(store, typeName, token, identifier);
  return { status: 'SUCCESS', model };
}

/** The properties with identifiers and attributes, each made unless the user may and did set it. */
function newModel(facts: TypeFacts, context: GenericContext, request: HandlerRequest): JsonObject {
  const { place, random, nowMs } = context;
  const { desired, stackName, stackId, logicalId } = request;
  const name = resourceName(facts, request, random);
  const id = newId(facts, random, place);
  const making = { facts, desired, place, random, nowMs, stackName, stackId, logicalId, name, id };
  const model = modelFrom(facts, desired);
  for (const [key, value] of Object.entries(shapedValues(making))) {
    const isSet = model[key] !== undefined && !isReadOnly(facts, key);
    if (!isSet && isKnown(facts, key)) model[key] = value;
  }
  fillIdentifier(model, making, facts.primaryIdentifier);
  fillIdentifier(model, making, facts.ref);
  for (const attribute of facts.attributes.filter((path) => !path.endsWith('*'))) {
    if (valueAt(model, attribute) !== undefined || belongsToUnset(facts, model, attribute))
      continue;
    setAt(model, attribute, valueFor(making, attribute));
  }
  return model;
}

/** `Data` of a custom resource's model is its function's answer, which nobody gave here. */
function modelFrom(facts: TypeFacts, desired: JsonObject): JsonObject {
  const model: JsonObject = structuredClone(desired);
  if (facts.attributes.includes('*')) delete model['Data'];
  return model;
}

/** Identifiers the user left out: made where they are the resource's own. */
function fillIdentifier(model: JsonObject, making: Making, parts: readonly string[]): void {
  const { facts, name } = making;
  for (const part of parts.filter((path) => valueAt(model, path) === undefined)) {
    if (isReadOnly(facts, part)) setAt(model, part, valueFor(making, part));
    else if (isOwn(facts, part)) setAt(model, part, name);
  }
  const last = parts.at(-1);
  if (last !== undefined && !isIdentified(parts, model)) setAt(model, last, name);
}

function isIdentified(parts: readonly string[], model: JsonObject): boolean {
  return parts.some((part) => valueAt(model, part) !== undefined);
}

/** A part of something the user would have had to set up, and did not: AWS has no value either. */
function belongsToUnset(facts: TypeFacts, model: JsonObject, attribute: string): boolean {
  const steps = attribute.split('.');
  return steps.some((_, index) => {
    const owner = steps.slice(0, index).join('.');
    if (index === 0 || valueAt(model, owner) !== undefined) return false;
    return schemaAt(facts, owner)['required'] !== undefined;
  });
}

function isKnown({ schema }: TypeFacts, property: string): boolean {
  const { properties, additionalProperties } = schema;
  return additionalProperties === true || (isObject(properties) && property in properties);
}

function isReadOnly(facts: TypeFacts, property: string): boolean {
  return facts.readOnly.includes(property) || property === 'PhysicalResourceId';
}

function setAt(model: JsonObject, path: string, value: JsonValue): void {
  const [first = path, ...rest] = path.split('.');
  if (rest.length === 0) {
    model[first] = value;
    return;
  }
  const child = model[first];
  // A parent that is there as a text or a list has no such part, and stays what it is.
  if (
    child !== undefined &&
    (child === null || typeof child !== 'object' || Array.isArray(child))
  ) {
    return;
  }
  const owner: JsonObject = child ?? {};
  model[first] = owner;
  setAt(owner, rest.join('.'), value);
}

function update(facts: TypeFacts, context: GenericContext, request: HandlerRequest): ProgressEvent {
  if (facts.typeName === WAIT_CONDITION) {
    const message = `Update to resource type ${WAIT_CONDITION} is not supported`; // L34
    return { status: 'FAILED', errorCode: 'NotUpdatable', message };
  }
  return withExisting(facts, context, request, (before, identifier) => {
    const { desired } = request;
    if (facts.createOnly.some((pointer) => changes(before, desired, pointer.split('/').slice(1)))) {
      const why = 'is not updatable with parameters provided.';
      return failed('NotUpdatable', facts, identifier, why);
    }
    const model = updatedModel(facts, before, desired);
    putResource(context.store, facts.typeName, identifier, model);
    return { status: 'SUCCESS', model };
  });
}

/** Properties are replaced in full (R7); what the service had set stays. */
function updatedModel(facts: TypeFacts, before: JsonObject, desired: JsonObject): JsonObject {
  const model = modelFrom(facts, desired);
  const kept = [...facts.primaryIdentifier, ...facts.ref, ...facts.attributes, 'LogicalResourceId'];
  for (const path of kept) {
    const value = valueAt(before, path);
    const isSet = valueAt(model, path) !== undefined && !isReadOnly(facts, path);
    if (value !== undefined && !isSet) setAt(model, path, structuredClone(value));
  }
  const version = Number(before['LatestVersionNumber']);
  if (facts.typeName === 'AWS::EC2::LaunchTemplate' && !sameJson(model, before)) {
    model['LatestVersionNumber'] = String(version + 1);
  }
  return model;
}

/** Whether a create-only property is given another value; one left out keeps its value. */
function changes(
  before: JsonValue | undefined,
  desired: JsonValue | undefined,
  [step, ...rest]: readonly string[],
): boolean {
  if (desired === undefined) return false;
  if (step === undefined) return !sameJson(before, desired);
  if (step !== '*') return changes(child(before, step), child(desired, step), rest);
  const names = desired !== null && typeof desired === 'object' ? Object.keys(desired) : [];
  return names.some((name) => {
    const old = child(before, name);
    return old !== undefined && changes(old, child(desired, name), rest);
  });
}

function child(value: JsonValue | undefined, step: string): JsonValue | undefined {
  if (Array.isArray(value)) return value[Number(step)];
  return value !== null && typeof value === 'object' ? value[step] : undefined;
}

function withExisting(
  facts: TypeFacts,
  { store }: GenericContext,
  { previous, desired }: HandlerRequest,
  act: (model: JsonObject, identifier: string) => ProgressEvent,
): ProgressEvent {
  const known = previous ?? desired;
  const { primaryIdentifier: parts } = facts;
  const identifier = isIdentified(parts, known) ? primaryIdentifierOf(facts, known) : '';
  const model = findResource(store, facts.typeName, identifier);
  return model === undefined
    ? failed('NotFound', facts, identifier, 'was not found.')
    : act(model, identifier);
}

/** R17: `Resource of type 'AWS::SQS::Queue' with identifier 'orders' already exists.` */
function failed(
  errorCode: HandlerErrorCode,
  { typeName }: TypeFacts,
  identifier: string,
  what: string,
): ProgressEvent {
  const message = `Resource of type '${typeName}' with identifier '${identifier}' ${what}`;
  return { status: 'FAILED', errorCode, message };
}
