import type { ContainerDefinition } from '../../aws/ecs/index.ts';
import { type EpochMs, enqueue, present, type ServiceArn } from '../../base/index.ts';
import type { Scenario } from '../../scenario/index.ts';
import type { SimulatedRuntimeState, TaskInFlight } from './state.ts';

/** What the runtime works with in one round. */
export interface SimulatedTurn {
  readonly state: SimulatedRuntimeState;
  readonly nowMs: EpochMs;
  /** The scenario of the stack that a service belongs to. */
  scenarioOf(service: ServiceArn | null): Scenario | undefined;
  /** How the targets of a target group are checked. */
  targetGroup(arn: string): TargetGroupFacts;
}

export interface TargetGroupFacts {
  readonly intervalMs: number;
  readonly healthyThreshold: number;
  readonly unhealthyThreshold: number;
  /** The port that is checked where it is not that of the target. */
  readonly checkPort?: number;
  readonly deregistrationDelayMs: number;
}

/** The containers of a task, as its task definition lists them. */
export function definitionsOf(
  { state }: SimulatedTurn,
  task: TaskInFlight,
): readonly ContainerDefinition[] {
  const definitions = state.definitions[task.taskDefinition];
  return present(definitions, 'a task in flight has its containers defined');
}

/** Says once in an operation what is taken for granted in the user's favour. */
export function assume({ state }: SimulatedTurn, text: string): void {
  if (state.assumed[text] === true) return;
  state.assumed[text] = true;
  enqueue(state.seen, { type: 'assumed', text });
}
