import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import type { ResultDocument } from '../../src/result/index.ts';
import {
  type Begun,
  type Bench,
  cuttableEngine,
  image,
  openBench,
  STAYS,
  stackOf,
} from './commands-in-containers.ts';

/** Does not come up, and is given time: what waits for it can be cut off. */
const NEVER_UP = 'exit 3';
const PATIENT = '--no-fail-fast --output json';

/** A command that is killed while it creates the stack, with its service begun. */
async function killed(bench: Bench, words: string): Promise<void> {
  const begun = bench.begin(words);
  await begun.says(/has started 1 tasks/);
  begun.child.kill('SIGKILL');
  await begun.ended;
}

async function resultOf({ ended }: Begun) {
  const { code, stdout, stderr } = await ended;
  assert.match(stdout, /^\{/, stderr);
  const { diagnosis, stacks } = JSON.parse(stdout) as ResultDocument;
  return {
    code,
    codes: diagnosis.map((finding) => finding.code),
    stacks: stacks.map(({ stackName, status }) => [stackName, status]),
  };
}

/** A registry that says it is one, and then nothing more. */
async function silentRegistry(
  t: TestContext,
): Promise<{ readonly address: string; close(): void }> {
  const server: Server = createServer(({ url }, response) => {
    if (url === '/v2/') response.end('{}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  t.after(close);
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

describe('a command that is cut off', { concurrency: 4 }, () => {
  test('--rm leaves a stack alone whose engine was lost; the next command goes on with it', async (t) => {
    const bench = openBench(t);
    const engine = await cuttableEngine(t);
    bench.write('web.yml', stackOf(await image(t, STAYS)));
    const begun = bench.begin('deploy web.yml --rm --output json', { DOCKER_HOST: engine.host });
    await begun.says(/has started 1 tasks/);
    engine.cut();
    assert.deepEqual(await resultOf(begun), {
      code: 5,
      codes: ['ENGINE-LOST'],
      stacks: [['web', 'CREATE_IN_PROGRESS']],
    });
    const again = await bench.json('deploy web.yml --rm');
    assert.equal(again.code, 0, again.stderr);
    assert.deepEqual(await bench.items('list'), []);
    assert.deepEqual(await bench.containers(), []);
  });

  test('what is gone on with knows the NoEcho values that the command was given', async (t) => {
    const bench = openBench(t);
    const asks = await image(t, `test "$PIN" = 271828 && test "$OWN" = 31337 || exit 9; ${STAYS}`);
    const container =
      'Environment: [{ Name: PIN, Value: !Ref Pin }, { Name: OWN, Value: !Ref Own }]';
    const resources = `
Parameters:
  Pin: { Type: String, NoEcho: true }
  Own: { Type: String, NoEcho: true, Default: '31337' }`;
    bench.write('web.yml', stackOf(asks, { container, resources }));
    await killed(bench, 'deploy web.yml --parameter-overrides Pin=271828');
    const { code, result, stderr } = await bench.json(
      'deploy web.yml --parameter-overrides Pin=271828',
    );
    assert.deepEqual([code, result.stacks[0]?.status], [0, 'CREATE_COMPLETE'], stderr);
    assert.match(stderr, /is in CREATE_IN_PROGRESS: going on with it first/);
  });

  test('an engine that is lost, or Ctrl-C, while an earlier command is gone on with', async (t) => {
    const bench = openBench(t);
    const engine = await cuttableEngine(t);
    bench.write('web.yml', stackOf(await image(t, NEVER_UP)));
    await killed(bench, `deploy web.yml ${PATIENT}`);
    const cut = bench.begin(`deploy web.yml ${PATIENT}`, { DOCKER_HOST: engine.host });
    await cut.says(/has started 1 tasks/);
    engine.cut();
    const lost = await resultOf(cut);
    assert.deepEqual([lost.code, lost.codes[0]], [5, 'ENGINE-LOST']);
    assert.deepEqual(lost.stacks, [['web', 'CREATE_IN_PROGRESS']]);

    const stopped = bench.begin(`deploy web.yml ${PATIENT}`);
    await stopped.says(/has started 1 tasks/);
    stopped.child.kill('SIGINT');
    const interrupted = await resultOf(stopped);
    assert.deepEqual([interrupted.code, interrupted.stacks], [130, [['web', 'ROLLBACK_COMPLETE']]]);
    assert.deepEqual(await bench.containers(), []);
  });

  test('--follow: what ended is on record at once and stays after a kill; a lost engine is told', async (t) => {
    const bench = openBench(t);
    const engine = await cuttableEngine(t);
    bench.write('web.yml', stackOf(await image(t, STAYS)));
    const followed = bench.begin('deploy web.yml --follow');
    await followed.says(/following: services go on/);
    const events = await bench.items('events web');
    assert.equal(events.at(-1)?.['ResourceStatus'], 'CREATE_COMPLETE');
    followed.child.kill('SIGKILL');
    await followed.ended;
    assert.deepEqual(await bench.items('events web'), events);

    const words = 'deploy web.yml --follow --output json';
    const again = bench.begin(words, { DOCKER_HOST: engine.host });
    await again.says(/following: services go on/);
    engine.cut();
    const { code, codes } = await resultOf(again);
    assert.deepEqual([code, codes], [5, ['ENGINE-LOST']]);
  });

  test('a registry that does not answer is not waited for once the operation is over', async (t) => {
    const bench = openBench(t);
    const registry = await silentRegistry(t);
    bench.write('web.yml', stackOf(`${registry.address}/web:1`));
    const begun = bench.begin(
      'deploy web.yml --runtime docker --on-failure DO_NOTHING --stabilize-timeout 2s --output json',
    );
    // The engine's own wait for the registry may outlast the command's answer.
    begun.child.stdout?.once('data', registry.close);
    const { code, stacks } = await resultOf(begun);
    assert.deepEqual([code, stacks], [1, [['web', 'CREATE_FAILED']]]);
  });
});
