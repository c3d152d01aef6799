import type { ContainerDefinition, OnlyHere } from '../../aws/ecs/index.ts';
import type { NetworkBinding } from '../../events/index.ts';
import type { Bench, TaskAtWork } from './bench.ts';
import { credentialsFor } from './credentials.ts';
import {
  type Engine,
  ensurePauseImage,
  findImage,
  type Inspected,
  inspectContainer,
  lastLines,
  publisherOf,
  removeContainer,
  stopContainer,
  streamOutput,
} from './engine.ts';
import { faultOf, isLost, portOnlyHere, takenPort } from './faults.ts';
import { containerName, LABEL, labelsOf, pauseName } from './labels.ts';
import { imagePulled } from './pulls.ts';
import { containerSpec, pauseSpec, type Spec, type Surroundings, type Values } from './spec.ts';
import { pullFailed, refused, startFailed, valueUnknown } from './start-failed.ts';
import type { ContainerEnd } from './state.ts';
import { definitionOf } from './task-life.ts';
import { valuesOf } from './values.ts';

/** Lines of a container's output that are kept when it ends. */
const LOG_LINES_KEPT = 25;
const STOP_TIMEOUT_SECONDS = 30; // 6.9
const KILLED_EXIT_CODE = 137;

/** Images that are not there are pulled; a task with an interface of its own gets it. */
export async function prepare(bench: Bench, work: TaskAtWork, anew: boolean): Promise<void> {
  const { task, containers, networkMode } = work.task.order;
  if (anew) await removeAll(bench, work);
  const assumed: string[] = [];
  for (const definition of containers) {
    const { image } = valuesFor(bench, work, definition);
    const platform = await imageHere(bench, work, definition, image);
    if (platform === undefined) return; // the task is not wanted any more
    assumed.push(...aboutImage(work, definition, image, platform));
  }
  const [first] = containers;
  if (networkMode === 'awsvpc' && first !== undefined) {
    await orStartFailed(bench, 'CannotCreateContainerError', first.name, () =>
      ensurePauseImage(bench.engine),
    );
    const spec = pauseSpec(work.task, around(bench, work, pauseName(bench.home, task)));
    await makeAndStart(bench, work, first.name, spec);
  }
  bench.tell(work.place, { type: 'prepared', task, assumed });
}

/** The platform of an image, which is pulled where it is not there; undefined: nobody waits for it. */
async function imageHere(
  bench: Bench,
  work: TaskAtWork,
  { name, unread }: ContainerDefinition,
  image: string,
) {
  try {
    const here = await findImage(bench.engine, image);
    if (here !== undefined) return here;
    const isHere = await imagePulled(bench, image, work.ending.signal);
    return isHere ? await findImage(bench.engine, image) : undefined;
  } catch (error) {
    if (isLost(error)) throw error;
    const ecsHasLogin = unread.includes('repositoryCredentials');
    const asAnyone = !ecsHasLogin && (await credentialsFor(image, process.env)) === undefined;
    throw pullFailed(name, image, faultOf(error), asAnyone);
  }
}

function aboutImage(
  { task: { order, owner } }: TaskAtWork,
  { image: named, name }: ContainerDefinition,
  image: string,
  platform: string,
): readonly string[] {
  const foreign = platform !== order.platform;
  return [
    ...(owner.images[named] === undefined ? [] : [`image ${named} is run as ${image} (--image)`]),
    ...(foreign
      ? [`container ${name} asks for ${order.platform} and is run as the ${platform} image it has`]
      : []),
  ];
}

export async function startContainer(bench: Bench, work: TaskAtWork, name: string): Promise<void> {
  const { task, networkMode } = work.task.order;
  const definition = definitionOf(work.task, name);
  const own = containerName(bench.home, task, name);
  const values = valuesFor(bench, work, definition);
  const spec = containerSpec(work.task, definition, values, around(bench, work, own));
  await makeAndStart(bench, work, name, spec);
  const holder = networkMode === 'awsvpc' ? pauseName(bench.home, task) : own;
  const hasPorts = definition.portMappings.length > 0;
  const inspected = hasPorts ? await inspectContainer(bench.engine, holder) : undefined;
  const bindings = inspected === undefined ? [] : bindingsOf(definition, inspected);
  bench.tell(work.place, { type: 'container-started', task, container: name, bindings });
  await followOutput(bench, work, name, true);
}

/** Passes on what a container prints, from its start or from now on. */
export async function followOutput(
  { engine, home, onOutput }: Bench,
  { task: { order }, closing }: TaskAtWork,
  container: string,
  fromStart: boolean,
): Promise<void> {
  if (onOutput === undefined) return;
  const name = containerName(home, order.task, container);
  const onLine = (text: string) => onOutput({ task: order.task, container, text });
  await streamOutput(engine, name, { fromStart, closing, onLine });
}

