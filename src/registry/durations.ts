import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HandlerOperation } from './type-facts.ts';

type Band = readonly [low: number, typical: number, high: number]; // seconds

/** The parts of `data/durations.json` that are read here. */
interface DurationTable {
  readonly defaultBand: Readonly<Record<HandlerOperation, Band>>;
  readonly types: { readonly [typeName: string]: Readonly<Record<HandlerOperation, Band>> };
  readonly handlerTimeoutMinutes: {
    readonly default: number;
    readonly overrides: {
      readonly [typeName: string]: { readonly [operation in HandlerOperation]?: number };
    };
  };
}

export interface Durations {
  typicalSeconds(typeName: string, operation: HandlerOperation): number;
  handlerTimeoutMinutes(typeName: string, operation: HandlerOperation): number;
}

/** How long things take, from `data/durations.json` of the package at `root`; read on first use. */
export function openDurations(root: string): Durations {
  let read: DurationTable | undefined;
  const table = (): DurationTable => {
    read ??= JSON.parse(readFileSync(join(root, 'data/durations.json'), 'utf8')) as DurationTable;
    return read;
  };
  return {
    typicalSeconds(typeName, operation) {
      // The scheduler takes the time of a service; a band on top would count it twice.
      if (typeName === 'AWS::ECS::Service') return 0;
      const { types, defaultBand } = table();
      return (types[typeName] ?? defaultBand)[operation][1];
    },
    handlerTimeoutMinutes(typeName, operation) {
      const { overrides, default: otherwise } = table().handlerTimeoutMinutes;
      return overrides[typeName]?.[operation] ?? otherwise;
    },
  };
}
