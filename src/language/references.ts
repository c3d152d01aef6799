import { assert, type JsonValue, toPointer } from '../base/index.ts';
import { type Evaluated, NO_VALUE } from './no-value.ts';
import { isCustomType } from './resource-section.ts';
import { pseudoParameter, type Scope } from './scope.ts';
import { pathOf, type Trail } from './trail.ts';

/** The value of a name: pseudo parameter, parameter, or a resource that is still to come (F7). */
export function refTo(name: string, at: Trail, scope: Scope): Evaluated {
  if (name === 'AWS::NoValue') return NO_VALUE;
  const pseudo = pseudoParameter(name, scope.inputs);
  if (pseudo !== undefined) return pseudo;
  const parameter = scope.parameters.get(name);
  if (parameter !== undefined) {
    const { value } = scope.deciding ? parameter : parameter.model;
    return typeof value === 'string' ? value : [...value];
  }
  assert(scope.sections.resources.has(name), 'a name that leads nowhere was refused before');
  refersTo(name, at, scope);
  return late({ Ref: name }, scope);
}

/** An attribute of a resource that is still to come. */
export function getAtt(
  logicalId: string,
  attribute: string,
  { at, scope }: { readonly at: Trail; readonly scope: Scope },
): JsonValue {
  refersTo(logicalId, at, scope);
  checkAttribute(logicalId, attribute, { at, scope });
  return late({ 'Fn::GetAtt': [logicalId, attribute] }, scope);
}

/** Notes a dependency; a resource whose condition leaves it out is noted as missing (T29). */
function refersTo(logicalId: string, at: Trail, scope: Scope): void {
  const condition = scope.sections.resources.get(logicalId)?.condition;
  const kept = condition === undefined || scope.condition(condition);
  const found = kept ? scope.dependencies : scope.absent;
  if (!found.has(logicalId)) found.set(logicalId, at);
}

/** F11: an attribute that the type lacks fails the stack after the request was accepted. */
function checkAttribute(
  logicalId: string,
  attribute: string,
  { at, scope }: { readonly at: Trail; readonly scope: Scope },
): void {
  const type = scope.sections.resources.get(logicalId)?.type ?? '';
  if (isCustomType(type)) return;
  if (type === 'AWS::CloudFormation::Stack' && attribute.startsWith('Outputs.')) return;
  const known = scope.lookups.attributesOf(type);
  if (known === undefined || known.includes(attribute)) return;
  scope.findings.preflightFailure ??= `[Error] ${toPointer(pathOf(at))}: Resource type ${type} does not support attribute {${attribute}}.`;
}

function late(call: { [name: string]: JsonValue }, scope: Scope): JsonValue {
  scope.late.add(call);
  return call;
}
