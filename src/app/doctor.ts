import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UserError } from '../base/index.ts';
import {
  connect,
  type Engine,
  engineUnavailable,
  findLeftovers,
  isUnusable,
  type Leftover,
  probe,
  removeLeftovers,
} from '../runtime/docker/index.ts';
import { openStore, type Store } from '../store/index.ts';
import type { World } from '../world/index.ts';
import { homeOf, tasksIn } from './containers.ts';
import { savedWorlds, sharedRegistry, takeLock } from './session.ts';
import { DEFAULTS, type DoctorItem, type DoctorRequest, type SettledDoctor } from './use-cases.ts';

const NODE_MIN: readonly [number, number] = [20, 19];

/**
 * What the tool stands on here, what is missing, and what it left behind at the Docker engine.
 *
 * With `clean` the leftovers are removed: containers that this tool made and no stack knows.
 */
export async function doctor(given: DoctorRequest): Promise<readonly DoctorItem[]> {
  const request = { ...DEFAULTS.doctor, ...given };
  const { stateDir } = request;
  const found = await probe(process.env, []);
  const state = checkState(stateDir);
  const items = [checkRuntime(found), checkNode(), checkSchemaPack(), state];
  if (!found.usable || !state.ok) return items;
  const engine = await connect(process.env);
  return [...items, await checkLeftovers(engine, request)];
}

function checkRuntime(found: Awaited<ReturnType<typeof probe>>): DoctorItem {
  const detail = found.usable
    ? 'docker, where every image is here or can be pulled; a Docker engine answers'
    : `simulation: ${found.why}`;
  return { check: 'runtime', ok: true, detail, ...(found.usable ? {} : { hint: found.hint }) };
}

function checkNode(): DoctorItem {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const ok = major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1]);
  const hint = `install Node.js ${NODE_MIN.join('.')} or newer`;
  return { check: 'node', ok, detail: `Node.js ${node}`, ...(ok ? {} : { hint }) };
}

function checkSchemaPack(): DoctorItem {
  const count = sharedRegistry().typeNames().length;
  return { check: 'schema pack', ok: count > 0, detail: `${count} resource types` };
}

function checkState(stateDir: string): DoctorItem {
  try {
    const worlds = savedWorlds(openStore<World>(stateDir));
    const stacks = worlds.flatMap(({ engine }) => Object.values(engine.stacks));
    const live = stacks.filter(({ deletedAtMs }) => deletedAtMs === null);
    return { check: 'state', ok: true, detail: `${stateDir}: ${live.length} stacks` };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { check: 'state', ok: false, detail: error.message, hint: error.hint };
  }
}

async function checkLeftovers(engine: Engine, request: SettledDoctor): Promise<DoctorItem> {
  const check = 'leftovers';
  const left = await leftoversAt(engine, request).catch((error: unknown) => {
    throw isUnusable(error) ? engineUnavailable(engine.address, error) : error;
  });
  if (left.length === 0) return { check, ok: true, detail: 'none at the Docker engine' };
  const detail = left.map(({ name, why }) => `${name} (${why})`).join(', ');
  if (!request.clean) {
    return { check, ok: false, detail, hint: 'overcast-cfn doctor --clean removes them' };
  }
  return { check, ok: true, detail: `removed ${detail}` };
}

/** With `clean` no command is at work meanwhile, unless it is one that makes the state folder. */
async function leftoversAt(engine: Engine, request: SettledDoctor): Promise<readonly Leftover[]> {
  const { stateDir, clean } = request;
  const store = openStore<World>(stateDir);
  if (!clean) return certainLeftovers(engine, store, stateDir);
  const unlock = existsSync(stateDir)
    ? await takeLock(store, 'doctor --clean', request)
    : () => undefined;
  try {
    const left = await certainLeftovers(engine, store, stateDir);
    await removeLeftovers(engine, left);
    return left;
  } finally {
    unlock();
  }
}

/**
 * What is a leftover at two looks. A command saves a task before it makes a container for it: one
 * made since the world was read for the first look is known to the world at the second.
 */
async function certainLeftovers(
  engine: Engine,
  store: Store<World>,
  stateDir: string,
): Promise<readonly Leftover[]> {
  const first = await leftoversNow(engine, store, stateDir);
  if (first.length === 0) return [];
  const second = new Set((await leftoversNow(engine, store, stateDir)).map(({ name }) => name));
  return first.filter(({ name }) => second.has(name));
}

function leftoversNow(engine: Engine, store: Store<World>, stateDir: string) {
  const world = savedWorlds(store).find(({ kind }) => kind === 'docker');
  const home = world === undefined ? undefined : homeOf(world, stateDir);
  const tasks = world === undefined ? new Set<never>() : tasksIn(world);
  return findLeftovers(engine, { home, folder: resolve(stateDir), tasks });
}
