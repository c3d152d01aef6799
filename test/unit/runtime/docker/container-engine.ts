import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { connect, type Engine } from '../../../../src/runtime/docker/index.ts';
import { type Answer, folderWith, refusal } from './fake-engine.ts';

/** What the engine was asked for. */
export interface Asked {
  readonly method: string;
  readonly path: string; // without its query
  readonly query: URLSearchParams;
  readonly body: string;
}

/** An answer in place of the usual one: `silent` never comes, `ends` closes the connection. */
type Reply = Answer | 'silent' | 'ends' | undefined;

export interface EngineTraits {
  readonly architecture?: string;
  /** Images that are there → their platform. */
  readonly here?: { readonly [image: string]: string };
  /** Images that can be pulled → their platform. */
  readonly registry?: { readonly [image: string]: string };
  /** Other answers than an engine gives that has nothing against it. */
  reply?(asked: Asked, engine: ContainerEngine): Reply | Promise<Reply>;
}

interface Container {
  readonly id: string;
  readonly name: string;
  readonly body: {
    readonly Image: string;
    readonly Labels: { readonly [label: string]: string };
    readonly HostConfig: { readonly PortBindings?: object };
  };
  isRunning: boolean;
  exitCode: number;
  said: readonly string[];
}

export interface ContainerEngine {
  readonly socketPath: string;
  readonly engine: Engine;
  readonly asked: Asked[];
  readonly containers: Map<string, Container>;
  readonly images: { [image: string]: string };
  /** Paths of what it was asked to do, in short: `POST …-app/start`. */
  did(): readonly string[];
  /** A container ends by itself, having printed a line. */
  end(name: string, exitCode: number, said?: string): void;
  /** The streams of events end; what happens before another one begins is told by nobody. */
  breakEvents(): void;
  /** Requests that are not answered to their end. */
  open(): number;
}

