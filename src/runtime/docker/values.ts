import type { ContainerDefinition } from '../../aws/ecs/index.ts';
import type { ServiceArn } from '../../base/index.ts';
import type { Hidden } from './conceal.ts';
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

/** Everything a container is made with that may hide a secret, and how to keep it hidden. */
export interface Revealed extends Values {
  /** The image as it may be named to everybody. */
  readonly shownImage: string;
  /** Whether it is run in place of another one (`--image`). */
  readonly isReplaced: boolean;
  /** What the engine may quote when it refuses, and what is told in place of it. */
  readonly hidden: readonly Hidden[];
}

/** A part of a text that stands for a value, which the engine may quote without the rest. */
const PLACEHOLDER = /\{\{resolve:[^{}]+\}\}/g;

/** What a container is made with, or the first of it that is not known. */
export function valuesOf(
  task: DockerTask,
  definition: ContainerDefinition,
  source: ValueSource,
): Revealed | Unknown {
  const { service } = task.order;
  const unknown: Unknown[] = [];
  const hidden: Hidden[] = [];
  const known = (shown: string, value: string | Unknown): string => {
    if (typeof value !== 'string') unknown.push(value);
    else if (value !== shown) hidden.push({ value, shown });
    return typeof value === 'string' ? value : '';
  };
  const reveal = (text: string) => {
    const parts = text.match(PLACEHOLDER) ?? [];
    const whole = known(text, source.reveal(service, text));
    for (const part of parts) if (part !== text) known(part, source.reveal(service, part));
    return whole;
  };
  const environment = [
    ...definition.environment.map(({ name, value }) => `${name}=${reveal(value)}`),
    ...definition.secrets.map(
      ({ name, valueFrom }) => `${name}=${known(valueFrom, source.secret(service, valueFrom))}`,
    ),
  ];
  const image = reveal(definition.image);
  const entryPoint = definition.entryPoint.map(reveal);
  const command = definition.command.map(reveal);
  const other = task.owner.images[image];
  return (
    unknown[0] ?? {
      ...{ image: other ?? image, environment, entryPoint, command },
      ...{ shownImage: other ?? definition.image, isReplaced: other !== undefined, hidden },
    }
  );
}
