/**
 * A repeatable source of chance as plain data: four 32-bit words, advanced in place (sfc32).
 * Equal seeds give equal sequences on every machine.
 */
export type RandomState = [number, number, number, number];

/** A state from any text; texts that differ give sequences that differ. */
export function seedRandom(text: string): RandomState {
  const state: RandomState = [fnv1a(text, 1), fnv1a(text, 2), fnv1a(text, 3), 1];
  for (let i = 0; i < 12; i += 1) nextUint32(state);
  return state;
}

/** A seed for people to read and type: 0 to 2³¹ − 1, from a text. */
export function seedNumber(text: string): number {
  return fnv1a(text, 0) >>> 1;
}

export function nextUint32(state: RandomState): number {
  const sum = (((state[0] + state[1]) | 0) + state[3]) | 0;
  state[3] = (state[3] + 1) | 0;
  state[0] = state[1] ^ (state[1] >>> 9);
  state[1] = (state[2] + (state[2] << 3)) | 0;
  state[2] = ((state[2] << 21) | (state[2] >>> 11)) + sum;
  state[2] |= 0;
  return sum >>> 0;
}

/** A whole number from 0 up to, not including, `bound`. */
export function nextBelow(state: RandomState, bound: number): number {
  return Math.floor((nextUint32(state) / 2 ** 32) * bound);
}

export function nextText(state: RandomState, length: number, alphabet: string): string {
  let text = '';
  for (let i = 0; i < length; i += 1) text += alphabet[nextBelow(state, alphabet.length)];
  return text;
}

export const HEX = '0123456789abcdef';
export const DIGITS = '0123456789';
export const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Shaped like a version 4 UUID. */
export function nextUuid(state: RandomState): string {
  let hex = '';
  for (let i = 0; i < 4; i += 1) hex += nextUint32(state).toString(16).padStart(8, '0');
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** 32 hex digits, the tail of a task ARN. */
export function nextHex32(state: RandomState): string {
  let hex = '';
  for (let i = 0; i < 4; i += 1) hex += nextUint32(state).toString(16).padStart(8, '0');
  return hex;
}

function fnv1a(text: string, salt: number): number {
  let hash = (2166136261 ^ Math.imul(salt, 0x9e3779b1)) | 0;
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  }
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) >>> 0;
}
