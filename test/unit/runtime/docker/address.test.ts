import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  addressText,
  findEngine,
  isAddress,
  readConfig,
} from '../../../../src/runtime/docker/address.ts';
import { contextPath, folderWith } from './fake-engine.ts';

/** Where the engine listens, or why there is none. */
function found(env: { readonly [name: string]: string }): string {
  const engine = findEngine(env);
  if (isAddress(engine)) return addressText(engine);
  assert.notEqual(engine.hint, '');
  return engine.why;
}

const elsewhere = (text: string) => `DOCKER_HOST names an engine on another machine (${text})`;
const nonsense = (text: string) => `DOCKER_HOST is no address of an engine (${text})`;

const hosts: readonly { host: string; is: string }[] = [
  { host: 'unix:///run/user/1000/docker.sock', is: 'unix:///run/user/1000/docker.sock' },
  { host: 'npipe:////./pipe/docker_engine', is: 'unix:////./pipe/docker_engine' },
  { host: 'tcp://localhost:2380', is: 'tcp://localhost:2380' },
  { host: 'tcp://127.0.0.1', is: 'tcp://127.0.0.1:2375' },
  { host: 'tcp://127.8.0.1:2375/', is: 'tcp://127.8.0.1:2375' },
  { host: 'http://localhost:2375', is: 'tcp://localhost:2375' },
  { host: 'tcp://10.0.0.5:2375', is: elsewhere('tcp://10.0.0.5:2375') },
  { host: 'tcp://0.0.0.0:2375', is: elsewhere('tcp://0.0.0.0:2375') },
  { host: 'tcp://127.0.0.1.example.com:1', is: elsewhere('tcp://127.0.0.1.example.com:1') },
  { host: 'tcp://not-localhost:1', is: elsewhere('tcp://not-localhost:1') },
  { host: 'tcp://localhost.example.com', is: elsewhere('tcp://localhost.example.com') },
  { host: 'https://build.example.com', is: elsewhere('https://build.example.com') },
  { host: 'ssh://me@build', is: elsewhere('ssh://me@build') },
  { host: 'ssh://localhost', is: elsewhere('ssh://localhost') },
  { host: 'docker', is: nonsense('docker') },
  { host: '/var/run/docker.sock', is: nonsense('/var/run/docker.sock') },
  { host: 'unix://', is: nonsense('unix://') },
  { host: 'ftp://localhost', is: nonsense('ftp://localhost') },
];

for (const { host, is } of hosts) {
  test(`DOCKER_HOST ${host}: ${is}`, () => {
    assert.equal(found({ DOCKER_HOST: host }), is);
  });
}

test('DOCKER_HOST may name the loopback of IPv6, whose brackets are no part of the host', () => {
  const address = findEngine({ DOCKER_HOST: 'tcp://[::1]:2380' });
  assert.deepEqual(address, { host: '::1', port: 2380 });
});

const TLS = 'DOCKER_HOST asks for TLS on a local engine, which is not supported';
const tls: readonly { host: string; verify: string; is: string }[] = [
  { host: 'tcp://localhost:2376', verify: '1', is: TLS },
  { host: 'tcp://localhost:2376', verify: '', is: 'tcp://localhost:2376' },
  { host: 'unix:///d.sock', verify: '1', is: 'unix:///d.sock' },
  { host: 'tcp://10.0.0.5:2376', verify: '1', is: elsewhere('tcp://10.0.0.5:2376') },
];

for (const { host, verify, is } of tls) {
  test(`DOCKER_TLS_VERIFY "${verify}" with ${host}: ${is}`, () => {
    assert.equal(found({ DOCKER_HOST: host, DOCKER_TLS_VERIFY: verify }), is);
  });
}

