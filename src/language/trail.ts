import type { Path } from '../base/index.ts';

/**
 * A path under construction: one link per step, so that going down costs the same at any depth.
 * undefined is the root of the template.
 */
export type Trail = { readonly step: string | number; readonly up: Trail } | undefined;

export function down(trail: Trail, ...steps: readonly (string | number)[]): Trail {
  let at = trail;
  for (const step of steps) at = { step, up: at };
  return at;
}

export function pathOf(trail: Trail): Path {
  const path: (string | number)[] = [];
  for (let at = trail; at !== undefined; at = at.up) path.push(at.step);
  return path.reverse();
}
