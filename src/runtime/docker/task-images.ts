import type { ContainerDefinition } from '../../aws/ecs/index.ts';
import type { Bench, TaskAtWork } from './bench.ts';
import type { EngineFacts } from './engine.ts';
import { findImage } from './engine-images.ts';
import { faultOf, isLost } from './faults.ts';
import { imagePulled, PullRefused } from './pulls.ts';
import { imageAbsent, pullFailed } from './start-failed.ts';
import type { DockerTask } from './state.ts';
import type { Revealed } from './values.ts';

/**
 * The platform of an image, which is pulled where it is not there; undefined: nobody waits for it.
 *
 * @throws StartFailed
 */
export async function imageHere(
  bench: Bench,
  { ending, closing }: TaskAtWork,
  { name, unread }: ContainerDefinition,
  { image, shownImage: shown, hidden }: Revealed,
): Promise<string | undefined> {
  try {
    const here = await findImage(bench.engine, image);
    if (here !== undefined) return here;
    const unwanted = AbortSignal.any([ending.signal, closing]);
    if (!(await imagePulled(bench, { image, shown }, unwanted))) return undefined;
    const pulled = await findImage(bench.engine, image);
    if (pulled !== undefined) return pulled;
  } catch (error) {
    const cause = error instanceof PullRefused ? error.cause : error;
    if (isLost(cause)) throw cause;
    const ecsHasLogin = unread.includes('repositoryCredentials');
    const asAnyone = error instanceof PullRefused && error.asAnyone && !ecsHasLogin;
    throw pullFailed(name, image, faultOf(cause), asAnyone).concealing(hidden);
  }
  throw imageAbsent(name, shown);
}

/** What is taken for granted of a container's image, in the words of `assumptions`. */
export function aboutImage(
  { order }: DockerTask,
  { name, image: named }: ContainerDefinition,
  { isReplaced, shownImage }: Revealed,
  platform: string,
  facts: EngineFacts,
): readonly string[] {
  const foreign = platform !== order.platform;
  const emulated = isEmulated(order, platform, facts);
  return [
    ...(isReplaced ? [`image ${named} is run as ${shownImage} (--image)`] : []),
    ...(foreign
      ? [`container ${name} asks for ${order.platform} and is run as the ${platform} image it has`]
      : []),
    ...(emulated
      ? [`container ${name} is run as ${platform} on ${facts.architecture}, where emulation works`]
      : []),
  ];
}

/** Whether an image is for what the task asks for, and this machine for something else. */
export function isEmulated(
  order: DockerTask['order'],
  platform: string,
  { architecture }: EngineFacts,
): boolean {
  return platform === order.platform && platform.split('/')[1] !== architecture;
}
