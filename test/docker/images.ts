import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** Files of an image: absolute path → content. All are executable. */
export interface ImageFiles {
  readonly [path: string]: string | Buffer;
}

export interface ImageConfig {
  readonly cmd?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly user?: string;
  readonly env?: readonly string[];
}

/** An answer of the engine. `json` is undefined where the text is not one JSON document. */
export interface EngineAnswer {
  readonly status: number;
  readonly text: string;
  readonly json: unknown;
}

/** A folder, unless it has content or, as a symbolic link, a target. Paths of folders end in `/`. */
interface TarEntry {
  readonly path: string;
  readonly mode: number;
  readonly content?: Buffer;
  readonly target?: string;
}

const APPLETS =
  'cat date dd echo env false head httpd id kill ls mkdir nc pwd sh sleep tail test touch tr true wget';
const PASSWD = 'root:x:0:0:root:/root:/bin/sh\napp:x:1000:1000:app:/tmp:/bin/sh\n';

/**
 * Makes an image of the static busybox, users `root` and `app` (1000) and the files. Nothing is
 * fetched.
 */
export async function buildImage(
  reference: string,
  files: ImageFiles = {},
  config: ImageConfig = {},
): Promise<void> {
  const { repository, tag } = splitReference(reference);
  const query = new URLSearchParams({ fromSrc: '-', repo: repository, tag });
  for (const change of changesOf(config)) query.append('changes', change);
  const content = tar([...baseEntries(), ...fileEntries(files)]);
  await succeed('POST', `/images/create?${query}`, content);
}

/**
 * Makes an image for an architecture that need not be the engine's, of the files alone. An import has
 * the engine's whatever is asked for.
 */
export async function loadImage(
  reference: string,
  files: ImageFiles,
  { cmd, architecture }: { readonly cmd: readonly string[]; readonly architecture: string },
): Promise<void> {
  const layer = tar(fileEntries(files));
  const digest = createHash('sha256').update(layer).digest('hex');
  const config = {
    ...{ architecture, os: 'linux', config: { Cmd: cmd } },
    rootfs: { type: 'layers', diff_ids: [`sha256:${digest}`] },
  };
  const manifest = [{ Config: 'config.json', RepoTags: [reference], Layers: ['layer.tar'] }];
  const json = (value: object) => Buffer.from(JSON.stringify(value));
  const archive = tar([
    { path: 'config.json', mode: 0o644, content: json(config) },
    { path: 'layer.tar', mode: 0o644, content: layer },
    { path: 'manifest.json', mode: 0o644, content: json(manifest) },
  ]);
  await succeed('POST', '/images/load?quiet=1', archive);
}

/** Pushes an image to the test registry, whose address its reference begins with. */
export async function pushImage(reference: string): Promise<void> {
  const registry = setting('OVERCAST_TEST_REGISTRY');
  if (!reference.startsWith(`${registry}/`)) {
    throw new Error(`${reference} is not of the test registry, ${registry}`);
  }
  const { repository, tag } = splitReference(reference);
  await succeed('POST', `/images/${repository}/push?${new URLSearchParams({ tag })}`);
}

/** Removes an image from the engine, even if a stopped container has it. */
export async function removeImage(reference: string): Promise<void> {
  await succeed('DELETE', `/images/${reference}?force=1`);
}

/**
 * One request to the engine that `DOCKER_HOST` names. A Buffer is sent as a tar, all else as JSON. An
 * answer that tells of an error is an answer like any other.
 */
export async function engineRequest(
  method: string,
  path: string,
  body?: Buffer | object,
): Promise<EngineAnswer> {
  const response = await send(
    { ...engineAddress(), method, path, headers: headersFor(body) },
    body,
  );
  const answer = await text(response);
  return { status: response.statusCode ?? 0, text: answer, json: parsed(answer) };
}

function send(options: RequestOptions, body: Buffer | object | undefined) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request(options, resolve).on('error', reject);
    outgoing.end(body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });
}

function engineAddress(): RequestOptions {
  const host = setting('DOCKER_HOST');
  if (host.startsWith('unix://')) return { socketPath: host.slice('unix://'.length) };
  const { hostname, port } = new URL(host);
  return { hostname, port };
}

