import { nearest, UserError } from '../base/index.ts';
import type { Assembly, StackArtifact } from './model.ts';

/** Names shown in full when nothing near was asked for. */
const NAMES_SHOWN_MAX = 10;

/**
 * The stacks with one of these names, and all that they depend on, in the order of the assembly.
 *
 * @param names - stack names, artifact ids or display names; `*` stands for any characters, `/`
 *   included. None at all: every stack
 * @throws UserError `UnknownStack` for a name that no stack has
 */
export function selectStacks(
  { stacks }: Assembly,
  names: readonly string[],
): readonly StackArtifact[] {
  if (names.length === 0) return stacks;
  const selected = new Set<string>();
  for (const name of names) {
    const found = stacks.filter((stack) => namesOf(stack).some(matcher(name)));
    if (found.length === 0) throw unknownStack(name, stacks);
    for (const { id } of found) selected.add(id);
  }
  // Backwards, every stack comes before those it depends on.
  for (const { id, dependencies } of stacks.toReversed()) {
    if (selected.has(id)) for (const dependency of dependencies) selected.add(dependency);
  }
  return stacks.filter(({ id }) => selected.has(id));
}

function namesOf({ id, stackName, displayName }: StackArtifact): readonly string[] {
  return [stackName, id, displayName];
}

function matcher(pattern: string): (name: string) => boolean {
  const pieces = pattern.split(/\*+/).map((piece) => piece.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  const expression = new RegExp(`^${pieces.join('.*')}$`, 's');
  return (name) => expression.test(name);
}

function unknownStack(name: string, stacks: readonly StackArtifact[]): UserError {
  const meant = nearest(name, stacks.flatMap(namesOf));
  const all = stacks.map(({ displayName }) => displayName);
  const shown = all.slice(0, NAMES_SHOWN_MAX).join(', ');
  const more = all.length > NAMES_SHOWN_MAX ? ` and ${all.length - NAMES_SHOWN_MAX} more` : '';
  return new UserError('UnknownStack', `no stack of the assembly is named "${name}"`, {
    hint: meant === undefined ? `its stacks: ${shown}${more}` : `did you mean "${meant}"?`,
  });
}
