/**
 * What CloudFormation's registry knows of resource types, and the contract of their handlers.
 *
 * Use `openRegistry` once per process. `physicalIdOf` and `attributeOf` answer Ref and Fn::GetAtt
 * from the model a handler reported. `schemaErrors` is for `check`, which words what it finds; the
 * names of the pack's files are for its generator.
 */
export {
  attributeNames,
  attributeOf,
  physicalIdOf,
  primaryIdentifierOf,
  valueAt,
} from './identity.ts';
export type { PackEntry } from './pack.ts';
export { formatIndex, PACK_FILES, validatorFile } from './pack.ts';
export { openRegistry } from './registry.ts';
export type {
  HandlerCause,
  HandlerErrorCode,
  HandlerRequest,
  ProgressEvent,
  ResourceProvider,
} from './resource-provider.ts';
export type { HandlerOperation, Registry, TypeFacts } from './type-facts.ts';
export type { SchemaError } from './validators.ts';
export { createAjv, schemaErrors } from './validators.ts';
