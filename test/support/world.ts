import { planDeploy } from '../../src/app/plan-deploy.ts';
import { createRunner, type Ended } from '../../src/app/run-operation.ts';
import { seedWorld } from '../../src/app/seed-world.ts';
import type { Desk, Session } from '../../src/app/session.ts';
import type { Timing } from '../../src/aws/ecs/index.ts';
import { placeKey } from '../../src/base/index.ts';
import type { OnFailure } from '../../src/engine/index.ts';
import { openRegistry } from '../../src/registry/index.ts';
import { parseScenario, type Scenario } from '../../src/scenario/index.ts';
import { parseTemplate } from '../../src/template/index.ts';
import { createWorld, type World } from '../../src/world/index.ts';
import { ROOT } from './root.ts';

export const PLACE = { accountId: '000000000000', region: 'us-east-1' };
export const KEY = placeKey(PLACE);
export const REGISTRY = openRegistry(ROOT);

/** A command in memory: nothing is read from or written to a state folder. */
export function createSession(world: World = createWorld()): Session {
  return {
    world,
    registry: REGISTRY,
    records: {},
    commit: () => undefined,
    save: () => undefined,
  };
}

/** The worlds of a command in memory: one session, whatever is asked for. */
export function deskOf(session: Session, stateDir = '.overcast-cfn'): Desk {
  return {
    stateDir,
    journal: { append: () => undefined, entries: () => [], clear: () => undefined },
    session: () => session,
    sessionOf: () => session,
    worlds: [session.world],
  };
}

export interface DeployOptions {
  readonly scenario?: string;
  readonly onFailure?: OnFailure;
  readonly timeoutInMinutes?: number;
  readonly stackName?: string;
  readonly parameters?: { readonly [name: string]: string };
  readonly seed?: number;
  readonly timing?: Timing;
  /** With containers: images to run in place of others. */
  readonly images?: { readonly [from: string]: string };
}

/** Deploys a template text in memory and follows it to its end. */
export async function deployText(
  session: Session,
  text: string,
  options: DeployOptions = {},
): Promise<Ended> {
  const { world, registry } = session;
  const scenario: Scenario | undefined =
    options.scenario === undefined ? undefined : parseScenario(options.scenario, 'scenario.yml');
  seedWorld(world, KEY, scenario);
  const stackName = options.stackName ?? 'demo';
  const template = parseTemplate(text, 'template.yml');
  const parameters = { ...scenario?.parameters, ...options.parameters };
  const target = { stackName, place: PLACE, template, parameters, tags: {}, fromAssembly: false };
  const { compiled, stackId, assumptions } = planDeploy(
    world,
    registry,
    target,
    { invent: false, capabilities: [] },
    {},
  );
  const seed = options.seed ?? 1;
  world.settings[stackId] = {
    runtime: world.kind,
    timing: options.timing ?? 'local',
    seed,
    scenario: scenario ?? null,
    ...(options.images && { containers: { publish: '127.0.0.1', images: options.images } }),
  };
  const request = {
    ...{ stackId, stackName, place: PLACE, tags: {}, model: compiled.model },
    onFailure: options.onFailure ?? ('ROLLBACK' as const),
    ...(compiled.preflightFailure === undefined
      ? {}
      : { preflightFailure: compiled.preflightFailure }),
    ...(options.timeoutInMinutes === undefined
      ? {}
      : { timeoutInMinutes: options.timeoutInMinutes }),
  };
  const known = { hidden: compiled.hidden, secrets: {} };
  const runner = createRunner(deskOf(session), {}, known, {});
  try {
    return await runner.create(session, request, seed, assumptions);
  } finally {
    await runner.close();
  }
}
