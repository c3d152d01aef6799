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

const FACTS_TIMEOUT_MS = 5_000;

/**
 * Connects to the engine of this machine.
 *
 * @param timeoutMs - for its answer; one that answers a ping and nothing else would hold a command
 * @throws UserError `EngineUnavailable` when there is none, or it may not be used
 */
export async function connect(
  env: { readonly [name: string]: string | undefined },
  timeoutMs = FACTS_TIMEOUT_MS,
): Promise<Engine> {
  const found = findEngine(env);
  if (!isAddress(found)) {
    throw new UserError('EngineUnavailable', found.why, { hint: found.hint });
  }
  // It takes longer to load than a simulation takes to run: only who runs containers pays for it.
  const { default: Client } = await import('dockerode');
  const docker = new Client(clientOptions(found));
  const address = addressText(found);
  try {
    return { docker, address, facts: await factsOf(docker, timeoutMs) };
  } catch (error) {
    throw engineUnavailable(address, error);
  }
}

/** What both calls take, and the client's types leave out. */
interface Asking {
  version(options: { abortSignal: AbortSignal }): Promise<Docker.DockerVersion>;
  info(options: { abortSignal: AbortSignal }): Promise<{ readonly NCPU: number }>;
}

async function factsOf(docker: Docker, timeoutMs: number): Promise<EngineFacts> {
  const abortSignal = AbortSignal.timeout(timeoutMs);
  const asking = docker as unknown as Asking;
  try {
    const { Version, Arch } = await asking.version({ abortSignal });
    const { NCPU } = await asking.info({ abortSignal });
    return { version: Version, cpus: NCPU, architecture: Arch };
  } catch (error) {
    if (!abortSignal.aborted) throw error;
    throw new Error(`no answer within ${timeoutMs / 1000} s`, { cause: error });
  }
}

function clientOptions(address: EngineAddress): Docker.DockerOptions {
  return 'socketPath' in address
    ? { socketPath: address.socketPath }
    : { host: address.host, port: address.port, protocol: 'http' };
}
