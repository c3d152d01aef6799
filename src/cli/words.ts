/**
 * Options with several values, and the form a word must have to be one of them. Words go to the
 * option as long as they have its form; what follows is the target (`docs/cli-contract.md`).
 * A tag's key may hold nearly anything; one that begins like a path is taken for a path.
 */
export const MANY_WORDS = {
  '--capabilities': /^CAPABILITY_/,
  '--parameter-overrides': /^[A-Za-z0-9]+=/,
  '--tags': /^[^-=./\s][^=]*=/,
  '--image': /^[^-=\s][^=\s]*=[^=\s]+$/,
  '--report': /^(json|junit|sarif|markdown|html|github)(=|$)/,
  '--retain-resources': /^[A-Za-z0-9]+$/,
} as const satisfies Record<string, RegExp>;

/**
 * Writes `--tags a=1 b=2 stack.yml` as `--tags=a=1 --tags=b=2 stack.yml`: one word for each
 * option, so that the target is not taken for one more value. A word that follows such an option
 * and has not its form is left to the option's own check, which says what it expects.
 */
export function splitManyWords(argv: readonly string[]): string[] {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  const out: string[] = [];
  for (let at = 0; at < words.length; ) {
    const option = words[at] ?? '';
    const form = isManyWords(option) ? MANY_WORDS[option] : undefined;
    const values = form === undefined ? [] : leading(words.slice(at + 1), form);
    out.push(...(values.length === 0 ? [option] : values.map((value) => `${option}=${value}`)));
    at += 1 + values.length;
  }
  return end < 0 ? out : [...out, ...argv.slice(end)];
}

function isManyWords(word: string): word is keyof typeof MANY_WORDS {
  return Object.hasOwn(MANY_WORDS, word);
}

function leading(words: readonly string[], form: RegExp): readonly string[] {
  const end = words.findIndex((word) => !form.test(word));
  return end < 0 ? words : words.slice(0, end);
}
