import type { EpochMs, Place, RandomState } from '../../base/index.ts';
import type { EventRecord } from '../../events/index.ts';
import type { EcsState, Timing } from './model.ts';

/** What an operation or a turn of the scheduler works with. */
export interface EcsContext {
  readonly state: EcsState;
  readonly place: Place;
  readonly nowMs: EpochMs;
  readonly random: RandomState;
  readonly record: EventRecord;
  /** Of services and tasks that an operation makes. */
  readonly timing: Timing;
}
