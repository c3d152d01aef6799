import type { ColourLevel } from '../render/index.ts';

/** One of the two streams a command writes to. */
export interface Output {
  write(text: string): void;
  readonly isTTY: boolean;
  readonly columns: number;
  readonly rows: number;
}

export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** All of the process that commands touch, so that a test can run them inside its own. */
export interface Terminal {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: { readonly [name: string]: string | undefined };
  readStandardInput(): Promise<string>;
  /** Milliseconds of the system's time, for the pace of repaints. */
  nowMs(): number;
  /** @returns a function that takes the handler away again */
  onSignal(signal: Signal, handler: () => void): () => void;
  /** Ends the process at once. */
  exit(code: number): void;
}

export function processTerminal(): Terminal {
  return {
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    env: process.env,
    async readStandardInput() {
      process.stdin.setEncoding('utf8');
      let text = '';
      for await (const chunk of process.stdin) text += String(chunk);
      return text;
    },
    nowMs: Date.now,
    onSignal(signal, handler) {
      process.on(signal, handler);
      return () => process.off(signal, handler);
    },
    exit: (code) => process.exit(code),
  };
}

/**
 * A reader that has seen enough (`| head`) closes the pipe. The command then goes on to its end
 * without it, since half a deployment would be left otherwise, and says nothing more.
 */
function outputOf(stream: NodeJS.WriteStream): Output {
  let isClosed = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    isClosed = true;
  });
  return {
    write(text) {
      if (!isClosed) stream.write(text);
    },
    get isTTY() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.columns || 80; // 0 where nobody has told the terminal its size
    },
    get rows() {
      return stream.rows || 24;
    },
  };
}

/**
 * How many colours to use on a stream: none where it is no terminal, unless FORCE_COLOR asks for
 * them, and none where NO_COLOR is set (https://no-color.org).
 */
export function colourLevel({ isTTY }: Output, env: Terminal['env']): ColourLevel {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forcedLevel(forced);
  if (env['NO_COLOR'] || !isTTY || env['TERM'] === 'dumb') return 0;
  return 1;
}

function forcedLevel(forced: string): ColourLevel {
  if (forced === '0' || forced === 'false') return 0;
  return forced === '2' ? 2 : forced === '3' ? 3 : 1;
}
