import { nearest } from '../../../base/index.ts';
import {
  type Expression,
  type Field,
  OPERATOR_SIGNS,
  OPERATORS,
  type Operator,
  type Subject,
} from './expression.ts';

/** An expression, or what is wrong with the text and at which character, counted from 1. */
export type ParsedExpression =
  | { readonly expression: Expression }
  | { readonly fault: string; readonly at: number };

/**
 * Reads an expression of the cluster query language (7.6): `not` binds closest, then `and`, then
 * `or`, and parentheses go before all three. An argument that holds a space, a parenthesis or a
 * bracket stands in quotes.
 *
 * Source: developer guide, "Create expressions to define container instances". How AWS words a
 * refusal was not seen, so the words are ours.
 */
export function parseExpression(text: string): ParsedExpression {
  const reader = { text, at: 0 };
  try {
    const expression = readOr(reader);
    if (reader.at < text.length) fail(reader, `“and”, “or” or the end, not “${rest(reader)}”`);
    return { expression };
  } catch (error) {
    if (error instanceof Misread) return { fault: error.message, at: error.at };
    throw error;
  }
}

interface Reader {
  readonly text: string;
  at: number;
}

/** Never leaves `parseExpression`. */
class Misread extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

function fail(reader: Reader, expected: string): never {
  throw new Misread(`expected ${expected}`, reader.at + 1);
}

function readOr(reader: Reader): Expression {
  return readChain(reader, 'or', /(?:\|\||or(?![\w:.-]))/iy, readAnd);
}

function readAnd(reader: Reader): Expression {
  return readChain(reader, 'and', /(?:&&|and(?![\w:.-]))/iy, readNot);
}

function readChain(
  reader: Reader,
  type: 'and' | 'or',
  sign: RegExp,
  readItem: (reader: Reader) => Expression,
): Expression {
  const first = readItem(reader);
  const of = [first];
  while (take(reader, sign) !== undefined) of.push(readItem(reader));
  return of.length === 1 ? first : { type, of };
}

function readNot(reader: Reader): Expression {
  if (take(reader, /(?:!|not(?![\w:.-]))/iy) !== undefined) {
    return { type: 'not', of: readNot(reader) };
  }
  if (take(reader, /\(/y) === undefined) return readComparison(reader);
  const inner = readOr(reader);
  if (take(reader, /\)/y) === undefined) fail(reader, `“)”, not ${found(reader)}`);
  return inner;
}

function readComparison(reader: Reader): Expression {
  const subject = readSubject(reader);
  const operator = readOperator(reader, subject);
  switch (operator) {
    case 'exists':
    case 'not_exists':
      return { type: 'comparison', subject, operator, values: [] };
    case 'in':
    case 'not_in':
      return { type: 'comparison', subject, operator, values: readList(reader) };
    case 'matches':
    case 'not_matches':
      return { type: 'comparison', subject, operator, values: [], pattern: readPattern(reader) };
    default:
      return { type: 'comparison', subject, operator, values: [readValue(reader, subject)] };
  }
}

function readSubject(reader: Reader): Subject {
  skipSpace(reader);
  const start = reader.at;
  const word = take(reader, /[\w:./\\-]+/y);
  if (word === undefined) fail(reader, `an attribute or a field, not ${found(reader)}`);
  const [, name] = /^attribute:(.+)$/s.exec(word) ?? [];
  if (name !== undefined) return { type: 'attribute', name };
  const fields = Object.keys(OPERATORS).filter((type): type is Field => type !== 'attribute');
  const type = fields.find((field) => field === word);
  if (type !== undefined) return { type };
  reader.at = start;
  const meant = nearest(word, fields) ?? `attribute:${word}`;
  return fail(reader, `an attribute or a field, not “${word}”; did you mean “${meant}”?`);
}

function readOperator(reader: Reader, subject: Subject): Operator {
  skipSpace(reader);
  const named = nameOf(subject);
  const sign = OPERATOR_SIGNS.find(([text]) => standsAt(reader, text));
  if (sign === undefined) fail(reader, `an operator after ${named}, not ${found(reader)}`);
  const [text, operator] = sign;
  const allowed = OPERATORS[subject.type];
  if (!allowed.includes(operator)) {
    fail(reader, `one of ${allowed.join(', ')} after ${named}, not “${text}”`);
  }
  reader.at += text.length;
  return operator;
}

