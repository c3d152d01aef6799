import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  DeploymentId,
  EpochMs,
  OperationId,
  ServiceArn,
  StackId,
  TaskId,
} from '../../../src/base/index.ts';
import type { RecordedEvent } from '../../../src/events/index.ts';
import { eventLine, isFailureEvent } from '../../../src/render/index.ts';

const SINCE = Date.UTC(2000, 0, 1) as EpochMs;
const service = 'arn:aws:ecs:us-east-1:000000000000:service/default/web' as ServiceArn;
const ofStack = {
  eventId: 'e',
  stackId: 'arn' as StackId,
  stackName: 'demo',
  operationId: 'o' as OperationId,
};
const ofResource = {
  ...ofStack,
  type: 'stack-resource',
  logicalId: 'Web',
  resourceType: 'AWS::ECS::Service',
  physicalId: '',
} as const;
const ofService = { type: 'ecs-service', eventId: 'e', service } as const;
const ofTask = {
  type: 'ecs-task-stopped',
  service,
  deployment: 'ecs-svc/1' as DeploymentId,
  task: '1a2b3c4d5e6f708192a3b4c5d6e7f809' as TaskId,
} as const;

const ofStage = {
  type: 'ecs-lifecycle-stage',
  service,
  deployment: 'ecs-svc/1' as DeploymentId,
} as const;

const lines: readonly { event: RecordedEvent; gives: string | undefined; failure?: true }[] = [
  {
    event: {
      ...ofStack,
      type: 'stack',
      atMs: after(0),
      status: 'CREATE_IN_PROGRESS',
      statusReason: 'User Initiated',
    },
    gives: '00:00.0  CREATE_IN_PROGRESS  demo  User Initiated',
  },
  {
    event: {
      ...ofStage,
      ...{ atMs: after(3), stage: 'PRODUCTION_TRAFFIC_SHIFT', productionPercent: 10 },
    },
    gives:
      '00:03.0  service web, deployment ecs-svc/1: PRODUCTION_TRAFFIC_SHIFT, 10 % of production traffic',
  },
  {
    event: {
      ...{ ...ofStage, atMs: after(3), stage: 'PRE_SCALE_UP' },
      failedHook: { target: '', outcome: 'timed out' },
    },
    gives: '00:03.0  service web, deployment ecs-svc/1: PRE_SCALE_UP, hook PAUSE timed out',
    failure: true,
  },
  {
    event: { ...ofStack, type: 'stack', atMs: after(15), status: 'ROLLBACK_IN_PROGRESS' },
    gives: '00:15.0  ROLLBACK_IN_PROGRESS  demo',
    failure: true,
  },
  {
    event: {
      ...ofResource,
      atMs: after(12.5),
      status: 'CREATE_FAILED',
      statusReason: 'two\nlines',
    },
    gives: '00:12.5  CREATE_FAILED  Web  two lines',
    failure: true,
  },
  {
    event: {
      ...ofResource,
      atMs: after(2),
      status: 'CREATE_IN_PROGRESS',
      detailedStatus: 'CONFIGURATION_COMPLETE',
    },
    gives: '00:02.0  CREATE_IN_PROGRESS  Web  CONFIGURATION_COMPLETE',
  },
  {
    event: {
      ...ofService,
      atMs: after(65),
      kind: 'steady-state',
      deployment: null,
      message: '(service web) has reached a steady state.',
    },
    gives: '01:05.0  (service web) has reached a steady state.',
  },
  {
    event: {
      ...ofService,
      atMs: after(65),
      kind: 'deployment-failed',
      deployment: null,
      message: '(service web) failed',
    },
    gives: '01:05.0  (service web) failed',
    failure: true,
  },
  {
    event: {
      ...ofTask,
      atMs: after(7.04),
      stopCode: 'EssentialContainerExited',
      stoppedReason: 'Essential container in task exited',
      essentialExit: { container: 'app', exitCode: 1 },
    },
    gives:
      '00:07.0  task 1a2b3c4d stopped (EssentialContainerExited): Essential container in task exited; app exited with code 1',
    failure: true,
  },
  {
    event: {
      ...ofTask,
      atMs: after(8),
      stopCode: 'ServiceSchedulerInitiated',
      stoppedReason: 'Scaling activity',
    },
    gives: '00:08.0  task 1a2b3c4d stopped (ServiceSchedulerInitiated): Scaling activity',
  },
  {
    event: {
      type: 'repeated',
      atMs: after(36 * 3600 + 61),
      service,
      of: 'task stopped (X): y',
      count: 16,
    },
    gives: '36:01:01  … (task stopped (X): y) 16 times by now',
  },
  { event: { type: 'assumption', atMs: after(0), text: 'image web:1 starts' }, gives: undefined },
];

for (const { event, gives, failure } of lines) {
  test(`${event.type}: ${gives ?? 'no line'}`, () => {
    assert.equal(eventLine(event, { sinceMs: SINCE, colour: 0 }), gives);
    assert.equal(isFailureEvent(event), failure === true);
  });
}

function after(seconds: number): EpochMs {
  return (SINCE + seconds * 1000) as EpochMs;
}
