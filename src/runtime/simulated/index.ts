/** Tasks in virtual time, as a scenario says that their images behave. */
export type { SimulatedTurn } from './runtime.ts';
export { createSimulatedRuntime, simulatedRuntimeDueMs, stepSimulatedRuntime } from './runtime.ts';
export type { SimulatedRuntimeState } from './state.ts';
export { createSimulatedRuntimeState } from './state.ts';
