/**
 * A CDK cloud assembly: stacks in the order to deploy them, with their templates and assets.
 *
 * `openAssembly` reads a folder; `selectStacks` picks the stacks a user named. Rules K1 to K13 of
 * the semantics reference.
 */
export { openAssembly } from './assembly.ts';
export type {
  Assembly,
  FileAsset,
  ImageAsset,
  MissingContext,
  StackArtifact,
} from './model.ts';
export { selectStacks } from './select.ts';
