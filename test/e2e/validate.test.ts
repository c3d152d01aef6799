import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { overcastJson, scratchFolder } from '../support/command.ts';
import { ROOT } from '../support/root.ts';

const TASK = `
Resources:
  Task:
    Type: AWS::ECS::TaskDefinition
    Properties:
      RequiresCompatibilities: [FARGATE]
      NetworkMode: awsvpc
      Cpu: '512'
      Memory: 'MEMORY'
      ContainerDefinitions:
        - Name: seed
          Image: seed:1
        - Name: app
          Image: app:1
          DependsOn: [{ ContainerName: seed, Condition: CONDITION }]
`;

const SERVICE = `
Resources:
  Task:
    Type: AWS::ECS::TaskDefinition
    Properties:
      ContainerDefinitions: [{ Name: app, Image: app:1, Memory: 64 }]
  Web:
    Type: AWS::ECS::Service
    Properties:
      TaskDefinition: !Ref Task
      PlacementStrategies:
        - Type: random
          Field: FIELD
      LoadBalancers:
        - TargetGroupArn: !Ref Group
          ContainerName: CONTAINER
          ContainerPort: !GetAtt Group.Port
  Group: { Type: AWS::ElasticLoadBalancingV2::TargetGroup }
`;

interface Row {
  readonly what: string;
  readonly text: string;
  readonly code: number;
  readonly title?: RegExp;
  readonly line?: number;
}

const rows: readonly Row[] = [
  { what: 'nothing is wrong', text: task('1024', 'START'), code: 0 },
  {
    what: '7.20 memory that does not go with the CPU size',
    text: task('512', 'START'),
    code: 1,
    title: /No Fargate configuration exists for given values/,
    line: 9,
  },
  {
    what: '6.21 an essential container that others wait for to succeed',
    text: task('1024', 'SUCCESS'),
    code: 1,
    title: /SUCCESS or COMPLETE condition cannot be an essential container/,
    line: 15,
  },
  {
    what: '1.67 a placement strategy with a field it cannot have',
    text: SERVICE.replace('FIELD', 'cpu').replace('CONTAINER', 'app'),
    code: 1,
    title: /random field should not be specified/,
    line: 13,
  },
  {
    what: '1.31 a container that the task definition of the same template does not have',
    text: SERVICE.replace('Field: FIELD', '').replace('CONTAINER', 'other'),
    code: 1,
    title: /The container other does not exist in the task definition/,
    line: 16,
  },
  {
    what: '1.31 one that it has, with a port still to come',
    text: SERVICE.replace('Field: FIELD', '').replace('CONTAINER', 'app'),
    code: 0,
  },
  {
    what: 'R20 a required property is missing',
    text: 'Resources:\n  Out:\n    Type: AWS::EC2::Route\n    Properties:\n      GatewayId: igw-1\n',
    code: 1,
    title: /Properties validation failed for resource Out[\s\S]*required key \[RouteTableId\]/,
  },
  {
    what: 'T32 a type that there is none of',
    text: 'Resources:\n  A:\n    Type: AWS::ECS::Servce\n',
    code: 2,
    title: /Unrecognized resource types: \[AWS::ECS::Servce\]/,
    line: 3,
  },
  {
    what: 'T15 no YAML',
    text: 'Resources: [\n',
    code: 2,
    title: /Template format error: YAML not well-formed/,
  },
];

for (const { what, text, code, title, line } of rows) {
  test(`validate when ${what}: exit code ${code}`, (t) => {
    const folder = scratchFolder(t);
    writeFileSync(join(folder, 'stack.yml'), text);
    const ran = overcastJson(['validate', 'stack.yml'], folder);
    assert.equal(ran.code, code, ran.stderr);
    assert.equal(ran.result.stacks[0]?.operation, null);
    const [finding] = ran.result.diagnosis;
    if (title === undefined) assert.equal(finding, undefined);
    else assert.match(finding?.title ?? '', title);
    if (line !== undefined) assert.equal(finding?.where?.line, line);
    assert.deepEqual(readdirSync(folder), ['stack.yml'], 'nothing is written');
  });
}

test('every sample template is valid', () => {
  const names = readdirSync(join(ROOT, 'templates')).filter(
    (name) => name.endsWith('.yml') && !name.includes('.scenario.'),
  );
  for (const name of names) {
    assert.equal(overcastJson(['validate', `templates/${name}`]).code, 0, name);
  }
});

function task(memory: string, condition: string): string {
  return TASK.replace('MEMORY', memory).replace('CONDITION', condition);
}
