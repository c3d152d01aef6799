import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';

/** A folder of the test's own with these files in it, gone when the test ends. */
export function folderWith(
  t: TestContext,
  files: { readonly [path: string]: string } = {},
): string {
  const folder = mkdtempSync(join(tmpdir(), 'overcast-cfn-docker-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Acts with these variables in the environment of the process, which is as it was when it is over. */
export async function inEnvironment<T>(
  env: { readonly [name: string]: string },
  act: () => Promise<T>,
): Promise<T> {
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  try {
    return await act();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

/** Where the docker command keeps a context, in its folder. */
export function contextPath(name: string): string {
  return `contexts/meta/${createHash('sha256').update(name).digest('hex')}/meta.json`;
}

export interface EngineAnswers {
  /** Of `/_ping`: `silent` takes the request and never answers, `hangs-up` closes the connection. */
  readonly ping?: Said;
  /** Images that it holds. */
  readonly here?: readonly string[];
  /** What the registries say of the others; one that is not named is not there. */
  readonly registries?: { readonly [image: string]: 'there' | 'hangs-up' | Answer };
  /** Of other paths, without their query; one that is asked anew each time may be computed. */
  readonly others?: { readonly [path: string]: Said | (() => Said) };
  /** Files of the docker command's folder. */
  readonly files?: { readonly [path: string]: string };
}

type Said = 'silent' | 'hangs-up' | Answer;

export interface Answer {
  readonly status: number;
  readonly body: string | Buffer;
}

type EngineEnvironment = { readonly [Name in 'DOCKER_HOST' | 'DOCKER_CONFIG']: string };

export interface FakeEngine {
  readonly socketPath: string;
  /** With which it is the engine of this machine. */
  readonly env: EngineEnvironment;
  /** Paths it was asked for, in order of arrival. */
  readonly asked: string[];
  /** Logins it was given for a registry, decoded as the engine decodes them. */
  readonly logins: unknown[];
}

/** What an engine tells of itself to whoever connects. */
export const FACTS = {
  '/version': { status: 200, body: JSON.stringify({ Version: '24.0.7', Arch: 'amd64' }) },
  '/info': { status: 200, body: JSON.stringify({ NCPU: 2 }) },
} as const;

const OK: Answer = { status: 200, body: '{}' };

/** Plays the engine on a socket of the test's own, as far as a probe asks it. */
export async function fakeEngine(t: TestContext, answers: EngineAnswers = {}): Promise<FakeEngine> {
  const folder = folderWith(t, answers.files);
  const socketPath = join(folder, 'docker.sock');
  const asked: string[] = [];
  const logins: unknown[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    logins.push(...loginsIn(request));
    answer(response, answerTo(decodeURI(request.url ?? ''), answers));
  });
  await new Promise<void>((listening) => server.listen(socketPath, listening));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const env = { DOCKER_HOST: `unix://${socketPath}`, DOCKER_CONFIG: folder };
  return { socketPath, env, asked, logins };
}

function answerTo(url: string, { ping, here = [], registries = {}, others }: EngineAnswers): Said {
  if (url === '/_ping') return ping ?? { status: 200, body: 'OK' };
  const other = others?.[url.replace(/\?.*$/, '')];
  if (other !== undefined) return typeof other === 'function' ? other() : other;
  const [, kind, image = ''] = /^\/(images|distribution)\/(.*)\/json$/.exec(url) ?? [];
  if (kind === 'images') {
    return here.includes(image) ? OK : refusal(404, `No such image: ${image}`);
  }
  const said = registries[image] ?? refusal(404, `manifest for ${image} not found`);
  return said === 'there' ? OK : said;
}

/** An answer with the engine's own message in it. */
export function refusal(status: number, message: string): Answer {
  return { status, body: JSON.stringify({ message }) };
}

function answer(response: ServerResponse, said: Said): void {
  if (said === 'hangs-up') response.destroy();
  else if (said !== 'silent') response.writeHead(said.status).end(said.body);
}

/** The engine's decoder asks for base64 of the URL alphabet, padded; another text is no login. */
function loginsIn({ headers }: IncomingMessage): readonly unknown[] {
  const text = String(headers['x-registry-auth'] ?? '');
  if (!/^[A-Za-z0-9_-]+={0,2}$/.test(text) || text.length % 4 !== 0) return [];
  return [JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))];
}
