import type { ContainerDefinition } from '../../aws/ecs/index.ts';
import type { ServiceArn } from '../../base/index.ts';
import type { Values } from './spec.ts';
import type { DockerTask } from './state.ts';

/** Where values come from that are kept nowhere: secrets, and what stands behind placeholders. */
export interface ValueSource {
  /** A text with every placeholder in it replaced; or the name of what is not known. */
  reveal(service: ServiceArn | null, text: string): string | Unknown;
  /** The value of a container's secret, by its `valueFrom`. */
  secret(service: ServiceArn | null, valueFrom: string): string | Unknown;
}

export interface Unknown {
  readonly unknown: string;
}

/** Everything a container is made with that may hide a secret, or the first that is not known. */
export function valuesOf(
  task: DockerTask,
  definition: ContainerDefinition,
  source: ValueSource,
): Values | Unknown {
  const { service } = task.order;
  const unknown: Unknown[] = [];
  const known = (value: string | Unknown): string => {
    if (typeof value === 'string') return value;
    unknown.push(value);
    return '';
  };
  const reveal = (text: string) => known(source.reveal(service, text));
  const environment = [
    ...definition.environment.map(({ name, value }) => `${name}=${reveal(value)}`),
    ...definition.secrets.map(
      ({ name, valueFrom }) => `${name}=${known(source.secret(service, valueFrom))}`,
    ),
  ];
  const image = reveal(definition.image);
  const values = {
    image: task.owner.images[image] ?? image,
    environment,
    entryPoint: definition.entryPoint.map(reveal),
    command: definition.command.map(reveal),
  };
  return unknown[0] ?? values;
}
