import type { ContainerDefinition } from '../../aws/ecs/index.ts';
import { behaviourOf, type ImageBehaviour, type PullAnswer } from '../../scenario/index.ts';
import type { TaskInFlight } from './state.ts';
import { assume, definitionsOf, type SimulatedTurn } from './turn.ts';

/** How a container's image behaves; what no scenario says of it is assumed, and told. */
export function behaviourFor(
  turn: SimulatedTurn,
  task: TaskInFlight,
  container: ContainerDefinition,
): ImageBehaviour {
  const { behaviour, assumption } = lookUp(turn, task, container);
  if (assumption !== undefined) assume(turn, assumption);
  return behaviour;
}

interface Found {
  readonly behaviour: ImageBehaviour;
  /** What was assumed where no scenario names the image. */
  readonly assumption?: string;
}

/**
 * As the scenario says, else in the user's favour: it stays up; one that another container waits
 * for to end ends well, since that is what it is there for.
 */
function lookUp(turn: SimulatedTurn, task: TaskInFlight, container: ContainerDefinition): Found {
  const { image, name } = container;
  const { behaviour, named } = behaviourOf(turn.scenarioOf(task.service), image);
  if (named) return { behaviour };
  if (!isAwaited(turn, task, container)) {
    return { behaviour, assumption: `image ${image} starts and stays up (no scenario names it)` };
  }
  return {
    behaviour: { ...behaviour, exits: { afterMs: 0, code: 0 } },
    assumption: `container ${name} ends with exit code 0, since another waits for that (no scenario names ${image})`,
  };
}

function isAwaited(turn: SimulatedTurn, task: TaskInFlight, { name }: ContainerDefinition) {
  return definitionsOf(turn, task).some(({ dependsOn }) =>
    dependsOn.some(
      ({ containerName, condition }) =>
        containerName === name && (condition === 'SUCCESS' || condition === 'COMPLETE'),
    ),
  );
}

/** What the registry answers this time: attempts are counted for each image. */
export function pull(
  turn: SimulatedTurn,
  task: TaskInFlight,
  container: ContainerDefinition,
): PullAnswer {
  const { image } = container;
  const answers = behaviourFor(turn, task, container).pull ?? ['ok'];
  const attempt = turn.state.pulls[image] ?? 0;
  turn.state.pulls[image] = attempt + 1;
  return answers[Math.min(attempt, answers.length - 1)] ?? 'ok';
}

/** Whether the image was built for other machines than the task's. */
export function isForeign(
  { platforms }: ImageBehaviour,
  { platform }: Pick<TaskInFlight, 'platform'>,
): boolean {
  return platforms !== undefined && !platforms.includes(platform);
}

/** What a container that has started prints. */
export function outputOf(
  turn: SimulatedTurn,
  task: TaskInFlight,
  container: ContainerDefinition,
): readonly string[] {
  const { behaviour } = lookUp(turn, task, container); // it was told when the container started
  return isForeign(behaviour, task) ? ['exec format error'] : behaviour.output;
}
