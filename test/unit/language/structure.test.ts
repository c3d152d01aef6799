import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compiled, refusalOf } from './compiled.ts';

const FORMAT = 'Template format error: ';
const TOPIC = 'Resources: {T: {Type: AWS::SNS::Topic}}';

const REFUSED = [
  {
    rule: 'T2',
    yaml: `${TOPIC}\nResouces: {}\nOther: 1`,
    message: 'Invalid template property or properties [Resouces, Other]',
  },
  {
    rule: 'T3',
    yaml: `${TOPIC}\nAWSTemplateFormatVersion: 2010-09-10`,
    message: `${FORMAT}Unsupported AWSTemplateFormatVersion 2010-09-10`,
  },
  {
    rule: 'T5',
    yaml: `${TOPIC}\nParameters: {T: {Type: String, Default: a}}`,
    message: `${FORMAT}The logical ID T is used by a parameter and by a resource`,
  },
  {
    rule: 'T17',
    yaml: 'Description: x',
    message: `${FORMAT}At least one Resources member must be defined.`,
  },
  {
    rule: 'T17',
    yaml: 'Resources: {}',
    message: `${FORMAT}At least one Resources member must be defined.`,
  },
  {
    rule: 'T18',
    yaml: 'Resources: {A: 1}',
    message: `${FORMAT}Any Resources member must be an object.`,
  },
  {
    rule: 'T19',
    yaml: 'Resources: {A: {Properties: {}}}',
    message: `${FORMAT}[/Resources/A] Every Resources object must contain a Type member.`,
  },
  {
    rule: 'T20',
    yaml: 'Resources: {A: {Type: AWS::SNS::Topic, Propertys: {}}}',
    message: "Invalid template resource property 'Propertys'",
  },
  {
    rule: 'T7',
    yaml: 'Resources: {A: {Type: AWS::SNS::Topic, Version: 1}}',
    message: "Invalid template resource property 'Version'",
  },
  {
    rule: 'T21',
    yaml: 'Resources: {my-topic: {Type: AWS::SNS::Topic}}',
    message: `${FORMAT}Resource name my-topic is non alphanumeric.`,
  },
  {
    rule: 'T22',
    yaml: `${TOPIC}\nParameters: {a_b: {Type: String}}`,
    message: `${FORMAT}Parameter name a_b is non alphanumeric.`,
  },
  {
    rule: 'T23',
    yaml: `${TOPIC}\nOutputs: {O: {Description: x}}`,
    message: `${FORMAT}Every Outputs member must contain a Value object`,
  },
  {
    rule: 'T24',
    yaml: `${TOPIC}\nOutputs: {O: {Value: ~}}`,
    message: "[/Outputs/O/Value] 'null' values are not allowed in templates",
  },
  {
    rule: 'T24',
    yaml: `${TOPIC}\nOutputs: {O: }`,
    message: "[/Outputs/O] 'null' values are not allowed in templates",
  },
  {
    rule: 'T25',
    yaml: `${TOPIC}\nMappings: {M: {a: 1}}`,
    message: `${FORMAT}Every Mappings member M must be a map`,
  },
  {
    rule: 'T26',
    yaml: `${TOPIC}\nMappings: {M: {a: {b: !Ref T}}}`,
    message: `${FORMAT}Every Mappings attribute must be a String or a List.`,
  },
  {
    rule: 'T6',
    yaml: `${TOPIC}\nMappings: {M: {a: {b-c: 1}}}`,
    message: `${FORMAT}Mappings attribute name 'b-c' must contain only alphanumeric characters.`,
  },
  {
    rule: 'T27',
    yaml: `Resources: {A: {Type: AWS::SNS::Topic, DependsOn: Bb, Properties: {V: [!Ref Cc, !Sub "\${Dd}"]}}}`,
    message: `${FORMAT}Unresolved resource dependencies [Bb, Cc, Dd] in the Resources block of the template`,
  },
  {
    rule: 'T28',
    yaml: `${TOPIC}\nOutputs: {O: {Value: !Ref Missing}}`,
    message: 'Unresolved resource dependencies [Missing] in the Outputs block of the template',
  },
  {
    rule: 'T30',
    yaml: `${TOPIC}\nConditions: {C: !Equals [!Ref T, a]}`,
    message: `${FORMAT}Unresolved dependencies [T]. Cannot reference resources in the Conditions block of the template`,
  },
  {
    rule: 'T32',
    yaml: 'Resources: {A: {Type: AWS::X::Unknown}, B: {Type: My::Own::Type}, C: {Type: "Custom::Any"}, D: {Type: My::X::Y::MODULE}}',
    message: `${FORMAT}Unrecognized resource types: [AWS::X::Unknown, My::Own::Type, My::X::Y::MODULE]`,
  },
  {
    rule: 'T34',
    yaml: 'Resources: {A: {Type: AWS::SNS::Topic, Properties: {V: !If [Nope, a, b]}}}',
    message: 'Template error: unresolved condition dependency Nope in Fn::If',
  },
  {
    rule: 'T35',
    yaml: `${TOPIC}\nTransform: {Name: {Ref: X}}`,
    message: 'Key Name of transform definition must be a string.',
  },
  {
    rule: 'T38',
    yaml: 'Resources: {"Fn::ForEach::Loop": [a, [b], {}]}',
    message: `${FORMAT}[/Resources/Fn::ForEach::Loop] resource definition is malformed`,
  },
  {
    rule: 'T8',
    yaml: `${TOPIC}\nDescription: !Sub x`,
    message: `${FORMAT}Every Description member must be a string.`,
  },
  {
    rule: 'A1',
    yaml: 'Resources: {A: {Type: AWS::SNS::Topic, DependsOn: [!Ref B]}}',
    message: `${FORMAT}Every DependsOn value must be a string.`,
  },
  {
    rule: 'A2',
    yaml: 'Resources: {A: {Type: AWS::SNS::Topic, Condition: {Ref: B}}}',
    message: `${FORMAT}Every Condition member must be a string.`,
  },
  {
    rule: 'A2',
    yaml: 'Resources: {A: {Type: AWS::SNS::Topic, Condition: C}}',
    message: `${FORMAT}Unresolved condition dependencies [C] in the Resources block of the template`,
  },
  {
    rule: 'A3',
    yaml: 'Resources: {A: {Type: AWS::SNS::Topic, DeletionPolicy: Keep}}',
    message: `${FORMAT}Unrecognized DeletionPolicy Keep for resource A`,
  },
  {
    rule: 'F41',
    yaml: 'Resources: {A: {Type: AWS::SNS::Topic, DeletionPolicy: !Ref B}}',
    message: `${FORMAT}Every DeletionPolicy member must be a string.`,
  },
  {
    rule: 'F30',
    yaml: `${TOPIC}\nOutputs: {O: {Value: [a]}}`,
    message: `${FORMAT}The Value field of every Outputs member must evaluate to a String.`,
  },
  {
    rule: 'C15',
    yaml: `${TOPIC}\nOutputs: {O: {Value: a, Export: {Name: !Ref T}}}`,
    message: `${FORMAT}Output O is malformed`,
  },
];

