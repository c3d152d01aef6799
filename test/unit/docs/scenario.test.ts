import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UserError } from '../../../src/base/index.ts';
import { parseScenario } from '../../../src/scenario/index.ts';
import { blocksOf, readPage, sectionsOf } from './pages.ts';

const PAGE = readPage('docs/scenario.md');
const EXAMPLES = blocksOf(PAGE).filter(({ language }) => language === 'yaml');

for (const [index, { body }] of EXAMPLES.entries()) {
  test(`example ${index + 1} of docs/scenario.md is a scenario`, () => {
    parseScenario(body, 'scenario.yml');
  });
}

test('the first example of docs/scenario.md has only keys that are followed', () => {
  assert.deepEqual(parseScenario(EXAMPLES[0]?.body ?? '', 'scenario.yml').notFollowed, []);
});

/** A value in the right form for each key of an image and of the world. */
const IMAGE = {
  pull: 'ok',
  platforms: ['linux/amd64'],
  executables: ['sh'],
  exits: { after: '1s', code: 1 },
  output: 'bye',
  memory: '64MiB',
  memory_after: '1s',
  listens: { port: 80 },
  paths: { '/': 200 },
  healthcheck: 'pass',
  healthcheck_output: 'ok',
};
const WORLD = {
  subnets: {},
  vpc_cidr: '10.0.0.0/16',
  instances: [],
  running_tasks: [],
  log_groups: [],
  secrets: {},
  ssm: {},
  buckets: [],
  not_empty: [],
  service_linked_roles: [],
  importers: {},
  functions: {},
  signals: {},
  alarms: {},
  create_times: {},
  artifacts: {},
};

// The tables of the page against the parser: every key is there, once, and says whether this version
// follows it as the parser does.
const TABLES = [
  { heading: 'Images', values: IMAGE, within: (keys: object) => ({ images: { web: keys } }) },
  { heading: 'World', values: WORLD, within: (keys: object) => ({ world: keys }) },
];

for (const { heading, values, within } of TABLES) {
  test(`the table under "${heading}" of docs/scenario.md agrees with the parser`, () => {
    const rows = tableOf(heading);
    assert.deepEqual([...rows.keys()], knownKeys(within({ 'no such key': 1 })));
    assert.deepEqual([...rows.keys()], Object.keys(values));
    const source = JSON.stringify(within(values));
    const notFollowed = parseScenario(source, 'scenario.yml').notFollowed;
    const read = notFollowed.map((key) => key.split('.').at(-1));
    for (const [key, followed] of rows) assert.equal(followed, !read.includes(key), key);
  });
}

/** The keys that the parser knows, as it lists them when it meets one that it does not. */
function knownKeys(scenario: object): readonly string[] {
  try {
    parseScenario(JSON.stringify(scenario), 'scenario.yml');
  } catch (error) {
    if (error instanceof UserError) return error.hint.replace('known keys: ', '').split(', ');
    throw error;
  }
  throw new Error('an unknown key is refused');
}

/** Key → whether the page calls it followed: the last column of its row. */
function tableOf(heading: string): ReadonlyMap<string, boolean> {
  const text = sectionsOf(PAGE, 2).get(heading) ?? '';
  const rows = [...text.matchAll(/^\| `(\w+)` +\|.*\| (yes|read only) +\|$/gm)];
  return new Map(rows.map(([, key = '', followed = '']) => [key, followed === 'yes']));
}
