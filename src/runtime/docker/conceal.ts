/** A value that nobody may see, and what stands for it in the task definition. */
export interface Hidden {
  readonly value: string;
  readonly shown: string;
}

/** A shorter one is looked for as a word alone, or it would be found everywhere. */
const FOUND_ANYWHERE_MIN = 4;

/**
 * A text of the engine with every hidden value in it replaced by what stands for it. The engine puts
 * what it quotes as Go does, which is what JSON does for all that is usual.
 */
export function concealed(text: string, hidden: readonly Hidden[]): string {
  const stands = new Map<string, string>();
  for (const { value, shown } of hidden) {
    if (value === '' || value === shown) continue;
    stands.set(value, shown);
    stands.set(JSON.stringify(value).slice(1, -1), shown);
  }
  if (stands.size === 0) return text;
  const longestFirst = [...stands.keys()].sort((one, other) => other.length - one.length);
  const every = new RegExp(longestFirst.map(patternOf).join('|'), 'g');
  return text.replace(every, (found) => stands.get(found) ?? found);
}

function patternOf(value: string): string {
  const literal = value.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return value.length < FOUND_ANYWHERE_MIN ? `(?<![\\w])${literal}(?![\\w])` : literal;
}
