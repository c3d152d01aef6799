import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resultDocument } from '../../../src/app/document.ts';
import { keptScenario } from '../../../src/app/kept-scenario.ts';
import type { ParameterModel } from '../../../src/language/index.ts';
import { refusedResult } from '../../../src/result/index.ts';
import { parseScenario } from '../../../src/scenario/index.ts';
import { createSession, deployText } from '../../support/world.ts';

const plain: ParameterModel = { type: 'String', shown: 'a', value: 'a', noEcho: false };
const secret: ParameterModel = { ...plain, shown: '****', noEcho: true };

const rows: readonly {
  what: string;
  parameters: { readonly [name: string]: ParameterModel };
  kept: object;
}[] = [
  { what: 'one that may be seen stays', parameters: { A: plain }, kept: { A: '1' } },
  { what: 'one that is hidden goes', parameters: { A: secret, B: plain }, kept: { B: '2' } },
  { what: "another stack's go", parameters: {}, kept: {} },
];

for (const { what, parameters, kept } of rows) {
  test(`P17: of the parameters of a scenario that is kept with a stack, ${what}`, () => {
    const scenario = parseScenario('parameters: {A: 1, B: 2}\nregion: eu-west-1\n', 's.yml');
    const result = keptScenario(scenario, { parameters });
    assert.deepEqual(result, { ...scenario, parameters: kept });
  });
}

test('P17: a result document shows asterisks for every placeholder', () => {
  const reason = 'No export named {{resolve:noecho:P}}-vpc found';
  const failure = { logicalId: '<stack>', reason, source: 'engine', then: null } as const;
  const document = resultDocument({
    ...{
      seed: 0,
      runtime: 'simulation' as const,
      deterministic: true,
      findings: [],
      inventions: [],
    },
    stacks: [refusedResult('demo', failure)],
    assumptions: ['{{resolve:noecho:P}} is there'],
  });
  assert.equal(document.stacks[0]?.failure?.reason, 'No export named ****-vpc found');
  assert.equal(document.assumptions[0], '**** is there');
});

test('P17: a NoEcho number runs a service with the default, and is nowhere in the world', async () => {
  const session = createSession();
  const template = `
Parameters:
  Count: { Type: Number, NoEcho: true }
  Name: { Type: String, NoEcho: true }
Resources:
  Task:
    Type: AWS::ECS::TaskDefinition
    Properties:
      Family: app
      ContainerDefinitions:
        - Name: app
          Image: worker:1
          Memory: !Ref Count
          Environment: [{ Name: PASSWORD, Value: !Ref Name }]
  Service:
    Type: AWS::ECS::Service
    Properties: { TaskDefinition: !Ref Task, DesiredCount: !Ref Count }
`;
  const parameters = { Count: '256', Name: 'correct-horse' };
  const { result, assumptions } = await deployText(session, template, { parameters });
  assert.equal(result.status, 'CREATE_COMPLETE', JSON.stringify(result.failure));
  assert.equal(result.services[0]?.desiredCount, 1);
  const unknown = assumptions.filter((text) => text.endsWith('its value is not known here'));
  assert.deepEqual(unknown, [
    'ContainerDefinitions.0.Memory of Task is taken to be absent: its value is not known here',
    'DesiredCount of Service is 1: its value is not known here',
  ]);
  assert.doesNotMatch(JSON.stringify(session.world), /correct-horse/);
});
