import {
  type ContainerInstance,
  constraintsOf,
  type InstanceRegistration,
  type PlacementRules,
  registerInstance,
  reserve,
  strategiesOf,
  type TaskRequirements,
} from '../../src/aws/ecs/placement/index.ts';
import { type EpochMs, type JsonValue, seedRandom } from '../../src/base/index.ts';

export const GROUP = 'service:web';

export const FREE_TASK: TaskRequirements = {
  cpuUnits: 0,
  memoryMebibytes: 0,
  ports: [],
  enis: 0,
  attributes: [],
  constraints: [],
};

export interface InstanceSketch extends Partial<InstanceRegistration> {
  readonly zone?: string;
  readonly status?: 'ACTIVE' | 'DRAINING';
  readonly agentConnected?: boolean;
  /** Tasks of `GROUP` on it; they need nothing. */
  readonly tasks?: number;
}

/** An instance of 1,024 CPU units and 960 MiB, unless the sketch says otherwise. */
export function instanceOf(id: string, sketch: InstanceSketch = {}): ContainerInstance {
  const { zone, status = 'ACTIVE', agentConnected = true, tasks = 0, ...registration } = sketch;
  const instance = registerInstance({
    id,
    arn: `arn:aws:ecs:us-east-1:000000000000:container-instance/demo/${id}`,
    cluster: 'demo',
    registeredAtMs: Date.parse('2018-06-18T22:28:28Z') as EpochMs,
    cpuUnits: 1024,
    memoryMebibytes: 960,
    ...registration,
    attributes: {
      ...(zone === undefined ? {} : { 'ecs.availability-zone': zone }),
      ...registration.attributes,
    },
  });
  Object.assign(instance, { status, agentConnected });
  for (let i = 0; i < tasks; i += 1) reserve(instance, FREE_TASK, GROUP);
  return instance;
}

export interface RuleSketch {
  readonly constraints?: JsonValue;
  readonly strategies?: JsonValue;
  readonly seed?: string;
}

export function rulesOf({ constraints, strategies, seed = '1' }: RuleSketch = {}): PlacementRules {
  return {
    constraints: constraintsOf(constraints),
    strategies: strategiesOf(strategies),
    group: GROUP,
    random: seedRandom(seed),
  };
}
