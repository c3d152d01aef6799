import { UserError } from '../base/index.ts';
import { openStore } from '../store/index.ts';
import type { World } from '../world/index.ts';
import { sharedRegistry } from './session.ts';
import { type CommonOptions, DEFAULTS, type DoctorItem } from './use-cases.ts';

const NODE_MIN: readonly [number, number] = [20, 19];

/** What the tool stands on here, and what is missing. */
export async function doctor({
  stateDir = DEFAULTS.common.stateDir,
}: CommonOptions): Promise<readonly DoctorItem[]> {
  return [checkRuntime(), checkNode(), checkSchemaPack(), checkState(stateDir)];
}

function checkRuntime(): DoctorItem {
  const detail = 'simulation: this version runs no containers';
  return { check: 'runtime', ok: true, detail };
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
    const world = openStore<World>(stateDir).readWorld();
    const stacks = Object.values(world?.engine.stacks ?? {});
    const live = stacks.filter(({ deletedAtMs }) => deletedAtMs === null);
    return { check: 'state', ok: true, detail: `${stateDir}: ${live.length} stacks` };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { check: 'state', ok: false, detail: error.message, hint: error.hint };
  }
}
