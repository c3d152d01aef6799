/**
 * Amazon ECS as one account sees it: clusters, task definitions, services, tasks.
 *
 * Use `createEcs` to make things and follow them, its `api` for the ECS API as a client calls it, and
 * run `stepScheduler` once per round of the loop. `WAITERS` is how clients wait for an answer. How a
 * rolling update is decided (`reconcile`, `failureThreshold`) is nobody else's business.
 */
export { noteAlarm } from './alarms.ts';
export type { EcsApi, Operation } from './api.ts';
export type { EcsContext } from './context.ts';
export { everyService, taskLogs, tasksOfService } from './describe.ts';
export { EcsException, NOT_IDEMPOTENT } from './exception.ts';
export type { NewInstance } from './instances.ts';
export { assumeNoInstances, registerInstances } from './instances.ts';
export type { LifecycleHooks } from './lifecycle-hooks.ts';
export type {
  AlarmState,
  ContainerDefinition,
  ContainerDependency,
  ContainerSecret,
  EcsState,
  HealthCheck,
  HealthStatus,
  NetworkMode,
  Platform,
  PortMapping,
  Timing,
} from './model.ts';
export type { RequestFault } from './request-fault.ts';
export { forgetEnded } from './retention.ts';
export type { Hang, Rollout, RolloutStanding } from './rollout.ts';
export { LOCAL_RULES, PRESETS, type SchedulerRules, type TaskTimes } from './rules.ts';
export { observeTasks, schedulerDueMs, stepScheduler } from './scheduler.ts';
export type { Ecs } from './service-api.ts';
export { createEcs } from './service-api.ts';
export { defaultPercents } from './service-request.ts';
export { createServiceFaults } from './service-rules.ts';
export { createEcsState } from './state.ts';
export type { Target, TargetHealth, TargetObservation } from './target-health.ts';
export { taskDefinitionFaults } from './task-definition-rules.ts';
export type {
  OnlyHere,
  StoppedBecause,
  TaskObservation,
  TaskOrder,
  TaskRuntime,
} from './task-runtime.ts';
export type { Acceptor, Waiter, WaiterState } from './waiters.ts';
export { WAITERS, waiterState } from './waiters.ts';
