/**
 * A pattern of a parameter (Java's dialect) as an expression that matches whole values (P2).
 *
 * @returns undefined where the pattern has no counterpart here
 */
export function wholePattern(source: string): RegExp | undefined {
  const ignoreCase = source.startsWith('(?i)');
  const body = (ignoreCase ? source.slice(4) : source)
    .replace(/\\A/g, '^')
    .replace(/\\[zZ]/g, '$')
    .replace(/\\p\{(\w+)\}/g, (whole, name: string) => POSIX[name] ?? whole)
    .replace(/\[\[:(\w+):\]\]/g, (whole, name: string) => POSIX_LOWER[name] ?? whole);
  const flags = (ignoreCase ? 'i' : '') + (/\\p\{/.test(body) ? 'u' : '');
  try {
    return new RegExp(`^(?:${body})$`, flags);
  } catch {
    return undefined; // possessive quantifiers and the like: the caller says that it is not checked
  }
}

const POSIX: Readonly<Record<string, string>> = {
  Alnum: '[a-zA-Z0-9]',
  Alpha: '[a-zA-Z]',
  ASCII: '[\\x00-\\x7F]',
  Digit: '[0-9]',
  Lower: '[a-z]',
  Punct: '[!-\\/:-@\\[-`{-~]',
  Upper: '[A-Z]',
};
const POSIX_LOWER: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(POSIX).map(([name, characters]) => [name.toLowerCase(), characters]),
);

/**
 * A text that a simple pattern should match: literals, classes, groups, alternatives and counts.
 * The caller checks it against the pattern; look-arounds and back references are not followed.
 *
 * @param repeats - how often something unbounded is repeated, where its least count allows
 */
export function textFor(source: string, repeats: number): string {
  const reader: Reader = { source: source.replace(/^\(\?i\)/, ''), at: 0, repeats };
  return alternatives(reader);
}

interface Reader {
  readonly source: string;
  readonly repeats: number;
  at: number;
}

function peek(reader: Reader): string {
  return reader.source.charAt(reader.at);
}

function take(reader: Reader): string {
  const character = peek(reader);
  reader.at += 1;
  return character;
}

/** The first alternative that is not empty. */
function alternatives(reader: Reader): string {
  const found = [sequence(reader)];
  while (peek(reader) === '|') {
    reader.at += 1;
    found.push(sequence(reader));
  }
  return found.find((text) => text !== '') ?? '';
}

function sequence(reader: Reader): string {
  let text = '';
  while (reader.at < reader.source.length && peek(reader) !== '|' && peek(reader) !== ')') {
    const start = reader.at;
    const piece = atom(reader);
    const end = reader.at;
    const count = quantifier(reader);
    if (count === 0) continue;
    text += piece;
    for (let index = 1; index < count && text.length < LENGTH_MAX; index += 1) {
      text += again(reader, start, end);
    }
  }
  return text;
}

/** The same atom once more. */
function again(reader: Reader, start: number, end: number): string {
  return atom({ source: reader.source.slice(0, end), repeats: reader.repeats, at: start });
}

function atom(reader: Reader): string {
  const character = take(reader);
  switch (character) {
    case '(':
      return group(reader);
    case '[':
      return firstOf(characterClass(reader));
    case '.':
      return 'a';
    case '^':
    case '$':
      return '';
    case '\\':
      return firstOf(escaped(take(reader)));
    default:
      return character;
  }
}

function group(reader: Reader): string {
  if (peek(reader) === '?') {
    reader.at += 1;
    const isLookAround = peek(reader) === '=' || peek(reader) === '!';
    reader.at += 1;
    const text = alternatives(reader);
    reader.at += 1;
    return isLookAround ? '' : text;
  }
  const text = alternatives(reader);
  reader.at += 1;
  return text;
}

/** The characters a class allows, out of those that are printable. */
function characterClass(reader: Reader): string {
  const negated = peek(reader) === '^';
  if (negated) reader.at += 1;
  let members = '';
  let isFirst = true;
  while (reader.at < reader.source.length && (isFirst || peek(reader) !== ']')) {
    isFirst = false;
    const from = take(reader);
    if (from === '\\') {
      members += escaped(take(reader));
    } else if (peek(reader) === '-' && reader.source.charAt(reader.at + 1) !== ']') {
      reader.at += 1;
      members += range(from, take(reader));
    } else {
      members += from;
    }
  }
  reader.at += 1;
  return negated ? [...PRINTABLE].filter((item) => !members.includes(item)).join('') : members;
}

function range(from: string, to: string): string {
  return [...PRINTABLE].filter((item) => item >= from && item <= to).join('');
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const WORD = `${LETTERS}${LETTERS.toUpperCase()}0123456789_`;
const PRINTABLE = `${WORD}-./:@+=,#!%^&*()[]{}<>?;'"|~\`$\\ `;

function escaped(character: string): string {
  if (character === 'd') return '1234567890';
  if (character === 'w') return WORD;
  if (character === 's') return ' ';
  if (character === 'D' || character === 'S') return LETTERS;
  if (character === 'W') return '-';
  return 'bBAzZ'.includes(character) ? '' : character;
}

/** A letter where there is one: it may begin a name, which a digit or a sign often may not. */
function firstOf(characters: string): string {
  return /[a-zA-Z]/.exec(characters)?.[0] ?? characters.charAt(0);
}

function quantifier(reader: Reader): number {
  const rest = reader.source.slice(reader.at);
  const counted = /^\{(\d+)(,(\d*))?\}/.exec(rest);
  const sign = /^[*+?]/.exec(rest)?.[0];
  const length = counted?.[0].length ?? sign?.length ?? 0;
  reader.at += length;
  if (length > 0 && (peek(reader) === '?' || peek(reader) === '+')) reader.at += 1;
  if (counted !== null) {
    const least = Number(counted[1]);
    const most = counted[2] === undefined ? least : Number(counted[3] || Number.MAX_SAFE_INTEGER);
    return Math.min(Math.max(least, reader.repeats), most, REPEATS_MAX);
  }
  if (sign === undefined) return 1;
  if (sign === '?') return Math.min(1, reader.repeats);
  return Math.min(Math.max(sign === '+' ? 1 : 0, reader.repeats), REPEATS_MAX);
}

const REPEATS_MAX = 256;
/** Repetitions within repetitions stop here: the longest text that helps is far shorter. */
const LENGTH_MAX = 512;
