import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settle } from '../../../src/app/parts.ts';
import { type KnownValues, readSecrets, valueSource } from '../../../src/app/values.ts';
import { putResource } from '../../../src/aws/resources/index.ts';
import { type JsonObject, present, type ServiceArn, UserError } from '../../../src/base/index.ts';
import { createWorld, type World } from '../../../src/world/index.ts';
import { createSession, deployText, KEY } from '../../support/world.ts';
import { folderWith } from '../runtime/docker/fake-engine.ts';

const SERVICE = 'arn:aws:ecs:us-east-1:000000000000:service/shop/web' as ServiceArn;
const SECRET = 'arn:aws:secretsmanager:us-east-1:000000000000:secret';
const PARAMETER = 'arn:aws:ssm:us-east-1:000000000000:parameter';

const files: readonly { when: string; text: string; is: object }[] = [
  { when: 'nothing is in it', text: '{}', is: {} },
  {
    when: 'it has texts',
    text: '{"db": "hunter2", "empty": ""}',
    is: { db: 'hunter2', empty: '' },
  },
  {
    when: 'it has a secret of several keys',
    text: '{"db": {"user": "me", "port": 5432}}',
    is: { db: '{"user":"me","port":5432}' },
  },
];

for (const { when, text, is } of files) {
  test(`a file of secrets is read when ${when}`, (t) => {
    assert.deepEqual(readSecrets(`${folderWith(t, { 's.json': text })}/s.json`), is);
  });
}

test('without a file of secrets none is known', () => assert.deepEqual(readSecrets(undefined), {}));

const refusals: readonly { text: string; says: string }[] = [
  { text: 'hunter2', says: 'it is not JSON' },
  { text: '{"db": "hunter2"', says: 'it is not JSON' },
  { text: '["hunter2"]', says: 'it is no object' },
  { text: '"hunter2"', says: 'it is no object' },
  { text: '{"a": "x", "db": ["hunter2"]}', says: 'the value of "db" is no text' },
  { text: '{"db": 31337}', says: 'the value of "db" is no text' },
  { text: '{"db": null}', says: 'the value of "db" is no text' },
];

for (const { text, says } of refusals) {
  test(`a file of secrets is refused without a word of what is in it: ${text}`, (t) => {
    const file = `${folderWith(t, { 's.json': text })}/s.json`;
    const error = refusalOf(file);
    assert.equal(error.message, `${file} cannot be used as secrets: ${says}`);
    assert.doesNotMatch(`${error.stack} ${error.hint} ${String(error.cause)}`, /hunter2|31337/);
  });
}

test('a file of secrets that is not there, or is a folder, is refused', (t) => {
  const folder = folderWith(t);
  assert.match(refusalOf(`${folder}/s.json`).message, /: there is no such file$/);
  assert.match(refusalOf(folder).message, /: EISDIR$/);
});

function refusalOf(file: string): UserError {
  try {
    readSecrets(file);
  } catch (error) {
    assert(error instanceof UserError);
    assert.equal(error.code, 'InvalidOption');
    assert.match(error.hint, /name or ARN/);
    return error;
  }
  throw new Error('the file was accepted');
}

/** What the template made: by type, the models by identifier. */
type Made = { readonly [typeName: string]: { readonly [identifier: string]: JsonObject } };

interface Around {
  /** As the file of secrets has them. */
  readonly secrets?: KnownValues['secrets'];
  readonly hidden?: KnownValues['hidden'];
  readonly made?: Made;
}

function sourceOf({ secrets = {}, hidden = {}, made = {} }: Around) {
  return valueSource(worldWith(made), { secrets, hidden });
}

function worldWith(made: Made): World {
  const world = createWorld();
  settle(world, KEY);
  const { other } = present(world.accounts[KEY], 'the world has its account');
  for (const [typeName, models] of Object.entries(made)) {
    for (const [id, model] of Object.entries(models)) putResource(other, typeName, id, model);
  }
  return world;
}

const secretsMade = (models: { readonly [identifier: string]: JsonObject }): Made => ({
  'AWS::SecretsManager::Secret': models,
});
const parametersMade = (models: { readonly [identifier: string]: JsonObject }): Made => ({
  'AWS::SSM::Parameter': models,
});

const OBJECT = JSON.stringify({ user: 'me', port: 5432, tls: { on: true }, none: null });
const noKey = (valueFrom: string, key: string) => ({
  unknown: `${valueFrom} (its secret has no key ${key})`,
});

