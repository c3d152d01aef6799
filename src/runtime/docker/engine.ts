import type Docker from 'dockerode';
import { UserError } from '../../base/index.ts';
import { addressText, type EngineAddress, findEngine, isAddress } from './address.ts';
import { engineUnavailable } from './faults.ts';

export interface EngineFacts {
  readonly version: string;
  readonly cpus: number;
  readonly architecture: string; // amd64, arm64, …
}

/** A Docker engine that answers. Calls reject with the client's errors; @see faultOf */
export interface Engine {
  readonly docker: Docker;
  readonly address: string;
  readonly facts: EngineFacts;
}

/**
 * Connects to the engine of this machine.
 *
 * @throws UserError `EngineUnavailable` when there is none, or it may not be used
 */
export async function connect(env: {
  readonly [name: string]: string | undefined;
}): Promise<Engine> {
  const found = findEngine(env);
  if (!isAddress(found)) {
    throw new UserError('EngineUnavailable', found.why, { hint: found.hint });
  }
  // It takes longer to load than a simulation takes to run: only who runs containers pays for it.
  const { default: Client } = await import('dockerode');
  const docker = new Client(clientOptions(found));
  const address = addressText(found);
  try {
    const { Version, Arch } = await docker.version();
    const { NCPU } = (await docker.info()) as { NCPU: number };
    return { docker, address, facts: { version: Version, cpus: NCPU, architecture: Arch } };
  } catch (error) {
    throw engineUnavailable(address, error);
  }
}

function clientOptions(address: EngineAddress): Docker.DockerOptions {
  return 'socketPath' in address
    ? { socketPath: address.socketPath }
    : { host: address.host, port: address.port, protocol: 'http' };
}
