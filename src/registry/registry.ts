import { join } from 'node:path';
import { openDurations } from './durations.ts';
import { openPack, validatorFile } from './pack.ts';
import type { Registry, TypeFacts } from './type-facts.ts';
import { rememberValidator } from './validators.ts';

const CUSTOM_RESOURCE = 'AWS::CloudFormation::CustomResource';

/**
 * Opens the facts of every resource type, from the schema pack and the tables of the package.
 *
 * `Custom::*` is known: it has the facts of AWS::CloudFormation::CustomResource.
 *
 * @param root - the package's folder, which holds `dist/schema-pack` and `data`
 */
export function openRegistry(root: string): Registry {
  const pack = openPack(root);
  const durations = openDurations(root);
  const known = new Map<string, TypeFacts>();

  const read = (typeName: string): TypeFacts | undefined => {
    const type = pack.read(tableName(typeName));
    if (type === undefined) return undefined;
    const facts = { ...type.facts, typeName };
    if (type.precompiled) {
      const file = validatorFile(type.facts.typeName);
      rememberValidator(facts, join(root, 'dist/schema-pack', file));
    }
    return facts;
  };

  return {
    facts(typeName) {
      const before = known.get(typeName);
      if (before !== undefined) return before;
      const facts = read(typeName);
      if (facts !== undefined) known.set(typeName, facts);
      return facts;
    },
    typeNames: () => pack.typeNames(),
    typicalSeconds: (typeName, operation) =>
      durations.typicalSeconds(tableName(typeName), operation),
    handlerTimeoutMinutes: (typeName, operation) =>
      durations.handlerTimeoutMinutes(tableName(typeName), operation),
  };
}

/** The name under which the tables hold a type. */
function tableName(typeName: string): string {
  return typeName.startsWith('Custom::') ? CUSTOM_RESOURCE : typeName;
}
