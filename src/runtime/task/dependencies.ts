import type {
  ContainerDefinition,
  ContainerDependency,
  HealthStatus,
} from '../../aws/ecs/index.ts';
import type { EpochMs } from '../../base/index.ts';

/** How a container of a task in flight stands; `starting` where a start takes a while. */
export interface ContainerStanding {
  readonly status: 'waiting' | 'starting' | 'running' | 'stopped';
  readonly exitCode: number | null;
  readonly startedAtMs: EpochMs | null;
  /** What its check says; absent where checks are not run. */
  readonly healthStatus?: HealthStatus;
}

/** How a container's dependencies stand (6.25 to 6.29). */
export type Standing =
  | { readonly state: 'met' }
  | { readonly state: 'unmet' }
  | {
      readonly state: 'never';
      readonly dependency: string;
      readonly why: 'unsuccessful' | 'never-starts';
    };

type InFlight = { readonly [name: string]: ContainerStanding };

/** Whether a container may start, must wait, or can never start. */
export function dependenciesOf(
  container: ContainerDefinition,
  containers: InFlight,
  definitions: readonly ContainerDefinition[],
): Standing {
  let standing: Standing = { state: 'met' };
  for (const dependency of container.dependsOn) {
    const one = standingOf(dependency, containers, definitions);
    if (one.state === 'never') return one;
    if (one.state === 'unmet') standing = one;
  }
  return standing;
}

function standingOf(
  { containerName, condition }: ContainerDependency,
  containers: InFlight,
  definitions: readonly ContainerDefinition[],
): Standing {
  const target = containers[containerName];
  const met: Standing = { state: 'met' };
  const unmet: Standing = { state: 'unmet' };
  if (target === undefined || neverStarted(target)) {
    return { state: 'never', dependency: containerName, why: 'never-starts' };
  }
  const { status, exitCode } = target;
  switch (condition) {
    case 'START':
      return status === 'waiting' || status === 'starting' ? unmet : met;
    case 'COMPLETE':
      return status === 'stopped' ? met : unmet;
    case 'SUCCESS':
      if (status !== 'stopped') return unmet;
      return exitCode === 0
        ? met
        : { state: 'never', dependency: containerName, why: 'unsuccessful' };
    case 'HEALTHY': {
      // 6.29: a container without a check is never HEALTHY, and what waits for it waits for ever.
      const definition = definitions.find(({ name }) => name === containerName);
      const isChecked = definition?.healthCheck !== undefined && status === 'running';
      return isChecked && (target.healthStatus ?? 'HEALTHY') === 'HEALTHY' ? met : unmet;
    }
  }
}

function neverStarted({ status, startedAtMs }: ContainerStanding): boolean {
  return status === 'stopped' && startedAtMs === null;
}

/** 6.24. */
export function dependencyError(
  dependency: string,
  target: string,
  why: 'timed-out' | 'unsuccessful' | 'never-starts',
): string {
  const ordering = `container ordering dependency [${dependency}] for target [${target}]`;
  const texts = {
    'timed-out': `${ordering} has timed out.`,
    unsuccessful: `failed to resolve ${ordering} as dependency did not exit successfully.`,
    'never-starts': `failed to resolve ${ordering} because dependency will never start`,
  };
  return `CannotStartContainerError: dependency graph: ${texts[why]}`;
}
