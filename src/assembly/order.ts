import { nearest, present, UserError } from '../base/index.ts';
import { invalidAt } from './document.ts';
import type { Artifact, Manifest } from './manifest.ts';

/** A stack artifact, where it was found, and the ids of the stacks it directly waits for. */
export interface PlacedStack {
  readonly id: string;
  readonly manifest: Manifest;
  readonly dependencies: readonly string[];
}

const STACK = 'aws:cloudformation:stack';

/**
 * All stacks of a manifest and of those nested in it, each after the stacks it depends on, else in
 * the order of the file (K4). What depends on a nested assembly waits for all its stacks; other
 * artifacts, such as asset manifests, hand on what they wait for themselves.
 */
export function stacksInOrder(root: Manifest): readonly PlacedStack[] {
  const stacks = placedStacks(root, []);
  const byId = new Map<string, PlacedStack>();
  for (const stack of stacks) {
    if (byId.has(stack.id)) {
      const { document } = stack.manifest;
      throw invalidAt(document, ['artifacts', stack.id], 'is there twice, as another stack too');
    }
    byId.set(stack.id, stack);
  }
  const ordered = new Set<PlacedStack>();
  for (const stack of stacks) visit(stack, [], byId, ordered);
  return [...ordered];
}

function visit(
  stack: PlacedStack,
  above: readonly string[],
  byId: ReadonlyMap<string, PlacedStack>,
  ordered: Set<PlacedStack>,
): void {
  if (ordered.has(stack)) return;
  const from = above.indexOf(stack.id);
  if (from !== -1) throw circle(stack, above.slice(from));
  for (const id of stack.dependencies) {
    const dependency = present(byId.get(id), 'a dependency was found among the stacks');
    visit(dependency, [...above, stack.id], byId, ordered);
  }
  ordered.add(stack);
}

function circle({ id, manifest: { document } }: PlacedStack, ids: readonly string[]): UserError {
  const path = ['artifacts', id, 'dependencies'];
  return new UserError(
    'InvalidAssembly',
    `stacks depend on each other in a circle: ${[...ids, id].join(' → ')}`,
    { hint: 'remove one of these dependencies in the app', span: document.locate(path) },
  );
}

/** @param inherited - what the assembly around this manifest waits for */
function placedStacks(manifest: Manifest, inherited: readonly string[]): readonly PlacedStack[] {
  return manifest.artifacts.flatMap((artifact) => {
    const own = stacksBehind(artifact, manifest, new Set([artifact.id]));
    const dependencies = [...new Set([...inherited, ...own])];
    if (artifact.nested !== undefined) return placedStacks(artifact.nested, dependencies);
    return artifact.type === STACK ? [{ id: artifact.id, manifest, dependencies }] : [];
  });
}

/** The stacks that an artifact waits for, found through artifacts that are none. */
function stacksBehind(artifact: Artifact, manifest: Manifest, seen: Set<string>): string[] {
  return artifact.dependencies.flatMap((id, index) => {
    const target = manifest.artifacts.find((other) => other.id === id);
    if (target === undefined) throw unknownArtifact(artifact, index, id, manifest);
    if (target.type === STACK) return [id];
    if (seen.has(id)) return [];
    seen.add(id);
    const further = stacksBehind(target, manifest, seen);
    return target.nested === undefined ? further : [...further, ...idsIn(target.nested)];
  });
}

function idsIn({ artifacts }: Manifest): readonly string[] {
  return artifacts.flatMap(({ id, type, nested }) => {
    if (nested !== undefined) return idsIn(nested);
    return type === STACK ? [id] : [];
  });
}

function unknownArtifact({ id: of }: Artifact, index: number, id: string, manifest: Manifest) {
  const { document, artifacts } = manifest;
  const meant = nearest(
    id,
    artifacts.map((artifact) => artifact.id),
  );
  return invalidAt(
    document,
    ['artifacts', of, 'dependencies', index],
    `names "${id}", and there is no such artifact`,
    meant === undefined ? undefined : `did you mean "${meant}"?`,
  );
}
