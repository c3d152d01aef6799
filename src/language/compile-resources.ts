import { isObject, type JsonObject, type JsonValue } from '../base/index.ts';
import { evaluate } from './evaluate.ts';
import { refuseUnresolved, unresolvedInResources } from './inspect-template.ts';
import type { ResourceModel } from './model.ts';
import { NO_VALUE } from './no-value.ts';
import type { AttributeName, ResourceDeclaration } from './resource-section.ts';
import type { Scope } from './scope.ts';
import { mustBeObject } from './section.ts';
import { down, pathOf, type Trail } from './trail.ts';

/** A resource of the model with where each of its dependencies was written. */
export interface CompiledResource {
  readonly model: ResourceModel;
  /** In order: DependsOn, then references in properties and attributes. */
  readonly dependencies: ReadonlyMap<string, Trail>;
  /** The place of a reference of its properties to itself. */
  readonly ownReference?: Trail;
}

/**
 * The resources whose condition holds, in template order.
 *
 * @throws UserError (ValidationError) for references to resources that are left out (T29)
 */
export function compileResources(scope: Scope): readonly CompiledResource[] {
  const kept = [...scope.sections.resources.values()].filter((resource) => isKept(resource, scope));
  const compiled = kept.map((resource) => compileResource(resource, scope));
  refuseUnresolved(scope.template, scope.absent, {
    known: [],
    message: unresolvedInResources,
    hint: absentHint(scope),
  });
  return compiled;
}

export function absentHint({ absent, sections }: Scope): string {
  const [name] = absent.keys();
  const condition = sections.resources.get(name ?? '')?.condition ?? '';
  return `the condition ${condition} leaves ${name} out here: guard the reference with Fn::If`;
}

function isKept({ condition }: ResourceDeclaration, scope: Scope): boolean {
  return condition === undefined || scope.condition(condition);
}

function compileResource(declaration: ResourceDeclaration, shared: Scope): CompiledResource {
  const { logicalId, type, at } = declaration;
  const dependencies = explicitDependencies(declaration, shared);
  const scope: Scope = { ...shared, dependencies };
  const properties = evaluateProperties(declaration, scope);
  const ownReference = dependencies.get(logicalId);
  const attributes = evaluateAttributes(declaration, scope);
  dependencies.delete(logicalId);
  const {
    Metadata: metadata,
    CreationPolicy: creationPolicy,
    UpdatePolicy: updatePolicy,
  } = attributes;
  const constructPath = isObject(metadata) ? metadata['aws:cdk:path'] : undefined;
  const model: ResourceModel = {
    ...{ logicalId, type, properties, dependsOn: [...dependencies.keys()] },
    ...(metadata === undefined ? {} : { metadata }),
    deletionPolicy: declaration.deletionPolicy,
    updateReplacePolicy: declaration.updateReplacePolicy,
    ...(creationPolicy === undefined ? {} : { creationPolicy }),
    ...(updatePolicy === undefined ? {} : { updatePolicy }),
    source: scope.template.locate(pathOf(at)),
    ...(typeof constructPath === 'string' ? { constructPath } : {}),
  };
  return { model, dependencies, ...(ownReference === undefined ? {} : { ownReference }) };
}

/** DependsOn; a resource that its condition leaves out is dropped without a word (A1). */
function explicitDependencies(declaration: ResourceDeclaration, scope: Scope): Map<string, Trail> {
  const { resources } = scope.sections;
  const kept = declaration.dependsOn.filter(({ name }) => {
    const target = resources.get(name);
    return target !== undefined && isKept(target, scope);
  });
  return new Map(kept.map(({ name, at }) => [name, at]));
}

function evaluateProperties({ properties, at }: ResourceDeclaration, scope: Scope): JsonObject {
  const below = down(at, 'Properties');
  const evaluated = evaluate(properties, below, scope);
  if (evaluated === NO_VALUE) return {};
  if (isObject(evaluated)) return evaluated;
  throw mustBeObject(scope.template, 'Properties', below);
}

function evaluateAttributes(
  { attributes, at }: ResourceDeclaration,
  scope: Scope,
): { readonly [Name in AttributeName]?: JsonValue } {
  const members = Object.entries(attributes).flatMap(([name, value]): [string, JsonValue][] => {
    const evaluated = evaluate(value, down(at, name), scope);
    return evaluated === NO_VALUE ? [] : [[name, evaluated]];
  });
  return Object.fromEntries(members);
}