/** Plays an engine that makes, starts, stops and removes containers, on a socket of the test's own. */
export async function containerEngine(
  t: TestContext,
  traits: EngineTraits = {},
): Promise<ContainerEngine> {
  const socketPath = join(folderWith(t), 'docker.sock');
  const asked: Asked[] = [];
  const containers = new Map<string, Container>();
  const images = { ...traits.here };
  const events = new Set<ServerResponse>();
  const unanswered = new Set<ServerResponse>();

  const server = createServer((request, response) => {
    unanswered.add(response);
    response.on('close', () => unanswered.delete(response));
    void readOf(request).then(async (one) => {
      asked.push(one);
      const reply = (await traits.reply?.(one, played)) ?? usual(one, response);
      if (reply === 'ends') response.destroy();
      else if (reply !== 'silent') response.writeHead(reply.status).end(reply.body);
    });
  });
  await new Promise<void>((listening) => server.listen(socketPath, listening));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });

  const played: ContainerEngine = {
    ...{ socketPath, asked, containers, images },
    engine: undefined as unknown as Engine,
    did: () =>
      asked
        .filter(({ method }) => method !== 'GET')
        .map(({ method, path }) => `${method} ${short(path)}`),
    end(name, exitCode, said) {
      const one = [...containers.values()].find((container) => container.name.endsWith(name));
      if (one === undefined) throw new Error(`there is no ${name}`);
      ended(one, exitCode, said === undefined ? [] : [said]);
    },
    breakEvents() {
      for (const response of events) response.destroy();
      events.clear();
    },
    open: () => unanswered.size,
  };
  const engine = await connect({ DOCKER_HOST: `unix://${socketPath}` });
  asked.length = 0;
  return Object.assign(played, { engine });

  function ended(one: Container, exitCode: number, said: readonly string[]): void {
    Object.assign(one, { isRunning: false, exitCode, said });
    const Attributes = { ...one.body.Labels, exitCode: String(exitCode) };
    const line = JSON.stringify({ Actor: { ID: one.id, Attributes } });
    for (const response of events) response.write(`${line}\n`);
  }

  function usual(one: Asked, response: ServerResponse): Answer | 'silent' {
    const { method, path, query } = one;
    if (path === '/version') return json({ Version: '0', Arch: traits.architecture ?? 'amd64' });
    if (path === '/info') return json({ NCPU: 2 });
    if (path === '/_ping') return { status: 200, body: 'OK' };
    if (path === '/events') {
      events.add(response);
      response.writeHead(200).flushHeaders();
      return 'silent';
    }
    if (path === '/images/create') return made(query);
    if (path.startsWith('/images/')) return imageAt(path.slice('/images/'.length, -'/json'.length));
    if (path === '/containers/json') return json([...containers.values()].map(listed));
    if (path === '/containers/create') return create(one);
    const [, name = '', verb = ''] = /^\/containers\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? [];
    const container = containers.get(name);
    if (container === undefined) return refusal(404, `No such container: ${name}`);
    return method === 'DELETE' ? remove(container) : act(container, verb);
  }

  /** A pull, or the import of the one image that is made here. */
  function made(query: URLSearchParams): Answer {
    const image = `${query.get('fromImage') ?? query.get('repo')}:${query.get('tag')}`;
    const isImport = query.get('fromSrc') !== null;
    const platform = isImport ? (query.get('platform') ?? '') : traits.registry?.[image];
    if (platform === undefined) return refusal(404, `manifest for ${image} not found`);
    images[image] = platform;
    return json({ status: 'done' });
  }

  function imageAt(image: string): Answer {
    const platform = images[decodeURIComponent(image)];
    if (platform === undefined) return refusal(404, `No such image: ${image}`);
    const [Os, Architecture] = platform.split('/');
    return json({ Os, Architecture });
  }

  function create({ query, body }: Asked): Answer {
    const name = query.get('name') ?? '';
    if (containers.has(name))
      return refusal(409, `The container name "/${name}" is already in use by container "0a"`);
    const id = `id-${asked.length}`;
    const spec = JSON.parse(body) as Container['body'];
    containers.set(name, { id, name, body: spec, isRunning: false, exitCode: 0, said: [] });
    return { status: 201, body: JSON.stringify({ Id: id }) };
  }

  function act(container: Container, verb: string): Answer {
    if (verb === 'logs') return { status: 200, body: framed(container.said) };
    if (verb === 'json') return json(inspected(container));
    if (verb === 'start') container.isRunning = true;
    else if (!container.isRunning) return { status: 304, body: '' };
    else ended(container, 143, container.said);
    return { status: 204, body: '' };
  }

  function remove(container: Container): Answer {
    if (container.isRunning) ended(container, 137, container.said);
    containers.delete(container.name);
    return { status: 204, body: '' };
  }
}

async function readOf(request: IncomingMessage): Promise<Asked> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://engine');
  let body = '';
  for await (const chunk of request.setEncoding('latin1')) body += String(chunk);
  return { method: request.method ?? '', path: pathname, query: searchParams, body };
}

/** `/containers/overcast-01234567-<task>-app/start` → `app/start`. */
function short(path: string): string {
  return path.replace(/^\/containers\//, '').replace(/^overcast-\w{8}-\w{32}[-.]/, '');
}

function json(value: object): Answer {
  return { status: 200, body: JSON.stringify(value) };
}

function listed({ id, name, body, isRunning }: Container): object {
  return {
    ...{ Id: id, Names: [`/${name}`], Labels: body.Labels },
    ...{ State: isRunning ? 'running' : 'exited', Ports: [] },
  };
}

function inspected({ id, body, isRunning, exitCode }: Container): object {
  return {
    ...{ Id: id, Image: body.Image, NetworkSettings: { Ports: {} } },
    State: { Running: isRunning, ExitCode: exitCode, OOMKilled: false },
  };
}

function framed(lines: readonly string[]): Buffer {
  return Buffer.concat(
    lines.map((line) => {
      const payload = Buffer.from(`${line}\n`);
      const head = Buffer.from([1, 0, 0, 0, 0, 0, 0, payload.length]);
      return Buffer.concat([head, payload]);
    }),
  );
}
