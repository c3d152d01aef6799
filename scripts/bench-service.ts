import {
  createEcs,
  createEcsState,
  type EcsContext,
  LOCAL_RULES,
  schedulerDueMs,
  stepScheduler,
  type TaskObservation,
  type TaskRuntime,
} from '../src/aws/ecs/index.ts';
import {
  addMs,
  assert,
  createHeap,
  type DueHeap,
  type EpochMs,
  HOUR_MS,
  nextBelow,
  nextDueMs,
  popDue,
  pushDue,
  type RandomState,
  SECOND_MS,
  SIMULATION_START_MS,
  seedRandom,
} from '../src/base/index.ts';
import { createRecord } from '../src/events/index.ts';

/*
 * The worst case of a rolling update for a scheduler that works round by round: a service whose tasks
 * start one by one, each at an instant drawn from an hour. At 200 and 100 percent all new tasks are
 * placed at once; each that counts lets one old task go. Prints the CPU time of the update as JSON.
 */

interface Bench {
  nowMs: EpochMs;
  readonly context: EcsContext;
  readonly runtime: TaskRuntime;
  readonly ahead: DueHeap<TaskObservation>;
}

const desiredCount = Number(process.argv[2]);
const bench = createBench();
const service = createService(bench);
settle(bench);
const before = process.cpuUsage();
const rounds = update(bench);
const { user, system } = process.cpuUsage(before);
const view = createEcs(bench.context).describeService(service);
assert(view?.runningCount === desiredCount, 'every task of the new revision runs');
assert(view.deployments.length === 1, 'the old deployment is gone');
const peakKibibytes = process.resourceUsage().maxRSS;
process.stdout.write(
  `${JSON.stringify({ cpuMs: (user + system) / 1_000, rounds, peakKibibytes })}\n`,
);

function createBench(): Bench {
  const ahead: DueHeap<TaskObservation> = createHeap();
  const random = seedRandom('bench');
  const clock = { nowMs: SIMULATION_START_MS };
  const context = {
    state: createEcsState(),
    timing: 'local' as const,
    place: { accountId: '000000000000', region: 'us-east-1' },
    random,
    record: createRecord(),
    get nowMs() {
      return clock.nowMs;
    },
  };
  const runtime = drawnRuntime(clock, ahead, random);
  return Object.assign(clock, { context, runtime, ahead });
}

/** Tasks run at an instant of their own after they were placed, and stop as soon as they are asked to. */
function drawnRuntime(
  clock: { readonly nowMs: EpochMs },
  ahead: DueHeap<TaskObservation>,
  random: RandomState,
): TaskRuntime {
  const containers: [] = [];
  return {
    feedsHealth: false,
    start({ task }) {
      const at = addMs(clock.nowMs, SECOND_MS + nextBelow(random, HOUR_MS));
      pushDue(ahead, at, { type: 'running', task, containers });
    },
    stop(task) {
      const because = { kind: 'asked-to-stop' } as const;
      pushDue(ahead, clock.nowMs, { type: 'stopped', task, because, containers });
    },
    observations() {
      const seen: TaskObservation[] = [];
      for (let one = popDue(ahead, clock.nowMs); one; one = popDue(ahead, clock.nowMs)) {
        seen.push(one);
      }
      return seen;
    },
  };
}

function register({ context }: Bench): string {
  return createEcs(context).registerTaskDefinition({
    family: 'web',
    requiresCompatibilities: ['FARGATE'],
    networkMode: 'awsvpc',
    cpu: '256',
    memory: '512',
    containerDefinitions: [{ name: 'app', image: 'web' }],
  }).arn;
}

function createService(bench: Bench) {
  return createEcs(bench.context).createService({
    serviceName: 'web',
    taskDefinition: register(bench),
    launchType: 'FARGATE',
    desiredCount,
    networkConfiguration: { awsvpcConfiguration: { subnets: ['subnet-0aa1'] } },
  }).service;
}

function update(bench: Bench): number {
  createEcs(bench.context).updateService({ service, taskDefinition: register(bench) });
  return settle(bench);
}

/** Runs until nothing is due any more; answers how many rounds that took. */
function settle(bench: Bench): number {
  const { context, runtime, ahead } = bench;
  const turn = Object.defineProperty(
    { ...context, runtime, targets: undefined, rulesOf: () => LOCAL_RULES },
    'nowMs',
    {
      get: () => bench.nowMs,
    },
  );
  for (let rounds = 1; ; rounds += 1) {
    stepScheduler(turn);
    const due = earlier(schedulerDueMs(context.state, bench.nowMs), nextDueMs(ahead));
    if (due === undefined) return rounds;
    bench.nowMs = due;
  }
}

function earlier(a: EpochMs | undefined, b: EpochMs | undefined): EpochMs | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a < b ? a : b;
}
