import type { IncomingMessage } from 'node:http';
import {
  addressText,
  type EngineAddress,
  findEngine,
  isAddress,
  type NoEngine,
} from './address.ts';
import { credentialsFor, type Login } from './credentials.ts';
import { engineUnavailable } from './faults.ts';
import { pullOnlyHere } from './only-here.ts';

/** Whether images could be run here, found out without making or fetching anything. */
export type Probe =
  | { readonly usable: true; readonly here: readonly string[]; readonly toPull: readonly string[] }
  | { readonly usable: false; readonly why: string; readonly hint: string };

type Environment = { readonly [name: string]: string | undefined };

const ENGINE_TIMEOUT_MS = 2_000;
const REGISTRY_TIMEOUT_MS = 5_000;

/**
 * Asks the engine of this machine for images, and the registries for those it does not have. Where
 * there is no engine the answer costs a look at the file system; nothing heavy is loaded for it.
 */
export async function probe(env: Environment, images: readonly string[]): Promise<Probe> {
  const address = findEngine(env);
  if (!isAddress(address)) return unusable(address);
  try {
    const { status, message } = await ask(address, '/_ping', ENGINE_TIMEOUT_MS);
    if (status !== 200) throw new Error(message);
  } catch (error) {
    const { message, hint } = engineUnavailable(addressText(address), error);
    return unusable({ why: message, hint });
  }
  const wanted = [...new Set(images)];
  const standings = await Promise.all(wanted.map((image) => standingOf(address, env, image)));
  const missing = standings.find((standing) => typeof standing !== 'string');
  if (missing !== undefined && typeof missing !== 'string') return unusable(missing);
  const of = (standing: string) => wanted.filter((_, index) => standings[index] === standing);
  return { usable: true, here: of('here'), toPull: of('to-pull') };
}

function unusable({ why, hint }: NoEngine): Probe {
  return { usable: false, why, hint };
}

async function standingOf(
  address: EngineAddress,
  env: Environment,
  image: string,
): Promise<'here' | 'to-pull' | NoEngine> {
  const path = encodeURI(image);
  const here = await ask(address, `/images/${path}/json`, ENGINE_TIMEOUT_MS).catch(toFault);
  if (here.status === 200) return 'here';
  const refused = pullOnlyHere(image, { status: 400, message: '' }, true);
  if (refused !== undefined) return { why: refused.text, hint: refused.hint };
  const login = await credentialsFor(image, env);
  const headers = login === undefined ? {} : { 'X-Registry-Auth': encoded(login) };
  const asked = ask(address, `/distribution/${path}/json`, REGISTRY_TIMEOUT_MS, headers);
  const answer = await asked.catch(toFault);
  if (answer.status === 200) return 'to-pull';
  return {
    why: `image ${image} is not here and cannot be pulled: ${answer.message}`,
    hint: `build or pull it, or run another image: --image ${image}=<image>`,
  };
}

/** Base64 for URLs with its padding, without which the engine takes it for no login at all. */
function encoded(login: Login): string {
  const text = Buffer.from(JSON.stringify(login)).toString('base64');
  return text.replaceAll('+', '-').replaceAll('/', '_');
}

interface Answer {
  readonly status: number | undefined;
  readonly message: string;
}

function toFault(error: unknown): Answer {
  return { status: undefined, message: error instanceof Error ? error.message : String(error) };
}

async function ask(
  address: EngineAddress,
  path: string,
  timeoutMs: number,
  headers: { readonly [name: string]: string } = {},
): Promise<Answer> {
  const { request } = await import('node:http'); // only where there is an engine to ask
  return new Promise((resolve, reject) => {
    const asked = request({ ...address, path, headers, agent: false }, (response) => {
      read(response).then(resolve, reject);
    });
    asked.setTimeout(timeoutMs, () => {
      asked.destroy(new Error(`no answer within ${timeoutMs / 1000} s`));
    });
    asked.on('error', reject);
    asked.end();
  });
}

async function read(response: IncomingMessage): Promise<Answer> {
  let body = '';
  for await (const chunk of response.setEncoding('utf8')) body += String(chunk);
  return { status: response.statusCode, message: messageIn(body) };
}

function messageIn(body: string): string {
  if (!body.startsWith('{')) return body.trim();
  const { message } = JSON.parse(body) as { message?: string };
  return message ?? '';
}
