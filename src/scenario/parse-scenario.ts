import { isObject, type JsonObject } from '../base/index.ts';
import { parseYamlDocument } from '../template/index.ts';
import {
  type Form,
  invalid,
  itemsOf,
  mapOf,
  member,
  membersOf,
  type Spot,
  shape,
  textLike,
} from './forms.ts';
import { imageBehaviour, notFollowedOfImage, orEmpty } from './image-form.ts';
import type { Scenario } from './scenario.ts';
import { FOLLOWED_IN_WORLD, WORLD_FORMS } from './world-forms.ts';

/**
 * Reads a scenario file: YAML 1.2 core, every key checked for form.
 *
 * @param file - its path as the user gave it, for messages
 * @throws UserError `InvalidScenario` at the place of the first value that cannot be used
 */
export function parseScenario(source: string, file: string): Scenario {
  const { body, locate } = parseYamlDocument(source, file);
  const spot = orEmpty({ value: body, path: [], locate });
  scenarioShape(spot);
  const accountId = member(spot, 'account', account);
  const regionName = member(spot, 'region', region);
  return {
    ...(accountId !== undefined && { account: accountId }),
    ...(regionName !== undefined && { region: regionName }),
    parameters: member(spot, 'parameters', parameters) ?? {},
    images: member(spot, 'images', images) ?? {},
    world: member(spot, 'world', world) ?? {},
    notFollowed: notFollowedIn(spot),
  };
}

const accepted: Form<void> = () => undefined;

const account: Form<string> = (spot) => {
  if (typeof spot.value === 'number') {
    const quoted = `'${String(spot.value).padStart(12, '0')}'`;
    throw invalid(spot, 'must be text, and is a number', `put it in quotes: ${quoted}`);
  }
  return textLike(/^\d{12}$/, 'an account of 12 digits', "'111122223333'")(spot);
};

const region = textLike(/^[a-z]{2,}(-[a-z]+)+-\d+$/, 'a region', 'eu-west-1');

/** Text as it is, numbers and booleans as they are written, lists with commas between. */
const parameterValue: Form<string> = (spot) =>
  Array.isArray(spot.value) ? itemsOf(spot).map(scalarAsText).join(',') : scalarAsText(spot);

const scalarAsText: Form<string> = (spot) => {
  const { value } = spot;
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return asWritten(spot, value);
  throw invalid(spot, 'must be text', "write one value, '' for an empty text, or a list of values");
};

/** `1.10` and `0123` stay as they are: as numbers they would be 1.1 and 123. */
function asWritten({ path, locate }: Spot, value: number): string {
  const { lineText, column } = locate(path); // of an item itself, of the key before a member
  const from = lineText.slice(column - 1);
  const text = typeof path.at(-1) === 'number' ? from : from.replace(/^.*?:\s+/, '');
  const written = /^[-+.\w]+(?=[\s,\]}]|$)/.exec(text)?.[0];
  return written !== undefined && Number(written) === value ? written : String(value);
}

const parameters: Form<{ readonly [name: string]: string }> = (spot) =>
  mapOf(parameterValue)(orEmpty(spot));

const images: Form<Scenario['images']> = (spot) => mapOf(imageBehaviour)(orEmpty(spot));

const world: Form<JsonObject> = (spot) => {
  shape(WORLD_FORMS)(orEmpty(spot));
  return isObject(spot.value) ? spot.value : {};
};

const scenarioShape = shape({
  action: accepted, // these two are for whoever plays the cases
  fixed: accepted,
  account,
  region,
  parameters,
  images,
  world,
});

function notFollowedIn(spot: Spot): readonly string[] {
  const entries = member(spot, 'images', (at) => membersOf(orEmpty(at))) ?? [];
  const ofImages = entries.flatMap(([, entry]) => notFollowedOfImage(entry));
  const ofWorld = Object.keys(member(spot, 'world', world) ?? {})
    .filter((key) => !FOLLOWED_IN_WORLD.includes(key))
    .map((key) => `world.${key}`);
  return [...new Set([...ofImages, ...ofWorld])];
}
