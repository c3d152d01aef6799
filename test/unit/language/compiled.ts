import assert from 'node:assert/strict';
import { type JsonObject, type JsonValue, present, UserError } from '../../../src/base/index.ts';
import {
  type Compiled,
  compile,
  type Inputs,
  type Lookups,
  type ParameterModel,
  type ResourceModel,
} from '../../../src/language/index.ts';
import { parseTemplate } from '../../../src/template/index.ts';

const INPUTS: Inputs = {
  accountId: '123456789012',
  region: 'us-east-1',
  stackName: 'demo',
  stackId: 'arn:aws:cloudformation:us-east-1:123456789012:stack/demo/0a1b2c3d',
  parameters: {},
  invent: false,
};

const LOOKUPS: Lookups = {
  ssmParameter: () => undefined,
  exportValue: (name) => (name === 'net-vpc' ? 'vpc-1' : undefined),
  availabilityZones: (region) => ['a', 'b', 'c'].map((letter) => `${region}${letter}`),
  attributesOf: (type) => (type === 'AWS::SSM::Parameter' ? ['Type', 'Value'] : undefined),
  isKnownType: (type) => type.startsWith('AWS::') && !type.endsWith('::Unknown'),
};

export interface Around {
  readonly inputs?: Partial<Inputs>;
  readonly lookups?: Partial<Lookups>;
}

/** Compiles a template of YAML text, or of a body whose Resources may be left out. */
export function compiled(template: string | JsonObject, around: Around = {}): Compiled {
  const text = typeof template === 'string' ? template : JSON.stringify(withResources(template));
  return compile(
    parseTemplate(text, 't.yml'),
    { ...INPUTS, ...around.inputs },
    { ...LOOKUPS, ...around.lookups },
  );
}

function withResources(body: JsonObject): JsonObject {
  return { ...body, Resources: body['Resources'] ?? { Topic: { Type: 'AWS::SNS::Topic' } } };
}

export function resourceOf({ model }: Compiled, logicalId: string): ResourceModel {
  return present(model.resources[logicalId], 'the resource is kept');
}

export function parameterOf({ model }: Compiled, name: string): ParameterModel {
  return present(model.parameters[name], 'the parameter is declared');
}

/** What a value comes out as, in the property of a resource beside the resources `A` and `B`. */
export function propertyOf(
  value: JsonValue,
  around: Around & { body?: JsonObject } = {},
): JsonValue {
  const resources = {
    A: { Type: 'AWS::SNS::Topic' },
    B: { Type: 'AWS::SNS::Topic' },
    X: { Type: 'AWS::SNS::Topic', Properties: { V: value } },
  };
  const result = compiled({ ...around.body, Resources: resources }, around);
  return resourceOf(result, 'X').properties['V'] ?? null;
}

/** The sentence a template is refused with; its place and hint are there. */
export function refusalOf(
  template: string | JsonObject,
  around: Around = {},
): {
  readonly message: string;
  readonly hint: string;
  readonly line?: number;
  readonly code: string;
} {
  try {
    compiled(template, around);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    assert.notEqual(error.hint, '');
    const { message, hint, code } = error;
    return { message, hint, code, ...(error.span === undefined ? {} : { line: error.span.line }) };
  }
  throw new Error('the template was accepted');
}

/** As `propertyOf`, for a value that is refused. */
export function refusalOfValue(value: JsonValue, body: JsonObject = {}): string {
  const resources = {
    A: { Type: 'AWS::SNS::Topic' },
    X: { Type: 'AWS::SNS::Topic', Properties: { V: value } },
  };
  return refusalOf({ ...body, Resources: resources }).message;
}
