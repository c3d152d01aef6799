import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import ts from 'typescript';
import { isObject, type JsonObject } from '../../../src/base/index.ts';
import { overcastJson, scratchFolder } from '../../support/command.ts';
import { ROOT } from '../../support/root.ts';

const schema = JSON.parse(
  readFileSync(join(ROOT, 'data/result.schema.json'), 'utf8'),
) as JsonObject;

/** Which interface of `src/result/document.ts` each definition of the schema describes. */
const INTERFACES: { readonly [definition: string]: string } = {
  stack: 'StackResult',
  position: 'Position',
  resource: 'ResourceResult',
  stackEvent: 'StackEventResult',
  service: 'ServiceResult',
  deployment: 'DeploymentResult',
  serviceEvent: 'ServiceEventResult',
  task: 'TaskResult',
  container: 'ContainerResult',
  failure: 'FailureResult',
  finding: 'Finding',
  evidence: 'EvidenceResult',
};

test('the schema and the types of the result document have the same fields', () => {
  const interfaces = interfacesOf(join(ROOT, 'src/result/document.ts'));
  const definitions = schema['definitions'] as JsonObject;
  assert.deepEqual(fieldsOf(schema), interfaces.get('ResultDocument'));
  for (const [definition, name] of Object.entries(INTERFACES)) {
    assert.deepEqual(fieldsOf(definitions[definition]), interfaces.get(name), name);
  }
});

for (const [what, argv] of [
  ['a stack that completes', ['templates/web-service.yml']],
  [
    'a stack that fails',
    ['templates/crash-loop.yml', '--scenario', 'templates/crash-loop.scenario.yml'],
  ],
  ['a request that is refused', ['package.json']],
] as const) {
  test(`the result of ${what} fits the schema`, (t) => {
    const { result } = overcastJson(['deploy', ...argv, '--state-dir', scratchFolder(t)]);
    const validate = new Ajv({ allErrors: true, strict: false }).compile(schema);
    assert(validate(result), JSON.stringify(validate.errors, null, 1));
  });
}

interface Fields {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

function fieldsOf(definition: unknown): Fields | undefined {
  if (!isObject(definition) || !isObject(definition['properties'])) return undefined;
  const required = definition['required'] as string[];
  const optional = Object.keys(definition['properties']).filter((key) => !required.includes(key));
  return { required: sorted(required), optional: sorted(optional) };
}

function interfacesOf(file: string): ReadonlyMap<string, Fields> {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const found = new Map<string, Fields>();
  source.forEachChild((node) => {
    if (!ts.isInterfaceDeclaration(node)) return;
    const members = node.members.filter(ts.isPropertySignature);
    const names = (optional: boolean) =>
      members
        .filter(({ questionToken }) => (questionToken !== undefined) === optional)
        .map(({ name }) => name.getText(source));
    found.set(node.name.text, { required: sorted(names(false)), optional: sorted(names(true)) });
  });
  return found;
}

function sorted(names: readonly string[]): string[] {
  return [...names].sort((a, b) => (a < b ? -1 : 1));
}
