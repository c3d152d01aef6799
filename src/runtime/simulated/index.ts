/** Tasks in virtual time, as a scenario says that their images behave. */
export {
  createSimulatedRuntime,
  createSimulatedTargets,
  simulatedRuntimeDueMs,
  stepSimulatedRuntime,
} from './runtime.ts';
export type { SimulatedRuntimeState } from './state.ts';
export { createSimulatedRuntimeState, forgetAssumptions, forgetUnused } from './state.ts';
export type { SimulatedTurn, TargetGroupFacts } from './turn.ts';
