/** The architectures that the container of a task's network can be made for, as the engine spells them. */
export type Architecture = 'amd64' | 'arm64';

export const PAUSE_IMAGE = 'overcast-cfn/pause:1';
export const PAUSE_COMMAND = '/pause';

/**
 * Machine code that waits for ever. The container that runs it does nothing but hold a task's network
 * namespace; built in, since no image can be counted on to be there.
 *
 * amd64: `mov eax, 34` (pause); `syscall`; back. arm64: `mov x0..x3, 0`; `mov x8, 73` (ppoll);
 * `svc 0`; back.
 */
const CODE: Readonly<Record<Architecture, readonly number[]>> = {
  amd64: [0xb8, 0x22, 0x00, 0x00, 0x00, 0x0f, 0x05, 0xeb, 0xf7],
  arm64: [
    0xd2800000, 0xd2800001, 0xd2800002, 0xd2800003, 0xd2800928, 0xd4000001, 0x17fffffa,
  ].flatMap((word) => [word & 255, (word >>> 8) & 255, (word >>> 16) & 255, word >>> 24]),
};
const MACHINE: Readonly<Record<Architecture, number>> = { amd64: 62, arm64: 183 };

const LOAD_ADDRESS = 0x400000;
const HEADERS_BYTES = 64 + 56;

/** The program as an ELF file: its header, one segment, the code (elf(5)). */
export function pauseProgram(architecture: Architecture): Buffer {
  const code = Buffer.from(CODE[architecture]);
  const file = Buffer.alloc(HEADERS_BYTES + code.length);
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1], 0); // 64 bits, little-endian, version 1
  file.writeUInt16LE(2, 16); // an executable
  file.writeUInt16LE(MACHINE[architecture], 18);
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(BigInt(LOAD_ADDRESS + HEADERS_BYTES), 24); // where it begins
  file.writeBigUInt64LE(64n, 32); // where the segment's header is
  file.writeUInt16LE(64, 52);
  file.writeUInt16LE(56, 54);
  file.writeUInt16LE(1, 56);
  file.writeUInt32LE(1, 64); // to be loaded
  file.writeUInt32LE(5, 68); // readable, executable
  file.writeBigUInt64LE(BigInt(LOAD_ADDRESS), 80);
  file.writeBigUInt64LE(BigInt(LOAD_ADDRESS), 88);
  file.writeBigUInt64LE(BigInt(file.length), 96);
  file.writeBigUInt64LE(BigInt(file.length), 104);
  file.writeBigUInt64LE(0x1000n, 112);
  file.set(code, HEADERS_BYTES);
  return file;
}

const BLOCK = 512;

/** The image as a tar archive of its one file. */
export function pauseArchive(architecture: Architecture): Buffer {
  const program = pauseProgram(architecture);
  const header = Buffer.alloc(BLOCK);
  header.write(PAUSE_COMMAND.slice(1), 0);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  header.write(`${octal(0o755, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100);
  header.write(`${octal(program.length, 11)} ${octal(0, 11)} `, 124);
  header.write('        0', 148); // blanks while the sum is taken; a plain file
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  const padding = Buffer.alloc((BLOCK - (program.length % BLOCK)) % BLOCK);
  return Buffer.concat([header, program, padding, Buffer.alloc(2 * BLOCK)]);
}
