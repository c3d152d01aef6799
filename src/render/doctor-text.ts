import { type ColourLevel, createPaint } from './paint.ts';

/** One check of `doctor`, as the use case answers it. */
export interface ShownCheck {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly hint?: string;
}

/** The checks of `doctor`, one per line, each failed one followed by what to do about it. */
export function doctorText(checks: readonly ShownCheck[], colour: ColourLevel): string {
  const paint = createPaint(colour);
  const width = Math.max(0, ...checks.map(({ check }) => check.length));
  return checks
    .map(({ check, ok, detail, hint }) => {
      const mark = ok ? paint.good('✓') : paint.bad('✗');
      const advice = hint === undefined ? '' : `${' '.repeat(width + 4)}→ ${hint}\n`;
      return `${mark} ${check.padEnd(width)}  ${detail}\n${advice}`;
    })
    .join('');
}
