import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stopWaves } from '../../../../src/runtime/docker/stop-waves.ts';
import { container } from './tasks.ts';

/** `app<db,log` waits for both at its start. */
const rows: readonly { containers: string; waves: string }[] = [
  { containers: 'app', waves: 'app' },
  { containers: 'app log', waves: 'app log' },
  { containers: 'db app<db', waves: 'app, db' },
  { containers: 'app<db db<net net', waves: 'app, db, net' },
  { containers: 'app<db proxy<db db log', waves: 'app proxy log, db' },
  { containers: 'app<db,net db<net net', waves: 'app, db, net' },
  { containers: 'a<b b<a app<a', waves: 'app, a b' },
  { containers: 'app<gone', waves: 'app' },
];

for (const { containers, waves } of rows) {
  test(`6.22: ${containers} stop in the order ${waves}`, () => {
    const definitions = containers.split(' ').map((one) => {
      const [name = '', needs = ''] = one.split('<');
      const names = needs.split(',').filter((text) => text !== '');
      const dependsOn = names.map((containerName) => ({
        containerName,
        condition: 'START' as const,
      }));
      return container(name, { dependsOn });
    });
    const text = stopWaves(definitions).map((wave) => wave.map(({ name }) => name).join(' '));
    assert.equal(text.join(', '), waves);
  });
}
