import type { ContainerDefinition } from '../../aws/ecs/index.ts';
import { behaviourOf, type ImageBehaviour, type PullAnswer } from '../../scenario/index.ts';
import type { TaskInFlight } from './state.ts';
import { assume, definitionsOf, type SimulatedTurn } from './turn.ts';

/**
 * How a container's image behaves: as the scenario says, else in the user's favour. It stays up;
 * one that another container waits for to end ends well, since that is what it is there for.
 */
export function behaviourFor(
  turn: SimulatedTurn,
  task: TaskInFlight,
  container: ContainerDefinition,
): ImageBehaviour {
  const { image } = container;
  const { behaviour, named } = behaviourOf(turn.scenarioOf(task.service), image);
  if (named) return behaviour;
  if (!isAwaited(turn, task, container)) {
    assume(turn, `image ${image} starts and stays up (no scenario names it)`);
    return behaviour;
  }
  const what = `container ${container.name} ends with exit code 0, since another waits for that`;
  assume(turn, `${what} (no scenario names ${image})`);
  return { ...behaviour, exits: { afterMs: 0, code: 0 } };
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
  const behaviour = behaviourFor(turn, task, container);
  return isForeign(behaviour, task) ? ['exec format error'] : behaviour.output;
}
