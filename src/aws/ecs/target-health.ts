import type { TaskId } from '../../base/index.ts';

/** A port of a task that a balancer sends requests to. */
export interface Target {
  readonly task: TaskId;
  readonly targetGroup: string; // ARN
  readonly container: string;
  readonly port: number;
}

/** What a balancer's checks came to. Each change is said once. */
export interface TargetObservation {
  readonly task: TaskId;
  readonly targetGroup: string;
  readonly status: 'HEALTHY' | 'UNHEALTHY';
  readonly reason: string | null; // of an unhealthy one: `Health checks failed` (5.50)
}

/** Checks the targets of target groups: ECS registers them and hears how they are. */
export interface TargetHealth {
  register(target: Target): void;
  deregister(task: TaskId, targetGroup: string): void;
  /** How long a target of the group goes on with what it has, once it is deregistered. */
  deregistrationDelayMs(targetGroup: string): number;
  /** Everything seen since the last call, oldest first. */
  observations(): readonly TargetObservation[];
}
