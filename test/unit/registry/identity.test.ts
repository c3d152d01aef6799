import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TypeFacts } from '../../../src/registry/index.ts';
import { attributeOf, physicalIdOf, primaryIdentifierOf } from '../../../src/registry/index.ts';

function facts(given: Partial<TypeFacts>): TypeFacts {
  return {
    typeName: 'AWS::Test::Thing',
    schema: { type: 'object' },
    primaryIdentifier: ['Id'],
    ref: ['Id'],
    attributes: [],
    readOnly: [],
    createOnly: [],
    conditionalCreateOnly: [],
    ...given,
  };
}

test('R13: the parts of an identifier are joined with |', () => {
  const service = facts({ primaryIdentifier: ['ServiceArn', 'Cluster'], ref: ['ServiceArn'] });
  const model = { ServiceArn: 'arn:service', Cluster: 'web' };
  assert.equal(primaryIdentifierOf(service, model), 'arn:service|web');
  assert.equal(physicalIdOf(service, model), 'arn:service');
});

test('a part the model does not have is left out, a number is written out', () => {
  const rule = facts({ ref: ['EventBusName', 'Name'] });
  assert.equal(physicalIdOf(rule, { Name: 'nightly' }), 'nightly');
  assert.equal(physicalIdOf(facts({ ref: ['Version'] }), { Version: 3 }), '3');
});

test('a model without any identifier is a defect', () => {
  assert.throws(() => physicalIdOf(facts({}), {}), /defect/);
});

test('Fn::GetAtt: dots lead into nested properties, and writable ones answer too', () => {
  const db = facts({ attributes: ['Endpoint.Address'] });
  const model = { Endpoint: { Address: 'db.local' }, Engine: 'postgres' };
  assert.equal(attributeOf(db, model, 'Endpoint.Address'), 'db.local');
  assert.equal(attributeOf(db, model, 'Engine'), 'postgres');
  assert.equal(attributeOf(db, model, 'Endpoint.Port'), undefined);
  assert.equal(attributeOf(db, model, 'constructor'), undefined);
});

test('C16: outputs of a nested stack', () => {
  const stack = facts({ attributes: ['Outputs.*'] });
  assert.equal(attributeOf(stack, { Outputs: { Url: 'http://a' } }, 'Outputs.Url'), 'http://a');
  assert.equal(attributeOf(stack, { Outputs: {} }, 'Outputs.Url'), undefined);
  const notRun = { StackId: 'arn:aws:cloudformation:us-east-1:1:stack/demo-Inner-x/uuid' };
  assert.equal(attributeOf(stack, notRun, 'Outputs.Url'), 'demo-Inner-x-Url', 'made up');
  assert.match(String(attributeOf(stack, notRun, 'Outputs.Port')), /^\d+$/);
});

test('C23: a custom resource answers from Data, keys with dots included', () => {
  const custom = facts({ typeName: 'Custom::Thing', attributes: ['*'] });
  const model = { Name: 'property', Data: { Name: 'answer', 'a.b': 1, c: { d: 2 } } };
  assert.equal(attributeOf(custom, model, 'Name'), 'answer');
  assert.equal(attributeOf(custom, model, 'a.b'), 1);
  assert.equal(attributeOf(custom, model, 'c.d'), 2);
  assert.equal(attributeOf(custom, model, 'Missing'), undefined);
});

test('without an answer any name of a custom resource is made up', () => {
  const custom = facts({ typeName: 'Custom::Thing', attributes: ['*'] });
  const model = { LogicalResourceId: 'Thing' };
  assert.equal(attributeOf(custom, model, 'Url'), 'Thing-Url');
  assert.equal(attributeOf(custom, model, 'DesiredCount'), '1');
  const priority = Number(attributeOf(custom, model, 'Priority'));
  assert(priority >= 1024 && priority < 50_000);
  assert.equal(attributeOf(custom, model, 'Priority'), String(priority));
});
