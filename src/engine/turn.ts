import type { EpochMs, RandomState } from '../base/index.ts';
import type { EventRecord } from '../events/index.ts';
import type { Registry, ResourceProvider } from '../registry/index.ts';
import type { EngineState, Stack } from './model.ts';

/** What one turn of the engine works with. */
export interface EngineTurn {
  readonly state: EngineState;
  readonly nowMs: EpochMs;
  readonly random: RandomState;
  readonly record: EventRecord;
  readonly registry: Registry;
  /** The handlers of a type over the account of the stack. */
  providerOf(stack: Stack, typeName: string): ResourceProvider;
}
