import { Chalk } from 'chalk';

/** 0: none, 1: 16 colours, 2: 256, 3: all. Only the 16 are used, so that themes keep their say. */
export type ColourLevel = 0 | 1 | 2 | 3;

type Colouring = (text: string) => string;

/** Colours by what they say, so that one meaning looks the same everywhere. */
export interface Paint {
  readonly bad: Colouring;
  readonly warn: Colouring;
  readonly good: Colouring;
  readonly faint: Colouring;
  readonly strong: Colouring;
}

export function createPaint(level: ColourLevel): Paint {
  const chalk = new Chalk({ level });
  return {
    bad: (text) => chalk.red(text),
    warn: (text) => chalk.yellow(text),
    good: (text) => chalk.green(text),
    faint: (text) => chalk.dim(text),
    strong: (text) => chalk.bold(text),
  };
}

/** The colouring of a status of a stack, a resource, a rollout or a task. */
export function statusColour(status: string, paint: Paint): Colouring {
  if (isBad(status)) return paint.bad;
  return /COMPLETE|RUNNING|PRIMARY|ACTIVE/.test(status) ? paint.good : paint.warn;
}

/** Failed, or green only because what was wanted has been taken back. */
export function isBad(status: string): boolean {
  return status.includes('FAILED') || status.includes('ROLLBACK');
}
