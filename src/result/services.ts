import { type EpochMs, toRfc3339 } from '../base/index.ts';
import type { Stack } from '../engine/index.ts';
import { type EventRecord, type ServiceView, serviceEvents, shapeOf } from '../events/index.ts';
import type { ServiceResult, TaskResult } from './document.ts';

interface Ended {
  readonly stack: Stack;
  readonly kind: 'CREATE' | 'DELETE';
  readonly record: EventRecord;
  /** Services as they stand now, for those whose handler reported no end. */
  readonly currentServices: readonly ServiceView[];
}

/** Each service as it stood when its handler reported an end, before any way back. */
export function servicesOf({
  stack,
  kind,
  record,
  currentServices,
}: Ended): readonly ServiceResult[] {
  const ended = new Map<string, ServiceView>();
  for (const event of record.entries) {
    if (event.type !== 'ecs-service-ended') continue;
    // Of a create the first one counts, since what follows is the way back; of a delete the last.
    if (kind === 'DELETE' || !ended.has(event.service)) ended.set(event.service, event.view);
  }
  return Object.values(stack.resources).flatMap(({ logicalId, type, physicalId }) => {
    if (type !== 'AWS::ECS::Service' || physicalId === null) return [];
    const now = currentServices.find(({ serviceArn }) => serviceArn === physicalId);
    const view = ended.get(physicalId) ?? now;
    return view === undefined ? [] : [serviceResult(logicalId, view, record)];
  });
}

function serviceResult(logicalId: string, view: ServiceView, record: EventRecord): ServiceResult {
  return {
    logicalId,
    serviceArn: view.serviceArn,
    at: toRfc3339(view.atMs),
    desiredCount: view.desiredCount,
    runningCount: view.runningCount,
    pendingCount: view.pendingCount,
    deployments: view.deployments.map(({ createdAtMs: _, ...deployment }) => deployment),
    events: serviceEvents(record, view.serviceArn).map(({ event, count }) => ({
      id: event.eventId,
      at: toRfc3339(event.atMs),
      message: event.message,
      shape: shapeOf(event.kind),
      count,
    })),
    tasks: view.tasks.map(taskResult),
    tasksOmitted: view.tasksOmitted,
  };
}

function taskResult(task: ServiceView['tasks'][number]): TaskResult {
  const at = (ms: EpochMs | null) => (ms === null ? null : toRfc3339(ms));
  return {
    taskArn: task.taskArn,
    deployment: task.deployment,
    lastStatus: task.lastStatus,
    stopCode: task.stopCode,
    stoppedReason: task.stoppedReason,
    alike: task.alike,
    createdAt: toRfc3339(task.createdAtMs),
    startedAt: at(task.startedAtMs),
    stoppingAt: at(task.stoppingAtMs),
    stoppedAt: at(task.stoppedAtMs),
    containers: task.containers.map(({ image: _, ...container }) => container),
  };
}