/** `is`: the value, or what is not known; absent where that is `valueFrom`. */
const valuesFrom: readonly (Around & {
  when: string;
  valueFrom: string;
  is?: string | object;
})[] = [
  { when: 'nobody knows the secret', valueFrom: `${SECRET}:db-AbCdEf` },
  { when: 'nobody knows the parameter', valueFrom: '/prod/db' },
  {
    when: 'the file has the ARN',
    secrets: { [`${SECRET}:db-AbCdEf`]: 'hunter2' },
    valueFrom: `${SECRET}:db-AbCdEf`,
    is: 'hunter2',
  },
  {
    when: 'the file has the name, the ARN has six letters more',
    secrets: { db: 'hunter2' },
    valueFrom: `${SECRET}:db-AbCdEf`,
    is: 'hunter2',
  },
  {
    when: 'the file has the name, the ARN has no letters more',
    secrets: { 'prod/db': 'hunter2' },
    valueFrom: `${SECRET}:prod/db`,
    is: 'hunter2',
  },
  {
    when: 'the name itself ends like the six letters',
    secrets: { 'my-secret': 'hunter2', my: 'no' },
    valueFrom: `${SECRET}:my-secret`,
    is: 'hunter2',
  },
  {
    when: 'the file has the name and the ARN',
    secrets: { db: 'no', [`${SECRET}:db-AbCdEf`]: 'hunter2' },
    valueFrom: `${SECRET}:db-AbCdEf`,
    is: 'hunter2',
  },
  {
    when: 'the file has another name',
    secrets: { 'db-Ab': 'no' },
    valueFrom: `${SECRET}:db-AbCdEf`,
  },
  {
    when: 'a key is asked for',
    secrets: { db: OBJECT },
    valueFrom: `${SECRET}:db-AbCdEf:user::`,
    is: 'me',
  },
  {
    when: 'a key, a stage and a version are asked for',
    secrets: { db: OBJECT },
    valueFrom: `${SECRET}:db-AbCdEf:user:AWSCURRENT:0a1b`,
    is: 'me',
  },
  {
    when: 'only a stage is asked for',
    secrets: { db: 'hunter2' },
    valueFrom: `${SECRET}:db-AbCdEf::AWSCURRENT:`,
    is: 'hunter2',
  },
  {
    when: 'the key has a number',
    secrets: { db: OBJECT },
    valueFrom: `${SECRET}:db:port::`,
    is: '5432',
  },
  {
    when: 'the key has an object',
    secrets: { db: OBJECT },
    valueFrom: `${SECRET}:db:tls::`,
    is: '{"on":true}',
  },
  {
    when: 'the secret has no such key',
    secrets: { db: OBJECT },
    valueFrom: `${SECRET}:db:password::`,
    is: noKey(`${SECRET}:db:password::`, 'password'),
  },
  {
    when: 'the key has null',
    secrets: { db: OBJECT },
    valueFrom: `${SECRET}:db:none::`,
    is: noKey(`${SECRET}:db:none::`, 'none'),
  },
  {
    when: 'a key is asked for of a secret without keys',
    secrets: { db: 'hunter2' },
    valueFrom: `${SECRET}:db:user::`,
    is: noKey(`${SECRET}:db:user::`, 'user'),
  },
  {
    when: 'a key is asked for of a secret that only looks as if it had keys',
    secrets: { db: '{hunter2' },
    valueFrom: `${SECRET}:db:user::`,
    is: noKey(`${SECRET}:db:user::`, 'user'),
  },
  {
    when: 'the file has all of it',
    secrets: { [`${SECRET}:db:user::`]: 'whole', db: OBJECT },
    valueFrom: `${SECRET}:db:user::`,
    is: 'whole',
  },
  {
    when: 'the file has the parameter',
    secrets: { '/prod/db': 'hunter2' },
    valueFrom: '/prod/db',
    is: 'hunter2',
  },
  {
    when: 'the file has the name of a path, the parameter is named by its ARN',
    secrets: { '/prod/db': 'hunter2' },
    valueFrom: `${PARAMETER}/prod/db`,
    is: 'hunter2',
  },
  {
    when: 'the file has a name without a path, the parameter is named by its ARN',
    secrets: { db: 'hunter2' },
    valueFrom: `${PARAMETER}/db`,
    is: 'hunter2',
  },
  {
    when: 'the file has the ARN of the parameter',
    secrets: { [`${PARAMETER}/db`]: 'hunter2' },
    valueFrom: `${PARAMETER}/db`,
    is: 'hunter2',
  },
  {
    when: 'the template made the secret',
    made: secretsMade({ [`${SECRET}:db-AbCdEf`]: { Name: 'db', SecretString: 'hunter2' } }),
    valueFrom: `${SECRET}:db-AbCdEf`,
    is: 'hunter2',
  },
  {
    when: 'the template made the secret, which is named without its six letters',
    made: secretsMade({ [`${SECRET}:my-secret-AbCdEf`]: { Name: 'my-secret', SecretString: 'x' } }),
    valueFrom: `${SECRET}:my-secret`,
    is: 'x',
  },
  {
    when: 'the template made two secrets of much the same name',
    made: secretsMade({
      [`${SECRET}:my-AbCdEf`]: { Name: 'my', SecretString: 'no' },
      [`${SECRET}:my-secret-AbCdEf`]: { Name: 'my-secret', SecretString: 'x' },
    }),
    valueFrom: `${SECRET}:my-secret`,
    is: 'x',
  },
  {
    when: 'the template made the secret, and a key of it is asked for',
    made: secretsMade({ [`${SECRET}:db-AbCdEf`]: { Name: 'db', SecretString: OBJECT } }),
    valueFrom: `${SECRET}:db-AbCdEf:user::`,
    is: 'me',
  },
  {
    when: 'the file knows better than the template',
    secrets: { db: 'hunter2' },
    made: secretsMade({ [`${SECRET}:db-AbCdEf`]: { Name: 'db', SecretString: 'no' } }),
    valueFrom: `${SECRET}:db-AbCdEf`,
    is: 'hunter2',
  },
  {
    when: 'the template made a secret without a value',
    made: secretsMade({ [`${SECRET}:db-AbCdEf`]: { Name: 'db' } }),
    valueFrom: `${SECRET}:db-AbCdEf`,
  },
  {
    when: 'the template made the parameter',
    made: parametersMade({ '/prod/db': { Name: '/prod/db', Value: 'hunter2' } }),
    valueFrom: '/prod/db',
    is: 'hunter2',
  },
  {
    when: 'the template made the parameter of a name without a path, which is named by its ARN',
    made: parametersMade({ db: { Name: 'db', Value: 'hunter2' } }),
    valueFrom: `${PARAMETER}/db`,
    is: 'hunter2',
  },
  {
    when: 'the template made another parameter',
    made: parametersMade({ db: { Name: 'db', Value: 'hunter2' } }),
    valueFrom: `${PARAMETER}/prod/db`,
  },
  {
    when: 'what the template made hides a NoEcho value',
    made: secretsMade({
      [`${SECRET}:db-AbCdEf`]: { SecretString: '{"user":"{{resolve:noecho:demo/P}}"}' },
    }),
    hidden: { 'demo/P': 'hunter2' },
    valueFrom: `${SECRET}:db-AbCdEf:user::`,
    is: 'hunter2',
  },
  {
    when: 'what the template made hides a NoEcho value that this command was not told',
    made: parametersMade({ db: { Name: 'db', Value: '{{resolve:noecho:demo/P}}' } }),
    valueFrom: 'db',
    is: { unknown: 'NoEcho parameter demo/P' },
  },
];

