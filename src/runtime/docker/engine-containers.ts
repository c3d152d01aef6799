import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { Engine } from './engine.ts';
import { faultOf } from './faults.ts';
import { collide, type HostPort } from './host-ports.ts';
import { insisted } from './insist.ts';
import { LABEL } from './labels.ts';
import type { Spec } from './spec.ts';

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
  readonly image: string; // its id
  readonly isRunning: boolean;
  readonly exitCode: number;
  readonly outOfMemory: boolean;
  readonly ports: { readonly [port: string]: readonly { HostIp: string; HostPort: string }[] };
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
export async function publisherOf({ docker }: Engine, taken: HostPort): Promise<Found | undefined> {
  const listed = await docker.listContainers();
  const one = listed.find(({ Ports }) => Ports.some((port) => collide(taken, published(port))));
  return one === undefined ? undefined : foundIn(one);
}

function published({ IP, PublicPort, Type }: Docker.Port): HostPort {
  return { port: PublicPort, protocol: Type as 'tcp' | 'udp', ...(IP ? { address: IP } : {}) };
}

/** How a container stands; undefined when there is none of that name. */
export async function inspectContainer(
  { docker }: Engine,
  name: string,
): Promise<Inspected | undefined> {
  try {
    const { Id, Image, State, NetworkSettings } = await docker.getContainer(name).inspect();
    return {
      id: Id,
      image: Image,
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

/** Makes a container. Its values are sent as the body: what is asked for is written to logs. */
export async function createContainer({ docker }: Engine, { name, ...body }: Spec): Promise<void> {
  const options = { _query: { name }, _body: body };
  await docker.createContainer(options as Docker.ContainerCreateOptions);
}

/** Stops with SIGTERM, and SIGKILL after so many seconds. What is not there or not running is fine. */
export async function stopContainer(
  { docker }: Engine,
  name: string,
  seconds: number,
  closing: AbortSignal,
): Promise<void> {
  await done(() => docker.getContainer(name).stop({ t: seconds }), closing);
}

/** Removes a container, running or not; where somebody does so already, their end of it is awaited. */
export async function removeContainer(
  engine: Engine,
  name: string,
  closing: AbortSignal,
): Promise<void> {
  const remove = () => engine.docker.getContainer(name).remove({ force: true, v: true });
  if ((await done(remove, closing)) === UNDER_WAY) await isGone(engine, name, closing);
}

const UNDER_WAY = 409;
const DONE_ALREADY = [304, 404, UNDER_WAY];

/** The status where it is so already (304), there is none (404), or somebody is removing it (409). */
function done(act: () => Promise<unknown>, closing: AbortSignal): Promise<number | undefined> {
  return insisted(async () => {
    try {
      await act();
      return undefined;
    } catch (error) {
      const { status } = faultOf(error);
      if (status === undefined || !DONE_ALREADY.includes(status)) throw error;
      return status;
    }
  }, closing);
}

const GONE_AFTER_MS = [50, 100, 200, 400, 800, 1_600, 3_200];

/** Waits until there is no such container, but not for ever: who needs its name is refused it then. */
async function isGone(engine: Engine, name: string, closing: AbortSignal): Promise<void> {
  for (const waitMs of GONE_AFTER_MS) {
    if ((await inspectContainer(engine, name)) === undefined) return;
    await sleep(waitMs, undefined, { signal: closing });
  }
}
