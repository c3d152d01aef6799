import type { Progress } from '../app/index.ts';
import type { EpochMs } from '../base/index.ts';
import { eventLine, isFailureEvent, plain, treeFrame } from '../render/index.ts';
import { EXIT_INTERRUPTED } from './exit-codes.ts';
import type { RunFlags } from './flags.ts';
import { createLiveTree, type LiveTree } from './live-tree.ts';
import { colourLevel, type Signal, type Terminal } from './terminal.ts';

type RecordedEvents = Parameters<NonNullable<Progress['recorded']>>[0];

/** Follows a running command on the terminal. */
export interface Follower {
  readonly progress: Required<Progress>;
  /** Takes the tree and the signal handlers away; the result can be printed then. */
  end(): void;
}

type Kind = 'tree' | 'events' | 'errors' | 'none';
type FollowFlags = Pick<RunFlags, 'progress' | 'output'>;

/** @param notes - sentences to say once, after the line that names the runtime */
export function follow(terminal: Terminal, flags: FollowFlags, notes: readonly string[]): Follower {
  const kind = progressKind(flags, terminal);
  const tree = kind === 'tree' ? createLiveTree(terminal) : undefined;
  const say = (text: string) => printAbove(tree, terminal, `${text}\n`);
  const events = eventTeller(kind, flags, terminal);
  let unsaid = notes;
  const sayNotes = () => {
    const now = unsaid;
    unsaid = [];
    for (const note of now) say(`note: ${note}`);
  };
  const signals = signalHandlers(terminal, say, () => tree?.end());

  return {
    progress: {
      note(text) {
        say(text);
        sayNotes();
      },
      recorded(recorded) {
        sayNotes();
        events(recorded);
      },
      view(snapshot) {
        const { stderr, env } = terminal;
        tree?.show(() =>
          treeFrame(snapshot(), {
            width: stderr.columns,
            height: Math.max(1, stderr.rows - 1),
            colour: colourLevel(stderr, env),
          }),
        );
      },
      output({ task, container, text }) {
        say(`${task.slice(0, 8)} ${container} | ${plain(text)}`);
      },
      interruptible: signals.interruptible,
    },
    end() {
      signals.remove();
      tree?.end();
      sayNotes();
    },
  };
}

/** Which progress to show. Lines of JSON on a terminal are their own progress. */
export function progressKind({ progress, output }: FollowFlags, terminal: Terminal): Kind {
  const { stdout, stderr, env } = terminal;
  const canPaint = stderr.isTTY && env['TERM'] !== 'dumb';
  if (progress === 'auto') {
    if (output === 'jsonl' && stdout.isTTY) return 'none';
    return canPaint && !env['CI'] ? 'tree' : 'events';
  }
  return progress === 'tree' && !canPaint ? 'events' : progress;
}

function printAbove(tree: LiveTree | undefined, { stderr }: Terminal, text: string): void {
  if (tree === undefined) stderr.write(text);
  else tree.print(text);
}

/** Writes the record to standard output where it was asked for, and event lines for people. */
function eventTeller(
  kind: Kind,
  { output }: FollowFlags,
  { stdout, stderr, env }: Terminal,
): (recorded: RecordedEvents) => void {
  const colour = colourLevel(stderr, env);
  let sinceMs: EpochMs | undefined;
  return (recorded) => {
    for (const event of recorded) {
      sinceMs ??= event.atMs;
      if (output === 'jsonl') stdout.write(`${JSON.stringify(event)}\n`);
      if (kind !== 'events' && !(kind === 'errors' && isFailureEvent(event))) continue;
      const line = eventLine(event, { sinceMs, colour });
      if (line !== undefined) stderr.write(`${line}\n`);
    }
  };
}

/** The first Ctrl-C asks the run to stop in order, the second ends the process at once. */
function signalHandlers(terminal: Terminal, say: (text: string) => void, restore: () => void) {
  let interrupt: (() => void) | undefined;
  let whatItDoes = '';
  let isAsked = false;
  const removals = new Map<Signal, () => void>();
  const leave = (code: number) => {
    restore();
    terminal.exit(code);
  };
  const onInterrupt = () => {
    if (isAsked || interrupt === undefined) return leave(EXIT_INTERRUPTED);
    isAsked = true;
    say(`interrupted: ${whatItDoes}; Ctrl-C again stops at once`);
    interrupt();
  };
  return {
    interruptible(given: () => void, what: string): void {
      interrupt = given;
      whatItDoes = what;
      isAsked = false;
      if (removals.size > 0) return;
      removals.set('SIGINT', terminal.onSignal('SIGINT', onInterrupt));
      // As the shell counts them: 128 and the number of the signal.
      removals.set(
        'SIGTERM',
        terminal.onSignal('SIGTERM', () => leave(143)),
      );
      removals.set(
        'SIGHUP',
        terminal.onSignal('SIGHUP', () => leave(129)),
      );
    },
    remove(): void {
      for (const removal of removals.values()) removal();
      removals.clear();
    },
  };
}
