import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession, deployText } from '../../support/world.ts';

const template = (target: string) => `
Resources:
  Smoke:
    Type: AWS::Lambda::Function
    Properties:
      FunctionName: smoke
      Role: arn:aws:iam::000000000000:role/smoke
      Runtime: nodejs20.x
      Handler: index.handler
      Code: { ZipFile: '' }
  Task:
    Type: AWS::ECS::TaskDefinition
    Properties:
      RequiresCompatibilities: [FARGATE]
      NetworkMode: awsvpc
      Cpu: '256'
      Memory: '512'
      ContainerDefinitions: [{ Name: app, Image: 'web:1' }]
  Web:
    Type: AWS::ECS::Service
    DependsOn: Smoke
    Properties:
      TaskDefinition: !Ref Task
      LaunchType: FARGATE
      ServiceName: web
      DeploymentConfiguration:
        Strategy: BLUE_GREEN
        BakeTimeInMinutes: 0
        LifecycleHooks:
          - HookTargetArn: ${target}
            RoleArn: arn:aws:iam::000000000000:role/hooks
            LifecycleStages: [PRE_SCALE_UP]
      NetworkConfiguration: { AwsvpcConfiguration: { Subnets: [subnet-0aa1] } }
`;

const ARN = 'arn:aws:lambda:us-east-1:000000000000:function:smoke';
const RESPONDS = (what: string) => `world: { functions: { Smoke: { responds: ${what} } } }`;

const answers: readonly [when: string, target: string, scenario: string, verdict: string][] = [
  ['the function fails', '!GetAtt Smoke.Arn', RESPONDS('failed'), 'failed'],
  ['an alias of it fails', `${ARN}:live`, RESPONDS('failed'), 'failed'],
  ['it succeeds', '!GetAtt Smoke.Arn', RESPONDS('success'), 'stable'],
  ['another function is named', `${ARN}-2`, RESPONDS('failed'), 'stable'],
  ['no scenario names it', '!GetAtt Smoke.Arn', 'world: {}', 'stable'],
];
for (const [when, target, scenario, verdict] of answers) {
  test(`4.47: a hook when ${when}: ${verdict}`, async () => {
    const ended = await deployText(createSession(), template(target), { scenario });
    assert.equal(ended.result.verdict, verdict);
    const isAssumed = ended.assumptions.some((text) => text.startsWith('lifecycle hook smoke'));
    assert.equal(isAssumed, when.startsWith('another') || when.startsWith('no scenario'));
  });
}
