import { createInterface } from 'node:readline';
import { PassThrough, type Readable } from 'node:stream';
import type Docker from 'dockerode';
import type { Engine } from './engine.ts';
import { faultOf } from './faults.ts';

/** The last lines a container printed, standard output and error in the order they came. */
export async function lastLines(
  { docker }: Engine,
  name: string,
  lines: number,
): Promise<readonly string[]> {
  try {
    const options = { stdout: true, stderr: true, tail: lines, follow: false } as const;
    const answer = await docker.getContainer(name).logs(options);
    return linesOf(answer);
  } catch (error) {
    if (isGoing(error)) return [];
    throw error;
  }
}

/** There is no such container any more, or somebody is removing it. */
function isGoing(error: unknown): boolean {
  const { status } = faultOf(error);
  return status === 404 || status === 409;
}

interface OutputOptions {
  readonly fromStart: boolean;
  readonly closing: AbortSignal;
  onLine(text: string): void;
}

/** Lines as they are printed, until the container ends. It may have ended already. */
export async function streamOutput(
  { docker }: Engine,
  name: string,
  { fromStart, closing, onLine }: OutputOptions,
): Promise<void> {
  if (closing.aborted) return;
  try {
    const tail = fromStart ? 'all' : 0;
    const options = { stdout: true, stderr: true, follow: true, tail } as const;
    const frames = (await docker.getContainer(name).logs(
      options as Docker.ContainerLogsOptions & {
        follow: true;
      },
    )) as Readable;
    if (closing.aborted) return void frames.destroy();
    const lines = new PassThrough();
    docker.modem.demuxStream(frames, lines, lines);
    frames.on('end', () => lines.end());
    closing.addEventListener('abort', () => frames.destroy(), { once: true });
    createInterface({ input: lines }).on('line', onLine);
  } catch (error) {
    if (!isGoing(error)) throw error;
  }
}

/** Without a terminal the engine sends frames: a byte for the stream, three of nothing, the length. */
function linesOf(frames: Buffer): readonly string[] {
  const parts: Buffer[] = [];
  for (let at = 0; at + 8 <= frames.length; ) {
    const length = frames.readUInt32BE(at + 4);
    parts.push(frames.subarray(at + 8, at + 8 + length));
    at += 8 + length;
  }
  const text = Buffer.concat(parts).toString('utf8').replace(/\r\n/g, '\n').replace(/\n$/, '');
  return text === '' ? [] : text.split('\n');
}
