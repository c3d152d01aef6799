/**
 * What a template means: parameters, conditions, mappings, rules and functions, evaluated as far
 * as they can be before any resource is there. `resolve` does the rest, value by value.
 *
 * The environment (SSM, exports, zones, known types) is asked through the port `Lookups`.
 */
export { compile } from './compile.ts';
export type { Compiled, Inputs, Invention, Lookups } from './compile-types.ts';
export type {
  LateReferences,
  OutputModel,
  ParameterModel,
  ResourceModel,
  StackModel,
} from './model.ts';
export type { HiddenValues } from './no-echo.ts';
export { exportToCome, maskNoEcho, maskNoEchoIn, reveal } from './no-echo.ts';
export { hasLateReference, resolve } from './resolve.ts';
