import { isObject, type JsonObject, type JsonValue } from '../base/index.ts';

/** A piece of an Fn::Sub text: words as they come out, or the name of a variable. */
type SubPiece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'variable'; readonly name: string };

interface SubText {
  readonly pieces: readonly SubPiece[];
  /** The first `${…}` whose name has characters that F13 forbids. */
  readonly badName?: string;
}

/** Takes an Fn::Sub text apart: `${Name}`, `${Name.Attr}`, `${AWS::Region}`; `${!x}` is `${x}` (F12).
 * Spaces around a name do no harm. */
export function parseSub(text: string): SubText {
  const pieces: SubPiece[] = [];
  let from = 0;
  for (const match of text.matchAll(/\$\{([^}]*)\}/g)) {
    const name = match[1] ?? '';
    addText(pieces, text.slice(from, match.index));
    from = match.index + match[0].length;
    if (name.startsWith('!')) addText(pieces, `\${${name.slice(1)}}`);
    else if (!/^[A-Za-z0-9_.:]+$/.test(name.trim())) return { pieces, badName: name };
    else pieces.push({ type: 'variable', name: name.trim() });
  }
  addText(pieces, text.slice(from));
  return { pieces };
}

/** The text that `parseSub` takes apart into these words: a closed `${…}` is escaped. */
export function escapeSub(words: string): string {
  return words.replace(/\$\{(?=[^}]*\})/g, '${!');
}

function addText(pieces: SubPiece[], text: string): void {
  if (text !== '') pieces.push({ type: 'text', text });
}

/** The parts of an Fn::Sub argument: a text, or a list of a text and a map (F13). */
export function subParts(
  argument: JsonValue,
): { readonly text: string; readonly variables: JsonObject } | undefined {
  if (typeof argument === 'string') return { text: argument, variables: {} };
  if (!Array.isArray(argument) || argument.length !== 2) return undefined;
  const [text, variables] = argument;
  return typeof text === 'string' && isObject(variables) ? { text, variables } : undefined;
}
