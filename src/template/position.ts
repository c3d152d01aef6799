import type { Path, SourceSpan } from '../base/index.ts';
import type { Lines } from './lines.ts';

/** A syntax tree that can be walked along a path of the plain data it stands for. */
export interface PositionTree<Node> {
  readonly root: { readonly node: Node; readonly offset: number };
  /** One step down; undefined when there is no such member or item. `offset`: key or item. */
  step(node: Node, step: string | number): { node: Node; offset: number } | undefined;
}

/** The place a path leads to, or of the nearest existing ancestor. */
export function locateIn<Node>(tree: PositionTree<Node>, path: Path, lines: Lines): SourceSpan {
  let at = tree.root;
  for (const step of path) {
    const next = tree.step(at.node, step);
    if (next === undefined) break;
    at = next;
  }
  return lines.spanAt(at.offset);
}

/** Levels of nesting that a document may have; more is no template, and would exhaust the stack. */
export const DEPTH_MAX = 256;

/** Values a document may hold once its aliases are expanded; more is an attempt at exhaustion. */
export const VALUES_MAX = 1_000_000;
