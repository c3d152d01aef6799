import type { DeploymentView, ServiceView, TaskView } from '../events/index.ts';
import { type Paint, statusColour } from './paint.ts';
import { lastPart, plain, plural, shortTask } from './text.ts';

const TASKS_SHOWN = 5;

/** One line of the tree: the larger its weight, the sooner it gives way when the screen is full. */
export interface Leaf {
  readonly text: string; // without colours
  readonly weight: 0 | 1 | 2 | 3;
  readonly colour?: ((text: string) => string) | undefined;
}

/** A service's deployments, under each its tasks: the living by name, the stopped counted. */
export function serviceLeaves(service: ServiceView, paint: Paint): Leaf[] {
  return service.deployments.flatMap((deployment) => [
    deploymentLeaf(deployment, paint),
    ...taskLeaves(
      service.tasks.filter((task) => task.deployment === deployment.id),
      paint,
    ),
  ]);
}

function deploymentLeaf(deployment: DeploymentView, paint: Paint): Leaf {
  const { taskDefinition, status, rolloutState, runningCount, desiredCount } = deployment;
  const failed = deployment.failedTasks === 0 ? '' : `, ${deployment.failedTasks} failed`;
  const state = [lastPart(taskDefinition), status, rolloutState ?? ''].filter((part) => part);
  return {
    text: `      ${state.join(' ')}  ${runningCount}/${desiredCount} running${failed}`,
    weight: 1,
    colour: statusColour(rolloutState ?? status, paint),
  };
}

function taskLeaves(tasks: readonly TaskView[], paint: Paint): Leaf[] {
  const living = tasks.filter(({ lastStatus }) => lastStatus !== 'STOPPED');
  const stopped = tasks.filter(({ lastStatus }) => lastStatus === 'STOPPED');
  const left = living.length - TASKS_SHOWN;
  return [
    ...living.slice(0, TASKS_SHOWN).map((task): Leaf => {
      const containers = task.containers.map(({ name, lastStatus }) => `${name} ${lastStatus}`);
      const text = `        ${shortTask(task.taskId)} ${task.lastStatus}  ${containers.join(', ')}`;
      return { text, weight: 2, colour: paint.faint };
    }),
    ...(left > 0 ? [{ text: `        and ${plural(left, 'more task')}`, weight: 2 } as const] : []),
    ...stoppedLeaf(stopped, paint),
  ];
}

/** The newest of the stopped tasks stands for all; the result tells them apart. */
function stoppedLeaf(stopped: readonly TaskView[], paint: Paint): Leaf[] {
  const [newest] = stopped;
  if (newest === undefined) return [];
  const exits = newest.containers.flatMap(({ name, exitCode }) =>
    exitCode === null ? [] : [`${name} exit code ${exitCode}`],
  );
  const cause = [newest.stoppedReason ?? newest.stopCode ?? '', ...exits].filter((part) => part);
  const text = `        ${newest.alike} stopped: ${plain(cause.join(', ')).replace(/\n/g, ' ')}`;
  return [{ text, weight: 1, colour: paint.warn }];
}
