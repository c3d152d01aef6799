import * as jsonc from 'jsonc-parser';
import type { JsonValue, Path, SourceSpan } from '../base/index.ts';
import { createLines } from './lines.ts';
import { DEPTH_MAX, locateIn, type PositionTree } from './position.ts';

/** A parsed document, or the first thing wrong with it. */
type JsonOutcome =
  | { readonly body: JsonValue; readonly duplicateKeys: []; locate(path: Path): SourceSpan }
  | { readonly problem: string; readonly span: SourceSpan };

/** Reads a JSON document. Positions are worked out when the first one is asked for. */
export function readJson(text: string, file: string): JsonOutcome {
  let body: JsonValue;
  try {
    body = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { offset, problem } = syntaxError(text);
    return { problem, span: createLines(text, file).spanAt(offset) };
  }
  const problem = unusable(body);
  if (problem !== undefined) return { problem, span: createLines(text, file).spanAt(0) };
  let locate: ((path: Path) => SourceSpan) | undefined;
  return {
    body,
    duplicateKeys: [], // the last one counts, unnoticed
    locate(path) {
      locate ??= locator(text, file);
      return locate(path);
    },
  };
}

const STRICT: jsonc.ParseOptions = { disallowComments: true, allowTrailingComma: false };

function syntaxError(text: string): { offset: number; problem: string } {
  const errors: jsonc.ParseError[] = [];
  try {
    jsonc.parseTree(text, errors, STRICT);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { offset: 0, problem: 'nested too deeply' };
  }
  const first = errors[0];
  if (first === undefined) return { offset: 0, problem: 'the text is no JSON' };
  const words = jsonc.printParseErrorCode(first.error).replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
  return { offset: first.offset, problem: words.toLowerCase() };
}

/** What JSON allows and a template cannot mean: endless nesting, numbers beyond all numbers. */
function unusable(body: JsonValue): string | undefined {
  let level: JsonValue[] = [body];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) return `more than ${DEPTH_MAX} levels of nesting`;
    const below: JsonValue[] = [];
    for (const value of level) {
      if (typeof value === 'number' && !Number.isFinite(value)) return 'a number is out of range';
      if (value === null || typeof value !== 'object') continue;
      for (const member of Object.values(value)) below.push(member);
    }
    level = below;
  }
  return undefined;
}

function locator(text: string, file: string): (path: Path) => SourceSpan {
  const lines = createLines(text, file);
  const root = jsonc.parseTree(text, [], STRICT);
  if (root === undefined) return () => lines.spanAt(0);
  const tree = positions(root);
  return (path) => locateIn(tree, path, lines);
}

type Member = { readonly node: jsonc.Node; readonly offset: number };

function positions(root: jsonc.Node): PositionTree<jsonc.Node> {
  const members = new WeakMap<jsonc.Node, ReadonlyMap<string, Member>>();
  const membersOf = (node: jsonc.Node): ReadonlyMap<string, Member> => {
    const known = members.get(node);
    if (known !== undefined) return known;
    const found = new Map<string, Member>();
    for (const { children } of node.children ?? []) {
      const [key, value] = children ?? [];
      if (key === undefined || value === undefined) continue;
      found.set(String(key.value), { node: value, offset: key.offset });
    }
    members.set(node, found);
    return found;
  };
  return {
    root: { node: root, offset: root.offset },
    step(node, step) {
      if (node.type === 'object') return membersOf(node).get(String(step));
      const item = node.type === 'array' ? node.children?.[Number(step)] : undefined;
      return item === undefined ? undefined : { node: item, offset: item.offset };
    },
  };
}
