import assert from 'node:assert/strict';
import { live } from '../../src/aws/ecs/model.ts';
import {
  type JsonObject,
  nextBelow,
  type RandomState,
  type ServiceArn,
  seedRandom,
} from '../../src/base/index.ts';
import type { World } from '../../src/world/index.ts';
import {
  behave,
  createEcsWorld,
  createWeb,
  describeTargetGroup,
  ecsOf,
  pass,
  register,
  serviceState,
  tasksOf,
  update,
} from './ecs-world.ts';
import { fewestTasks, mostTasks } from './naive.ts';
import { watchRollout } from './rollout-watch.ts';

/** A service whose second revision rolls out in a world of its own, drawn from a seed. */
export interface Rollout {
  readonly world: World;
  /** For a while images fail to pull, processes exit, and a user stops tasks and scales. */
  misbehave(): void;
  /** Tasks behave, a deploy repairs what the user stopped, and time enough passes. */
  recover(): void;
  ending(): 'completed' | 'failed' | 'rolled-back' | 'holding';
  /** The same rollout, going on in another world. */
  continuedIn(world: World): Rollout;
}

const GROUP = 'arn:aws:elasticloadbalancing:us-east-1:000000000000:targetgroup/web/0a1b';
const TARGETS = { intervalMs: 5_000, healthyThreshold: 2, unhealthyThreshold: 2 };
const FAULTY_TURNS = 20;
const RECOVERY_MS = 20 * 60_000; // the longest backoff is 30 s, the most tasks are 12

export function createRollout(seed: number): Rollout {
  const random = seedRandom(`rollout ${seed}`);
  const world = createEcsWorld();
  world.random = seedRandom(String(seed));
  describeTargetGroup(world, GROUP, TARGETS);
  const { container, service: more } = drawChecks(random);
  const define = (image: string) => {
    const app = { name: 'app', image, portMappings: [{ containerPort: 80 }], ...container };
    return register(world, image, { containerDefinitions: [app] });
  };
  define('web:1');
  const service = createWeb(world, { ...drawService(random), ...more });
  pass(world, 60_000, watchRollout(world, service));
  assert.equal(serviceState(world, service).steady, true, 'the first revision is steady');
  update(world, service, { taskDefinition: define('web:2') });
  return rolloutIn(world, service, random);
}

/** Every second service is checked: its containers, or its targets. */
function drawChecks(random: RandomState): { container: JsonObject; service: JsonObject } {
  const kind = nextBelow(random, 4);
  const healthCheck = {
    ...{ command: ['CMD', 'check'], interval: 5, retries: 1 + nextBelow(random, 3) },
    startPeriod: 5 * nextBelow(random, 3),
  };
  const loadBalancers = [{ targetGroupArn: GROUP, containerName: 'app', containerPort: 80 }];
  return {
    container: kind === 0 ? { healthCheck } : {},
    service:
      kind === 1 ? { loadBalancers, healthCheckGracePeriodSeconds: 10 * nextBelow(random, 3) } : {},
  };
}

function drawService(random: RandomState) {
  const maximumPercent = pick(random, [100, 100, 110, 120, 125, 150, 200]);
  const minimumHealthyPercent = pick(random, [0, 25, 50, 75, 80, 100, 100]);
  const enable = nextBelow(random, 2) === 1;
  const deploymentCircuitBreaker = {
    ...{ enable, rollback: nextBelow(random, 2) === 1 },
    ...pick<JsonObject>(random, [
      {},
      {},
      { resetOnHealthyTask: true },
      { thresholdConfiguration: { type: 'COUNT', value: 1 + nextBelow(random, 6) } },
      { thresholdConfiguration: { type: 'UNBOUNDED_PERCENT', value: 10 + nextBelow(random, 90) } },
    ]),
  };
  return {
    desiredCount: 1 + nextBelow(random, 12),
    deploymentConfiguration: { maximumPercent, minimumHealthyPercent, deploymentCircuitBreaker },
  };
}

