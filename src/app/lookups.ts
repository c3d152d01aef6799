import { getParameter } from '../aws/ssm/index.ts';
import { type Place, placeKey } from '../base/index.ts';
import type { Lookups } from '../language/index.ts';
import { attributeNames, type Registry } from '../registry/index.ts';
import type { World } from '../world/index.ts';

/** What is taken to exist while a template is compiled, told once it is certain. */
export interface Assumed {
  readonly texts: string[];
}

/** The version of the bootstrap stack that an account is taken to have (`docs/decisions.md` 6). */
const BOOTSTRAP_VERSION = '32';
const BOOTSTRAP_NAME = /^\/cdk-bootstrap\/[^/]+\/version$/;
const ZONES = ['a', 'b', 'c'];

/** Where a template is compiled. */
export interface Environment {
  readonly world: World;
  /** Every world whose exports are seen. */
  readonly worlds: readonly World[];
  readonly place: Place;
  readonly registry: Registry;
}

/** Answers what a template asks of its environment, from the account and the other stacks. */
export function lookupsOf(
  { world, worlds, place, registry }: Environment,
  assumed: Assumed,
  pendingExports: { readonly [name: string]: string } = {},
): Lookups {
  const account = world.accounts[placeKey(place)];
  return {
    ssmParameter(name) {
      const known = account === undefined ? undefined : getParameter(account.ssm, name);
      if (known !== undefined) return known;
      if (account !== undefined && !account.ssm.assumesOthers) return undefined;
      if (!BOOTSTRAP_NAME.test(name)) return 'assumed';
      assumed.texts.push(`the account is bootstrapped (${name} is ${BOOTSTRAP_VERSION})`);
      return { type: 'String', value: BOOTSTRAP_VERSION };
    },
    exportValue: (name) => exportValue(worlds, place, name) ?? pendingExports[name],
    availabilityZones: (region) => ZONES.map((zone) => `${region}${zone}`),
    attributesOf(typeName) {
      const facts = registry.facts(typeName);
      return facts === undefined ? undefined : attributeNames(facts);
    },
    isKnownType: (typeName) => registry.facts(typeName) !== undefined,
  };
}

function exportValue(worlds: readonly World[], place: Place, name: string): string | undefined {
  for (const stack of worlds.flatMap(({ engine }) => Object.values(engine.stacks))) {
    const same = placeKey(stack.place) === placeKey(place) && stack.deletedAtMs === null;
    if (same && Object.hasOwn(stack.exports, name)) return stack.exports[name];
  }
  return undefined;
}
