import { type ColourLevel, createPaint, type Paint } from './paint.ts';
import { elapsedText } from './time-text.ts';

export interface TextOptions {
  readonly colour: ColourLevel;
  /** Everything instead of one screen. */
  readonly verbose: boolean;
  /** Columns to break lines at; absent for files and pipes, which keep a sentence whole. */
  readonly width?: number | undefined;
}

/** What the parts of one stack's report share while they are written. */
export interface Page {
  readonly verbose: boolean;
  readonly width: number | undefined;
  readonly paint: Paint;
  /** Texts that stand on the page already: a reason is often an event and an evidence too. */
  readonly told: Set<string>;
  /** A time of the document as time since the stack's operation began. */
  elapsed(at: string): string;
}

export function createPage(options: TextOptions, startedAt: string | null): Page {
  return {
    verbose: options.verbose,
    width: options.width,
    paint: createPaint(options.colour),
    told: new Set(),
    elapsed(at) {
      const since = startedAt === null ? Number.NaN : Date.parse(at) - Date.parse(startedAt);
      return Number.isNaN(since) ? at : elapsedText(since);
    },
  };
}
