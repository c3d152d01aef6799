import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compiled, refusalOf, resourceOf } from './compiled.ts';

const CHAIN = `Parameters: {On: {Type: String, Default: n}}
Conditions: {IsOn: !Equals [!Ref On, y]}
Resources:
  A: {Type: AWS::SNS::Topic}
  B: {Type: AWS::SNS::Topic}
  C: {Type: AWS::SNS::Topic, Condition: IsOn}
  D:
    Type: AWS::SNS::Topic
    DependsOn: [B, C]
    Metadata: {aws:cdk:path: App/D, Own: !Ref D, Note: !Ref A}
    Properties:
      First: !If [IsOn, !Ref C, !GetAtt E.Arn]
      Second: !Sub "\${E} \${B.Arn}"
  E: {Type: AWS::SNS::Topic}
`;

test('F3 dependencies: DependsOn first, then references as they come, each once, never itself', () => {
  const resource = resourceOf(compiled(CHAIN), 'D');
  assert.deepEqual(resource.dependsOn, ['B', 'E', 'A']);
  assert.equal(resource.constructPath, 'App/D');
  assert.equal(resource.source.line, 7);
});

test('A2 resources whose condition is false are left out; order is the template’s', () => {
  assert.deepEqual(Object.keys(compiled(CHAIN).model.resources), ['A', 'B', 'D', 'E']);
  const all = compiled(CHAIN, { inputs: { parameters: { On: 'y' } } });
  assert.deepEqual(Object.keys(all.model.resources), ['A', 'B', 'C', 'D', 'E']);
  assert.deepEqual(resourceOf(all, 'D').dependsOn, ['B', 'C', 'E', 'A']);
});

const ABSENT =
  'Conditions: {Never: !Equals [a, b]}\nResources:\n  A: {Type: AWS::SNS::Topic, Condition: Never}\n  B: {Type: AWS::SNS::Topic';

test('T29 references to a resource that its condition leaves out', () => {
  const { message, hint } = refusalOf(`${ABSENT}, Properties: {V: !Ref A}}`);
  assert.equal(
    message,
    'Template format error: Unresolved resource dependencies [A] in the Resources block of the template',
  );
  assert.match(hint, /condition Never leaves A out/);
  assert.match(
    refusalOf(`${ABSENT}, Properties: {V: !GetAtt A.Arn}}`).message,
    /dependencies \[A\] in the Resources/,
  );
  const output = refusalOf(`${ABSENT}}\nOutputs: {O: {Value: !Sub "\${A}"}}`);
  assert.equal(
    output.message,
    'Unresolved resource dependencies [A] in the Outputs block of the template',
  );
});

test('T29 no fault in an output or resource that is left out itself', () => {
  const { model } = compiled(
    `${ABSENT}}\n  C: {Type: AWS::SNS::Topic, Condition: Never, Properties: {V: !Ref A}}\nOutputs: {O: {Condition: Never, Value: !Ref A}}`,
  );
  assert.deepEqual(Object.keys(model.resources), ['B']);
  assert.deepEqual(model.outputs, {});
});

test('T31 a circle names its resources and tells the references that close it', () => {
  const yaml = `Resources:
  Alone: {Type: AWS::SNS::Topic, Properties: {V: !Ref One}}
  One: {Type: AWS::SNS::Topic, Properties: {Alarms: [!Ref Two]}}
  Two: {Type: AWS::SNS::Topic, Properties: {Dimensions: [{Name: ServiceName, Value: !GetAtt One.Name}]}}
`;
  const { message, hint, line } = refusalOf(yaml);
  assert.equal(message, 'Circular dependency between resources: [One, Two]');
  assert.match(
    hint,
    /^One needs Two \(Alarms\[0\]\), Two needs One \(Dimensions\[0 ServiceName\]\.Value\)/,
  );
  assert.equal(line, 3);
});

test('T31 a resource whose properties refer to itself', () => {
  const { message } = refusalOf('Resources: {A: {Type: AWS::SNS::Topic, Properties: {V: !Ref A}}}');
  assert.equal(message, 'Circular dependency between resources: [A]');
});

test('T31 a long chain is no circle', () => {
  const resources = Array.from({ length: 5_000 }, (_, index) => {
    const properties = index === 0 ? {} : { Properties: { V: { Ref: `R${index - 1}` } } };
    return [`R${index}`, { Type: 'AWS::SNS::Topic', ...properties }];
  });
  const { model } = compiled({ Resources: Object.fromEntries(resources) });
  assert.equal(Object.keys(model.resources).length, 5_000);
});

