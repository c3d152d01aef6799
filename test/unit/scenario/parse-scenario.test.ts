import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UserError } from '../../../src/base/index.ts';
import { parseScenario } from '../../../src/scenario/index.ts';

test('a whole scenario is read', () => {
  const scenario = parseScenario(
    `
action: delete
account: '111122223333'
region: eu-west-1
parameters:
  Subnets: [subnet-0aa1, subnet-0bb2]
  Count: 2
images:
  registry.example.com/shop/api:1:
    pull: [timeout, ok]
    platforms: [linux/amd64, linux/arm/v7]
    executables: []
    exits: {after: 1.5s, code: 1}
    output: |
      starting
      quotes: no database
    memory: 1.5GiB
    memory_after: 1m30s
  '*/nginx:*': {pull: denied, exits: {code: 0}, output: [one, two], memory: 512KiB}
  web:1:
world:
  ssm: {/shop/url: 'http://x', /shop/key: {type: SecureString, value: c, versions: [a, b, c]}}
  create_times: {Db: 90s}
fixed: {images: {anything: [goes, here]}}
`,
    'scenario.yml',
  );
  assert.deepEqual(scenario, {
    account: '111122223333',
    region: 'eu-west-1',
    parameters: { Subnets: 'subnet-0aa1,subnet-0bb2', Count: '2' },
    images: {
      'registry.example.com/shop/api:1': {
        pull: ['timeout', 'ok'],
        platforms: ['linux/amd64', 'linux/arm/v7'],
        executables: [],
        exits: { afterMs: 1_500, code: 1 },
        output: ['starting', 'quotes: no database'],
        memory: { mebibytes: 1_536, afterMs: 90_000 },
      },
      '*/nginx:*': {
        pull: ['denied'],
        exits: { afterMs: 0, code: 0 },
        output: ['one', 'two'],
        memory: { mebibytes: 0.5, afterMs: 0 },
      },
      'web:1': { output: [] },
    },
    world: {
      ssm: {
        '/shop/url': 'http://x',
        '/shop/key': { type: 'SecureString', value: 'c', versions: ['a', 'b', 'c'] },
      },
      create_times: { Db: '90s' },
    },
    notFollowed: [],
  });
});

for (const text of ['', '# nothing yet\n', '{}', 'images:\nworld:\nparameters:\n']) {
  test(`${JSON.stringify(text)} says nothing`, () => {
    const nothing = { parameters: {}, images: {}, world: {}, notFollowed: [] };
    assert.deepEqual(parseScenario(text, 's.yml'), nothing);
  });
}

const parameters = [
  { written: 'web', is: 'web' },
  { written: "''", is: '' },
  { written: '3', is: '3' },
  { written: '1.10', is: '1.10' },
  { written: '012345678901', is: '012345678901' },
  { written: '1e3', is: '1e3' },
  { written: 'true', is: 'true' },
  { written: 'no', is: 'no' }, // YAML 1.2 knows no such boolean
  { written: '[a, 1.50, false]', is: 'a,1.50,false' },
  { written: '[]', is: '' },
  { written: '\n    - 0123\n    - b', is: '0123,b' },
  { written: '{x: &n 1.10, y: *n}', is: undefined },
] as const;

for (const { written, is } of parameters) {
  test(`the parameter ${JSON.stringify(written)} is ${is ?? 'refused'}`, () => {
    const read = () => parseScenario(`parameters:\n  P: ${written}\n`, 's.yml').parameters;
    if (is === undefined) assert.throws(read, { code: 'InvalidScenario' });
    else assert.deepEqual(read(), { P: is });
  });
}

