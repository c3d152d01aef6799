import { arnOf, type DeploymentId, type EpochMs, type Place } from '../../base/index.ts';
import type { DeploymentState, LaunchType, ServiceState } from './model.ts';

/**
 * What a deployment is besides, under CODE_DEPLOY and EXTERNAL: a task set, which keeps a share of the
 * service's desired count for itself and has no rollout (2.1, 8.34).
 */
export interface TaskSetFacts {
  readonly arn: string;
  readonly externalId: string | null;
  readonly launchType: LaunchType;
  /** Its share of the desired count. */
  scalePercent: number;
  stability: 'STEADY_STATE' | 'STABILIZING';
  stabilityAtMs: EpochMs;
  updatedAtMs: EpochMs;
}

/** A deployment that is a task set. */
export type TaskSet = DeploymentState & { readonly taskSet: TaskSetFacts };

export function newTaskSet(
  { cluster, name }: Pick<ServiceState, 'cluster' | 'name'>,
  id: DeploymentId,
  place: Place,
  nowMs: EpochMs,
  facts: Pick<TaskSetFacts, 'externalId' | 'launchType' | 'scalePercent'>,
): TaskSetFacts {
  return {
    arn: arnOf('ecs', place, `task-set/${cluster}/${name}/${id}`),
    ...facts,
    stability: 'STABILIZING',
    stabilityAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}

/** The task sets of a service, newest first; none under ECS. */
export function taskSetsOf({ deployments }: ServiceState): readonly TaskSet[] {
  return deployments.filter((one): one is TaskSet => one.taskSet !== null);
}

/** It places tasks of its own accord: a task set that is not being deleted. */
export function placesTasks({ status, taskSet }: DeploymentState): boolean {
  return taskSet !== null && status !== 'DRAINING';
}

/** 3.14: multiplied before divided (3.22); none once it is being deleted. */
export function computedDesiredCount(
  { desiredCount }: Pick<ServiceState, 'desiredCount'>,
  set: TaskSet,
): number {
  return placesTasks(set) ? Math.ceil((desiredCount * set.taskSet.scalePercent) / 100) : 0;
}
