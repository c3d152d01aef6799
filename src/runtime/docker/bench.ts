import type { PlaceKey, TaskId } from '../../base/index.ts';
import type { Engine } from './engine.ts';
import type { PullProgress } from './engine-images.ts';
import type { HostPort } from './host-ports.ts';
import type { Home } from './labels.ts';
import type { DockerTask, TaskNews } from './state.ts';
import type { ValueSource } from './values.ts';

/** What is written down, and synced, before the engine is asked to make something; and after. */
export interface JournalEntry {
  readonly type: 'create' | 'created';
  readonly container: string; // its name
  readonly task: TaskId;
}

/** One line of a container's output. */
export interface OutputLine {
  readonly task: TaskId;
  readonly container: string;
  readonly text: string;
}

/** What containers are made and watched with, in one command. */
export interface Bench {
  readonly engine: Engine;
  readonly home: Home;
  readonly values: ValueSource;
  /** The entry is on disk when this returns. */
  journal(entry: JournalEntry): void;
  tell(place: PlaceKey, news: TaskNews): void;
  /** The engine does not answer any more; nothing more will be told. */
  onLost(why: string): void;
  /** Work outside ended in a way that nobody foresaw. */
  onDefect(error: unknown): void;
  onPull(image: string, progress: PullProgress | 'begun' | 'done' | 'failed'): void;
  /** Lines that containers print, as they print them; absent: nobody follows. */
  onOutput?(line: OutputLine): void;
}

/** One task, and the work that is under way for it outside. */
export interface TaskAtWork {
  readonly place: PlaceKey;
  readonly task: DockerTask;
  readonly pending: Set<Promise<void>>;
  /** Starts of its containers, and whether each came about: an end is told after its start. */
  readonly starts: Map<string, Promise<boolean>>;
  /** Aborted when the task is not wanted any more. */
  readonly ending: AbortController;
  /** Aborted when the command ends and leaves the task as it is. */
  readonly closing: AbortSignal;
  /** Host ports that it was refused. */
  readonly refused: HostPort[];
  /** The other tasks of the state folder that something was done for and that are not gone. */
  others(): readonly TaskAtWork[];
}
