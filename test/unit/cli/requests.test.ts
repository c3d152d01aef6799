import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isObject, type JsonObject } from '../../../src/base/index.ts';
import { runMain } from './fakes.ts';

const COMMON = { stateDir: '.overcast-cfn', lockTimeoutMs: 60_000 };
const DEPLOY = {
  ...COMMON,
  target: 'stack.yml',
  stacks: [],
  parameterOverrides: {},
  tags: {},
  capabilities: [],
  disableRollback: false,
  runtime: 'auto',
  invent: false,
  remove: false,
  execute: true,
  images: {},
  follow: false,
};
const DELETE = { ...COMMON, stackNames: ['web'], retainResources: [] };
const VALIDATE = {
  ...COMMON,
  target: 'stack.yml',
  stacks: [],
  parameterOverrides: {},
  capabilities: [],
  invent: false,
};

const deploys: readonly [string, JsonObject][] = [
  ['deploy stack.yml', {}],
  ['deploy cdk.out A B', { target: 'cdk.out', stacks: ['A', 'B'] }],
  ['deploy --stack-name web stack.yml', { stackName: 'web' }],
  ['deploy --capabilities CAPABILITY_IAM stack.yml', { capabilities: ['CAPABILITY_IAM'] }],
  [
    'deploy --capabilities CAPABILITY_IAM CAPABILITY_NAMED_IAM stack.yml',
    { capabilities: ['CAPABILITY_IAM', 'CAPABILITY_NAMED_IAM'] },
  ],
  ['deploy --capabilities=CAPABILITY_IAM stack.yml', { capabilities: ['CAPABILITY_IAM'] }],
  ['deploy --parameter-overrides A=1 B=2 stack.yml', { parameterOverrides: { A: '1', B: '2' } }],
  [
    'deploy stack.yml --parameter-overrides A=1 B=x=y',
    { parameterOverrides: { A: '1', B: 'x=y' } },
  ],
  ['deploy --parameter-overrides A= stack.yml', { parameterOverrides: { A: '' } }],
  ['deploy --parameter-overrides A=1 A=2 stack.yml', { parameterOverrides: { A: '2' } }],
  [
    'deploy --parameter-overrides ParameterKey=A,ParameterValue=b,c stack.yml',
    { parameterOverrides: { A: 'b,c' } },
  ],
  [
    'deploy --parameter-overrides A=1 -- odd=name.yml',
    { parameterOverrides: { A: '1' }, target: 'odd=name.yml' },
  ],
  [
    'deploy --parameter-overrides A=1 ./odd=name.yml',
    { parameterOverrides: { A: '1' }, target: './odd=name.yml' },
  ],
  [
    'deploy --tags team=a app:part=b ./stack.yml',
    { tags: { team: 'a', 'app:part': 'b' }, target: './stack.yml' },
  ],
  ['deploy --tags Key=team,Value=a stack.yml', { tags: { team: 'a' } }],
  ['deploy --parameters-file p.json stack.yml', { parametersFile: 'p.json' }],
  ['deploy stack.yml --on-failure DELETE', { onFailure: 'DELETE' }],
  ['deploy stack.yml --disable-rollback', { disableRollback: true }],
  ['deploy stack.yml --timeout-in-minutes 5', { timeoutInMinutes: 5 }],
  ['deploy stack.yml --runtime simulation', { runtime: 'simulation' }],
  ['deploy stack.yml --stabilize-timeout 1h30m', { stabilizeTimeoutMs: 5_400_000 }],
  ['deploy stack.yml --lock-timeout PT5M', { lockTimeoutMs: 300_000 }],
  ['deploy stack.yml --seed 7 --invent --rm', { seed: 7, invent: true, remove: true }],
  ['deploy stack.yml --region eu-central-1', { region: 'eu-central-1' }],
  ['deploy stack.yml --account 123456789012', { account: '123456789012' }],
  ['deploy stack.yml --scenario s.yml --state-dir x', { scenario: 's.yml', stateDir: 'x' }],
  ['deploy --app cdk-app', { app: 'cdk-app', target: 'cdk.out' }],
  ['deploy out Web --app cdk-app', { app: 'cdk-app', target: 'out', stacks: ['Web'] }],
  [
    'deploy --image web:1=web:dev db:1=db:dev --report json=/dev/null junit=j.xml stack.yml',
    { images: { 'web:1': 'web:dev', 'db:1': 'db:dev' } },
  ],
  [
    'deploy stack.yml --runtime docker --publish 127.0.0.2 --secrets-file s.json --follow',
    { runtime: 'docker', publish: '127.0.0.2', secretsFile: 's.json', follow: true },
  ],
  ['deploy stack.yml --fail-fast', { failFast: true }],
  ['deploy stack.yml --no-fail-fast', { failFast: false }],
  ['deploy stack.yml --no-execute', { execute: false }],
  ['deploy -', { target: '-', standardInput: 'Resources: {}' }],
];
for (const [line, changes] of deploys) {
  test(line, async () =>
    assert.deepEqual(await asked(line), ['deploy', { ...DEPLOY, ...changes }]),
  );
}

const others: readonly [string, unknown][] = [
  ['delete web', ['delete', DELETE]],
  ['delete web db', ['delete', { ...DELETE, stackNames: ['web', 'db'] }]],
  [
    'delete web --retain-resources Bucket Table --stabilize-timeout 10m',
    ['delete', { ...DELETE, retainResources: ['Bucket', 'Table'], stabilizeTimeoutMs: 600_000 }],
  ],
  [
    'delete --retain-resources Bucket -- web',
    ['delete', { ...DELETE, retainResources: ['Bucket'] }],
  ],
  ['validate stack.yml', ['validate', VALIDATE]],
  [
    'validate cdk.out Web --invent --parameter-overrides A=1 --stack-name s',
    [
      'validate',
      {
        ...VALIDATE,
        target: 'cdk.out',
        stacks: ['Web'],
        invent: true,
        parameterOverrides: { A: '1' },
        stackName: 's',
      },
    ],
  ],
  ['validate -', ['validate', { ...VALIDATE, target: '-', standardInput: 'Resources: {}' }]],
  ['list', ['list', COMMON]],
  ['list --region eu-west-1', ['list', { ...COMMON, region: 'eu-west-1' }]],
  ['describe web', ['describe', COMMON, 'web']],
  ['events', ['events', COMMON, undefined]],
  ['events web', ['events', COMMON, 'web']],
  ['resources web', ['resources', COMMON, 'web']],
  ['outputs web', ['outputs', COMMON, 'web']],
  ['services', ['services', COMMON, undefined]],
  ['services web', ['services', COMMON, 'web']],
  ['tasks web', ['tasks', COMMON, 'web']],
  ['logs web', ['logs', COMMON, 'web', undefined]],
  ['logs web app', ['logs', COMMON, 'web', 'app']],
];
for (const [line, request] of others) {
  test(line, async () => assert.deepEqual(await asked(line), request));
}

/** What the use case was asked, without the functions of its progress. */
async function asked(line: string): Promise<unknown> {
  const { exitCode, stderr, app } = await runMain(line, { standardInput: 'Resources: {}' });
  assert.equal(exitCode, 0, stderr);
  assert.equal(app.asked.length, 1);
  const [call] = app.asked;
  return Array.isArray(call) ? call.map(withoutFunctions) : call;
}

function withoutFunctions(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([, field]) => typeof field !== 'function'),
  );
}
