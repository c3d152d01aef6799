import type { SsmParameter } from '../aws/ssm/index.ts';
import { isObject, type JsonValue, type PlaceKey } from '../base/index.ts';
import type { Scenario } from '../scenario/index.ts';
import type { World } from '../world/index.ts';
import { settle } from './parts.ts';

/** Writes what a scenario says of the account into it, before the run. */
export function seedWorld(world: World, key: PlaceKey, scenario: Scenario | undefined): void {
  const account = settle(world, key);
  const ssm = scenario?.world['ssm'];
  if (!isObject(ssm)) return;
  account.ssm.assumesOthers = false; // a key that is given means: these and no others
  for (const [name, given] of Object.entries(ssm)) {
    account.ssm.parameters[name] = parameterOf(given);
  }
}

function parameterOf(given: JsonValue): SsmParameter {
  if (!isObject(given)) return { type: 'String', versions: [String(given)] };
  const type = given['type'];
  const earlier = earlierVersions(given['versions']);
  const [first = String(given['value']), ...rest] = [...earlier, String(given['value'])];
  return {
    type: type === 'StringList' || type === 'SecureString' ? type : 'String',
    versions: [first, ...rest],
  };
}

/** A list, version 1 first, or a mapping from version to value. */
function earlierVersions(versions: JsonValue | undefined): readonly string[] {
  if (Array.isArray(versions)) return versions.map(String);
  if (!isObject(versions)) return [];
  const numbers = Object.keys(versions).map(Number);
  return numbers.sort((a, b) => a - b).map((version) => String(versions[version]));
}
