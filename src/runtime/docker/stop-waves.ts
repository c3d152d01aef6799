import type { ContainerDefinition } from '../../aws/ecs/index.ts';

/**
 * The containers of a task in the order in which they stop, the reverse of that of their starts
 * (6.22): each wave once the one before it has stopped. What depends on itself stops last, at once.
 */
export function stopWaves(
  containers: readonly ContainerDefinition[],
): readonly (readonly ContainerDefinition[])[] {
  const waves: (readonly ContainerDefinition[])[] = [];
  let left = containers;
  while (left.length > 0) {
    const needed = new Set(
      left.flatMap(({ dependsOn }) => dependsOn.map((one) => one.containerName)),
    );
    const free = left.filter(({ name }) => !needed.has(name));
    const wave = free.length === 0 ? left : free;
    waves.push(wave);
    left = left.filter((one) => !wave.includes(one));
  }
  return waves;
}
