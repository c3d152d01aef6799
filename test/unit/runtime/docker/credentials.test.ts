import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { credentialsFor, registryOf } from '../../../../src/runtime/docker/credentials.ts';
import { folderWith } from './fake-engine.ts';

const HUB = 'https://index.docker.io/v1/';

const registries: readonly { image: string; is: string }[] = [
  { image: 'web', is: HUB },
  { image: 'web:1', is: HUB },
  { image: 'org/web:1', is: HUB },
  { image: 'docker.io/org/web', is: HUB },
  { image: 'index.docker.io/org/web', is: HUB },
  { image: 'registry.test/web', is: 'registry.test' },
  { image: 'registry:5000/org/web:1', is: 'registry:5000' },
  { image: 'localhost/web', is: 'localhost' },
  { image: 'public.ecr.aws/nginx/nginx@sha256:0a1b', is: 'public.ecr.aws' },
  { image: '127.0.0.1:5000/web', is: '127.0.0.1:5000' },
];

for (const { image, is } of registries) {
  test(`the registry of ${image} is ${is}`, () => assert.equal(registryOf(image), is));
}

const auth = (text: string) => ({ auth: Buffer.from(text).toString('base64') });
const login = (serveraddress: string, username = 'me', password = 'hunter2') => ({
  ...{ username, password, serveraddress },
});

/** Knows a login for `r.test`, and of others what is no login. */
const HELPER = `#!/bin/sh
read -r server
case "$1 $server" in
  'get r.test') echo '{"ServerURL":"r.test","Username":"helper","Secret":"s3cret"}' ;;
  'get nameless.test') echo '{"Secret":"s3cret"}' ;;
  'get garbled.test') echo 's3cret is no JSON' ;;
  'get token.test') echo '{"Username":"<token>","Secret":"t0ken"}' ;;
  'get number.test') echo '{"Username":1,"Secret":2}' ;;
  'get locked.test') echo '{"Username":"helper","Secret":"s3cret"}'; exit 1 ;;
  *) echo 'credentials not found in native keychain'; exit 1 ;;
esac
`;

const rows: readonly {
  when: string;
  config?: object | string;
  image?: string;
  is: object | undefined;
}[] = [
  { when: 'there is no configuration', is: undefined },
  { when: 'the configuration is torn', config: '{"auths":{"r.te', is: undefined },
  { when: 'nobody logged in', config: {}, is: undefined },
  {
    when: 'somebody logged in',
    config: { auths: { 'r.test': auth('me:hunter2') } },
    is: login('r.test'),
  },
  {
    when: 'the password has a colon',
    config: { auths: { 'r.test': auth('me:a:b') } },
    is: login('r.test', 'me', 'a:b'),
  },
  {
    when: 'the registry is named as an address',
    config: { auths: { 'https://r.test': auth('me:hunter2') } },
    is: login('r.test'),
  },
  {
    when: 'somebody logged in to Docker Hub',
    config: { auths: { [HUB]: auth('me:hunter2') } },
    image: 'org/web:1',
    is: login(HUB),
  },
  {
    when: 'somebody logged in elsewhere',
    config: { auths: { 'other.test': auth('me:hunter2') } },
    is: undefined,
  },
  { when: 'the login is kept by nobody', config: { auths: { 'r.test': {} } }, is: undefined },
  { when: 'the logins are no object', config: { auths: [], credHelpers: 7 }, is: undefined },
  {
    when: 'a helper keeps all logins',
    config: { auths: { 'r.test': {} }, credsStore: 'test' },
    is: login('r.test', 'helper', 's3cret'),
  },
  {
    when: 'a helper keeps those of the registry',
    config: { credHelpers: { 'r.test': 'test' }, credsStore: 'absent' },
    is: login('r.test', 'helper', 's3cret'),
  },
  {
    when: 'a helper keeps those of another registry',
    config: { credHelpers: { 'other.test': 'test' }, auths: { 'r.test': auth('me:hunter2') } },
    is: login('r.test'),
  },
  {
    when: 'a token is kept beside the name',
    config: { auths: { 'r.test': { ...auth('me:'), identitytoken: 't0ken' } } },
    is: { identitytoken: 't0ken', serveraddress: 'r.test' },
  },
  {
    when: 'a helper keeps a token',
    config: { credsStore: 'test' },
    image: 'token.test/web',
    is: { identitytoken: 't0ken', serveraddress: 'token.test' },
  },
  {
    when: 'the helper knows none',
    config: { credsStore: 'test' },
    image: 'unknown.test/web',
    is: undefined,
  },
  {
    when: 'the helper ends with an error',
    config: { credsStore: 'test' },
    image: 'locked.test/web',
    is: undefined,
  },
  { when: 'the helper is not installed', config: { credsStore: 'absent' }, is: undefined },
  {
    when: 'no helper is named',
    config: { credsStore: '', auths: { 'r.test': auth('me:hunter2') } },
    is: login('r.test'),
  },
  {
    when: 'the helper names nobody',
    config: { credsStore: 'test' },
    image: 'nameless.test/web',
    is: undefined,
  },
  {
    when: 'the helper answers numbers',
    config: { credsStore: 'test' },
    image: 'number.test/web',
    is: undefined,
  },
  {
    when: 'the helper answers no JSON',
    config: { credsStore: 'test' },
    image: 'garbled.test/web',
    is: undefined,
  },
];

for (const { when, config, image = 'r.test/web:1', is } of rows) {
  test(`the login for ${image} when ${when}: ${is === undefined ? 'none' : JSON.stringify(is)}`, async (t) => {
    assert.deepEqual(await credentialsFor(image, environment(t, config)), is);
  });
}

test('a helper that does not answer is killed, and so is its hold on the command', async (t) => {
  const asks = '#!/bin/sh\nsleep 60\n'; // a process of its own holds the output open
  const env = environment(t, { credsStore: 'test' }, asks);
  const begunMs = performance.now();
  assert.equal(await credentialsFor('r.test/web:1', env, 100), undefined);
  assert(performance.now() - begunMs < 5_000);
});

function environment(t: TestContext, config: object | string | undefined, helper = HELPER) {
  const text = typeof config === 'string' ? config : JSON.stringify(config);
  const folder = folderWith(t, {
    'docker-credential-test': helper,
    ...(text === undefined ? {} : { 'config.json': text }),
  });
  chmodSync(join(folder, 'docker-credential-test'), 0o755);
  return { DOCKER_CONFIG: folder, PATH: `${folder}${delimiter}/bin${delimiter}/usr/bin` };
}