for (const { when, valueFrom, is = { unknown: valueFrom }, ...around } of valuesFrom) {
  test(`a container's secret when ${when}`, () => {
    assert.deepEqual(sourceOf(around).secret(SERVICE, valueFrom), is);
  });
}

const P = '{{resolve:noecho:demo/P}}';
const MADE_OF_P = '{{resolve:noecho:made of demo/P}}';
const ssm = (what: string) => `{{resolve:ssm:${what}}}`;
const secret = (what: string) => `{{resolve:secretsmanager:${what}}}`;

/** `is`: the text; a name where that is what is not known. */
const revealed: readonly (Around & { text: string; is: string | { unknown: string } })[] = [
  { text: 'plain', is: 'plain' },
  { text: '', is: '' },
  { text: 'a {{b}} {{resolve:other:c}}', is: 'a {{b}} {{resolve:other:c}}' },
  { text: `pg://me:${P}@db`, hidden: { 'demo/P': '$&$1' }, is: 'pg://me:$&$1@db' },
  { text: P, is: { unknown: 'NoEcho parameter demo/P' } },
  { text: MADE_OF_P, hidden: { 'demo/P': 'x' }, is: { unknown: 'what is made of demo/P' } },
  { text: `a-${ssm('db')}-b`, secrets: { db: '$&' }, is: 'a-$&-b' },
  { text: ssm('/prod/db:3'), secrets: { '/prod/db': 'hunter2' }, is: 'hunter2' },
  { text: '{{resolve:ssm-secure:db:1}}', secrets: { db: 'hunter2' }, is: 'hunter2' },
  { text: ssm('db'), made: parametersMade({ db: { Name: 'db', Value: 'v' } }), is: 'v' },
  { text: ssm('db:1'), is: { unknown: 'ssm:db:1' } },
  { text: secret('db'), secrets: { db: 'hunter2' }, is: 'hunter2' },
  { text: secret('db:SecretString'), secrets: { db: 'hunter2' }, is: 'hunter2' },
  { text: secret('db:SecretString:user'), secrets: { db: OBJECT }, is: 'me' },
  { text: secret('db:SecretString:user:AWSCURRENT'), secrets: { db: OBJECT }, is: 'me' },
  { text: secret(`${SECRET}:db-AbCdEf`), secrets: { db: 'hunter2' }, is: 'hunter2' },
  {
    text: secret(`${SECRET}:db-AbCdEf:SecretString:port`),
    secrets: { db: OBJECT },
    is: '5432',
  },
  { text: secret('my-secret'), secrets: { my: 'no' }, is: { unknown: 'secretsmanager:my-secret' } },
  {
    text: secret('my-secret:SecretString:user'),
    made: secretsMade({
      [`${SECRET}:my-secret-AbCdEf`]: { Name: 'my-secret', SecretString: OBJECT },
    }),
    is: 'me',
  },
  {
    text: secret('db:SecretString:password'),
    secrets: { db: OBJECT },
    is: { unknown: 'secretsmanager:db:SecretString:password' },
  },
  {
    text: `${secret('a')} ${ssm('b')} ${P}`,
    secrets: { a: '1', b: '2' },
    hidden: { 'demo/P': '3' },
    is: '1 2 3',
  },
  { text: `${secret('a')} ${ssm('b')}`, secrets: { a: '1' }, is: { unknown: 'ssm:b' } },
  {
    text: secret(`${P}:SecretString:user`),
    secrets: { db: OBJECT },
    hidden: { 'demo/P': 'db' },
    is: 'me',
  },
  {
    text: secret('db:SecretString:password'),
    made: secretsMade({
      [`${SECRET}:db-AbCdEf`]: { Name: 'db', SecretString: `{"password":"${P}"}` },
    }),
    hidden: { 'demo/P': 'hunter2' },
    is: 'hunter2',
  },
];