test('F27 an attribute that comes out as AWS::NoValue is not there', () => {
  const yaml =
    'Conditions: {Never: !Equals [a, b]}\nResources: {A: {Type: AWS::SNS::Topic, UpdatePolicy: !If [Never, {a: 1}, !Ref AWS::NoValue], CreationPolicy: {b: 2}}}';
  const resource = resourceOf(compiled(yaml), 'A');
  assert.equal(resource.updatePolicy, undefined);
  assert.deepEqual(resource.creationPolicy, { b: 2 });
});

const POLICIES = [
  { type: 'AWS::SNS::Topic', given: '', deletion: 'Delete', replace: 'Delete' },
  {
    type: 'AWS::SNS::Topic',
    given: ', DeletionPolicy: RetainExceptOnCreate, UpdateReplacePolicy: Retain',
    deletion: 'RetainExceptOnCreate',
    replace: 'Retain',
  },
  { type: 'AWS::RDS::DBCluster', given: '', deletion: 'Snapshot', replace: 'Delete' },
  { type: 'AWS::RDS::DBInstance', given: '', deletion: 'Snapshot', replace: 'Delete' },
  {
    type: 'AWS::RDS::DBInstance',
    given: ', Properties: {DBClusterIdentifier: x}',
    deletion: 'Delete',
    replace: 'Delete',
  },
];

for (const { type, given, deletion, replace } of POLICIES) {
  test(`A3, A6 ${type}${given}`, () => {
    const resource = resourceOf(compiled(`Resources: {A: {Type: "${type}"${given}}}`), 'A');
    assert.equal(resource.deletionPolicy, deletion);
    assert.equal(resource.updateReplacePolicy, replace);
  });
}

test('F30 output values are text; exports and descriptions are kept', () => {
  const yaml = `Resources: {A: {Type: AWS::SNS::Topic}}
Outputs:
  Flag: {Value: true}
  Count: {Value: 3, Description: How many, Export: {Name: !Sub "\${AWS::StackName}-count"}}
  Topic: {Value: !Ref A}
`;
  assert.deepEqual(compiled(yaml).model.outputs, {
    Flag: { value: 'true' },
    Count: { value: '3', exportName: 'demo-count', description: 'How many' },
    Topic: { value: { Ref: 'A' } },
  });
});

const CAPABILITIES = [
  { resources: '{A: {Type: AWS::SNS::Topic}}', asked: [] },
  { resources: '{A: {Type: AWS::IAM::Role}}', asked: ['CAPABILITY_IAM'] },
  {
    resources: '{A: {Type: AWS::IAM::Policy, Properties: {PolicyName: x}}}',
    asked: ['CAPABILITY_IAM'],
  },
  {
    resources: '{A: {Type: AWS::IAM::Role, Properties: {RoleName: x}}}',
    asked: ['CAPABILITY_NAMED_IAM'],
  },
  {
    resources: '{A: {Type: AWS::IAM::Role, Properties: {RoleName: !Ref AWS::NoValue}}}',
    asked: ['CAPABILITY_IAM'],
  },
];

for (const { resources, asked } of CAPABILITIES) {
  test(`T44 ${resources} asks for [${asked.join()}]`, () => {
    assert.deepEqual(compiled(`Resources: ${resources}`).model.capabilities, asked);
  });
}

test('D1 dynamic references stay as they are', () => {
  const yaml = 'Resources: {A: {Type: AWS::SNS::Topic, Properties: {V: "{{resolve:ssm:name:1}}"}}}';
  assert.deepEqual(resourceOf(compiled(yaml), 'A').properties, {
    V: '{{resolve:ssm:name:1}}',
  });
});

test('names of JavaScript’s own are names like others', () => {
  const yaml =
    'Resources: {constructor: {Type: AWS::SNS::Topic, Properties: {V: !Ref toString}}, toString: {Type: AWS::SNS::Topic}}';
  assert.deepEqual(resourceOf(compiled(yaml), 'constructor').dependsOn, ['toString']);
  assert.match(
    refusalOf('Resources: {A: {Type: AWS::SNS::Topic, Properties: {V: !Ref valueOf}}}').message,
    /\[valueOf\]/,
  );
});

test('a key that stands twice is told among the assumptions', () => {
  const { assumptions } = compiled(
    'Resources: {A: {Type: AWS::SNS::Topic, Type: AWS::SQS::Queue}}',
  );
  assert.equal(assumptions.length, 1);
  assert.match(assumptions[0] ?? '', /key Type stands twice/);
});
