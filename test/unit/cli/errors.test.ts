import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UserError } from '../../../src/base/index.ts';
import { fakeApp, runMain } from './fakes.ts';

const refused: readonly [string, RegExp][] = [
  ['', /Usage: overcast-cfn/],
  ['deplo', /unknown command 'deplo'\n\(Did you mean deploy\?\)/],
  ['deploy', /deploy needs a target\n hint: name a template file/],
  ['deploy --change-set c --stack-name web', /stores no change sets/],
  ['deploy stack.yml --regin x', /unknown option '--regin'\n\(Did you mean --region\?\)/],
  ['deploy stack.yml --region Frankfurt', /--region: "Frankfurt" is no name of a region/],
  [
    'deploy stack.yml --account 123',
    /--account: "123" is no account ID\n hint: write its 12 digits/,
  ],
  ['deploy stack.yml --lock-timeout soon', /--lock-timeout: "soon" is no duration/],
  ['deploy stack.yml --stabilize-timeout 5', /--stabilize-timeout: "5" is no duration/],
  ['deploy stack.yml --seed -1', /--seed: "-1" is no whole number/],
  ['deploy stack.yml --timeout-in-minutes 0', /write a number of 1 or more/],
  ['deploy stack.yml --runtime moon', /Allowed choices are auto, simulation, docker/],
  ['deploy stack.yml --output yaml', /Allowed choices are text, json, jsonl/],
  ['deploy --capabilities stack.yml', /--capabilities: "stack.yml" is no capability/],
  ['deploy --capabilities CAPABILITY_IAN x.yml', /did you mean CAPABILITY_IAM\?/],
  ['deploy --parameter-overrides stack.yml', /a file of them goes to --parameters-file/],
  ['deploy stack.yml --parameter-overrides', /argument missing/],
  ['deploy stack.yml --tags team', /--tags: "team" is no tag with a value/],
  ['deploy stack.yml --image web', /--image: "web" is no pair of images/],
  ['deploy stack.yml --report pdf=a', /--report: "pdf=a" is no format and file/],
  ['deploy stack.yml --report json', /--report: "json" is without a file/],
  ['deploy stack.yml --report json=/dev/null/r.json', /--report: cannot write/],
  ['deploy stack.yml --on-failure DELETE --disable-rollback', /exclude each other/],
  ['delete', /missing required argument 'stacks'/],
  ['delete --retain-resources Bucket web', /missing required argument 'stacks'/],
  ['delete web --retain-resources a/b', /--retain-resources: "a\/b" is no logical ID/],
  ['validate', /missing required argument 'target'/],
  ['describe', /missing required argument 'stack'/],
  ['list web', /too many arguments/],
  ['explain web', /unknown command 'explain'/],
];
for (const [line, text] of refused) {
  test(`refused with 2: ${line || '(nothing)'}`, async () => {
    const { exitCode, stdout, stderr, app } = await runMain(line);
    assert.equal(exitCode, 2);
    assert.match(stderr, text);
    assert.equal(stdout, '');
    assert.deepEqual(app.asked, []);
  });
}

test('what the user can fix ends with 2: message, place and hint, in every format', async () => {
  const span = { file: 'stack.yml', line: 3, column: 5, lineText: '    Webb: 1' };
  const app = fakeApp({
    deploy: async () => {
      throw new UserError('InvalidTarget', 'not a template', { hint: 'look at it', span });
    },
  });
  for (const output of ['text', 'json', 'jsonl']) {
    const { exitCode, stdout, stderr } = await runMain(`deploy x.yml --output ${output}`, { app });
    assert.equal(exitCode, 2);
    assert.equal(stdout, '');
    assert.equal(
      stderr,
      `error: not a template
  stack.yml:3:5
  3 |     Webb: 1
    |     ^
 hint: look at it
`,
    );
  }
});

test('a defect ends with 70: its trace, and how to report it', async () => {
  const app = fakeApp({
    listStacks: () => {
      throw new Error('defect: a stack has a name');
    },
  });
  const { exitCode, stderr } = await runMain('list', { app });
  assert.equal(exitCode, 70);
  assert.match(stderr, /^Error: defect: a stack has a name\n {4}at /);
  assert.match(stderr, /This is a defect of overcast-cfn, not of your template\. Please report it/);
});
