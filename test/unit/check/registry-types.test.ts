import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/base/index.ts';
import { present } from '../../../src/base/index.ts';
import { checkProperties } from '../../../src/check/index.ts';
import { openRegistry } from '../../../src/registry/index.ts';
import { ROOT } from '../../support/root.ts';

const registry = openRegistry(ROOT);

function check(typeName: string, properties: JsonObject) {
  const facts = present(registry.facts(typeName), 'the type is known');
  const checked = checkProperties(facts, properties);
  return { ...checked, messages: checked.violations.map(({ message }) => message) };
}

test('an ECS service as templates write it', () => {
  const { properties, messages } = check('AWS::ECS::Service', {
    Cluster: 'web',
    DesiredCount: '2',
    LaunchType: 'FARGATE',
    DeploymentConfiguration: { DeploymentCircuitBreaker: { Enable: 'true', Rollback: false } },
    NetworkConfiguration: { AwsvpcConfiguration: { Subnets: ['subnet-0aa1'] } },
    ForceNewDeployment: { EnableForceNewDeployment: true },
    Tags: [{ Key: 'port', Value: 80 }],
  });
  assert.deepEqual(messages, []);
  assert.equal(properties['DesiredCount'], 2);
  assert.deepEqual(properties['Tags'], [{ Key: 'port', Value: '80' }]);
  assert.deepEqual(properties['DeploymentConfiguration'], {
    DeploymentCircuitBreaker: { Enable: true, Rollback: false },
  });
});

test('R21: an ECS service with mistakes', () => {
  const { messages } = check('AWS::ECS::Service', {
    LaunchTyp: 'FARGATE',
    DesiredCount: 'two',
    DeploymentConfiguration: { DeploymentCircuitBreaker: { Enable: true } },
  });
  assert.deepEqual(messages, [
    '#: extraneous key [LaunchTyp] is not permitted',
    '#/DesiredCount: expected type: Integer, found: String',
    '#/DeploymentConfiguration/DeploymentCircuitBreaker: required key [Rollback] not found',
  ]);
});

test('R23: a task definition drops a misspelt key and keeps the rest', () => {
  const { properties, messages } = check('AWS::ECS::TaskDefinition', {
    Cpu: 256,
    ContainerDefinitions: [{ Name: 'app', Image: 'web:1', Entrypoint: ['sh'] }],
  });
  assert.deepEqual(messages, [
    '#/ContainerDefinitions/0: extraneous key [Entrypoint] is not permitted',
  ]);
  assert.deepEqual(properties, {
    Cpu: '256',
    ContainerDefinitions: [{ Name: 'app', Image: 'web:1' }],
  });
});

test('a policy document may be an object or its text', () => {
  const document = { Version: '2012-10-17', Statement: [] };
  for (const given of [document, JSON.stringify(document)]) {
    const { messages } = check('AWS::IAM::Role', { AssumeRolePolicyDocument: given });
    assert.deepEqual(messages, []);
  }
});

test('a custom resource takes any property as it is, and needs its token', () => {
  const given = { ServiceToken: 'arn:f', Count: '5', Deep: { On: 'true' }, Id: 7 };
  assert.deepEqual(check('Custom::Thing', given).properties, given);
  assert.deepEqual(check('Custom::Thing', { Count: 5 }).messages, [
    '#: required key [ServiceToken] not found',
  ]);
});

test('a type whose validator was not compiled at build time is compiled when used', () => {
  assert.deepEqual(check('AWS::Glue::Classifier', { Nope: 1 }).messages, [
    '#: extraneous key [Nope] is not permitted',
  ]);
});