test('what is read and not followed yet is listed once', () => {
  const text = `
images:
  a:1: {listens: {port: 80, after: 2s}, paths: {/: 404}}
  b:1: {listens: {port: 80}, healthcheck: fail, healthcheck_output: refused}
world:
  subnets: {subnet-0aa1: nat}
  vpc_cidr: 10.20.0.0/16
  instances:
    - {cluster: C, count: 1, cpu: 1024, memory: 960}
    - {cluster: C, group: Asg, registers: default, volume_plugins: [rexray]}
  running_tasks: [{cluster: C, task_definition: T, count: 1, started_by: someone}]
  log_groups: []
  secrets: {db: text, app: {password: x}}
  ssm: {}
  buckets: [b]
  not_empty: [Bucket]
  service_linked_roles: [ecs]
  importers: {name: [stack]}
  functions: {Fn: {responds: never}}
  signals: {Handle: 1}
  alarms: {a: [{during: update, after: 20s, state: ALARM}]}
  create_times: {Db: 0}
  artifacts: {'https://x/y.yml': nested.yml}
`;
  assert.deepEqual(parseScenario(text, 's.yml').notFollowed, [
    'images.paths',
    'world.subnets',
    'world.vpc_cidr',
    'world.log_groups',
    'world.secrets',
    'world.buckets',
    'world.not_empty',
    'world.service_linked_roles',
    'world.importers',
    'world.functions',
    'world.signals',
    'world.artifacts',
  ]);
});

const image = (entry: string) => `images:\n  web:1: ${entry}\n`;
const world = (entry: string) => `world:\n  ${entry}\n`;