for (const { rule, yaml, message } of REFUSED) {
  test(`${rule} ${message}`, () => assert.equal(refusalOf(yaml).message, message));
}

test('T16 to T32: a refusal shows the place and asks after a near name', () => {
  const yaml =
    'Resources:\n  Cluster:\n    Type: AWS::ECS::Cluster\n  Web:\n    Type: AWS::ECS::Service\n    Properties:\n      Cluster: !Ref Clutser';
  const { line, hint } = refusalOf(yaml);
  assert.equal(line, 7);
  assert.equal(hint, 'did you mean "Cluster"?');
});

const TRANSFORMS = [
  { transform: 'AWS::Serverless-2016-10-31', hint: /sam build/ },
  { transform: 'AWS::Include', hint: /put the included part/ },
  { transform: 'MyMacro', hint: /processed template/ },
];

for (const { transform, hint } of TRANSFORMS) {
  test(`F42, F43 ${transform} is refused by name`, () => {
    const refused = refusalOf(
      `Transform: [AWS::LanguageExtensions, ${transform}]\n${TOPIC}\nGlobals: {}`,
    );
    assert.equal(refused.code, 'NotAvailable');
    assert.ok(refused.message.includes(transform));
    assert.match(refused.hint, hint);
  });
}

test('Fn::Transform inside the template is refused by name', () => {
  const yaml =
    'Resources: {A: {Type: AWS::SNS::Topic, Properties: {Fn::Transform: {Name: AWS::Include}, B: 1}}}';
  assert.equal(refusalOf(yaml).message, 'The transform AWS::Include is not available');
});

test('F36 AWS::LanguageExtensions that is not used just compiles', () => {
  const { model } = compiled(`Transform: AWS::LanguageExtensions\n${TOPIC}`);
  assert.deepEqual(model.capabilities, ['CAPABILITY_AUTO_EXPAND']);
});

const EXTENSIONS = [
  'V: {"Fn::Length": [a]}',
  'V: {"Fn::ToJsonString": {a: 1}}',
  'V: {"Fn::FindInMap": [M, a, b, {DefaultValue: c}]}',
  'V: {"Fn::FindInMap": [M, !Sub a, b]}',
  'V: {"Fn::GetAtt": [!Sub A, Arn]}',
  'V: {Ref: !Sub A}',
  '"Fn::ForEach::L": [a, [b], {c: d}]',
];

for (const properties of EXTENSIONS) {
  test(`F37 to F41 ${properties} of AWS::LanguageExtensions is refused`, () => {
    const yaml = `Transform: AWS::LanguageExtensions\nResources: {A: {Type: AWS::SNS::Topic, Properties: {${properties}}}}`;
    assert.equal(refusalOf(yaml).code, 'NotAvailable');
  });
}
