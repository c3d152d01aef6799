import type { Terminal } from './terminal.ts';

const REPAINT_MS = 50;

/** A picture at the bottom of the screen that is painted over until it is taken away. */
export interface LiveTree {
  /** How things stand now; painted at once, or when the last paint is 50 ms ago. */
  show(frame: () => readonly string[]): void;
  /** Prints above the picture. */
  print(text: string): void;
  /** Takes the picture away and gives the cursor back. May be called more than once. */
  end(): void;
}

const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';
const ERASE_BELOW = '\x1b[J';

export function createLiveTree({ stderr, nowMs }: Terminal): LiveTree {
  let painted: readonly string[] = [];
  let columns = stderr.columns;
  let paintedAtMs = Number.NEGATIVE_INFINITY;
  let waiting: (() => readonly string[]) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isHidden = false;

  function paint(frame: () => readonly string[]): void {
    clearTimeout(timer);
    timer = undefined;
    waiting = undefined;
    paintedAtMs = nowMs();
    if (columns !== stderr.columns) erase(); // the terminal has wrapped the old lines anew
    columns = stderr.columns;
    const next = frame();
    stderr.write(atOnce(`${isHidden ? '' : HIDE_CURSOR}${repaint(painted, next)}`));
    isHidden = true;
    painted = next;
  }
  function erase(): void {
    if (painted.length > 0) stderr.write(`${up(painted.length)}${ERASE_BELOW}`);
    painted = [];
  }
  return {
    show(frame) {
      const waitMs = paintedAtMs + REPAINT_MS - nowMs();
      if (waitMs <= 0) return paint(frame);
      waiting = frame;
      timer ??= setTimeout(() => waiting && paint(waiting), waitMs).unref();
    },
    print(text) {
      const lines = painted;
      erase();
      stderr.write(text);
      if (lines.length > 0) paint(() => lines);
    },
    end() {
      clearTimeout(timer);
      timer = undefined;
      erase();
      if (isHidden) stderr.write(SHOW_CURSOR);
      isHidden = false;
    },
  };
}

/**
 * What turns the lines on the screen into the next ones: only lines that differ are written. The
 * cursor stands below the last line before and after.
 */
export function repaint(painted: readonly string[], next: readonly string[]): string {
  const lines = next.map((line, row) => (line === painted[row] ? '\n' : `\r${line}\x1b[K\n`));
  const rest = next.length < painted.length ? ERASE_BELOW : '';
  return `${up(painted.length)}${lines.join('')}${rest}`;
}

function up(lines: number): string {
  return lines === 0 ? '' : `\x1b[${lines}A`;
}

/** Shown in one piece by terminals that know synchronized output; no line wraps meanwhile. */
function atOnce(text: string): string {
  return `\x1b[?2026h\x1b[?7l${text}\x1b[?7h\x1b[?2026l`;
}
