import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { isObject, type JsonObject, type JsonValue } from '../base/index.ts';
import { DEPTH_MAX, VALUES_MAX } from './position.ts';
import { longForm } from './short-forms.ts';

/** What stops the reading of a well-formed document, with its offset in the text. */
export class ValueFault extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

interface YamlValues {
  readonly body: JsonValue;
  /** The node each alias stands for. */
  readonly targets: ReadonlyMap<Alias, Node>;
  /** Keys that stand twice in their map; the last one counts. */
  readonly duplicates: readonly Duplicate[];
}

interface Duplicate {
  readonly key: string;
  readonly offset: number;
}

/** A value with what it costs to walk it: itself and everything in it, aliases expanded. */
interface Read {
  readonly value: JsonValue;
  readonly values: number;
  readonly height: number;
}

interface Reading {
  readonly anchors: Map<string, Node>;
  readonly targets: Map<Alias, Node>;
  readonly done: Map<Node, Read>;
  readonly duplicates: Duplicate[];
  /** Values read so far, aliases expanded. */
  values: number;
}

/**
 * The plain data of a document: short forms as long forms, aliases expanded, merge keys merged.
 *
 * @throws ValueFault for keys that are no text, aliases without anchor, documents that expand
 *   beyond `VALUES_MAX` and nesting beyond `DEPTH_MAX`
 */
export function readValues(document: Document): YamlValues {
  const reading: Reading = {
    anchors: new Map(),
    targets: new Map(),
    done: new Map(),
    duplicates: [],
    values: 0,
  };
  const body = document.contents === null ? null : readNode(document.contents, 0, reading).value;
  return { body, targets: reading.targets, duplicates: reading.duplicates };
}

function readNode(node: unknown, depth: number, reading: Reading): Read {
  if (isAlias(node)) return readAlias(node, depth, reading);
  if (!isScalar(node) && !isMap(node) && !isSeq(node)) return LEAF_NULL;
  if (depth > DEPTH_MAX) throw tooDeep(node);
  if (node.anchor !== undefined) reading.anchors.set(node.anchor, node);
  const fn = longForm(node.tag);
  const inner = readContent(node, fn === undefined ? depth : depth + 1, reading);
  const read = fn === undefined ? inner : wrap({ [fn]: argumentOf(fn, inner.value) }, inner);
  count(1, node, reading);
  if (node.anchor !== undefined) reading.done.set(node, read);
  return read;
}

function readContent(node: Node, depth: number, reading: Reading): Read {
  if (isMap(node)) return readMap(node, depth, reading);
  if (isScalar(node)) return { value: scalarValue(node), values: 1, height: 0 };
  const items = isSeq(node) ? node.items.map((item) => readNode(item, depth + 1, reading)) : [];
  return sum(
    items.map((item) => item.value),
    items,
  );
}

function readAlias(alias: Alias, depth: number, reading: Reading): Read {
  const target = reading.anchors.get(alias.source);
  if (target === undefined) {
    throw new ValueFault(`the alias *${alias.source} has no anchor before it`, offsetOf(alias));
  }
  const read = reading.done.get(target);
  if (read === undefined) {
    throw new ValueFault(`the anchor &${alias.source} contains itself`, offsetOf(alias));
  }
  if (depth + read.height > DEPTH_MAX) throw tooDeep(alias);
  count(read.values, alias, reading);
  reading.targets.set(alias, target);
  return read;
}

function count(values: number, node: Node, reading: Reading): void {
  reading.values += values;
  if (reading.values > VALUES_MAX) throw new ValueFault(TOO_LARGE, offsetOf(node));
}

function readMap(map: YAMLMap, depth: number, reading: Reading): Read {
  const members = new Map<string, JsonValue>();
  const reads: Read[] = [];
  const merged: JsonObject[] = [];
  for (const pair of map.items) {
    const read = readNode(pair.value, depth + 1, reading);
    reads.push(read);
    if (isMergeKey(pair)) merged.push(...mergeSources(read.value, pair));
    else addMember(members, pair, read.value, reading);
  }
  // A key of the map's own wins over a merged one, an earlier merge over a later one.
  for (const source of merged) {
    for (const [key, value] of Object.entries(source)) {
      if (!members.has(key)) members.set(key, value);
    }
  }
  return sum(Object.fromEntries(members), reads);
}

function addMember(
  members: Map<string, JsonValue>,
  pair: Pair,
  value: JsonValue,
  reading: Reading,
): void {
  if (!isTextKey(pair.key)) throw new ValueFault('a key must be text', offsetOf(pair.key));
  const key = keyOf(pair);
  if (members.has(key)) reading.duplicates.push({ key, offset: offsetOf(pair.key) });
  members.set(key, value);
}

/** `! "Ref": x` is text as well: the tag `!` says no more than that the key has no special type. */
function isTextKey(key: unknown): boolean {
  const plain = isScalar(key) && typeof key.value === 'string';
  return plain && (key.tag === undefined || key.tag === '!' || key.tag.endsWith(':str'));
}

function mergeSources(value: JsonValue, pair: Pair): JsonObject[] {
  const sources = Array.isArray(value) ? value : [value];
  return sources.map((source) => {
    if (isObject(source)) return source;
    throw new ValueFault('<< merges maps only', offsetOf(pair.key));
  });
}

export function isMergeKey(pair: Pair): boolean {
  return isScalar(pair.key) && pair.key.value === '<<' && pair.key.type === 'PLAIN';
}

export function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : '';
}

function scalarValue({ value, source }: Scalar): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return source ?? ''; // `.inf` and the like: JSON has no such number
}

/** `!GetAtt A.B.C` splits at the first dot (F32); every other argument stays as written. */
function argumentOf(fn: string, value: JsonValue): JsonValue {
  return fn === 'Fn::GetAtt' && typeof value === 'string' ? splitGetAtt(value) : value;
}

function splitGetAtt(text: string): string[] {
  const dot = text.indexOf('.');
  return dot === -1 ? [text] : [text.slice(0, dot), text.slice(dot + 1)];
}

function wrap(value: JsonObject, inner: Read): Read {
  return { value, values: inner.values + 1, height: inner.height + 1 };
}

function sum(value: JsonValue, parts: readonly Read[]): Read {
  let values = 1;
  let height = 0;
  for (const part of parts) {
    values += part.values;
    height = Math.max(height, part.height + 1);
  }
  return { value, values, height };
}

/** The start of a node; its tag, if it has any, stands before. */
export function offsetOf(node: unknown): number {
  const ranged = isAlias(node) || isScalar(node) || isMap(node) || isSeq(node);
  return ranged ? (node.range?.[0] ?? 0) : 0;
}

function tooDeep(node: Node): ValueFault {
  return new ValueFault(`more than ${DEPTH_MAX} levels of nesting`, offsetOf(node));
}

const TOO_LARGE = `more than ${VALUES_MAX} values once the aliases are expanded`;
const LEAF_NULL: Read = { value: null, values: 1, height: 0 };