function headersFor(body: Buffer | object | undefined) {
  // The engine asks for credentials with every push; these are none.
  const auth = { 'X-Registry-Auth': Buffer.from('{}').toString('base64') };
  if (body === undefined) return auth;
  const type = Buffer.isBuffer(body) ? 'application/x-tar' : 'application/json';
  return { ...auth, 'Content-Type': type };
}

async function succeed(method: string, path: string, body?: Buffer): Promise<void> {
  const { status, text: answer, json } = await engineRequest(method, path, body);
  const message = status < 400 ? streamedError(answer) : (messageOf(json) ?? `status ${status}`);
  if (message !== undefined) throw new Error(`${method} ${path.split('?')[0]}: ${message}`);
}

/** Work that has begun fails under status 200, in one of the lines that tell of its progress. */
function streamedError(answer: string): string | undefined {
  for (const line of answer.split('\n')) {
    const progress = parsed(line);
    if (isObject(progress) && 'error' in progress) return String(progress['error']);
  }
  return undefined;
}

function messageOf(json: unknown): string | undefined {
  return isObject(json) && 'message' in json ? String(json['message']) : undefined;
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null;
}

function parsed(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    return undefined;
  }
}

/** Splits at the last colon, unless it belongs to the port of the registry. */
function splitReference(reference: string): { repository: string; tag: string } {
  const [, repository = reference, tag = 'latest'] = /^(.+):([^:/]+)$/.exec(reference) ?? [];
  return { repository, tag };
}

/** The configuration as instructions of a Dockerfile, which is how an import takes it. */
function changesOf({ cmd, entrypoint, user, env = [] }: ImageConfig): readonly string[] {
  return [
    ...(cmd === undefined ? [] : [`CMD ${JSON.stringify(cmd)}`]),
    ...(entrypoint === undefined ? [] : [`ENTRYPOINT ${JSON.stringify(entrypoint)}`]),
    ...(user === undefined ? [] : [`USER ${user}`]),
    ...env.map(envInstruction),
  ];
}

function envInstruction(variable: string): string {
  const [name, ...value] = variable.split('=');
  return `ENV ${name}="${value.join('=').replace(/["\\$]/g, '\\$&')}"`;
}

function baseEntries(): readonly TarEntry[] {
  return [
    { path: 'bin/', mode: 0o755 },
    { path: 'bin/busybox', mode: 0o755, content: readFileSync(setting('OVERCAST_TEST_BUSYBOX')) },
    ...APPLETS.split(' ').map((name) => ({ path: `bin/${name}`, mode: 0o777, target: 'busybox' })),
    { path: 'etc/', mode: 0o755 },
    { path: 'etc/passwd', mode: 0o644, content: Buffer.from(PASSWD) },
    { path: 'root/', mode: 0o700 },
    { path: 'tmp/', mode: 0o1777 },
  ];
}

function fileEntries(files: ImageFiles): readonly TarEntry[] {
  return Object.entries(files).flatMap(([path, content]) => {
    const name = path.replace(/^\//, '');
    return [
      ...parentsOf(name).map((parent) => ({ path: parent, mode: 0o755 })),
      { path: name, mode: 0o755, content: Buffer.from(content) },
    ];
  });
}

/** Folders above a file that are not the image's own; the engine would make them root's alone. */
function parentsOf(name: string): readonly string[] {
  const own = new Set(baseEntries().map(({ path }) => path));
  const parts = name.split('/').slice(0, -1);
  const parents = parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}/`);
  return parents.filter((parent) => !own.has(parent));
}

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run scripts/with-docker.sh`);
  return value;
}

const BLOCK = 512;

function tar(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap((entry) => {
    const { length } = entry.content ?? '';
    const padding = Buffer.alloc((BLOCK - (length % BLOCK)) % BLOCK);
    return [tarHeader(entry), entry.content ?? padding, padding];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

function tarHeader({ path, mode, content, target }: TarEntry): Buffer {
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long for a tar`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, size: number) =>
    header.write(value.toString(8).padStart(size - 1, '0'), at);
  header.write(path);
  octal(mode, 100, 8);
  octal(0, 108, 8); // owner: root
  octal(0, 116, 8);
  octal(content?.length ?? 0, 124, 12);
  octal(0, 136, 12); // time: none, so that the same files make the same layer
  header.write(content !== undefined ? '0' : target !== undefined ? '2' : '5', 156);
  header.write(target ?? '', 157);
  header.write('ustar\x0000', 257);
  header.fill(' ', 148, 156); // the checksum counts its own field as blanks
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return header;
}
