import type { JsonObject } from '../../base/index.ts';
import type { ContainerDefinition, EnvironmentVariable } from './model.ts';
import { list, number, text, textList } from './request-values.ts';

/** The containers of a task as RunTask's `overrides` change them. */
export function overridden(
  containers: readonly ContainerDefinition[],
  overrides: JsonObject,
): readonly ContainerDefinition[] {
  const given = list(overrides['containerOverrides']);
  if (given.length === 0) return containers;
  return containers.map((container) => {
    const override = given.find(({ name }) => name === container.name);
    return override === undefined ? container : { ...container, ...changes(container, override) };
  });
}

function changes(container: ContainerDefinition, override: JsonObject) {
  const { command, environment, cpu, memory, memoryReservation } = override;
  const [cpuUnits, mebibytes] = [number(cpu), number(memory)];
  const reserved = number(memoryReservation);
  return {
    ...(Array.isArray(command) ? { command: textList(command) } : {}),
    environment: merged(container.environment, list(environment)),
    ...(cpuUnits === undefined ? {} : { cpuUnits }),
    ...(mebibytes === undefined ? {} : { memoryMebibytes: mebibytes }),
    ...(reserved === undefined ? {} : { memoryReservationMebibytes: reserved }),
  };
}

/** A variable of the task definition takes the new value; others come on top. */
function merged(
  environment: readonly EnvironmentVariable[],
  given: readonly JsonObject[],
): readonly EnvironmentVariable[] {
  const added = given.map(({ name, value }) => ({
    name: text(name) ?? '',
    value: text(value) ?? '',
  }));
  const kept = environment.filter(({ name }) => added.every((one) => one.name !== name));
  return [...kept, ...added];
}