const contextAt = (name: string, host: string) => ({
  [contextPath(name)]: JSON.stringify({ Name: name, Endpoints: { docker: { Host: host } } }),
});
const CONTEXTS = {
  ...contextAt('desktop', 'unix:///desktop.sock'),
  ...contextAt('colima', 'unix:///colima.sock'),
  ...contextAt('build', 'ssh://me@build'),
  ...contextAt('default', 'unix:///never.sock'),
  ...contextAt('empty', ''),
  [contextPath('bare')]: '{"Name":"bare","Endpoints":{}}',
  [contextPath('torn')]: '{"Name":"torn","Endp',
};
const USUAL = 'the usual sockets';
const using = (name: unknown) => JSON.stringify({ currentContext: name });

const absent = (name: string) => `the Docker context ${name}, which is in use, is not there`;

const contexts: readonly {
  when: string;
  config?: string;
  env?: { readonly [name: string]: string };
  is: string;
}[] = [
  { when: 'there is no configuration', is: USUAL },
  { when: 'no context is in use', config: '{"auths":{}}', is: USUAL },
  { when: 'a context is in use', config: using('desktop'), is: 'unix:///desktop.sock' },
  { when: 'the default context is in use', config: using('default'), is: USUAL },
  {
    when: 'the context in use is on another machine',
    config: using('build'),
    is: 'context build names an engine on another machine (ssh://me@build)',
  },
  {
    when: 'DOCKER_CONTEXT names another one than is in use',
    config: using('desktop'),
    env: { DOCKER_CONTEXT: 'colima' },
    is: 'unix:///colima.sock',
  },
  {
    when: 'DOCKER_CONTEXT asks for the default one',
    config: using('desktop'),
    env: { DOCKER_CONTEXT: 'default' },
    is: USUAL,
  },
  {
    when: 'DOCKER_CONTEXT is set to nothing',
    config: using('desktop'),
    env: { DOCKER_CONTEXT: '' },
    is: 'unix:///desktop.sock',
  },
  {
    when: 'DOCKER_CONTEXT names one and there is no configuration',
    env: { DOCKER_CONTEXT: 'colima' },
    is: 'unix:///colima.sock',
  },
  {
    when: 'DOCKER_HOST stands beside both',
    config: using('desktop'),
    env: { DOCKER_CONTEXT: 'colima', DOCKER_HOST: 'unix:///host.sock' },
    is: 'unix:///host.sock',
  },
  {
    when: 'DOCKER_HOST is set to nothing',
    config: using('desktop'),
    env: { DOCKER_HOST: '' },
    is: 'unix:///desktop.sock',
  },
  { when: 'the context has no engine', config: using('bare'), is: absent('bare') },
  { when: 'the context has an empty host', config: using('empty'), is: absent('empty') },
  { when: 'the file of the context is torn', config: using('torn'), is: absent('torn') },
  { when: 'the configuration is torn', config: '{"currentContext":"desk', is: USUAL },
  { when: 'the configuration is empty', config: '', is: USUAL },
  { when: 'the configuration is a list', config: '["desktop"]', is: USUAL },
  { when: 'the name of the context is a number', config: using(7), is: USUAL },
];

for (const { when, config, env = {}, is } of contexts) {
  test(`when ${when}: ${is}`, (t) => {
    const folder = folderWith(t, CONTEXTS);
    if (config !== undefined) writeFileSync(join(folder, 'config.json'), config);
    const usual = found({ DOCKER_CONFIG: folderWith(t) });
    assert.equal(found({ DOCKER_CONFIG: folder, ...env }), is === USUAL ? usual : is);
  });
}

test('a configuration that cannot be read is none', (t) => {
  const folder = folderWith(t);
  mkdirSync(join(folder, 'config.json'));
  assert.equal(readConfig(join(folder, 'config.json')), undefined);
  assert.equal(readConfig(join(folder, 'other.json')), undefined);
});

const hasUsualSocket = existsSync('/var/run/docker.sock') || process.platform === 'win32';

test('a rootless engine is found in XDG_RUNTIME_DIR', { skip: hasUsualSocket }, (t) => {
  const runtime = folderWith(t, { 'docker.sock': '' });
  const env = { DOCKER_CONFIG: folderWith(t), XDG_RUNTIME_DIR: runtime };
  assert.equal(found(env), `unix://${join(runtime, 'docker.sock')}`);
});
