// What the product costs, measured and printed; nothing is asserted. Run it as `npm run bench`, on a
// machine that does little else.
//
// Each row is the median of ten runs. The runs of all rows take turns, so that a busy moment of the
// machine falls on all of them. Memory is the largest resident set of one run more, which loads
// `bench-usage.mjs` and is not timed.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const RUNS = 10;
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const scratch = mkdtempSync(join(tmpdir(), 'overcast-bench-'));

const COMMANDS = [
  { title: 'node -e 0', argv: () => ['-e', '0'] },
  { title: 'overcast-cfn --help', argv: () => ['bin/overcast-cfn.js', '--help'] },
  { title: 'deploy web-service.yml', argv: () => deployOf('web-service.yml') },
  {
    title: 'deploy crash-loop-no-breaker.yml, to its end at 36 h',
    argv: () => [
      ...deployOf('crash-loop-no-breaker.yml'),
      '--scenario',
      'templates/crash-loop.scenario.yml',
    ],
  },
];
const SIZES = [500, 5_000, 50_000];

const rows = COMMANDS.map((command) => ({ ...command, ms: [] }));
const services = SIZES.map((size) => ({ size, runs: [] }));
try {
  for (let run = 0; run < RUNS; run += 1) {
    for (const row of rows) row.ms.push(timed(row.argv()));
    for (const { size, runs } of services) runs.push(rollout(size));
  }
  print();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** A deploy into a state folder of its own, so that every run is a create. */
function deployOf(template) {
  const stateDir = mkdtempSync(join(scratch, 'state-'));
  return ['bin/overcast-cfn.js', 'deploy', `templates/${template}`, '--state-dir', stateDir];
}

function timed(argv) {
  const startedAt = performance.now();
  start(argv);
  return performance.now() - startedAt;
}

/** Deploys that end badly are part of the bench: their exit codes are no errors of it. */
function start(argv, env = {}) {
  try {
    return execFileSync(process.execPath, argv, {
      cwd: ROOT,
      encoding: 'utf8',
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch (error) {
    if (error.status === 1 || error.status === 3) return error.stdout;
    throw error;
  }
}

function rollout(size) {
  return JSON.parse(start(['dist/lib/scripts/bench-service.js', String(size)]));
}

function peakMebibytes(argv) {
  const file = join(scratch, 'usage');
  const hook = new URL('bench-usage.mjs', import.meta.url).href;
  start(['--import', hook, ...argv], { BENCH_USAGE: file });
  return Number(readFileSync(file, 'utf8')) / 1_024;
}

function print() {
  const table = [['', 'median', 'from', 'to', 'memory', '']];
  for (const { title, argv, ms } of rows) {
    table.push([title, ...spread(ms), mebibytes(peakMebibytes(argv())), '']);
  }
  for (const { size, runs } of services) {
    const cpu = runs.map(({ cpuMs }) => cpuMs);
    const each = `${((median(cpu) * 1_000) / size).toFixed(1)} µs CPU per task`;
    const memory = mebibytes(Math.max(...runs.map(({ peakKibibytes }) => peakKibibytes)) / 1_024);
    table.push([`update of a service with ${size} tasks, CPU`, ...spread(cpu), memory, each]);
  }
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  for (const row of table) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]),
    );
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
  printGrowth();
}

/** How much more the largest service costs than the smallest, against how much larger it is. */
function printGrowth() {
  const cpuOf = ({ runs }) => median(runs.map(({ cpuMs }) => cpuMs));
  const [first, last] = [services[0], services.at(-1)];
  const times = (cpuOf(last) / cpuOf(first)).toFixed(1);
  process.stdout.write(`${last.size / first.size} times the tasks take ${times} times the CPU\n`);
}

function spread(values) {
  return [median(values), Math.min(...values), Math.max(...values)].map(
    (ms) => `${ms.toFixed(0)} ms`,
  );
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function mebibytes(amount) {
  return `${amount.toFixed(0)} MiB`;
}
