import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withDesk } from '../../../src/app/session.ts';
import { DEFAULTS } from '../../../src/app/use-cases.ts';
import type { OperationId } from '../../../src/base/index.ts';
import { createRecord } from '../../../src/events/index.ts';
import { folderWith } from '../runtime/docker/fake-engine.ts';

const [A, B] = ['op-a', 'op-b'] as OperationId[];

test('what is saved in the middle of a command holds each finished record, written once', async (t) => {
  const stateDir = folderWith(t);
  const records = join(stateDir, 'records');
  await withDesk({ ...DEFAULTS.common, stateDir }, 'deploy', async (desk) => {
    const session = desk.session('docker');
    session.records[A as OperationId] = createRecord();
    session.save();
    assert.deepEqual(readdirSync(records), ['op-a.json']);
    rmSync(join(records, 'op-a.json'));
    session.records[B as OperationId] = createRecord();
    session.save();
    assert.deepEqual(readdirSync(records), ['op-b.json']);
    session.commit();
    assert.deepEqual(readdirSync(records).sort(), ['op-a.json', 'op-b.json']);
  });
});
