import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isObject, type JsonValue } from '../../base/index.ts';

/** Where an engine listens: a socket of this machine, or a port of it. */
export type EngineAddress =
  | { readonly socketPath: string }
  | { readonly host: string; readonly port: number };

/** Why there is no engine to ask, and what to do about it. */
export interface NoEngine {
  readonly why: string;
  readonly hint: string;
}

type Environment = { readonly [name: string]: string | undefined };

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/;
const INSTALL =
  'install or start Docker, or name its socket in DOCKER_HOST; without it, tasks run in simulation';

/**
 * The engine that the docker command would use: `DOCKER_HOST`, else the context in use, else the
 * usual sockets. Reads at most two small files and asks nobody.
 */
export function findEngine(env: Environment): EngineAddress | NoEngine {
  const given = env['DOCKER_HOST'];
  if (given !== undefined && given !== '') return addressFrom(given, 'DOCKER_HOST', env);
  const context = contextInUse(env);
  if (context !== undefined) return contextAddress(context, env);
  const socketPath = usualSockets(env).find((path) => existsSync(path));
  if (socketPath !== undefined) return { socketPath };
  return { why: 'no Docker engine on this machine', hint: INSTALL };
}

export function isAddress(found: EngineAddress | NoEngine): found is EngineAddress {
  return !('why' in found);
}

export function addressText(address: EngineAddress): string {
  return 'socketPath' in address
    ? `unix://${address.socketPath}`
    : `tcp://${address.host}:${address.port}`;
}

/** Ports that containers publish are reached on this machine, so the engine must be on it too. */
function addressFrom(text: string, source: string, env: Environment): EngineAddress | NoEngine {
  const [, scheme = '', rest = ''] = /^(\w+):\/\/(.*)$/.exec(text) ?? [];
  if (scheme === 'unix' && rest !== '') return { socketPath: rest };
  if (scheme === 'npipe') return { socketPath: rest.replace(/^\/\//, '//') };
  const [, host = '', port] = /^(\[[^\]]+\]|[^:/]+)(?::(\d+))?\/?$/.exec(rest) ?? [];
  if ((scheme === 'tcp' || scheme === 'http') && LOOPBACK.test(host)) {
    if (env['DOCKER_TLS_VERIFY']) return tlsRefused(source);
    return { host: host.replace(/[[\]]/g, ''), port: Number(port ?? 2375) };
  }
  if (scheme === 'tcp' || scheme === 'http' || scheme === 'https' || scheme === 'ssh') {
    return {
      why: `${source} names an engine on another machine (${text})`,
      hint: 'containers run on this machine only: name a local socket in DOCKER_HOST',
    };
  }
  return {
    why: `${source} is no address of an engine (${text})`,
    hint: 'write unix:///path/to/docker.sock, or unset it',
  };
}

function tlsRefused(source: string): NoEngine {
  return {
    why: `${source} asks for TLS on a local engine, which is not supported`,
    hint: "name the engine's socket in DOCKER_HOST and unset DOCKER_TLS_VERIFY",
  };
}

function usualSockets(env: Environment): readonly string[] {
  if (process.platform === 'win32') return ['//./pipe/docker_engine'];
  const runtime = env['XDG_RUNTIME_DIR'];
  return [
    '/var/run/docker.sock',
    ...(runtime === undefined ? [] : [join(runtime, 'docker.sock')]),
    join(homedir(), '.docker/run/docker.sock'),
  ];
}

/** The docker command's own folder: contexts, credentials. */
export function configFolder(env: Environment): string {
  return env['DOCKER_CONFIG'] || join(homedir(), '.docker');
}

/** A JSON file of that folder, or undefined where it is absent, none, or not for this user. */
export function readConfig(path: string): JsonValue | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as JsonValue;
  } catch (error) {
    // The docker command goes on without it too; `sudo docker login` leaves one of root's.
    const { code = '' } = error as NodeJS.ErrnoException;
    if (error instanceof SyntaxError || ['EACCES', 'EISDIR'].includes(code)) return undefined;
    throw error;
  }
}

/** `docker context use`, or `DOCKER_CONTEXT`; the default one means the usual sockets. */
function contextInUse(env: Environment): string | undefined {
  const config = readConfig(join(configFolder(env), 'config.json'));
  const name = env['DOCKER_CONTEXT'] || (isObject(config) ? config['currentContext'] : undefined);
  return typeof name === 'string' && name !== '' && name !== 'default' ? name : undefined;
}

function contextAddress(name: string, env: Environment): EngineAddress | NoEngine {
  const id = createHash('sha256').update(name).digest('hex');
  const meta = readConfig(join(configFolder(env), 'contexts/meta', id, 'meta.json'));
  const endpoints = isObject(meta) ? meta['Endpoints'] : undefined;
  const docker = isObject(endpoints) ? endpoints['docker'] : undefined;
  const host = isObject(docker) ? docker['Host'] : undefined;
  if (typeof host === 'string' && host !== '') return addressFrom(host, `context ${name}`, env);
  return {
    why: `the Docker context ${name}, which is in use, is not there`,
    hint: 'choose one of "docker context ls" with "docker context use", or unset DOCKER_CONTEXT',
  };
}