/** A text, the line and column of its fault, what is said and what is advised. */
const faults = [
  { text: '- a', at: '1:1', says: 'a scenario must be a mapping, and is a list', hint: /{}/ },
  { text: 'a: [', at: '1:5', says: /not well-formed YAML/, hint: /line 1, column 5/ },
  { text: 'a: 1\na: 2', at: '2:1', says: /not well-formed YAML/, hint: /line 2/ },
  { text: 'image: {}', at: '1:1', says: 'unknown key "image" in a scenario', hint: /"images"\?/ },
  { text: '\nservices: {}', at: '2:1', says: /unknown key "services"/, hint: /known keys: action/ },
  {
    text: 'region: eu-west-1\naccount: 111122223333',
    at: '2:1',
    says: 'account must be text, and is a number',
    hint: /quotes: '111122223333'/,
  },
  { text: 'account: 012345678901', at: '1:1', says: /account/, hint: /quotes: '012345678901'/ },
  { text: "account: '1234'", at: '1:1', says: /12 digits, and is "1234"/, hint: /like '1111/ },
  { text: 'region: Ireland', at: '1:1', says: /must be a region/, hint: /eu-west-1/ },
  { text: 'parameters: {A: null}', at: '1:14', says: 'parameters.A must be text', hint: /''/ },
  { text: 'parameters:\n  - A=b', at: '1:1', says: /parameters must be a mapping/, hint: /{}/ },
  {
    text: 'parameters: {A: [[b]]}',
    at: '1:18',
    says: /parameters\.A\[0\] must be text/,
    hint: /list/,
  },
  {
    text: image('{pul: ok}'),
    at: '2:11',
    says: 'unknown key "pul" in images["web:1"]',
    hint: /did you mean "pull"\?/,
  },
  { text: image('ok'), at: '2:3', says: /images\["web:1"\] must be a mapping/, hint: /{}/ },
  {
    text: image('{pull: notfound}'),
    at: '2:11',
    says: /pull must be one of ok, not-found, denied, timeout, and is the text "notfound"/,
    hint: /did you mean "not-found"\?/,
  },
  { text: image('{pull: [ok, gone]}'), at: '2:22', says: /pull\[1\]/, hint: /ok or not-found/ },
  { text: image('{pull: []}'), at: '2:11', says: /pull is an empty list/, hint: /leave it out/ },
  { text: image('{platforms: linux/amd64}'), at: '2:11', says: /a list/, hint: /\[linux\/amd64\]/ },
  { text: image('{platforms: [arm64]}'), at: '2:23', says: /a platform/, hint: /linux\/amd64/ },
  { text: image('{platforms: []}'), at: '2:11', says: /empty list/, hint: /leave it out/ },
  { text: image('{executables: [1]}'), at: '2:25', says: /text, and is the number 1/, hint: /'1'/ },
  { text: image('{exits: {after: 1s}}'), at: '2:11', says: /exits has no "code"/, hint: /add/ },
  { text: image('{exits: {code: 300}}'), at: '2:19', says: /from 0 to 255/, hint: /number/ },
  { text: image('{exits: {code: 1, after: 2}}'), at: '2:28', says: /duration/, hint: /2s, or 2ms/ },
  { text: image('{exits: {code: 1, after: soon}}'), at: '2:28', says: /"soon"/, hint: /90s/ },
  { text: image('{output: 42}'), at: '2:11', says: /output must be text/, hint: /'42'/ },
  { text: image('{memory: 64}'), at: '2:11', says: /a size of memory/, hint: /write 64MiB/ },
  { text: image('{memory: 64MB}'), at: '2:11', says: /the text "64MB"/, hint: /write 64MiB/ },
  { text: image('{memory: 1g}'), at: '2:11', says: /memory/, hint: /write 1GiB/ },
  { text: image('{memory: much}'), at: '2:11', says: /memory/, hint: /64MiB or 1GiB/ },
  { text: image('{memory_after: 2s}'), at: '2:3', says: /without "memory"/, hint: /grows to/ },
  { text: image('{listens: {port: 0}}'), at: '2:21', says: /from 1 to 65535/, hint: /number/ },
  {
    text: image('{paths: {/: OK}}'),
    at: '2:19',
    says: /paths\["\/"\] must be a whole/,
    hint: /number/,
  },
  { text: image('{healthcheck: failed}'), at: '2:11', says: /one of pass, fail/, hint: /"fail"\?/ },
  {
    text: world('subnet: {}'),
    at: '2:3',
    says: 'unknown key "subnet" in world',
    hint: /"subnets"\?/,
  },
  {
    text: world('subnets: {s-1: private}'),
    at: '2:13',
    says: /world\.subnets\["s-1"\]/,
    hint: /nat/,
  },
  { text: world('log_groups:'), at: '2:3', says: /a list, and is nothing/, hint: /write \[\]/ },
  { text: world('secrets: {a: [b]}'), at: '2:13', says: /a mapping, and is a list/, hint: /{}/ },
  { text: world('ssm: {/a: 1}'), at: '2:9', says: /the number 1/, hint: /'1'/ },
  {
    text: world('ssm: {/a: {type: string, value: b}}'),
    at: '2:14',
    says: /type/,
    hint: /"String"\?/,
  },
  { text: world('ssm: {/a: {type: String}}'), at: '2:9', says: /has no "value"/, hint: /"value"/ },
  {
    text: world('ssm: {/a: {value: b, versions: {v1: c}}}'),
    at: '2:24',
    says: /version "v1"/,
    hint: /1 on/,
  },
  { text: world('create_times: {Db: 90}'), at: '2:18', says: /create_times\.Db/, hint: /90s/ },
  { text: world('vpc_cidr: 10.20.0.0'), at: '2:3', says: /range of addresses/, hint: /\/16/ },
  { text: world('instances: [{count: 1}]'), at: '2:15', says: /has no "cluster"/, hint: /add/ },
  { text: world('signals: {Handle: -1}'), at: '2:13', says: /of at least 0/, hint: /number/ },
  { text: world('alarms: {a: [{state: alarm}]}'), at: '2:17', says: /state/, hint: /"ALARM"\?/ },
] as const;

for (const { text, at, says, hint } of faults) {
  test(`${JSON.stringify(text)} is refused at ${at}`, () => {
    assert.throws(
      () => parseScenario(text, 's.yml'),
      (error) => {
        assert(error instanceof UserError, String(error));
        assert.equal(error.code, 'InvalidScenario');
        assert.equal(`${error.span?.line}:${error.span?.column}`, at, error.message);
        assert.equal(error.span?.file, 's.yml');
        if (typeof says === 'string') assert.equal(error.message, says);
        else assert.match(error.message, says);
        assert.match(error.hint, hint);
        return true;
      },
    );
  });
}
