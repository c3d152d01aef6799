import { createInterface } from 'node:readline';
import { PassThrough, Readable } from 'node:stream';
import type Docker from 'dockerode';
import { UserError } from '../../base/index.ts';
import { addressText, type EngineAddress, findEngine, isAddress } from './address.ts';
import { credentialsFor } from './credentials.ts';
import { engineUnavailable, faultOf } from './faults.ts';
import { LABEL } from './labels.ts';
import { type Architecture, PAUSE_COMMAND, PAUSE_IMAGE, pauseArchive } from './pause-image.ts';

/** What a container of ours looks like to the engine. */
export interface Found {
  readonly id: string;
  readonly name: string;
  readonly labels: { readonly [label: string]: string };
  readonly isRunning: boolean;
}

/** How a container stands, or ended. */
export interface Inspected {
  readonly id: string;
  readonly isRunning: boolean;
  readonly exitCode: number;
  readonly outOfMemory: boolean;
  readonly ports: { readonly [port: string]: readonly { HostIp: string; HostPort: string }[] };
}

export interface EngineFacts {
  readonly version: string;
  readonly cpus: number;
  readonly architecture: string; // amd64, arm64, …
}

/** A Docker engine that answers. Calls reject with the client's errors; @see faultOf */
export interface Engine {
  readonly docker: Docker;
  readonly address: string;
  readonly facts: EngineFacts;
}

/**
 * Connects to the engine of this machine.
 *
 * @throws UserError `EngineUnavailable` when there is none, or it may not be used
 */
export async function connect(env: {
  readonly [name: string]: string | undefined;
}): Promise<Engine> {
  const found = findEngine(env);
  if (!isAddress(found)) {
    throw new UserError('EngineUnavailable', found.why, { hint: found.hint });
  }
  // It takes longer to load than a simulation takes to run: only who runs containers pays for it.
  const { default: Client } = await import('dockerode');
  const docker = new Client(clientOptions(found));
  const address = addressText(found);
  try {
    const { Version, Arch } = await docker.version();
    const { NCPU } = (await docker.info()) as { NCPU: number };
    return { docker, address, facts: { version: Version, cpus: NCPU, architecture: Arch } };
  } catch (error) {
    throw engineUnavailable(address, error);
  }
}

function clientOptions(address: EngineAddress): Docker.DockerOptions {
  return 'socketPath' in address
    ? { socketPath: address.socketPath }
    : { host: address.host, port: address.port, protocol: 'http' };
}

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
  onProgress(progress: PullProgress): void;
  /** Aborted when nobody waits for the image any more. */
  readonly unwanted: AbortSignal;
}

/** @throws as the engine or the registry answers; also when the pull fails half-way */
export async function pullImage(
  { docker }: Engine,
  image: string,
  { onProgress, unwanted }: PullOptions,
): Promise<void> {
  const authconfig = await credentialsFor(image, process.env);
  const reference = /[:@][^/]*$/.test(image) ? image : `${image}:latest`; // else every tag comes
  const stream = await docker.pull(reference, authconfig === undefined ? {} : { authconfig });
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

/** Makes the image of a task's network container, where it is not there yet. */
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

/** Containers of ours, or with `home` those of one state folder, whether they run or not. */
export async function listContainers({ docker }: Engine, home?: string): Promise<Found[]> {
  const label = home === undefined ? LABEL.home : `${LABEL.home}=${home}`;
  const listed = await docker.listContainers({ all: true, filters: { label: [label] } });
  return listed.map(foundIn);
}

function foundIn({ Id, Names, Labels, State }: Docker.ContainerInfo): Found {
  const name = Names[0]?.replace(/^\//, '') ?? Id;
  return { id: Id, name, labels: Labels, isRunning: State === 'running' };
}

/** The container that publishes a port of this machine, whoever's it is. */
export async function publisherOf({ docker }: Engine, port: number): Promise<Found | undefined> {
  const listed = await docker.listContainers();
  const one = listed.find(({ Ports }) => Ports.some(({ PublicPort }) => PublicPort === port));
  return one === undefined ? undefined : foundIn(one);
}

/** How a container stands; undefined when there is none of that name. */
export async function inspectContainer(
  { docker }: Engine,
  name: string,
): Promise<Inspected | undefined> {
  try {
    const { Id, State, NetworkSettings } = await docker.getContainer(name).inspect();
    return {
      id: Id,
      isRunning: State.Running,
      exitCode: State.ExitCode,
      outOfMemory: State.OOMKilled,
      ports: NetworkSettings.Ports,
    };
  } catch (error) {
    if (faultOf(error).status === 404) return undefined;
    throw error;
  }
}

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
  try {
    const tail = fromStart ? 'all' : 0;
    const options = { stdout: true, stderr: true, follow: true, tail } as const;
    const frames = await docker.getContainer(name).logs(
      options as Docker.ContainerLogsOptions & {
        follow: true;
      },
    );
    const lines = new PassThrough();
    docker.modem.demuxStream(frames, lines, lines);
    frames.on('end', () => lines.end());
    closing.addEventListener('abort', () => (frames as Readable).destroy(), { once: true });
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

/** Stops with SIGTERM, and SIGKILL after so many seconds. What is not there or not running is fine. */
export async function stopContainer({ docker }: Engine, name: string, seconds: number) {
  await unlessDone(() => docker.getContainer(name).stop({ t: seconds }));
}

export async function removeContainer({ docker }: Engine, name: string): Promise<void> {
  await unlessDone(() => docker.getContainer(name).remove({ force: true, v: true }));
}

/** 304: it is so already; 404: there is none; 409: somebody is removing it. */
async function unlessDone(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (![304, 404, 409].includes(faultOf(error).status ?? 0)) throw error;
  }
}

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
