import assert from 'node:assert/strict';
import { test } from 'node:test';
import { present } from '../../src/base/index.ts';
import type { RecordedEvent } from '../../src/events/index.ts';
import { differences, readSequences } from '../support/event-sequences.ts';
import { createSession, deployText } from '../support/world.ts';

// What the engine does with scripted handlers is compared in test/unit/engine; here the product as
// a whole plays the sequences that need no failure to be made up.
const TEMPLATES: { readonly [id: string]: string } = {
  'create-success-change-set': `
Resources:
  Bucket: { Type: AWS::S3::Bucket }
  Policy:
    Type: AWS::S3::BucketPolicy
    Properties: { Bucket: !Ref Bucket, PolicyDocument: { Statement: [] } }
`,
  'create-success-no-resources': `
Conditions: { Never: !Equals [a, b] }
Resources:
  Bucket: { Type: AWS::S3::Bucket, Condition: Never }
`,
  'create-success-ecs': `
Resources:
  Logs: { Type: AWS::Logs::LogGroup }
  Cluster: { Type: AWS::ECS::Cluster }
  Task:
    Type: AWS::ECS::TaskDefinition
    Properties:
      RequiresCompatibilities: [FARGATE]
      NetworkMode: awsvpc
      Cpu: '256'
      Memory: '512'
      ContainerDefinitions:
        - Name: app
          Image: web:1
          LogConfiguration:
            LogDriver: awslogs
            Options: { awslogs-group: !Ref Logs, awslogs-region: us-east-1, awslogs-stream-prefix: a }
  Service:
    Type: AWS::ECS::Service
    Properties:
      Cluster: !Ref Cluster
      TaskDefinition: !Ref Task
      LaunchType: FARGATE
      NetworkConfiguration: { AwsvpcConfiguration: { Subnets: [subnet-0aa1] } }
`,
  'create-preflight-failure': `
Resources:
  P: { Type: AWS::SSM::Parameter, Properties: { Type: String, Value: v } }
Outputs:
  InvalidOutput: { Value: !GetAtt P.Invalid }
`,
};

for (const sequence of readSequences().filter(({ id }) => TEMPLATES[id] !== undefined)) {
  test(`${sequence.id} (${sequence.evidence}), by the whole product`, async () => {
    const session = createSession();
    const text = present(TEMPLATES[sequence.id], 'a sequence that is played has its template');
    const { result } = await deployText(session, text);
    const told = session.world.record.entries.filter(isOfStack);
    assert.deepEqual(differences(told, sequence), []);
    assert.equal(result.status, sequence.finalStackStatus);
  });
}

function isOfStack(event: RecordedEvent) {
  return event.type === 'stack' || event.type === 'stack-resource';
}
