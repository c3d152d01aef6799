import type { Readable } from 'node:stream';
import type { Engine } from './engine.ts';
import { LABEL } from './labels.ts';

/** An end that the engine told of: of which container, and with which exit code. */
export interface SeenEnd {
  readonly id: string;
  readonly exitCode: number;
}

/** Who is told of the events of containers. */
interface EndsWatcher {
  onEnd(labels: { readonly [label: string]: string }, end: SeenEnd): void;
  /** No more will come. */
  onClosed(): void;
}

interface Ended {
  readonly Actor: { readonly ID: string; readonly Attributes: { readonly [name: string]: string } };
}

/** Tells of the ends of the containers of a state folder as they happen; answers how to stop. */
export async function watchEnds(
  { docker }: Engine,
  home: string,
  { onEnd, onClosed }: EndsWatcher,
): Promise<() => void> {
  const label = [`${LABEL.home}=${home}`];
  const events = await docker.getEvents({
    filters: { type: ['container'], event: ['die'], label },
  });
  const stream = events as Readable;
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines.filter((text) => text.trim() !== '')) {
      const { Actor } = JSON.parse(line) as Ended;
      const exitCode = Number(Actor.Attributes['exitCode']);
      onEnd(Actor.Attributes, { id: Actor.ID, exitCode });
    }
  });
  let isOver = false;
  const over = () => {
    if (!isOver) onClosed();
    isOver = true;
  };
  for (const event of ['end', 'close', 'error']) stream.on(event, over);
  return () => {
    isOver = true;
    stream.destroy();
  };
}
