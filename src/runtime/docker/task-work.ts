import type { ContainerDefinition, OnlyHere } from '../../aws/ecs/index.ts';
import type { NetworkBinding } from '../../events/index.ts';
import type { Bench, TaskAtWork } from './bench.ts';
import { type Inspected, inspectContainer, publisherOf } from './engine-containers.ts';
import { ensurePauseImage } from './engine-images.ts';
import { streamOutput } from './engine-output.ts';
import type { EngineFault } from './faults.ts';
import { asOrdered, type HostPort, isOurs, portOnlyHere, takenPort } from './host-ports.ts';
import { containerName, LABEL, labelsOf, pauseName } from './labels.ts';
import { makeAndStart, type Refusal, type StepError, unlessRefused } from './make-container.ts';
import { containerSpec, pauseSpec, type Surroundings } from './spec.ts';
import {
  networkRefused,
  portRefused,
  StartFailed,
  startFailed,
  valueUnknown,
} from './start-failed.ts';
import { formatFault, removeAll } from './task-end.ts';
import { aboutImage, imageHere } from './task-images.ts';
import { definitionOf } from './task-life.ts';
import { type Revealed, valuesOf } from './values.ts';

/** Images that are not there are pulled; a task with an interface of its own gets it. */
export async function prepare(bench: Bench, work: TaskAtWork, anew: boolean): Promise<void> {
  const { task, containers, networkMode } = work.task.order;
  if (anew) await removeAll(bench, work);
  const assumed: string[] = [];
  for (const definition of containers) {
    work.closing.throwIfAborted();
    const values = valuesFor(bench, work, definition);
    const platform = await imageHere(bench, work, definition, values);
    if (platform === undefined) return; // the task is not wanted any more
    assumed.push(...aboutImage(work.task, definition, values, platform, bench.engine.facts));
  }
  const [first] = containers;
  if (networkMode === 'awsvpc' && first !== undefined) await makeNetwork(bench, work, first.name);
  bench.tell(work.place, { type: 'prepared', task, assumed });
}

/** The container that holds the interface of a task. */
async function makeNetwork(bench: Bench, work: TaskAtWork, told: string): Promise<void> {
  const refusal: Refusal = (error, fault) => networkRefused(error, told, fault);
  work.closing.throwIfAborted();
  await unlessRefused('CannotCreateContainerError', refusal, () => ensurePauseImage(bench.engine));
  const own = pauseName(bench.home, work.task.order.task);
  await makeAndStart(bench, work, pauseSpec(work.task, around(bench, work, own)), refusal);
}

export async function startContainer(bench: Bench, work: TaskAtWork, name: string): Promise<void> {
  const { task, networkMode } = work.task.order;
  const definition = definitionOf(work.task, name);
  const own = containerName(bench.home, task, name);
  const values = valuesFor(bench, work, definition);
  const spec = containerSpec(work.task, definition, values, around(bench, work, own));
  const before = work.others(); // who holds a port may be gone once it is asked for
  await makeAndStart(bench, work, spec, async (error, fault) => {
    const failed = await refusedStart(bench, work, { error, name, fault, before });
    return failed.concealing(values.hidden);
  });
  const holder = networkMode === 'awsvpc' ? pauseName(bench.home, task) : own;
  const hasPorts = definition.portMappings.length > 0;
  const inspected = hasPorts ? await inspectContainer(bench.engine, holder) : undefined;
  const bindings = inspected === undefined ? [] : bindingsOf(definition, inspected);
  bench.tell(work.place, { type: 'container-started', task, container: name, bindings });
  await followOutput(bench, work, name, true);
}

interface RefusedStep {
  readonly error: StepError;
  readonly name: string;
  readonly fault: EngineFault;
  readonly before: readonly TaskAtWork[];
}

async function refusedStart(
  bench: Bench,
  work: TaskAtWork,
  { error, name, fault, before }: RefusedStep,
): Promise<StartFailed> {
  const taken = takenPort(fault);
  if (taken !== undefined) {
    const port = asOrdered(work.task, taken);
    work.refused.push(port);
    return portRefused(name, fault, await whoHolds(bench, port, [...before, ...work.others()]));
  }
  const format = await formatFault(bench, work.task, name, [fault.message]);
  return format === undefined ? startFailed(error, name, fault) : new StartFailed(format);
}

/** Why a port is taken, if not by a task of ours. */
async function whoHolds(
  { engine, home }: Bench,
  taken: HostPort,
  others: readonly TaskAtWork[],
): Promise<OnlyHere | undefined> {
  if (isOurs(taken, others)) return undefined;
  const holder = await publisherOf(engine, taken);
  if (holder?.labels[LABEL.home] === home.id) return undefined;
  return portOnlyHere(taken.port, holder?.name);
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

function valuesFor(bench: Bench, { task }: TaskAtWork, definition: ContainerDefinition): Revealed {
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
