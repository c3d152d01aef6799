import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, connect as dial, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../src/base/index.ts';
import { present } from '../../src/base/index.ts';
import type { ResultDocument } from '../../src/result/index.ts';
import { ROOT } from '../support/root.ts';
import { buildImage, engineRequest, removeImage } from './images.ts';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder of its own to run the built command in, with what it left removed when the test ends. */
export interface Bench {
  readonly folder: string;
  /** Its text as a file of the folder. */
  write(name: string, text: string): void;
  run(words: string, env?: Environment): Promise<Ran>;
  json(words: string, env?: Environment): Promise<Ran & { readonly result: ResultDocument }>;
  items(words: string): Promise<readonly JsonObject[]>;
  /** Begins a command that the test ends. */
  begin(words: string, env?: Environment): Begun;
  /** Containers that carry the folder's label, running or not. */
  containers(): Promise<readonly Listed[]>;
}

type Environment = { readonly [name: string]: string | undefined };

export interface Begun {
  readonly child: ChildProcess;
  readonly ended: Promise<Ran>;
  /** Resolves when standard error holds it. */
  says(pattern: RegExp): Promise<void>;
}

export interface Listed {
  readonly Id: string;
  readonly Names: readonly string[];
  readonly State: string;
  readonly Labels: { readonly [name: string]: string };
}

export function openBench(t: TestContext): Bench {
  const folder = mkdtempSync(join(tmpdir(), 'overcast-docker-'));
  const label = `overcast-cfn.state-folder=${join(folder, '.overcast-cfn')}`;
  const containers = () => listContainers(label);
  t.after(async () => {
    for (const { Id } of await containers()) {
      await engineRequest('DELETE', `/containers/${Id}?force=1&v=1`);
    }
    rmSync(folder, { recursive: true, force: true });
  });
  const begin = (words: string, env: Environment = {}) => beginIn(folder, words, env);
  const run = (words: string, env?: Environment) => begin(words, env).ended;
  return {
    folder,
    write: (name, text) => writeFileSync(join(folder, name), text),
    run,
    begin,
    async json(words, env) {
      const ran = await run(`${words} --output json`, env);
      assert.match(ran.stdout, /^\{/, ran.stderr);
      return { ...ran, result: JSON.parse(ran.stdout) as ResultDocument };
    },
    async items(words) {
      const ran = await run(`${words} --output json`);
      assert.equal(ran.code, 0, ran.stderr);
      return (JSON.parse(ran.stdout) as { items: JsonObject[] }).items;
    },
    containers,
  };
}

function beginIn(folder: string, words: string, env: Environment): Begun {
  const bin = join(ROOT, 'bin/overcast-cfn.js');
  const child = spawn(process.execPath, [bin, ...words.split(' ')], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  const ended = new Promise<Ran>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  return {
    child,
    ended,
    async says(pattern) {
      while (!pattern.test(stderr)) {
        if (child.exitCode !== null) throw new Error(`it ended without saying so: ${stderr}`);
        await sleep(20);
      }
    },
  };
}

/** Containers with a label, as the engine lists them. */
export async function listContainers(label: string): Promise<readonly Listed[]> {
  const filters = encodeURIComponent(JSON.stringify({ label: [label] }));
  const { json } = await engineRequest('GET', `/containers/json?all=1&filters=${filters}`);
  return json as unknown as readonly Listed[];
}

/** An image of the test's own that runs a line of shell; removed when the test ends. */
export async function image(t: TestContext, line: string): Promise<string> {
  const name = `overcast-test-${randomUUID().slice(0, 8)}:1`;
  await buildImage(name, {}, { cmd: ['/bin/sh', '-c', line] });
  t.after(() => removeImage(name));
  return name;
}

/** Stays until it is asked to stop. */
export const STAYS = "trap 'exit 0' TERM; while :; do sleep 0.1; done";

interface Service {
  readonly desiredCount?: number;
  /** YAML of the container definition, beside name and image. */
  readonly container?: string;
  /** YAML of the service, beside what it must have. */
  readonly more?: string;
  readonly resources?: string;
}

/** A stack of one Fargate service `web`, with one container `app` of the image. */
export function stackOf(
  imageName: string,
  { desiredCount = 1, container, more, resources }: Service = {},
) {
  return `
Resources:
  Cluster: { Type: AWS::ECS::Cluster }
  Task:
    Type: AWS::ECS::TaskDefinition
    Properties:
      Family: web
      RequiresCompatibilities: [FARGATE]
      NetworkMode: awsvpc
      Cpu: '256'
      Memory: '512'
      ContainerDefinitions: [{ Name: app, Image: '${imageName}'${listed(container)} }]
  Web:
    Type: AWS::ECS::Service
    Properties: { Cluster: !Ref Cluster, TaskDefinition: !Ref Task, ServiceName: web, LaunchType: FARGATE, DesiredCount: ${desiredCount},
      NetworkConfiguration: { AwsvpcConfiguration: { Subnets: [subnet-0aa1] } }${listed(more)} }
${resources ?? ''}`;
}

function listed(yaml: string | undefined): string {
  return yaml === undefined ? '' : `, ${yaml}`;
}

/** A way to the engine that can be cut, as an engine that stops. */
export async function cuttableEngine(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'engine-'));
  const path = join(folder, 's');
  const target = present(process.env['DOCKER_HOST'], 'an engine').replace('unix://', '');
  const open = new Set<Socket>();
  const server = createServer((from) => {
    const to = dial(target);
    for (const socket of [from, to]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => open.delete(socket));
    }
    from.pipe(to).pipe(from);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const cut = () => {
    server.close();
    for (const socket of open) socket.destroy();
    rmSync(folder, { recursive: true, force: true });
  };
  t.after(cut);
  return { host: `unix://${path}`, cut };
}
