import type {
  ResultDocument,
  ServiceResult,
  StackResult,
  TaskResult,
} from '../../../src/result/index.ts';

/** Hand-written result documents for the tests of texts: one that fails, one that is well. */

const CLUSTER = 'arn:aws:ecs:us-east-1:000000000000';
const REASON =
  '(service web) (deployment ecs-svc/1234567890123456789) deployment failed: tasks failed to start.';
const UNABLE = '(service web) is unable to consistently start tasks successfully.';

function at(seconds: number): string {
  return new Date(Date.UTC(2000, 0, 1) + seconds * 1000).toISOString();
}

function stoppedTask(id: string, stoppedAt: number): TaskResult {
  return {
    taskArn: `${CLUSTER}:task/default/${id}`,
    deployment: 'ecs-svc/1234567890123456789',
    lastStatus: 'STOPPED',
    stopCode: 'EssentialContainerExited',
    stoppedReason: 'Essential container in task exited',
    alike: 3,
    createdAt: at(stoppedAt - 2),
    startedAt: at(stoppedAt - 2),
    stoppingAt: at(stoppedAt),
    stoppedAt: at(stoppedAt),
    containers: [
      {
        name: 'app',
        lastStatus: 'STOPPED',
        exitCode: 1,
        reason: null,
        logTail: ['starting', '\u001b[31mError: no database\u001b[0m'],
      },
    ],
  };
}

export const FAILING_SERVICE: ServiceResult = {
  logicalId: 'Web',
  serviceArn: `${CLUSTER}:service/default/web`,
  at: at(15),
  desiredCount: 1,
  runningCount: 0,
  pendingCount: 0,
  deployments: [
    {
      id: 'ecs-svc/1234567890123456789',
      status: 'PRIMARY',
      taskDefinition: `${CLUSTER}:task-definition/web:1`,
      rolloutState: 'FAILED',
      rolloutStateReason: 'ECS deployment circuit breaker: tasks failed to start.',
      desiredCount: 1,
      runningCount: 0,
      pendingCount: 0,
      failedTasks: 3,
    },
  ],
  events: [
    {
      id: 'e1',
      at: at(5),
      message: '(service web) has started 1 tasks: (task t1).',
      shape: 'routine',
      count: 1,
    },
    { id: 'e2', at: at(12.5), message: UNABLE, shape: 'failure', count: 1 },
    { id: 'e3', at: at(12.5), message: REASON, shape: 'failure', count: 1 },
  ],
  tasks: [
    stoppedTask('1a2b3c4d5e', 12.5),
    stoppedTask('2a2b3c4d5e', 9.5),
    stoppedTask('3a2b3c4d5e', 7),
  ],
  tasksOmitted: 0,
};

const FAILING_STACK: StackResult = {
  stackName: 'demo',
  stackId: 'arn:aws:cloudformation:us-east-1:000000000000:stack/demo/1a2b',
  parent: null,
  operation: 'CREATE',
  changes: 3,
  status: 'ROLLBACK_COMPLETE',
  statusReason: null,
  verdict: 'failed',
  startedAt: at(0),
  finishedAt: at(41.5),
  duration: 'PT41.5S',
  outputs: {},
  exports: {},
  resources: [
    {
      logicalId: 'Web',
      physicalId: `${CLUSTER}:service/default/web`,
      type: 'AWS::ECS::Service',
      status: 'DELETE_COMPLETE',
      statusReason: null,
      constructPath: null,
      source: { file: 'stack.yml', line: 12, column: 3 },
    },
  ],
  events: [
    {
      eventId: 'Web-CREATE_FAILED',
      at: at(15),
      logicalId: 'Web',
      type: 'AWS::ECS::Service',
      physicalId: 'web',
      status: 'CREATE_FAILED',
      statusReason: 'Resource handler returned message',
    },
  ],
  services: [FAILING_SERVICE],
  failure: {
    logicalId: 'Web',
    reason: REASON,
    source: 'service-event',
    then: null,
  },
};

export const FAILING: ResultDocument = {
  schemaVersion: 1,
  verdict: 'failed',
  localVerdict: 'failed',
  runtime: { kind: 'simulation', timing: 'local', seed: 1, deterministic: true },
  wallSeconds: 0.21,
  assumptions: [1, 2, 3, 4].map((n) => `subnet-${n} routes out (no scenario names it)`),
  inventions: [{ kind: 'parameter', name: 'VpcId', value: 'vpc-0a1b2c3d' }],
  stacks: [FAILING_STACK],
  diagnosis: [
    {
      code: 'ECS-CONTAINER-EXITS',
      severity: 'error',
      stackName: 'demo',
      logicalId: 'Web',
      title: 'app (web:1) exits with code 1 after 2 s, in 3 tasks of 3',
      where: {
        file: 'stack.yml',
        line: 9,
        column: 18,
        path: 'Resources/Task/Properties/ContainerDefinitions/0/Image',
        lineText: '        - Image: web:1',
      },
      evidence: [
        { source: 'service-event', at: at(12.5), text: REASON },
        { source: 'container-log', at: at(12.5), text: 'Error: no database' },
      ],
      hint: 'look at the last output above; the process ends by itself',
    },
  ],
};

export const STABLE_SERVICE: ServiceResult = {
  ...FAILING_SERVICE,
  runningCount: 1,
  deployments: FAILING_SERVICE.deployments.map((deployment) => ({
    ...deployment,
    rolloutState: 'COMPLETED',
    runningCount: 1,
    failedTasks: 0,
  })),
  events: [],
  tasks: [],
};

export const STABLE: ResultDocument = {
  ...FAILING,
  verdict: 'stable',
  localVerdict: 'stable',
  inventions: [],
  diagnosis: [],
  stacks: [
    {
      ...FAILING_STACK,
      status: 'CREATE_COMPLETE',
      verdict: 'stable',
      duration: 'PT1M5S',
      outputs: { Url: 'http://web.example', Name: 'web' },
      services: [STABLE_SERVICE],
      failure: null,
    },
  ],
};
