import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import type { TaskId } from '../../base/index.ts';
import type { Engine } from './engine.ts';
import { type Found, listContainers, removeContainer } from './engine-containers.ts';
import { everyOf } from './insist.ts';
import { type Home, LABEL } from './labels.ts';

/** The state folder that is asked from, and what it knows. */
export interface Known {
  readonly folder: string; // absolute
  /** Undefined where it never ran a container. */
  readonly home: Home | undefined;
  readonly tasks: ReadonlySet<TaskId>;
}

/** A container of ours that nothing needs any more, and why. */
export interface Leftover {
  readonly name: string;
  readonly why: string;
}

/**
 * Containers of this tool that no stack knows: of this state folder, with a task that it does not
 * hold; of another one of this machine, when that is not there any more. What another folder runs is
 * left alone, and so is what another machine, or a container that shares the engine, asked for, and
 * everything that this tool did not make.
 */
export async function findLeftovers(engine: Engine, known: Known): Promise<readonly Leftover[]> {
  const found = await listContainers(engine);
  return found.flatMap((one) => {
    const why = whyLeft(one, known);
    return why === undefined ? [] : [{ name: one.name, why }];
  });
}

function whyLeft({ labels }: Found, known: Known): string | undefined {
  const { home, tasks } = known;
  const folder = labels[LABEL.folder] ?? '';
  if (home !== undefined && labels[LABEL.home] === home.id) {
    const isKnown = tasks.has(labels[LABEL.task] as TaskId);
    return isKnown ? undefined : `its task is not known to ${folder}`;
  }
  if (labels[LABEL.host] !== hostname()) return undefined;
  if (folder === known.folder) return `${folder} was made anew since`;
  return isGone(folder) ? `its state folder ${folder} is gone` : undefined;
}

/** A folder that this user may not look at is somebody's, and there. */
function isGone(folder: string): boolean {
  try {
    return statSync(folder, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

export async function removeLeftovers(engine: Engine, left: readonly Leftover[]): Promise<void> {
  const { signal } = new AbortController(); // whoever cleans up waits for it
  await everyOf(left.map(({ name }) => removeContainer(engine, name, signal)));
}
