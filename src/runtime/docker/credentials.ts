import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { isObject, type JsonObject, type JsonValue } from '../../base/index.ts';
import { configFolder, readConfig } from './address.ts';

/** A login for a registry, as the engine takes it: with a password, or with a token for it. */
export type Login = { readonly serveraddress: string } & (
  | { readonly username: string; readonly password: string }
  | { readonly identitytoken: string }
);

type Environment = { readonly [name: string]: string | undefined };

const DOCKER_HUB = 'https://index.docker.io/v1/';
const HUB_NAMES = new Set(['docker.io', 'index.docker.io']);
/** User name under which a helper keeps a token instead of a password. */
const TOKEN_NAME = '<token>';
/** Some helpers ask their user, whom nobody shows the question. */
const HELPER_TIMEOUT_MS = 5_000;

/**
 * The login that `docker login` left for an image's registry: in the docker command's configuration,
 * or with the helper named there. Undefined where there is none; it is never kept or shown.
 */
export async function credentialsFor(
  image: string,
  env: Environment,
  helperTimeoutMs = HELPER_TIMEOUT_MS,
): Promise<Login | undefined> {
  const config = readConfig(join(configFolder(env), 'config.json'));
  if (!isObject(config)) return undefined;
  const server = registryOf(image);
  const helpers = isObject(config['credHelpers']) ? config['credHelpers'] : {};
  const helper = helpers[server] ?? config['credsStore'];
  if (typeof helper === 'string' && helper !== '') {
    const child = spawn(`docker-credential-${helper}`, ['get'], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env,
    });
    return fromHelper(child, server, helperTimeoutMs);
  }
  return fromAuths(isObject(config['auths']) ? config['auths'] : {}, server);
}

/** `web:1` is of Docker Hub; a first part with a dot or a port, or `localhost`, names a registry. */
export function registryOf(image: string): string {
  const [first = '', ...more] = image.split('/');
  const isHost = more.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  return isHost && !HUB_NAMES.has(first) ? first : DOCKER_HUB;
}

function fromAuths(auths: JsonObject, server: string): Login | undefined {
  const entry = auths[server] ?? auths[`https://${server}`];
  const { auth, identitytoken } = isObject(entry) ? entry : {};
  if (typeof identitytoken === 'string' && identitytoken !== '') {
    return { identitytoken, serveraddress: server };
  }
  if (typeof auth !== 'string') return undefined;
  const [username = '', ...password] = Buffer.from(auth, 'base64').toString('utf8').split(':');
  return { username, password: password.join(':'), serveraddress: server };
}

/**
 * Helpers speak over standard input and output; one that knows no login ends with an error, and one
 * that does not answer in time is killed.
 */
function fromHelper(
  child: ChildProcessByStdio<Writable, Readable, null>,
  server: string,
  timeoutMs: number,
): Promise<Login | undefined> {
  return new Promise((resolve) => {
    let answer = '';
    const end = (login: Login | undefined) => {
      clearTimeout(timer);
      resolve(login);
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      child.stdout.destroy(); // what it started in turn may hold it open
      end(undefined);
    }, timeoutMs);
    child.stdout.on('data', (chunk: Buffer) => {
      answer += chunk.toString('utf8');
    });
    child.on('error', () => end(undefined)); // not installed: the registry is asked without
    child.on('close', (code) => end(code === 0 ? loginIn(answer, server) : undefined));
    child.stdin.on('error', () => undefined); // it has ended already, which `close` tells
    child.stdin.end(server);
  });
}

function loginIn(answer: string, server: string): Login | undefined {
  const { Username: username, Secret: password } = parsed(answer);
  if (typeof username !== 'string' || typeof password !== 'string') return undefined;
  return username === TOKEN_NAME
    ? { identitytoken: password, serveraddress: server }
    : { username, password, serveraddress: server };
}

/** What a helper printed; nothing where that is no object. Its words may hold a password. */
function parsed(answer: string): JsonObject {
  try {
    const content = JSON.parse(answer) as JsonValue;
    return isObject(content) ? content : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
