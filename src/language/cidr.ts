/**
 * The first `count` blocks of `hostBits` host bits in an address block (F20): `Fn::Cidr`.
 *
 * `('10.0.0.0/16', 2, 8)` is `['10.0.0.0/24', '10.0.1.0/24']`; IPv6 blocks count bits of 128.
 *
 * @returns undefined when the block is malformed or has no room for so many
 */
export function cidrBlocks(block: string, count: number, hostBits: number): string[] | undefined {
  const parsed = parseBlock(block);
  if (parsed === undefined || !inRange(count, 1, COUNT_MAX)) return undefined;
  const { width, prefix, address } = parsed;
  const newPrefix = width - hostBits;
  if (!inRange(hostBits, 1, width) || newPrefix < prefix) return undefined;
  const room = newPrefix - prefix;
  if (room < 9 && count > 2 ** room) return undefined;
  const step = 1n << BigInt(hostBits);
  const base = (address >> BigInt(width - prefix)) << BigInt(width - prefix);
  return Array.from({ length: count }, (_, index) => {
    const text = formatAddress(base + step * BigInt(index), width);
    return `${text}/${newPrefix}`;
  });
}

const COUNT_MAX = 256;

interface Block {
  readonly width: 32 | 128;
  readonly prefix: number;
  readonly address: bigint;
}

function parseBlock(block: string): Block | undefined {
  const [text = '', length = '', ...rest] = block.trim().split('/');
  if (rest.length > 0 || !/^\d{1,3}$/.test(length)) return undefined;
  const width = text.includes(':') ? 128 : 32;
  const address = width === 128 ? parseIpv6(text) : parseIpv4(text);
  const prefix = Number(length);
  return address === undefined || prefix > width ? undefined : { width, prefix, address };
}

function parseIpv4(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  return joinParts(parts, 8, (part) => (/^\d{1,3}$/.test(part) ? Number(part) : Number.NaN));
}

function parseIpv6(text: string): bigint | undefined {
  const [head = '', tail, ...rest] = text.split('::');
  if (rest.length > 0) return undefined;
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = 8 - before.length - after.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const parts = [...before, ...Array.from({ length: missing }, () => '0'), ...after];
  return joinParts(parts, 16, (part) =>
    /^[0-9a-f]{1,4}$/i.test(part) ? Number.parseInt(part, 16) : Number.NaN,
  );
}

function joinParts(
  parts: readonly string[],
  bits: number,
  read: (part: string) => number,
): bigint | undefined {
  let address = 0n;
  for (const part of parts) {
    const value = read(part);
    if (!inRange(value, 0, 2 ** bits - 1)) return undefined;
    address = (address << BigInt(bits)) | BigInt(value);
  }
  return address;
}

function formatAddress(address: bigint, width: 32 | 128): string {
  const bits = width === 32 ? 8 : 16;
  const parts = Array.from({ length: width / bits }, (_, index) => {
    const shift = BigInt(width - bits * (index + 1));
    return ((address >> shift) & ((1n << BigInt(bits)) - 1n)).toString(width === 32 ? 10 : 16);
  });
  if (width === 32) return parts.join('.');
  return parts.join(':').replace(/(^|:)0(:0)+(:|$)/, '::');
}

function inRange(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
