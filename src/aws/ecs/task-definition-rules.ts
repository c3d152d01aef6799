import type { JsonObject } from '../../base/index.ts';
import { definedContainerFaults } from './container-rules.ts';
import { dependencyFaults } from './dependency-rules.ts';
import { constraintFaults } from './placement/index.ts';
import { faultIf, type RequestFault } from './request-fault.ts';
import { isGiven, knownText, list } from './request-values.ts';
import { memoryFaults, taskSizeFaults } from './task-size-rules.ts';

/** Everything wrong with a RegisterTaskDefinition request; a ClientException each. */
export function taskDefinitionFaults(request: JsonObject): readonly RequestFault[] {
  const { containerDefinitions } = request;
  // A list that is still to be resolved is nobody's to judge.
  const isKnown = !isGiven(containerDefinitions) || Array.isArray(containerDefinitions);
  const containers = list(containerDefinitions);
  return [
    ...(isKnown ? containerListFaults(containers) : []),
    ...taskSizeFaults(request),
    ...memoryFaults(request, containers),
    ...definedContainerFaults(request, containers),
    ...dependencyFaults(containers),
    ...constraintFaults(request['placementConstraints'], 'task definition'),
  ];
}

/**
 * 6.7: there is a container, one of them essential, and no two of one name. That these are refused is
 * documented; how AWS words it was not seen, but for the names (B).
 */
function containerListFaults(containers: readonly JsonObject[]): readonly RequestFault[] {
  const path = ['containerDefinitions'];
  if (containers.length === 0) {
    return [{ message: 'Container definitions should not be null or empty.', path }];
  }
  const names = containers.map(({ name }) => knownText(name));
  const twice = names.findIndex(
    (name, index) => name !== undefined && names.indexOf(name) !== index,
  );
  if (twice >= 0) {
    const message = `Container names must be unique within a task definition: ${names[twice]} is used twice.`;
    return [{ message, path: [...path, twice, 'name'] }];
  }
  const someEssential = containers.some(({ essential }) => essential !== false);
  return [
    ...names.flatMap(nameFaults),
    ...faultIf(!someEssential, 'At least one container must be essential.', path),
  ];
}

/** At most 255 letters, digits, `_` or `-` (D); how AWS words it was not seen. */
function nameFaults(name: string | undefined, index: number): readonly RequestFault[] {
  const isRight = name === undefined || /^[A-Za-z0-9_-]{1,255}$/.test(name);
  const message =
    'A container name has at most 255 characters: letters, digits, underscores and hyphens.';
  return faultIf(!isRight, message, ['containerDefinitions', index, 'name']);
}
