// What running a service in containers costs beside the engine's own work, measured and printed;
// nothing is asserted. It needs a Docker engine and an image that stays up:
//
//   npm run bench:docker -- web:1
//
// The image may also be named in OVERCAST_BENCH_IMAGE; nothing is built or pulled for the bench. Each row
// is the median of five runs, which take turns. What no tool can save is the engine's time to make and
// start the two containers of a task, and the settle window: that sum is what the ratios are taken of.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Docker from 'dockerode';

const RUNS = 5;
const SETTLE_MS = 3_000; // of the preset `local`
const MEBIBYTE = 1024 * 1024;
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const STACK = 'bench';

const image = process.argv[2] ?? process.env['OVERCAST_BENCH_IMAGE'] ?? '';
if (image === '') fail('name an image that stays up: npm run bench:docker -- <image>');
const docker = new Docker(); // DOCKER_HOST, else the usual socket
await docker
  .getImage(image)
  .inspect()
  .catch((error) => fail(`image ${image}: ${error.message}`));

const scratch = mkdtempSync(join(tmpdir(), 'overcast-bench-'));
const stateDir = join(scratch, 'state');
const template = join(scratch, 'template.json');
const engineMs = [];
const commandMs = [];
const stackMs = [];
const nodeMs = [];
try {
  writeFileSync(template, JSON.stringify(templateOf(image)));
  deployed(); // makes the image of the pause container where it is not there yet
  for (let run = 0; run < RUNS; run += 1) {
    engineMs.push(await engineAlone(run));
    const { command, stack } = deployed();
    commandMs.push(command);
    stackMs.push(stack);
    nodeMs.push(timed(() => start(['-e', '0'])).ms);
  }
  print();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** One service of one task that has a network interface of its own. */
function templateOf(name) {
  return {
    Resources: {
      TaskDefinition: {
        Type: 'AWS::ECS::TaskDefinition',
        Properties: {
          RequiresCompatibilities: ['FARGATE'],
          NetworkMode: 'awsvpc',
          Cpu: '256',
          Memory: '512',
          ContainerDefinitions: [
            { Name: 'app', Image: name, PortMappings: [{ ContainerPort: 80 }] },
          ],
        },
      },
      Service: {
        Type: 'AWS::ECS::Service',
        Properties: {
          TaskDefinition: { Ref: 'TaskDefinition' },
          LaunchType: 'FARGATE',
          DesiredCount: 1,
          NetworkConfiguration: { AwsvpcConfiguration: { Subnets: ['subnet-0123456789abcdef0'] } },
        },
      },
    },
  };
}

/** The containers that the deploy makes, with the same options, by the engine's client alone. */
async function engineAlone(run) {
  const names = [
    `overcast-bench-${process.pid}-${run}.pause`,
    `overcast-bench-${process.pid}-${run}`,
  ];
  const log = { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '2' } };
  const pause = {
    name: names[0],
    Image: 'overcast-cfn/pause:1',
    Cmd: ['/pause'],
    ExposedPorts: { '80/tcp': {} },
    HostConfig: {
      NetworkMode: 'bridge',
      LogConfig: log,
      PortBindings: { '80/tcp': [{ HostIp: '127.0.0.1', HostPort: '' }] },
    },
  };
  const app = {
    name: names[1],
    Image: image,
    HostConfig: {
      NetworkMode: `container:${names[0]}`,
      LogConfig: log,
      Memory: 512 * MEBIBYTE,
      MemorySwap: 512 * MEBIBYTE,
      NanoCpus: 0.25e9,
    },
  };
  try {
    const startedAt = performance.now();
    for (const options of [pause, app]) await (await docker.createContainer(options)).start();
    return performance.now() - startedAt;
  } finally {
    for (const name of names.toReversed()) await removed(name);
  }
}

async function removed(name) {
  try {
    await docker.getContainer(name).remove({ force: true, v: true });
  } catch (error) {
    if (error.statusCode !== 404) throw error; // it was not made
  }
}

/** One deploy, timed, and the delete after it, which is not. */
function deployed() {
  const options = ['--state-dir', stateDir, '--progress', 'none', '--output', 'json'];
  const deploy = ['deploy', template, '--stack-name', STACK, '--runtime', 'docker', ...options];
  try {
    const { ms, answer } = timed(() => start(['bin/overcast-cfn.js', ...deploy]));
    const { verdict, stacks } = JSON.parse(answer);
    if (verdict !== 'stable') throw new Error(`the deploy ended ${verdict}:\n${answer}`);
    return { command: ms, stack: milliseconds(stacks[0].duration) };
  } finally {
    start(['bin/overcast-cfn.js', 'delete', STACK, ...options]);
  }
}

function timed(act) {
  const startedAt = performance.now();
  const answer = act();
  return { ms: performance.now() - startedAt, answer };
}

/** What it prints, whatever its exit code: that of a deploy is told by its verdict. */
function start(argv) {
  try {
    return execFileSync(process.execPath, argv, {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch (error) {
    if (error.status === null || !error.stdout) throw error;
    return error.stdout;
  }
}

/** `PT3.52S`, `PT1M2S`: the durations of a result document, below an hour. */
function milliseconds(duration) {
  const [, minutes = 0, seconds = 0] = /^PT(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(duration) ?? [];
  return (Number(minutes) * 60 + Number(seconds)) * 1_000;
}

function print() {
  const least = engineMs.map((ms) => ms + SETTLE_MS);
  const table = [
    ['', 'median', 'from', 'to', 'ratio'],
    ['engine: two containers made and started', ...spread(engineMs), ''],
    ['engine and the settle window of 3 s', ...spread(least), '1.000'],
    ['the stack, from request to CREATE_COMPLETE', ...spread(stackMs), ratio(stackMs, least)],
    ['the whole command', ...spread(commandMs), ratio(commandMs, least)],
    ['node -e 0', ...spread(nodeMs), ''],
  ];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  for (const row of table) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]),
    );
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
}

function ratio(values, of) {
  return (median(values) / median(of)).toFixed(3);
}

function spread(values) {
  return [median(values), Math.min(...values), Math.max(...values)].map(
    (ms) => `${ms.toFixed(0)} ms`,
  );
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function fail(message) {
  process.stderr.write(`bench-docker: ${message}\n`);
  process.exit(1);
}
