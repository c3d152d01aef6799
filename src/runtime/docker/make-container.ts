import type { Bench, TaskAtWork } from './bench.ts';
import { createContainer, removeContainer } from './engine-containers.ts';
import { type EngineFault, faultOf, isLost } from './faults.ts';
import type { Spec } from './spec.ts';
import type { StartFailed } from './start-failed.ts';

/** The error by which ECS tells at which step a container was refused (6.82, 6.84). */
export type StepError = 'CannotCreateContainerError' | 'CannotStartContainerError';

/** How it is told that the engine refuses a step. */
export type Refusal = (error: StepError, fault: EngineFault) => StartFailed | Promise<StartFailed>;

/**
 * Makes a container and starts it, each written down before and after. Nothing is begun any more
 * once the command closes; it throws an `AbortError` then.
 *
 * @throws StartFailed
 */
export async function makeAndStart(
  bench: Bench,
  work: TaskAtWork,
  spec: Spec,
  refusal: Refusal,
): Promise<void> {
  const { task } = work.task.order;
  const { closing } = work;
  closing.throwIfAborted();
  bench.journal({ type: 'create', container: spec.name, task });
  await make(bench, closing, spec, refusal);
  closing.throwIfAborted();
  bench.journal({ type: 'created', container: spec.name, task });
  const start = () => bench.engine.docker.getContainer(spec.name).start();
  await unlessRefused('CannotStartContainerError', refusal, start);
}

/** A container of the same name is one that a killed command left, and goes first. */
async function make(
  { engine }: Bench,
  closing: AbortSignal,
  spec: Spec,
  refusal: Refusal,
): Promise<void> {
  const create = () => createContainer(engine, spec);
  try {
    return await create();
  } catch (error) {
    const isTaken = faultOf(error).status === 409;
    if (!isTaken) return throwRefusal('CannotCreateContainerError', refusal, error);
  }
  await removeContainer(engine, spec.name, closing);
  closing.throwIfAborted();
  await unlessRefused('CannotCreateContainerError', refusal, create);
}

/** An engine that is lost refuses nothing: that is thrown as it is. */
export async function unlessRefused(
  error: StepError,
  refusal: Refusal,
  act: () => Promise<unknown>,
): Promise<void> {
  try {
    await act();
  } catch (cause) {
    await throwRefusal(error, refusal, cause);
  }
}

async function throwRefusal(error: StepError, refusal: Refusal, cause: unknown): Promise<never> {
  throw isLost(cause) ? cause : await refusal(error, faultOf(cause));
}