for (const { text, is, ...around } of revealed) {
  const known = Object.keys({ ...around.secrets, ...around.hidden }).join(', ');
  test(`P17, dynamic references: ${text} with ${known || 'the account alone'}`, () => {
    assert.deepEqual(sourceOf(around).reveal(SERVICE, text), is);
  });
}

test('the account of another region, or no account, holds no secret of this one', () => {
  const made = parametersMade({ db: { Name: 'db', Value: 'hunter2' } });
  const source = sourceOf({ made, secrets: { given: 'x' } });
  const elsewhere = SERVICE.replace('us-east-1', 'eu-west-1') as ServiceArn;
  for (const service of [elsewhere, null]) {
    assert.deepEqual(source.secret(service, 'db'), { unknown: 'db' });
    assert.equal(source.secret(service, 'given'), 'x');
  }
});

const ARN = `${SECRET}:db-AbCdEf`;

function generated(request: JsonObject, arn = ARN): string {
  const source = sourceOf({ made: secretsMade({ [arn]: { GenerateSecretString: request } }) });
  const text = source.secret(SERVICE, arn);
  assert(typeof text === 'string');
  assert.equal(source.secret(SERVICE, arn), text, 'it is the same at each call');
  return text;
}

const passwords: readonly { request: JsonObject; like: RegExp }[] = [
  { request: {}, like: /^[A-Za-z0-9]{32}$/ },
  { request: { PasswordLength: 200 }, like: /^[A-Za-z0-9]{200}$/ },
  { request: { PasswordLength: '16' }, like: /^[A-Za-z0-9]{16}$/ },
  { request: { PasswordLength: 500, ExcludeCharacters: 'abc"@/\\XYZ' }, like: /^[^abcXYZ]{500}$/ },
  { request: { PasswordLength: 200, ExcludePunctuation: true }, like: /^[A-Za-z0-9]{200}$/ },
  { request: { PasswordLength: 200, ExcludeUppercase: true }, like: /^[a-z0-9]{200}$/ },
  { request: { PasswordLength: 200, ExcludeLowercase: 'true' }, like: /^[A-Z0-9]{200}$/ },
  { request: { PasswordLength: 200, ExcludeNumbers: true }, like: /^[A-Za-z]{200}$/ },
  {
    request: { PasswordLength: 500, ExcludeNumbers: false, ExcludeUppercase: true },
    like: /^(?=.*\d)[a-z0-9]{500}$/,
  },
  {
    request: { SecretStringTemplate: '{"user":"me"}', GenerateStringKey: 'password' },
    like: /^\{"user":"me","password":"[A-Za-z0-9]{32}"\}$/,
  },
];

