import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../src/runtime/docker/index.ts';
import { type EngineAnswers, FACTS, fakeEngine } from './fake-engine.ts';

test('an engine is known by its version, its architecture and how many processors it has', async (t) => {
  const { env } = await fakeEngine(t, { others: FACTS });
  const { facts } = await connect(env);
  assert.deepEqual(facts, { version: '24.0.7', cpus: 2, architecture: 'amd64' });
});

const silent: readonly { what: string; others: EngineAnswers['others'] }[] = [
  { what: 'its version', others: { '/version': 'silent' } },
  { what: 'what it has', others: { ...FACTS, '/info': 'silent' } },
];

for (const { what, others } of silent) {
  test(`an engine that answers a ping and does not tell ${what} is given up`, async (t) => {
    const { env } = await fakeEngine(t, { ...(others && { others }) });
    await assert.rejects(connect(env, 50), {
      code: 'EngineUnavailable',
      message: /does not answer: no answer within 0\.05 s$/,
    });
  });
}
