import { Readable } from 'node:stream';
import type { Login } from './credentials.ts';
import type { Engine } from './engine.ts';
import { faultOf } from './faults.ts';
import { type Architecture, PAUSE_COMMAND, PAUSE_IMAGE, pauseArchive } from './pause-image.ts';

/** Whether an image is there, and the platform it is for. */
export async function findImage({ docker }: Engine, image: string): Promise<string | undefined> {
  try {
    const { Os, Architecture: architecture } = await docker.getImage(image).inspect();
    return `${Os}/${architecture}`;
  } catch (error) {
    if (faultOf(error).status === 404) return undefined;
    throw error;
  }
}

/** How far a pull has come, in bytes; `total` grows as layers become known. */
export interface PullProgress {
  readonly received: number;
  readonly total: number;
}

interface PullOptions {
  readonly login: Login | undefined;
  onProgress(progress: PullProgress): void;
  /** Aborted when nobody waits for the image any more. */
  readonly unwanted: AbortSignal;
}

/** @throws as the engine or the registry answers; also when the pull fails half-way */
export async function pullImage(
  { docker }: Engine,
  image: string,
  { login, onProgress, unwanted }: PullOptions,
): Promise<void> {
  unwanted.throwIfAborted();
  const reference = /[:@][^/]*$/.test(image) ? image : `${image}:latest`; // else every tag comes
  const stream = await docker.pull(reference, {
    ...(login === undefined ? {} : { authconfig: login }),
    abortSignal: unwanted,
  });
  const giveUp = () => (stream as Readable).destroy(new Error('the pull was given up'));
  if (unwanted.aborted) giveUp();
  unwanted.addEventListener('abort', giveUp, { once: true });
  const layers = new Map<string, { current: number; total: number }>();
  await new Promise<void>((resolve, reject) => {
    docker.modem.followProgress(
      stream,
      (error, items: readonly PullItem[] | null) => {
        // The stream ends without an error when a pull fails half-way.
        const failed = items?.find((item) => item.error !== undefined);
        if (error !== null && error !== undefined) reject(error);
        else if (failed === undefined) resolve();
        else reject(new Error(failed.error));
      },
      (item: PullItem) => {
        const { current, total } = item.progressDetail ?? {};
        if (item.id === undefined || current === undefined || total === undefined) return;
        layers.set(item.id, { current, total });
        const sizes = [...layers.values()];
        onProgress({
          received: sizes.reduce((sum, layer) => sum + layer.current, 0),
          total: sizes.reduce((sum, layer) => sum + layer.total, 0),
        });
      },
    );
  });
}

interface PullItem {
  readonly id?: string;
  readonly error?: string;
  readonly progressDetail?: { readonly current?: number; readonly total?: number };
}

/**
 * Makes the image of a task's network container, where it is not there yet.
 *
 * @throws Error also for an engine of an architecture that it cannot be made for
 */
export async function ensurePauseImage(engine: Engine): Promise<void> {
  if ((await findImage(engine, PAUSE_IMAGE)) !== undefined) return;
  const { architecture } = engine.facts;
  if (architecture !== 'amd64' && architecture !== 'arm64') {
    throw new Error(`no network container for an engine on ${architecture}`);
  }
  const archive: Architecture = architecture;
  const [repo = '', tag = ''] = PAUSE_IMAGE.split(':');
  const stream = await engine.docker.importImage(Readable.from([pauseArchive(archive)]), {
    ...{ repo, tag, platform: `linux/${architecture}` },
    changes: [`CMD ["${PAUSE_COMMAND}"]`, 'LABEL overcast-cfn.image=pause'],
  });
  for await (const _ of stream) {
    // The image is made once the answer has been read to its end.
  }
}
