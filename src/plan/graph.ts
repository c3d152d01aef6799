/** Who waits for whom, in counts that go down as work is done. */
export interface GraphNode {
  waitsFor: number;
  readonly dependents: readonly string[];
}

export interface Graph {
  readonly [id: string]: GraphNode;
}

/**
 * The graph of some ids; dependencies on others are left out. `reverse` turns every edge round:
 * what is created last is deleted first.
 */
export function graphOf(
  ids: readonly string[],
  dependenciesOf: (id: string) => readonly string[],
  direction: 'create' | 'delete',
): Graph {
  const nodes: { [id: string]: { waitsFor: number; dependents: string[] } } = {};
  for (const id of ids) nodes[id] = { waitsFor: 0, dependents: [] };
  for (const id of ids) {
    for (const dependency of dependenciesOf(id)) {
      const [before, after] = direction === 'create' ? [dependency, id] : [id, dependency];
      const [first, second] = [nodes[before], nodes[after]];
      if (first === undefined || second === undefined) continue;
      first.dependents.push(after);
      second.waitsFor += 1;
    }
  }
  return nodes;
}
