import { hostname } from 'node:os';
import type { PlaceKey, TaskId } from '../../base/index.ts';
import type { DockerTask } from './state.ts';

/** Whose containers are meant: those of one state folder. */
export interface Home {
  /** Made once for a state folder; a folder that is made anew is another one. */
  readonly id: string;
  /** Where the state folder is, absolute. */
  readonly folder: string;
}

const PREFIX = 'overcast-cfn';
export const LABEL = {
  home: `${PREFIX}.state-id`,
  folder: `${PREFIX}.state-folder`,
  /** Name of the machine that the state folder is on: an engine may serve several. */
  host: `${PREFIX}.host`,
  place: `${PREFIX}.place`,
  stack: `${PREFIX}.stack`,
  cluster: `${PREFIX}.cluster`,
  service: `${PREFIX}.service`,
  deployment: `${PREFIX}.deployment`,
  taskDefinition: `${PREFIX}.task-definition`,
  task: `${PREFIX}.task`,
  /** Name in the task definition; empty on the container that holds a task's network. */
  container: `${PREFIX}.container`,
} as const;

/** Every container of a task carries these. */
export function labelsOf(home: Home, place: PlaceKey, { order, owner }: DockerTask) {
  return {
    [LABEL.home]: home.id,
    [LABEL.folder]: home.folder,
    [LABEL.host]: hostname(),
    [LABEL.place]: place,
    [LABEL.stack]: owner.stackName,
    [LABEL.cluster]: order.cluster,
    [LABEL.service]: order.service?.split('/').at(-1) ?? '',
    [LABEL.deployment]: order.deployment ?? '',
    [LABEL.taskDefinition]: order.taskDefinition.split('/').at(-1) ?? '',
    [LABEL.task]: order.task,
  };
}

/** A container's name says whose it is and is known before it is made. */
export function containerName(home: Home, task: TaskId, container: string): string {
  return `${taskPrefix(home, task)}-${container}`;
}

/** Of the container that holds a task's network; a container definition's name has no dot. */
export function pauseName(home: Home, task: TaskId): string {
  return `${taskPrefix(home, task)}.pause`;
}

function taskPrefix({ id }: Home, task: TaskId): string {
  return `overcast-${id.slice(0, 8)}-${task}`;
}
