/** The vocabulary of the record: what can happen in a stack operation, and the list it is kept in. */
export type {
  AssumptionEvent,
  LifecycleStageEvent,
  OnlyHereEvent,
  RecordedEvent,
  RepeatedEvent,
  ResourceEvent,
  ServiceEndedEvent,
  ServiceEvent,
  StackEvent,
  TaskStoppedEvent,
} from './event.ts';
export type { EventRecord } from './record.ts';
export { append, createRecord, serviceEvents, withoutNumbers, withoutTaskIds } from './record.ts';
export type { EventRank, EventShape, ServiceEventKind } from './service-events.ts';
export { rankOf, SERVICE_EVENTS, shapeOf } from './service-events.ts';
export type {
  ContainerView,
  DeploymentView,
  FoldedServiceEvent,
  NetworkBinding,
  ServiceView,
  StopCode,
  TaskStatus,
  TaskView,
} from './service-view.ts';
export type { FailureCause, FailureSource, ResourceStatus, StackStatus } from './statuses.ts';
