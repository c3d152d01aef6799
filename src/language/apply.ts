import type { JsonValue } from '../base/index.ts';
import { cidrBlocks } from './cidr.ts';
import { scalarText } from './functions.ts';
import { MESSAGES, nonexistentIndex } from './messages.ts';
import { madeOfHidden, placeholderIn, splitOutside } from './no-echo.ts';

/** What a function gives for arguments that are all known, or CloudFormation's complaint. */
type Applied = { readonly value: JsonValue } | { readonly problem: string };

/** The functions that need nothing but their arguments. */
export const APPLICABLE: Readonly<Record<string, (argument: JsonValue) => Applied>> = {
  'Fn::Base64': base64,
  'Fn::Cidr': cidr,
  'Fn::Join': join,
  'Fn::Select': select,
  'Fn::Split': split,
};

function base64(argument: JsonValue): Applied {
  const text = scalarText(argument);
  if (text === undefined) return { problem: MESSAGES.base64 };
  // Encoded, a placeholder would be found by nobody any more: the text waits as it is.
  if (placeholderIn(text) !== undefined) return { value: madeOfHidden(text) };
  return { value: Buffer.from(text, 'utf8').toString('base64') };
}

function join(argument: JsonValue): Applied {
  if (!Array.isArray(argument)) return { problem: MESSAGES.join };
  const [delimiter, list] = argument;
  if (typeof delimiter !== 'string' || !Array.isArray(list)) return { problem: MESSAGES.join };
  const texts: string[] = [];
  for (const item of list) {
    const text = scalarText(item);
    if (text === undefined) return { problem: MESSAGES.join };
    texts.push(text);
  }
  return { value: texts.join(delimiter) };
}

/**
 * Also used with a list that still has parts to come: the chosen one may be known, or not.
 *
 * Past the end of a list that holds the placeholder of a NoEcho value it answers the placeholder:
 * the list may come from a text that was split, and the value may hold the delimiter any number of
 * times. So it does for an index that is such a value.
 */
function select(argument: JsonValue): Applied {
  const selected = selectFixed(argument);
  if ('value' in selected || !Array.isArray(argument)) return selected;
  const [index, list] = argument;
  const isPastEnd = Array.isArray(list) && listIndex(index ?? null) !== undefined;
  const placeholder = isPastEnd ? placeholderIn(list) : undefined;
  return placeholder === undefined ? selected : { value: madeOfHidden(placeholder) };
}

/** The same for a list whose length is certain, whatever its items are. */
export function selectFixed(argument: JsonValue): Applied {
  if (!Array.isArray(argument)) return { problem: MESSAGES.select };
  const [indexValue, list] = argument;
  if (!Array.isArray(list)) return { problem: MESSAGES.select };
  const placeholder = placeholderIn(indexValue);
  if (placeholder !== undefined) return { value: madeOfHidden(placeholder) };
  const index = listIndex(indexValue ?? null);
  if (index === undefined) return { problem: MESSAGES.select };
  const value = list[index];
  return value === undefined ? { problem: nonexistentIndex(String(index)) } : { value };
}

/** A whole number, or a text that is one (F16). */
export function listIndex(value: JsonValue): number | undefined {
  const text = scalarText(value);
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Parts next to the placeholder of a NoEcho value are told as if the value held no delimiter. */
function split(argument: JsonValue): Applied {
  if (!Array.isArray(argument)) return { problem: MESSAGES.split };
  const [delimiter, source] = argument;
  const text = scalarText(source ?? null);
  if (typeof delimiter !== 'string' || text === undefined) return { problem: MESSAGES.split };
  return { value: splitOutside(text, delimiter).map(madeOfHidden) };
}

function cidr(argument: JsonValue): Applied {
  if (!Array.isArray(argument)) return { problem: MESSAGES.cidr };
  const [block, count = null, bits = DEFAULT_HOST_BITS] = argument;
  const placeholder = placeholderIn(argument);
  if (placeholder !== undefined) {
    const length = Math.min(listIndex(count) ?? 1, CIDR_COUNT_MAX);
    return { value: Array.from({ length }, () => madeOfHidden(placeholder)) };
  }
  const numbers = [listIndex(count), listIndex(bits)] as const;
  if (typeof block !== 'string' || numbers[0] === undefined || numbers[1] === undefined) {
    return { problem: MESSAGES.cidr };
  }
  const value = cidrBlocks(block, numbers[0], numbers[1]);
  return value === undefined ? { problem: MESSAGES.cidr } : { value };
}

const DEFAULT_HOST_BITS = 8;
const CIDR_COUNT_MAX = 256;
