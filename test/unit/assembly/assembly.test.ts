import assert from 'node:assert/strict';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { openAssembly } from '../../../src/assembly/index.ts';
import { UserError } from '../../../src/base/index.ts';
import { folderWith, manifest, stack, stage } from './support.ts';

test('K3 K5 a stack has the properties of its artifact', (t) => {
  const folder = folderWith(t, {
    'manifest.json': manifest({
      Tree: { type: 'cdk:tree', properties: { file: 'tree.json' } },
      WebABC123: {
        type: 'aws:cloudformation:stack',
        environment: 'aws://111122223333/eu-west-1',
        displayName: 'Prod/Web',
        properties: {
          templateFile: 'Web.template.json',
          stackName: 'prod-web',
          parameters: { Size: '2' },
          tags: { team: 'quill' },
          someLaterField: [1, 2],
        },
      },
    }),
    'Web.template.json': {},
  });
  const given = relative(process.cwd(), folder);
  assert.deepEqual(openAssembly(given), {
    folder: given,
    stacks: [
      {
        id: 'WebABC123',
        stackName: 'prod-web',
        displayName: 'Prod/Web',
        templateFile: join(given, 'Web.template.json'),
        parameters: { Size: '2' },
        assetParameters: {},
        tags: { team: 'quill' },
        account: '111122223333',
        region: 'eu-west-1',
        dependencies: [],
        files: {},
        images: {},
      },
    ],
    missing: [],
    notes: [],
  });
});

test('K3 K5 what a stack leaves out: its names are its id, its environment is open', (t) => {
  const folder = folderWith(t, { 'manifest.json': manifest({ web: stack() }), 't.json': {} });
  const [web] = openAssembly(folder).stacks;
  assert.deepEqual([web?.id, web?.stackName, web?.displayName], ['web', 'web', 'web']);
  assert.deepEqual([web?.account, web?.region], [undefined, undefined]);
});

const environments = [
  { environment: 'aws://unknown-account/us-east-1', place: [undefined, 'us-east-1'] },
  { environment: 'aws://111122223333/unknown-region', place: ['111122223333', undefined] },
  { environment: undefined, place: [undefined, undefined] },
] as const;

for (const { environment, place } of environments) {
  test(`K5 the environment ${environment} is ${place}`, (t) => {
    const artifacts = { web: stack([], { environment }) };
    const folder = folderWith(t, { 'manifest.json': manifest(artifacts), 't.json': {} });
    const [web] = openAssembly(folder).stacks;
    assert.deepEqual([web?.account, web?.region], place);
  });
}

test('K1 newer schemas are tolerated, and so is a byte order mark', (t) => {
  const text = `\uFEFF${JSON.stringify({ ...manifest({ web: stack() }), version: '71.2.0' })}`;
  const folder = folderWith(t, { 'manifest.json': text, 't.json': {} });
  assert.equal(openAssembly(folder).stacks.length, 1);
});

const orders = [
  { when: 'nothing depends', artifacts: { b: stack(), a: stack() }, order: 'b a' },
  {
    when: 'the first needs the last',
    artifacts: { a: stack(['c']), b: stack(), c: stack() },
    order: 'c a b',
  },
  {
    when: 'a chain is written backwards',
    artifacts: { a: stack(['b']), b: stack(['c']), c: stack() },
    order: 'c b a',
  },
  {
    when: 'an asset manifest hands on its dependencies',
    artifacts: {
      a: stack(['a.assets']),
      'a.assets': { type: 'cdk:asset-manifest', dependencies: ['b'], properties: { file: 'x' } },
      b: stack(),
    },
    order: 'b a',
  },
] as const;

for (const { when, artifacts, order } of orders) {
  test(`K4 when ${when}: ${order}`, (t) => {
    const folder = folderWith(t, { 'manifest.json': manifest(artifacts), 't.json': {} });
    assert.equal(idsOf(folder), order);
  });
}

test('K2 nested assemblies give their stacks, with paths of their own', (t) => {
  const folder = folderWith(t, {
    'manifest.json': manifest(
      { after: stack(['stage']), stage: stage('assembly-stage', ['first']), first: stack() },
      { missing: [{ key: 'vpc', provider: 'vpc-provider', props: {} }] },
    ),
    't.json': {},
    'assembly-stage/manifest.json': manifest(
      { inner: stage('deeper'), web: stack(['db']), db: stack() },
      {
        missing: [
          { key: 'vpc', provider: 'vpc-provider' },
          { key: 'ami', provider: 'ami' },
        ],
      },
    ),
    'assembly-stage/t.json': {},
    'assembly-stage/deeper/manifest.json': manifest({ deepest: stack() }),
    'assembly-stage/deeper/t.json': {},
  });
  const { stacks, missing } = openAssembly(folder);
  assert.deepEqual(
    stacks.map(({ id, templateFile, dependencies }) => [
      id,
      relative(folder, templateFile),
      dependencies,
    ]),
    [
      ['first', 't.json', []],
      ['deepest', 'assembly-stage/deeper/t.json', ['first']],
      ['db', 'assembly-stage/t.json', ['first']],
      ['web', 'assembly-stage/t.json', ['first', 'db']],
      ['after', 't.json', ['first', 'deepest', 'web', 'db']],
    ],
  );
  assert.deepEqual(missing, [
    { key: 'vpc', provider: 'vpc-provider' },
    { key: 'ami', provider: 'ami' },
  ]);
});

