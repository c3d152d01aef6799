import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pass } from 'node:timers/promises';
import {
  type Architecture,
  PAUSE_COMMAND,
  pauseArchive,
  pauseProgram,
} from '../../../../src/runtime/docker/pause-image.ts';
import { folderWith } from './fake-engine.ts';

const rows: readonly { architecture: Architecture; machine: number; codeBytes: number }[] = [
  { architecture: 'amd64', machine: 62, codeBytes: 9 },
  { architecture: 'arm64', machine: 183, codeBytes: 28 },
];

for (const { architecture, machine, codeBytes } of rows) {
  test(`the program for ${architecture} is an ELF file whose one segment holds its entry`, () => {
    const file = pauseProgram(architecture);
    assert.deepEqual([...file.subarray(0, 7)], [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
    assert.equal(file.readUInt16LE(16), 2, 'it is an executable');
    assert.equal(file.readUInt16LE(18), machine);

    const at = Number(file.readBigUInt64LE(32));
    assert.deepEqual([file.readUInt16LE(52), at, file.readUInt16LE(56)], [64, 64, 1]);
    assert.equal(file.readUInt32LE(at), 1, 'the segment is loaded');
    assert.equal(file.readUInt32LE(at + 4), 5, 'it is readable and executable, not writable');
    assert.equal(file.readBigUInt64LE(at + 8), 0n, 'it is the file from its start');
    const loadedAt = file.readBigUInt64LE(at + 16);
    assert.equal(file.readBigUInt64LE(at + 32), BigInt(file.length));
    assert.equal(file.readBigUInt64LE(at + 40), BigInt(file.length));
    const entry = file.readBigUInt64LE(24);
    assert.equal(entry - loadedAt, 120n, 'it begins behind the two headers');
    assert.equal(file.length, 120 + codeBytes);
    assert.equal(file.length + jumpOf(file, architecture), 120, 'it ends with a jump to its start');
  });

  test(`the archive for ${architecture} holds the program and nothing else`, () => {
    const archive = pauseArchive(architecture);
    const program = pauseProgram(architecture);
    const text = (at: number, length: number) => archive.toString('latin1', at, at + length);
    assert.equal(text(0, 100).replace(/\0+$/, ''), 'pause');
    assert.equal(PAUSE_COMMAND, '/pause');
    assert.equal(Number.parseInt(text(100, 7), 8), 0o755);
    assert.equal(Number.parseInt(text(124, 11), 8), program.length);
    assert.equal(text(156, 1), '0', 'a plain file');
    assert.equal(text(257, 8), 'ustar\x0000');

    const header = Buffer.from(archive.subarray(0, 512));
    header.fill(' ', 148, 156);
    const sum = header.reduce((total, byte) => total + byte, 0);
    assert.equal(text(148, 8), `${sum.toString(8).padStart(6, '0')}\0 `);

    assert.deepEqual(archive.subarray(512, 512 + program.length), program);
    const rest = archive.subarray(512 + program.length);
    assert.equal(archive.length, 4 * 512, 'header, program, two blocks of nothing');
    assert(rest.every((byte) => byte === 0));
  });
}

/** Bytes from the end of the file to where its last instruction jumps. */
function jumpOf(file: Buffer, architecture: Architecture): number {
  if (architecture === 'amd64') return file.readInt8(file.length - 1);
  const words = (file.readInt32LE(file.length - 4) << 6) >> 6; // the lower 26 bits, with their sign
  return words * 4 - 4; // counted from the instruction itself
}

const HERE: { readonly [arch: string]: Architecture } = { x64: 'amd64', arm64: 'arm64' };
const here = process.platform === 'linux' ? HERE[process.arch] : undefined;

test('the program waits without working until it is killed', { skip: !here }, async (t) => {
  const path = join(folderWith(t), 'pause');
  writeFileSync(path, pauseProgram(here ?? 'amd64'), { mode: 0o755 });
  const child = spawn(path);
  t.after(() => child.kill('SIGKILL'));
  await once(child, 'spawn');
  await pass(100);
  assert.deepEqual([child.exitCode, child.signalCode], [null, null]);
  const [, state] = /\) (\S) /.exec(readFileSync(`/proc/${child.pid}/stat`, 'utf8')) ?? [];
  assert.equal(state, 'S', 'it sleeps');
  child.kill();
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGTERM']);
});
