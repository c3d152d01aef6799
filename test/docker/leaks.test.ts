import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { nextBelow, type RandomState, seedRandom } from '../../src/base/index.ts';
import { image, openBench, STAYS, stackOf } from './commands-in-containers.ts';
import { engineRequest } from './images.ts';

const BREAKER =
  'DeploymentConfiguration: { DeploymentCircuitBreaker: { Enable: true, Rollback: true } }';
const STACKS = 4; // of fifteen tasks each
const TASKS = 15;
const KILLS = 3; // for each stack, at moments drawn from the seed

/**
 * Goal: whatever is killed at whatever moment, nothing of ours is left once the stacks are deleted.
 * Method: stacks whose tasks stay, crash at once, or crash after a while come up and roll back while
 * the command that makes them is killed; another command goes on, is killed too, and the last one
 * deletes. SEED=7 draws other moments.
 */
test('60 tasks crash, roll back and go, with commands killed at random: nothing is left', async (t) => {
  const random = seedRandom(`leaks ${process.env['SEED'] ?? '1'}`);
  const bench = openBench(t);
  const before = await ofTheEngine();
  const programs = [STAYS, 'exit 1', 'sleep 0.4; exit 2', `sleep 0.2; ${STAYS}`];
  for (let index = 0; index < STACKS; index += 1) {
    const name = await image(t, programs[index] ?? STAYS);
    bench.write(`stack${index}.yml`, stackOf(name, { desiredCount: TASKS, more: BREAKER }));
  }
  for (let index = 0; index < STACKS; index += 1) {
    for (let kill = 0; kill < KILLS; kill += 1) {
      await killed(bench.begin(`deploy stack${index}.yml --runtime docker`), random);
    }
  }
  await killed(bench.begin('delete stack0 stack1 stack2 stack3'), random);
  const { code, stderr, stdout } = await bench.run('delete stack0 stack1 stack2 stack3');
  assert.equal(code, 0, stderr + stdout);

  assert.deepEqual(await bench.containers(), []);
  assert.deepEqual(await ofTheEngine(), before, 'no network and no volume');
  const doctor = await bench.run('doctor');
  assert.equal(doctor.code, 0, doctor.stdout);
  assert.deepEqual(processesOf(bench.folder), [], 'no process');
});

async function killed(
  { child, ended }: ReturnType<ReturnType<typeof openBench>['begin']>,
  random: RandomState,
): Promise<void> {
  await Promise.race([ended, sleep(300 + nextBelow(random, 5_000))]);
  child.kill('SIGKILL');
  await ended;
}

/** Networks and volumes of the engine, by name. */
async function ofTheEngine() {
  const networks = (await engineRequest('GET', '/networks')).json as unknown as { Name: string }[];
  const { Volumes } = (await engineRequest('GET', '/volumes')).json as unknown as {
    Volumes: { Name: string }[] | null;
  };
  const names = (items: readonly { readonly Name: string }[]) =>
    new Set(items.map(({ Name }) => Name));
  return { networks: names(networks), volumes: names(Volumes ?? []) };
}

/** Processes that were started in a folder and are still there. */
function processesOf(folder: string): string[] {
  const listed = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  return listed.split('\n').filter((line) => line.includes(folder));
}
