import type { OnlyHere } from '../../aws/ecs/index.ts';
import { concealed, type Hidden } from './conceal.ts';
import type { EngineFault } from './faults.ts';
import { absentOnlyHere, networkOnlyHere, pullOnlyHere, startOnlyHere } from './only-here.ts';
import type { StartFault } from './state.ts';

/** A start that did not come about. Anything else that work throws is a lost engine or a defect. */
export class StartFailed extends Error {
  readonly fault: StartFault;

  constructor(fault: StartFault) {
    super(fault.reason);
    this.fault = fault;
  }

  /** The same, without what the engine quoted of values that nobody may see. */
  concealing(hidden: readonly Hidden[]): StartFailed {
    const { onlyHere, ...fault } = this.fault;
    const told = (text: string) => concealed(text, hidden);
    return new StartFailed({
      ...{ ...fault, reason: told(fault.reason) },
      ...(onlyHere && { onlyHere: { text: told(onlyHere.text), hint: told(onlyHere.hint) } }),
    });
  }
}

/**
 * The agent's way of passing on what the engine said (6.116). Containers are named as the task
 * definition names them: our names and the engine's ids would make each failure another one.
 */
function fromDaemon({ message }: EngineFault): string {
  const plain = message
    .replace(/overcast-[0-9a-f]{8}-[0-9a-f]{32}[-.]/g, '')
    .replace(/ \([0-9a-f]{64}\)/g, '');
  return `Error response from daemon: ${plain}`;
}

/** @param asAnyone - whether the pull was asked for without a login, as ECS will ask for it */
export function pullFailed(
  container: string,
  image: string,
  fault: EngineFault,
  asAnyone: boolean,
): StartFailed {
  const onlyHere = pullOnlyHere(image, fault, asAnyone);
  return new StartFailed({
    container,
    reason: `CannotPullContainerError: ${fromDaemon(fault)}`,
    portTaken: false,
    ...(onlyHere === undefined ? {} : { onlyHere }),
  });
}

/** @param image - as it may be named to everybody */
export function imageAbsent(container: string, image: string): StartFailed {
  return new StartFailed({
    container,
    reason: `CannotPullContainerError: image ${image} is absent after it was pulled`,
    portTaken: false,
    onlyHere: absentOnlyHere(image),
  });
}

/** @param error - `CannotCreateContainerError` or `CannotStartContainerError` (6.82, 6.84) */
export function startFailed(error: string, container: string, fault: EngineFault): StartFailed {
  const onlyHere = startOnlyHere(fault);
  return new StartFailed({
    container,
    reason: `${error}: ${fromDaemon(fault)}`,
    portTaken: false,
    ...(onlyHere === undefined ? {} : { onlyHere }),
  });
}

/** The container that holds a task's interface, which ECS has no like of, was not made or started. */
export function networkRefused(error: string, container: string, fault: EngineFault): StartFailed {
  const reason = `${error}: ${fromDaemon(fault)}`;
  const onlyHere = networkOnlyHere(fault);
  return new StartFailed({ container, reason, portTaken: false, onlyHere });
}

/** @param onlyHere - undefined where a task of ours holds the port */
export function portRefused(
  container: string,
  fault: EngineFault,
  onlyHere: OnlyHere | undefined,
): StartFailed {
  return new StartFailed({
    container,
    reason: `CannotStartContainerError: ${fromDaemon(fault)}`,
    portTaken: true,
    ...(onlyHere === undefined ? {} : { onlyHere }),
  });
}

/** Somebody stopped or removed the container that holds a task's interface; the others hear nobody now. */
export function networkGone(container: string): StartFault {
  return {
    container,
    reason: 'ResourceInitializationError: the network of the task is gone',
    portTaken: false,
    onlyHere: {
      text: 'the container that held the network of a task was stopped from outside',
      hint: 'deploy again; leave containers whose name ends with ".pause" to their tasks',
    },
  };
}

/** A program for another machine than this one, as the task asks for and as it would run in AWS. */
export function notExecutable(container: string, image: string, platform: string): StartFault {
  return {
    container,
    reason: `CannotStartContainerError: exec format error: the image is for ${platform}`,
    portTaken: false,
    onlyHere: {
      text: `container ${container} is for ${platform}, as its task asks, and this machine cannot run it`,
      hint: `install emulation (tonistiigi/binfmt), or run another image: --image ${image}=<image>`,
    },
  };
}

/** A secret, a parameter or a NoEcho value that this command was not told. */
export function valueUnknown(container: string, name: string): StartFailed {
  return new StartFailed({
    container,
    reason: `ResourceInitializationError: unable to pull secrets or registry auth: unable to retrieve ${name}`,
    portTaken: false,
    onlyHere: {
      text: `the value of ${name}, which container ${container} asks for, is not known here`,
      hint: 'give it: secrets and SSM parameters with --secrets-file, NoEcho parameters as parameters of the command',
    },
  });
}
