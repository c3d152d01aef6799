import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { overcastJson, scratchFolder } from '../support/command.ts';
import { ROOT } from '../support/root.ts';

const APP = `"${process.execPath}" "${join(ROOT, 'test/e2e/cdk-app.mjs')}"`;

test('a synthesised app of two stacks deploys as it is, as template files and as an assembly', (t) => {
  const folder = scratchFolder(t);
  // As a whole assembly first: that also runs the app.
  const argv = ['deploy', '--app', APP, 'cdk.out', '--state-dir', join(folder, 'assembly')];
  const { result, code, stderr } = overcastJson(argv, folder);
  assert.equal(code, 0, stderr);
  assert.deepEqual(
    result.stacks.map(({ stackName, status }) => `${stackName} ${status}`),
    ['Web CREATE_COMPLETE', 'Jobs CREATE_COMPLETE'],
  );
  assert.equal(result.verdict, 'stable');
  const service = result.stacks[0]?.resources.find(({ type }) => type === 'AWS::ECS::Service');
  assert.equal(service?.constructPath, 'Web/Service/Service/Service');
  assert.equal(service?.source?.file, 'cdk.out/Web.template.json');

  const again = overcastJson(
    ['deploy', 'cdk.out', '--state-dir', join(folder, 'assembly')],
    folder,
  );
  assert.equal(again.code, 0, 'an unchanged assembly is no update');
  assert.deepEqual(
    again.result.stacks.map(({ changes, verdict }) => `${changes} ${verdict}`),
    ['0 stable', '0 stable'],
  );

  // Then each template file by itself, unchanged.
  for (const stack of ['Web', 'Jobs']) {
    const file = `cdk.out/${stack}.template.json`;
    const words = ['deploy', file, '--stack-name', stack, '--state-dir', join(folder, 'files')];
    const alone = overcastJson(words, folder).result;
    assert.equal(alone.stacks[0]?.status, 'CREATE_COMPLETE');
    assert.equal(alone.verdict, 'stable');
    assert.equal(alone.stacks[0]?.services.length, 1);
  }
});
