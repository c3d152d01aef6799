import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type YAMLMap,
} from 'yaml';
import type { PositionTree } from './position.ts';
import { longForm } from './short-forms.ts';
import { isMergeKey, keyOf, offsetOf } from './yaml-values.ts';

/** A node, and whether the step into its short form has been taken. */
interface Place {
  readonly node: unknown;
  readonly inside: boolean;
}
type Member = { readonly key: unknown; readonly value: unknown };

/** The positions of a YAML document, walked as the long-form data that `readValues` makes of it. */
export function yamlPositions(
  document: Document,
  targets: ReadonlyMap<Alias, Node>,
  text: string,
): PositionTree<Place> {
  const members = new WeakMap<YAMLMap, ReadonlyMap<string, Member>>();
  const membersOf = (map: YAMLMap): ReadonlyMap<string, Member> => {
    const known = members.get(map);
    if (known !== undefined) return known;
    const found = new Map<string, Member>();
    for (const pair of map.items) if (!isMergeKey(pair)) found.set(keyOf(pair), pair);
    for (const pair of map.items.filter(isMergeKey)) {
      for (const source of mergedMaps(pair.value, targets)) {
        for (const [key, member] of membersOf(source)) if (!found.has(key)) found.set(key, member);
      }
    }
    members.set(map, found);
    return found;
  };
  const place = (node: unknown) => ({ node: { node, inside: false }, offset: start(node, text) });
  return {
    root: place(document.contents),
    step(at, step) {
      const node = isAlias(at.node) ? targets.get(at.node) : at.node;
      const fn = at.inside ? undefined : longForm(tagOf(node));
      if (fn !== undefined) {
        return fn === step
          ? { node: { node, inside: true }, offset: start(node, text) }
          : undefined;
      }
      if (isSeq(node) && typeof step === 'number') {
        return step in node.items ? place(node.items[step]) : undefined;
      }
      // The two halves of `!GetAtt A.B` stand in one scalar.
      if (isScalar(node) && at.inside)
        return { node: { node: null, inside: false }, offset: offsetOf(node) };
      if (!isMap(node)) return undefined;
      const member = membersOf(node).get(String(step));
      if (member === undefined) return undefined;
      return { node: { node: member.value, inside: false }, offset: offsetOf(member.key) };
    },
  };
}

function mergedMaps(value: unknown, targets: ReadonlyMap<Alias, Node>): YAMLMap[] {
  const node = isAlias(value) ? targets.get(value) : value;
  if (isMap(node)) return [node];
  return isSeq(node) ? node.items.flatMap((item) => mergedMaps(item, targets)) : [];
}

function tagOf(node: unknown): string | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) ? node.tag : undefined;
}

/** Where a node begins, its short-form tag included: a node's own range begins behind the tag. */
function start(node: unknown, text: string): number {
  const offset = offsetOf(node);
  const tag = tagOf(node);
  if (tag === undefined || longForm(tag) === undefined) return offset;
  const at = text.lastIndexOf(tag, offset);
  return at === -1 ? offset : at;
}