for (const { request, like } of passwords) {
  test(`a secret is generated as asked: ${JSON.stringify(request)}`, () => {
    assert.match(generated(request), like);
  });
}

test('secrets that are generated differ from each other, and from command to command do not', () => {
  assert.notEqual(generated({}), generated({}, `${SECRET}:other-AbCdEf`));
  assert.equal(generated({}), generated({}));
});

test('a secret whose template is no JSON object is not known', () => {
  for (const template of ['{"user":', '["user"]']) {
    const request = { SecretStringTemplate: template, GenerateStringKey: 'password' };
    const source = sourceOf({ made: secretsMade({ [ARN]: { GenerateSecretString: request } }) });
    assert.deepEqual(source.secret(SERVICE, ARN), { unknown: ARN });
  }
});

test('what a template makes is known by what its task definition names', async () => {
  const session = createSession();
  const template = `
Parameters:
  Password: { Type: String, NoEcho: true }
Resources:
  Given:
    Type: AWS::SecretsManager::Secret
    Properties: { SecretString: !Sub '{"password":"\${Password}"}' }
  Made:
    Type: AWS::SecretsManager::Secret
    Properties:
      GenerateSecretString:
        SecretStringTemplate: '{"user":"me"}'
        GenerateStringKey: password
        PasswordLength: 12
  Level:
    Type: AWS::SSM::Parameter
    Properties: { Name: level, Type: String, Value: debug }
  Task:
    Type: AWS::ECS::TaskDefinition
    Properties:
      Family: app
      ContainerDefinitions:
        - Name: app
          Image: web:1
          Memory: 64
          Environment:
            - { Name: URL, Value: !Sub 'me:{{resolve:secretsmanager:\${Given}:SecretString:password}}@db' }
          Secrets:
            - { Name: WHOLE, ValueFrom: !Ref Given }
            - { Name: KEY, ValueFrom: !Sub '\${Made}:password::' }
            - { Name: LEVEL, ValueFrom: !Sub 'arn:aws:ssm:us-east-1:000000000000:parameter/\${Level}' }
`;
  const ended = await deployText(session, template, { parameters: { Password: 'hunter2' } });
  assert.equal(ended.result.status, 'CREATE_COMPLETE', JSON.stringify(ended.result.failure));
  const { ecs } = present(session.world.accounts[KEY], 'the world has its account');
  const [definition] = Object.values(ecs.taskDefinitions);
  const [app] = definition?.containerDefinitions ?? [];
  const named = Object.entries(ended.stack.model.parameters);
  assert.deepEqual(
    named.map(([, { value }]) => value),
    ['{{resolve:noecho:demo/Password}}'],
  );
  const source = valueSource(session.world, {
    secrets: {},
    hidden: { 'demo/Password': 'hunter2' },
  });
  const [whole, key, level] = (app?.secrets ?? []).map((one) =>
    source.secret(SERVICE, one.valueFrom),
  );
  const [url] = (app?.environment ?? []).map(({ value }) => source.reveal(SERVICE, value));
  assert.deepEqual([url, whole, level], ['me:hunter2@db', '{"password":"hunter2"}', 'debug']);
  assert.match(String(key), /^[A-Za-z0-9]{12}$/);
});
