import { type JsonValue, present, UserError } from '../base/index.ts';
import type { LateReferences } from '../language/index.ts';
import { attributeOf, type Registry } from '../registry/index.ts';
import type { Stack } from './model.ts';

/** Answers Ref and Fn::GetAtt from the resources that are there. */
export function lateReferencesOf(stack: Stack, registry: Registry): LateReferences {
  const resourceOf = (logicalId: string) =>
    present(stack.resources[logicalId], 'what is referred to is created before');
  return {
    ref: (logicalId) => resourceOf(logicalId).physicalId ?? '',
    getAtt(logicalId, attribute): JsonValue {
      const { type, model, physicalId } = resourceOf(logicalId);
      const facts = present(registry.facts(type), 'the type of a created resource is known');
      const value = attributeOf(facts, model, attribute);
      if (value !== undefined) return value;
      const custom = type.startsWith('Custom::') || type === 'AWS::CloudFormation::CustomResource';
      throw new UserError(
        'ValidationError',
        custom
          ? `CustomResource attribute error: Vendor response doesn't contain ${attribute} attribute in object ${stack.stackId}|${logicalId}|${physicalId}`
          : `Attribute '${attribute}' does not exist`,
        { hint: `${type} has no attribute ${attribute}; look its attributes up in the reference` },
      );
    },
  };
}
