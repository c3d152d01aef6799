import type { JsonObject, JsonValue } from '../base/index.ts';
import { scalarText, splitAtDot } from './functions.ts';
import { MESSAGES, notText } from './messages.ts';
import { type Evaluated, NO_VALUE } from './no-value.ts';
import { getAtt, refTo } from './references.ts';
import { refusal } from './refusal.ts';
import { isLate, type Scope } from './scope.ts';
import { escapeSub, parseSub, subParts } from './sub-text.ts';
import { down, type Trail } from './trail.ts';

interface Evaluation {
  readonly scope: Scope;
  evaluate(value: JsonValue, at: Trail, scope: Scope): Evaluated;
}

/**
 * Fn::Sub: text where every variable is known, else an Fn::Sub of what is left, with the known
 * values in its text.
 */
export function evaluateSub(argument: JsonValue, at: Trail, evaluation: Evaluation): JsonValue {
  const { scope } = evaluation;
  const parts = subParts(argument);
  if (parts === undefined) throw refusal(scope.template, MESSAGES.sub, at, 'give text and a map');
  const own = ownVariables(parts.variables, down(at, 1), evaluation);
  const pieces = parseSub(parts.text).pieces.map((piece): Piece => {
    if (piece.type === 'text') return { words: piece.text };
    const value = variableValue(piece.name, own, { at, scope });
    const words = isLate(value, scope) ? undefined : scalarText(value);
    return words === undefined ? { name: piece.name, value } : { name: piece.name, words };
  });
  const isKnown = pieces.every((piece) => 'words' in piece);
  return isKnown ? pieces.map(wordsOf).join('') : leftOver(pieces, scope);
}

/** Text of the template, a variable whose value is known, or one that is still to come. */
type Piece =
  | { readonly words: string; readonly name?: string }
  | { readonly name: string; readonly value: JsonValue };

function wordsOf(piece: Piece): string {
  return 'words' in piece ? piece.words : '';
}

/** The variables of the second argument: they shadow the names of the template (F12). */
function ownVariables(
  variables: JsonObject,
  at: Trail,
  { scope, evaluate }: Evaluation,
): ReadonlyMap<string, JsonValue> {
  const own = new Map<string, JsonValue>();
  for (const [name, value] of Object.entries(variables)) {
    const result = evaluate(value, down(at, name), scope);
    if (result === NO_VALUE || (!isLate(result, scope) && scalarText(result) === undefined)) {
      throw refusal(scope.template, MESSAGES.subValue, down(at, name), 'give it text');
    }
    own.set(name, result);
  }
  return own;
}

function variableValue(
  name: string,
  own: ReadonlyMap<string, JsonValue>,
  { at, scope }: { readonly at: Trail; readonly scope: Scope },
): JsonValue {
  const given = own.get(name);
  if (given !== undefined) return given;
  const [resource = '', attribute] = splitAtDot(name);
  if (attribute !== undefined) return getAtt(resource, attribute, { at, scope });
  const value = refTo(name, at, scope);
  if (value === NO_VALUE) return '';
  if (isLate(value, scope) || scalarText(value) !== undefined) return value;
  throw refusal(scope.template, notText(name), at, 'join the list with Fn::Join first');
}

/** An Fn::Sub of what is still to come, with everything known in its text. */
function leftOver(pieces: readonly Piece[], scope: Scope): JsonValue {
  const variables = new Map<string, JsonValue>();
  const texts = pieces.map((piece) => {
    if (!('words' in piece)) {
      if (!isPlain(piece.name, piece.value)) variables.set(piece.name, piece.value);
      return `\${${piece.name}}`;
    }
    if (piece.name === undefined) return escapeSub(piece.words);
    // A value with `$`, or with `{` in front, could read as a variable next to its surroundings.
    if (!piece.words.includes('$') && !piece.words.startsWith('{')) return piece.words;
    variables.set(piece.name, piece.words);
    return `\${${piece.name}}`;
  });
  const text = texts.join('');
  const call = {
    'Fn::Sub': variables.size === 0 ? text : [text, Object.fromEntries(variables)],
  };
  scope.late.add(call);
  return call;
}

/** Whether the variable's name alone says what to look up: `${Web}`, `${Web.Arn}`. */
function isPlain(name: string, value: JsonValue): boolean {
  const [resource = '', attribute] = splitAtDot(name);
  const reference =
    attribute === undefined ? { Ref: resource } : { 'Fn::GetAtt': [resource, attribute] };
  return JSON.stringify(value) === JSON.stringify(reference);
}