function rolloutIn(world: World, service: ServiceArn, random: RandomState): Rollout {
  describeTargetGroup(world, GROUP, TARGETS);
  const watch = watchRollout(world, service);
  let recoveredAtMs = world.nowMs;
  const worstOdds = nextBelow(random, 10); // some worlds are kind, some are not
  return {
    world,
    misbehave() {
      for (let turn = 0; turn < FAULTY_TURNS; turn += 1) {
        behave(world, {
          'web:1': drawImage(random, worstOdds / 4),
          'web:2': drawImage(random, worstOdds),
        });
        meddle(world, service, random);
        pass(world, 100 + nextBelow(random, 8_000), watch);
      }
    },
    recover() {
      behave(world, {});
      recoveredAtMs = world.nowMs;
      update(world, service); // a new episode: what was said before may be said again
      pass(world, RECOVERY_MS, watch);
    },
    ending: () => endingOf(world, service, recoveredAtMs),
    continuedIn: (other) => rolloutIn(other, service, [...random]),
  };
}

function drawImage(random: RandomState, odds: number) {
  const fault = nextBelow(random, 20);
  if (fault < odds / 2) return { pull: ['not-found'] } as const;
  if (fault < odds) return drawFailingChecks(random);
  if (fault >= 2 * odds) return {};
  return { exits: { afterMs: nextBelow(random, 15_000), code: nextBelow(random, 2) } };
}

/** Of a service without checks they change nothing. */
function drawFailingChecks(random: RandomState) {
  return {
    healthcheck: 'fail',
    listens: { port: 80, afterMs: nextBelow(random, 60_000) },
  } as const;
}

/** Now and then a user stops a task or scales the service. */
function meddle(world: World, service: ServiceArn, random: RandomState): void {
  const tasks = tasksOf(world, service);
  const chance = nextBelow(random, 20);
  const task = tasks[nextBelow(random, tasks.length)];
  if (chance === 0 && task !== undefined) ecsOf(world).stopTask({ task: task.id });
  if (chance === 1) update(world, service, { desiredCount: 1 + nextBelow(random, 12) });
  if (chance === 2) update(world, service, { forceNewDeployment: true });
  if (chance === 3) update(world, service, { taskDefinition: `web:${1 + nextBelow(random, 2)}` });
}

/** How it ended; anything else is a broken promise. */
function endingOf(
  world: World,
  service: ServiceArn,
  sinceMs: number,
): ReturnType<Rollout['ending']> {
  const { deployments, desiredCount, steady, configuration, events } = serviceState(world, service);
  const [primary, ...others] = deployments;
  assert(primary !== undefined);
  if (primary.rolloutState === 'FAILED') {
    assert(configuration.circuitBreaker.enable, 'only a breaker fails a deployment');
    return 'failed';
  }
  if (primary.rolloutState === 'COMPLETED') {
    assert(steady && others.length === 0 && primary.counts.counting === desiredCount);
    return primary.revision.taskDefinition.endsWith(':2') ? 'completed' : 'rolled-back';
  }
  const { maximumPercent, minimumHealthyPercent } = configuration;
  const most = mostTasks(desiredCount, maximumPercent);
  const fewest = fewestTasks(desiredCount, minimumHealthyPercent);
  assert(most === desiredCount && fewest === desiredCount, 'the pair can move');
  assert(others.reduce((sum, { counts }) => sum + live(counts), 0) > 0, 'something holds it');
  const moved = events.findLastIndex(({ message }) => / has (started|stopped) /.test(message));
  const held = events
    .slice(moved + 1)
    .filter(({ createdAtMs }) => createdAtMs >= sinceMs)
    .filter(({ message }) => message.includes('is holding at'));
  assert.equal(held.length, 1, 'it says so once');
  return 'holding';
}

function pick<Item>(random: RandomState, items: readonly [Item, ...Item[]]): Item {
  return items[nextBelow(random, items.length)] ?? items[0];
}