const template = { 't.json': {} };
const faults = [
  { when: 'no manifest', files: template, says: /holds no manifest.json/, hint: /cdk.out/ },
  {
    when: 'a manifest that is cut off',
    files: { 'manifest.json': '{\n  "version": "54.0.0",\n' },
    says: /manifest.json is not well-formed JSON \(line \d, column \d+\)/,
    hint: /cdk synth/,
  },
  {
    when: 'a comma too many',
    files: { 'manifest.json': '{\n  "version": "54.0.0",\n}' },
    says: /\(line 3, column 1\)/,
    hint: /cdk synth/,
  },
  {
    when: 'a YAML manifest',
    files: { 'manifest.json': 'version: 1' },
    says: /no JSON object/,
    hint: /synth/,
  },
  {
    when: 'a list for a manifest',
    files: { 'manifest.json': '[]' },
    says: /no JSON object/,
    hint: /synth/,
  },
  {
    when: 'no version',
    files: { 'manifest.json': { artifacts: {} } },
    says: /version of .* is missing/,
    hint: /synth/,
  },
  {
    when: 'a version that is none',
    files: { 'manifest.json': { version: 'latest' } },
    says: /must be like 54.0.0, and is "latest"/,
    hint: /synth/,
  },
  {
    when: 'a schema from another age',
    files: { 'manifest.json': { version: '99999.0.0' } },
    says: /is 99999.0.0, a schema/,
    hint: /update overcast-cfn/,
  },
  {
    when: 'no stack',
    files: { 'manifest.json': manifest({}) },
    says: /names no stack/,
    hint: /add a stack/,
  },
  {
    when: 'a list of artifacts',
    files: { 'manifest.json': { version: '54.0.0', artifacts: [] } },
    says: /artifacts of .* must be a mapping/,
    hint: /synth/,
  },
  {
    when: 'a template that is not there',
    files: { 'manifest.json': manifest({ web: stack() }) },
    says: /artifacts.web.properties.templateFile of .*manifest.json names .*t.json/,
    hint: /synth/,
  },
  {
    when: 'a stack without a template',
    files: { 'manifest.json': manifest({ web: stack([], { properties: {} }) }) },
    says: /templateFile of .* is missing/,
    hint: /synth/,
  },
  {
    when: 'a name that is a number',
    files: { ...template, 'manifest.json': manifest({ web: stack([], { displayName: 7 }) }) },
    says: /displayName of .* must be text/,
    hint: /synth/,
  },
  {
    when: 'an environment of another kind',
    files: {
      ...template,
      'manifest.json': manifest({ web: stack([], { environment: 'eu-west-1' }) }),
    },
    says: /environment of .* must be like aws:\/\//,
    hint: /synth/,
  },
  {
    when: 'an unknown dependency',
    files: { ...template, 'manifest.json': manifest({ web: stack(['bd']), db: stack() }) },
    says: /artifacts.web.dependencies.0 of .* names "bd"/,
    hint: /did you mean "db"\?/,
  },
  {
    when: 'a circle',
    files: {
      ...template,
      'manifest.json': manifest({
        x: stack(['a']),
        a: stack(['b']),
        b: stack(['c']),
        c: stack(['a']),
      }),
    },
    says: /in a circle: a → b → c → a/,
    hint: /remove one/,
  },
  {
    when: 'a stack that waits for itself',
    files: { ...template, 'manifest.json': manifest({ a: stack(['a']) }) },
    says: /in a circle: a → a/,
    hint: /remove one/,
  },
  {
    when: 'an assembly nested in itself',
    files: { ...template, 'manifest.json': manifest({ a: stack(), s: stage('.') }) },
    says: /lies within itself/,
    hint: /synth/,
  },
  {
    when: 'a nested assembly that is not there',
    files: { ...template, 'manifest.json': manifest({ a: stack(), s: stage('gone') }) },
    says: /gone does not exist/,
    hint: /synth/,
  },
  {
    when: 'one id twice',
    files: {
      ...template,
      'manifest.json': manifest({ a: stack(), s: stage('s') }),
      's/manifest.json': manifest({ a: stack() }),
      's/t.json': {},
    },
    says: /artifacts.a of .* is there twice/,
    hint: /synth/,
  },
  {
    when: 'a validation report that is none',
    files: {
      ...template,
      'manifest.json': manifest({ a: stack() }),
      'validation-report.json': { title: 'Validation Report' },
    },
    says: /no "pluginReports"/,
    hint: /synth/,
  },
] as const;

for (const { when, files, says, hint } of faults) {
  test(`an assembly with ${when} is refused`, (t) => {
    const folder = folderWith(t, files);
    assert.throws(
      () => openAssembly(folder),
      (error) => {
        assert(error instanceof UserError, String(error));
        assert.equal(error.code, 'InvalidAssembly');
        assert.match(error.message, says);
        assert.match(error.hint, hint);
        return true;
      },
    );
  });
}

test('an error in a manifest carries its place', (t) => {
  const text = '{\n  "version": "54.0.0",\n  "artifacts": {\n    "web": { "type": 5 }\n  }\n}';
  const folder = folderWith(t, { 'manifest.json': text });
  const span = {
    file: join(folder, 'manifest.json'),
    line: 4,
    column: 14,
    lineText: '    "web": { "type": 5 }',
  };
  assert.throws(() => openAssembly(folder), { message: /web.type of .* must be text/, span });
});

function idsOf(folder: string): string {
  return openAssembly(folder)
    .stacks.map(({ id }) => id)
    .join(' ');
}
