import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  DeploymentId,
  EpochMs,
  ServiceArn,
  TaskDefinitionArn,
  TaskId,
} from '../../../src/base/index.ts';
import type { ServiceView, TaskView } from '../../../src/events/index.ts';
import { treeFrame } from '../../../src/render/index.ts';

const AT = Date.UTC(2000, 0, 1) as EpochMs;
const DEPLOYMENT = 'ecs-svc/1' as DeploymentId;

function task(id: string, lastStatus: TaskView['lastStatus']): TaskView {
  const hasStopped = lastStatus === 'STOPPED';
  return {
    taskId: id as TaskId,
    taskArn: `arn:task/${id}`,
    deployment: DEPLOYMENT,
    lastStatus,
    stopCode: hasStopped ? 'EssentialContainerExited' : null,
    stoppedReason: hasStopped ? 'Essential container in task exited' : null,
    alike: hasStopped ? 3 : 1,
    createdAtMs: AT,
    startedAtMs: AT,
    stoppingAtMs: null,
    stoppedAtMs: null,
    containers: [
      {
        name: 'app',
        image: 'web:1',
        lastStatus: hasStopped ? 'STOPPED' : 'RUNNING',
        exitCode: hasStopped ? 1 : null,
        reason: null,
        logTail: [],
      },
    ],
  };
}

const service: ServiceView = {
  serviceArn: 'arn:service/default/web' as ServiceArn,
  serviceName: 'web',
  atMs: AT,
  desiredCount: 2,
  runningCount: 1,
  pendingCount: 0,
  deployments: [
    {
      id: DEPLOYMENT,
      status: 'PRIMARY',
      taskDefinition: 'arn:task-definition/web:1' as TaskDefinitionArn,
      rolloutState: 'IN_PROGRESS',
      rolloutStateReason: null,
      desiredCount: 2,
      runningCount: 1,
      pendingCount: 0,
      failedTasks: 3,
      createdAtMs: AT,
    },
  ],
  tasks: [task('1a2b3c4d5e', 'RUNNING'), task('2a2b3c4d5e', 'STOPPED')],
  tasksOmitted: 0,
};

const view = {
  elapsedMs: 12_500,
  stacks: [
    {
      stackName: 'demo',
      status: 'CREATE_IN_PROGRESS',
      resources: [
        ...['Cluster', 'Logs', 'Role'].map((logicalId) => ({
          logicalId,
          type: `AWS::X::${logicalId}`,
          status: 'CREATE_COMPLETE',
          statusReason: null,
          sinceMs: 10_000,
        })),
        {
          logicalId: 'Service',
          type: 'AWS::ECS::Service',
          status: 'CREATE_IN_PROGRESS',
          statusReason: null,
          sinceMs: 7_500,
          service,
        },
        {
          logicalId: 'Bucket',
          type: 'AWS::S3::Bucket',
          status: 'CREATE_FAILED',
          statusReason: 'bucket\nexists',
          sinceMs: 0,
        },
      ],
    },
  ],
};

test('stacks, their resources, and under a service that moves its deployments and tasks', () => {
  assert.deepEqual(treeFrame(view, { width: 80, height: 20, colour: 0 }), [
    '00:12.5  demo  CREATE_IN_PROGRESS',
    '  ✓ Cluster CREATE_COMPLETE AWS::X::Cluster',
    '  ✓ Logs    CREATE_COMPLETE AWS::X::Logs',
    '  ✓ Role    CREATE_COMPLETE AWS::X::Role',
    '  ● Service CREATE_IN_PROGRESS 7.5 s',
    '      web:1 PRIMARY IN_PROGRESS  1/2 running, 3 failed',
    '        1a2b3c4d RUNNING  app RUNNING',
    '        3 stopped: Essential container in task exited, app exit code 1',
    '  ✗ Bucket  CREATE_FAILED bucket exists',
  ]);
});

test('a low screen gives up what is done first, then tasks, and says how much', () => {
  assert.deepEqual(treeFrame(view, { width: 80, height: 8, colour: 0 }), [
    '00:12.5  demo  CREATE_IN_PROGRESS',
    '  ✓ Cluster CREATE_COMPLETE AWS::X::Cluster',
    '  ● Service CREATE_IN_PROGRESS 7.5 s',
    '      web:1 PRIMARY IN_PROGRESS  1/2 running, 3 failed',
    '        1a2b3c4d RUNNING  app RUNNING',
    '        3 stopped: Essential container in task exited, app exit code 1',
    '  ✗ Bucket  CREATE_FAILED bucket exists',
    '… 2 more lines',
  ]);
  assert.deepEqual(treeFrame(view, { width: 80, height: 4, colour: 0 }), [
    '00:12.5  demo  CREATE_IN_PROGRESS',
    '  ● Service CREATE_IN_PROGRESS 7.5 s',
    '  ✗ Bucket  CREATE_FAILED bucket exists',
    '… 6 more lines',
  ]);
});

test('never more lines or columns than there are', () => {
  for (let height = 1; height <= 10; height += 1) {
    const lines = treeFrame(view, { width: 20, height, colour: 0 });
    assert.ok(lines.length <= height);
    for (const line of lines) assert.ok([...line].length <= 20);
  }
});