function valuesFor(bench: Bench, { task }: TaskAtWork, definition: ContainerDefinition): Values {
  const values = valuesOf(task, definition, bench.values);
  if ('unknown' in values) throw valueUnknown(definition.name, values.unknown);
  return values;
}

function around({ home, engine }: Bench, work: TaskAtWork, name: string): Surroundings {
  return {
    name,
    labels: labelsOf(home, work.place, work.task),
    cpus: engine.facts.cpus,
    pause: pauseName(home, work.task.order.task),
  };
}

async function makeAndStart(bench: Bench, work: TaskAtWork, container: string, spec: Spec) {
  const { docker } = bench.engine;
  const { task } = work.task.order;
  bench.journal({ type: 'create', container: spec.name, task });
  await orStartFailed(bench, 'CannotCreateContainerError', container, () => make(bench, spec));
  bench.journal({ type: 'created', container: spec.name, task });
  await orStartFailed(bench, 'CannotStartContainerError', container, () =>
    docker.getContainer(spec.name).start(),
  );
}

async function make({ engine }: Bench, spec: Spec): Promise<void> {
  try {
    await engine.docker.createContainer(spec);
  } catch (error) {
    if (faultOf(error).status !== 409) throw error;
    await removeContainer(engine, spec.name); // a command that was killed left it
    await engine.docker.createContainer(spec);
  }
}

async function orStartFailed(
  bench: Bench,
  error: string,
  container: string,
  act: () => Promise<unknown>,
): Promise<void> {
  try {
    await act();
  } catch (cause) {
    if (isLost(cause)) throw cause;
    const fault = faultOf(cause);
    const port = takenPort(fault);
    if (port === undefined) throw startFailed(error, container, fault);
    throw refused(container, fault, await whoHolds(bench, port));
  }
}

/** Why a port is taken, if not by a task of ours. */
async function whoHolds({ engine, home }: Bench, port: number): Promise<OnlyHere | undefined> {
  const holder = await publisherOf(engine, port);
  if (holder?.labels[LABEL.home] === home.id) return undefined;
  return portOnlyHere(port, holder?.name);
}

function bindingsOf(
  { portMappings }: ContainerDefinition,
  { ports }: Inspected,
): readonly NetworkBinding[] {
  return portMappings.flatMap(({ containerPort, protocol }) =>
    (ports[`${containerPort}/${protocol}`] ?? []).map(({ HostIp, HostPort }) => ({
      bindIP: HostIp,
      containerPort,
      hostPort: Number(HostPort),
      protocol,
    })),
  );
}

/**
 * How a container ended.
 *
 * @param exitCode - what it ended with, as far as known; one that somebody removed was killed
 */
export async function endOf(
  engine: Engine,
  name: string,
  exitCode = KILLED_EXIT_CODE,
): Promise<ContainerEnd> {
  const inspected = await inspectContainer(engine, name);
  if (inspected === undefined) return { exitCode, outOfMemory: false, logTail: [] };
  const logTail = await lastLines(engine, name, LOG_LINES_KEPT);
  return { exitCode: inspected.exitCode, outOfMemory: inspected.outOfMemory, logTail };
}

/** Whatever of it still runs is stopped, and all of it is removed. */
export async function endTask(bench: Bench, work: TaskAtWork): Promise<void> {
  const { task, containers } = work.task.order;
  const ended = await Promise.all(
    containers.map(async (definition) => {
      const how = await stopOne(bench, work, definition);
      return how === undefined ? [] : [[definition.name, how] as const];
    }),
  );
  await removeAll(bench, work);
  bench.tell(work.place, { type: 'task-gone', task, stopped: Object.fromEntries(ended.flat()) });
}

/** Answers how it ended, if it ran until now. Its start may not have been taken in yet. */
async function stopOne(
  bench: Bench,
  { task, starts }: TaskAtWork,
  { name, stopTimeoutSeconds }: ContainerDefinition,
): Promise<ContainerEnd | undefined> {
  const status = task.containers[name]?.status;
  const isUp = status === 'running' || (status === 'starting' && (await starts.get(name)) === true);
  if (!isUp) return undefined;
  const own = containerName(bench.home, task.order.task, name);
  await stopContainer(bench.engine, own, stopTimeoutSeconds ?? STOP_TIMEOUT_SECONDS);
  return endOf(bench.engine, own);
}

async function removeAll({ engine, home }: Bench, { task: { order } }: TaskAtWork) {
  const names = order.containers.map(({ name }) => containerName(home, order.task, name));
  await Promise.all(names.map((name) => removeContainer(engine, name)));
  if (order.networkMode === 'awsvpc') await removeContainer(engine, pauseName(home, order.task));
}
