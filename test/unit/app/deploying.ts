import type { Deploying } from '../../../src/app/plan-stacks.ts';
import { seedWorld } from '../../../src/app/seed-world.ts';
import type { Desk, Session } from '../../../src/app/session.ts';
import type { StackTarget } from '../../../src/app/targets.ts';
import { DEFAULTS, type DeployRequest } from '../../../src/app/use-cases.ts';
import { findStack } from '../../../src/engine/index.ts';
import { parseTemplate } from '../../../src/template/index.ts';
import { deskOf, KEY, PLACE } from '../../support/world.ts';

/** A deploy in memory, whose one world is that of the session, with the place of the stacks in it. */
export function deployingIn(session: Session, request: Partial<DeployRequest> = {}): Deploying {
  seedWorld(session.world, KEY, undefined);
  const { engine, kind } = session.world;
  const sessionOf: Desk['sessionOf'] = (place, stackName) =>
    findStack(engine, place, stackName) === undefined ? undefined : session;
  return {
    desk: { ...deskOf(session), sessionOf },
    request: { ...DEFAULTS.deploy, target: 't.yml', ...request },
    scenario: undefined,
    known: { hidden: {}, secrets: {} },
    newStacks: kind,
  };
}

export function targetOf(
  stackName: string,
  text: string,
  parameters: StackTarget['parameters'] = {},
): StackTarget {
  const template = parseTemplate(text, `${stackName}.yml`);
  return { stackName, place: PLACE, template, parameters, tags: {}, fromAssembly: false };
}
