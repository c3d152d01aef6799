import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { probe } from '../../../../src/runtime/docker/index.ts';
import { type EngineAnswers, fakeEngine, folderWith, refusal } from './fake-engine.ts';

const OWN = '000000000000.dkr.ecr.us-east-1.amazonaws.com/web:1';
const usable = (here: readonly string[], toPull: readonly string[]) => ({
  ...{ usable: true, here, toPull },
});
const unusable = (why: string) => ({ usable: false, why });

const rows: readonly {
  when: string;
  engine?: EngineAnswers;
  images: readonly string[];
  is: object;
  asked: readonly string[];
}[] = [
  { when: 'nothing is wanted', images: [], is: usable([], []), asked: ['/_ping'] },
  {
    when: 'every image is here',
    engine: { here: ['web:1', 'r.test:5000/org/db@sha256:0a1b'] },
    images: ['web:1', 'r.test:5000/org/db@sha256:0a1b'],
    is: usable(['web:1', 'r.test:5000/org/db@sha256:0a1b'], []),
    asked: ['/_ping', '/images/web:1/json', '/images/r.test:5000/org/db@sha256:0a1b/json'],
  },
  {
    when: 'one is wanted twice',
    engine: { here: ['web:1'] },
    images: ['web:1', 'web:1'],
    is: usable(['web:1'], []),
    asked: ['/_ping', '/images/web:1/json'],
  },
  {
    when: 'one has to be pulled',
    engine: { here: ['web:1'], registries: { 'db:2': 'there' } },
    images: ['db:2', 'web:1'],
    is: usable(['web:1'], ['db:2']),
    asked: ['/_ping', '/images/db:2/json', '/images/web:1/json', '/distribution/db:2/json'],
  },
  {
    when: 'one is nowhere',
    images: ['nope:1'],
    is: unusable('image nope:1 is not here and cannot be pulled: manifest for nope:1 not found'),
    asked: ['/_ping', '/images/nope:1/json', '/distribution/nope:1/json'],
  },
  {
    when: 'several are nowhere, the first is named',
    images: ['nope:1', 'none:1'],
    is: unusable('image nope:1 is not here and cannot be pulled: manifest for nope:1 not found'),
    asked: [
      '/_ping',
      ...['/images/nope:1/json', '/images/none:1/json'],
      ...['/distribution/nope:1/json', '/distribution/none:1/json'],
    ],
  },
  {
    when: 'one asks for a login',
    engine: { registries: { 'r.test/web': refusal(401, 'unauthorized') } },
    images: ['r.test/web'],
    is: unusable('image r.test/web is not here and cannot be pulled: unauthorized'),
    asked: ['/_ping', '/images/r.test/web/json', '/distribution/r.test/web/json'],
  },
  {
    when: 'the answer of a registry is plain text',
    engine: { registries: { 'r.test/web': { status: 502, body: 'bad gateway\n' } } },
    images: ['r.test/web'],
    is: unusable('image r.test/web is not here and cannot be pulled: bad gateway'),
    asked: ['/_ping', '/images/r.test/web/json', '/distribution/r.test/web/json'],
  },
  {
    when: 'the engine hangs up while it asks a registry',
    engine: { registries: { 'r.test/web': 'hangs-up' } },
    images: ['r.test/web'],
    is: unusable('image r.test/web is not here and cannot be pulled: socket hang up'),
    asked: ['/_ping', '/images/r.test/web/json', '/distribution/r.test/web/json'],
  },
  {
    when: 'one of this account is not here: its registry is not asked',
    images: [OWN],
    is: unusable(`image ${OWN} is in a private registry of AWS, which is not asked from here`),
    asked: ['/_ping', `/images/${OWN}/json`],
  },
  {
    when: 'one of this account is here',
    engine: { here: [OWN] },
    images: [OWN],
    is: usable([OWN], []),
    asked: ['/_ping', `/images/${OWN}/json`],
  },
];

for (const { when, engine, images, is, asked } of rows) {
  test(`a probe when ${when}: ${JSON.stringify(is)}`, async (t) => {
    const fake = await fakeEngine(t, engine);
    assert.deepEqual(withoutHint(await probe(fake.env, images)), is);
    assert.equal(fake.asked.length, asked.length);
    assert.deepEqual(new Set(fake.asked), new Set(asked));
  });
}

/** What is found out; where it cannot be used there is a hint. */
function withoutHint(found: Awaited<ReturnType<typeof probe>>): object {
  if (found.usable) return found;
  const { hint, ...rest } = found;
  assert.notEqual(hint, '');
  return rest;
}

test('a registry is asked with the login that docker has for it, and with no other', async (t) => {
  // One that makes a difference between the alphabets of base64, and that has to be padded.
  const password = '>>>???ü';
  const auth = Buffer.from(`me:${password}`).toString('base64');
  const files = { 'config.json': JSON.stringify({ auths: { 'r.test': { auth } } }) };
  const registries = { 'r.test/web': 'there', 'other.test/web': 'there' } as const;
  const { env, logins } = await fakeEngine(t, { files, registries });
  assert.deepEqual(await probe(env, ['r.test/web', 'other.test/web']), {
    ...{ usable: true, here: [], toPull: ['r.test/web', 'other.test/web'] },
  });
  assert.deepEqual(logins, [{ username: 'me', password, serveraddress: 'r.test' }]);
});

const silent: readonly { when: string; ping: NonNullable<EngineAnswers['ping']>; why: string }[] = [
  { when: 'hangs up', ping: 'hangs-up', why: 'socket hang up' },
  { when: 'is paused', ping: refusal(503, 'it is paused'), why: 'it is paused' },
  { when: 'is silent', ping: 'silent', why: 'no answer within 2 s' },
];

for (const { when, ping, why } of silent) {
  test(`an engine that ${when} cannot be used: ${why}`, async (t) => {
    const { env, socketPath, asked } = await fakeEngine(t, { ping, here: ['web:1'] });
    assert.deepEqual(
      withoutHint(await probe(env, ['web:1'])),
      unusable(`the Docker engine at unix://${socketPath} does not answer: ${why}`),
    );
    assert.deepEqual(asked, ['/_ping']);
  });
}

test('where no socket is, there is no engine', async (t) => {
  const socketPath = join(folderWith(t), 'docker.sock');
  const found = await probe({ DOCKER_HOST: `unix://${socketPath}` }, ['web:1']);
  assert.deepEqual(
    withoutHint(found),
    unusable(`there is no Docker engine at unix://${socketPath}`),
  );
});

test('what is no socket is no engine', async (t) => {
  const path = join(folderWith(t), 'docker.sock');
  writeFileSync(path, '');
  const found = await probe({ DOCKER_HOST: `unix://${path}` }, []);
  assert(!found.usable);
  assert.match(found.why, /^the Docker engine at unix:\S+ does not answer: connect ECONNREFUSED /);
});

test('an address that is none is not asked', async () => {
  const found = await probe({ DOCKER_HOST: 'ssh://me@build' }, []);
  assert.deepEqual(
    withoutHint(found),
    unusable('DOCKER_HOST names an engine on another machine (ssh://me@build)'),
  );
});

test('an engine may listen at a port of this machine', async (t) => {
  const server = createServer((_, response) => response.end('OK'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.after(() => server.close());
  const address = server.address();
  assert(typeof address === 'object' && address !== null);
  const found = await probe({ DOCKER_HOST: `tcp://127.0.0.1:${address.port}` }, []);
  assert.deepEqual(found, usable([], []));
});