/** A word that goes on is another word: `in` is no operator in `instance`. */
function standsAt({ text, at }: Reader, sign: string): boolean {
  if (text.slice(at, at + sign.length).toLowerCase() !== sign) return false;
  return !/\w$/.test(sign) || !/^[\w:.-]/.test(text.slice(at + sign.length));
}

function readList(reader: Reader): readonly string[] {
  if (take(reader, /\[/y) === undefined) {
    fail(reader, `a list such as [a, b], not ${found(reader)}`);
  }
  const values = [readLiteral(reader)];
  while (take(reader, /,/y) !== undefined) values.push(readLiteral(reader));
  if (take(reader, /\]/y) === undefined) fail(reader, `“,” or “]”, not ${found(reader)}`);
  return values;
}

/** A value of the kind that its subject is compared with. */
function readValue(reader: Reader, { type }: Subject): string {
  skipSpace(reader);
  const start = reader.at;
  const value = readLiteral(reader);
  const kind = type === 'attribute' ? undefined : VALUE_KINDS[type];
  if (kind === undefined || kind.pattern.test(value)) return value;
  reader.at = start;
  return fail(reader, `${kind.name}, not “${value}”`);
}

const VALUE_KINDS: {
  readonly [Name in Field]?: { readonly name: string; readonly pattern: RegExp };
} = {
  agentConnected: { name: 'true or false', pattern: /^(true|false)$/i },
  agentVersion: { name: 'a version such as 1.14.5', pattern: /^\d+(\.\d+)*$/ },
  runningTasksCount: { name: 'a whole number', pattern: /^\d+$/ },
  registeredAt: {
    name: 'a date such as 2018-06-18 or 2018-06-18T22:28:28Z',
    pattern: /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)?)?$/,
  },
};

function readLiteral(reader: Reader): string {
  const value = takeQuoted(reader) ?? take(reader, /[^\s()[\],'"&|]+/y);
  return value ?? fail(reader, `a value, not ${found(reader)}`);
}

/**
 * A pattern must match the whole value: the guide's own example is `g2.*`. It is Java's syntax on AWS;
 * what JavaScript does not know of it is refused, but for `(?i)` at the beginning.
 */
function readPattern(reader: Reader): RegExp {
  skipSpace(reader);
  const start = reader.at;
  const source = takeQuoted(reader) ?? take(reader, /[^\s()'"]+/y);
  if (source === undefined) fail(reader, `a regular expression, not ${found(reader)}`);
  const ignoresCase = source.startsWith('(?i)');
  const body = ignoresCase ? source.slice(4) : source;
  try {
    new RegExp(body); // alone as well: `a)(b` would make sense between the parentheses below
    return new RegExp(`^(?:${body})$`, ignoresCase ? 'i' : '');
  } catch {
    reader.at = start;
    return fail(reader, `a regular expression, not “${source}”`);
  }
}

function takeQuoted(reader: Reader): string | undefined {
  return take(reader, /'[^']*'|"[^"]*"/y)?.slice(1, -1);
}

/** Takes what matches at this place, after any space; `pattern` is sticky. */
function take(reader: Reader, pattern: RegExp): string | undefined {
  skipSpace(reader);
  pattern.lastIndex = reader.at;
  const taken = pattern.exec(reader.text)?.[0];
  if (taken === undefined) return undefined;
  reader.at += taken.length;
  skipSpace(reader);
  return taken;
}

function skipSpace(reader: Reader): void {
  while (/\s/.test(reader.text[reader.at] ?? '')) reader.at += 1;
}

function nameOf(subject: Subject): string {
  return subject.type === 'attribute' ? `attribute:${subject.name}` : subject.type;
}

function found(reader: Reader): string {
  return reader.at < reader.text.length ? `“${rest(reader)}”` : 'the end';
}

/** What comes next, short enough to be read in a message. */
function rest({ text, at }: Reader): string {
  const word = /^\S+/.exec(text.slice(at))?.[0] ?? '';
  return word.length > 30 ? `${word.slice(0, 30)}…` : word;
}
