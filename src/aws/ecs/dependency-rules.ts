import type { JsonObject, Path } from '../../base/index.ts';
import { namesIn } from './container-rules.ts';
import { faultIf, type RequestFault } from './request-fault.ts';
import { knownText, list } from './request-values.ts';

/**
 * What is wrong with the `dependsOn` of containers. Waiting for HEALTHY of a container without a
 * check is let pass (6.29). A cycle and a container that waits for itself are refused in words of
 * our own: AWS's were not seen.
 */
export function dependencyFaults(containers: readonly JsonObject[]): readonly RequestFault[] {
  const names = namesIn([...containers], 'name');
  if (names === undefined) return [];
  return [
    ...containers.flatMap((container, index) =>
      list(container['dependsOn']).flatMap((dependency, at) => {
        const path = ['containerDefinitions', index, 'dependsOn', at];
        return singleFaults(containers, names[index] ?? '', dependency, path);
      }),
    ),
    ...cycleFaults(names, containers.map(waitsFor)),
  ];
}

function singleFaults(
  containers: readonly JsonObject[],
  waiting: string,
  { containerName, condition }: JsonObject,
  path: Path,
): readonly RequestFault[] {
  const awaited = knownText(containerName);
  if (awaited === undefined) return [];
  const target = containers.find(({ name }) => name === awaited);
  if (target === undefined) {
    const message = `Cannot depend on container ${awaited} because it does not exist`;
    return [{ message, path: [...path, 'containerName'] }];
  }
  if (awaited === waiting) {
    const message = `Container ${waiting} cannot depend on itself.`;
    return [{ message, path: [...path, 'containerName'] }];
  }
  return essentialFaults(target, condition, path);
}

/** 6.21: what others wait for to end cannot be a container whose end ends the task. */
function essentialFaults(
  target: JsonObject,
  condition: JsonObject[string] | undefined,
  path: Path,
): readonly RequestFault[] {
  const toItsEnd = condition === 'SUCCESS' || condition === 'COMPLETE';
  const { essential = true } = target;
  const message =
    'A dependency container with SUCCESS or COMPLETE condition cannot be an essential container';
  return faultIf(toItsEnd && essential === true, message, path);
}

function waitsFor(container: JsonObject): readonly string[] {
  return list(container['dependsOn']).flatMap(
    ({ containerName }) => knownText(containerName) ?? [],
  );
}

/** The first container that waits, through others, for itself. */
function cycleFaults(
  names: readonly string[],
  edges: readonly (readonly string[])[],
): readonly RequestFault[] {
  const others = edges.map((targets, index) => targets.filter((name) => name !== names[index]));
  const first = names.findIndex((_, index) => reaches(index, names, others));
  const message = `Containers depend on each other in a cycle: ${names[first] ?? ''} waits for itself.`;
  return faultIf(first >= 0, message, ['containerDefinitions', first, 'dependsOn']);
}

function reaches(
  start: number,
  names: readonly string[],
  edges: readonly (readonly string[])[],
): boolean {
  const seen = new Set<number>();
  const open = [start];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const next = (edges[at] ?? []).map((name) => names.indexOf(name)).filter((to) => to >= 0);
    if (next.includes(start)) return true;
    open.push(...next.filter((to) => !seen.has(to)));
    for (const to of next) seen.add(to);
  }
  return false;
}
