import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { JsonObject } from '../../src/base/index.ts';
import { overcast, overcastJson, scratchFolder } from '../support/command.ts';
import { ROOT } from '../support/root.ts';

const CRASH = join(ROOT, 'templates/crash-loop.yml');
const SCENARIO = join(ROOT, 'templates/crash-loop.scenario.yml');
const WORKER = join(ROOT, 'templates/worker.yml');

/** A folder to work in, with the sample crash loop going wrong in it as asked. */
function crash(folder: string, ...more: string[]) {
  return overcastJson(['deploy', CRASH, '--scenario', SCENARIO, ...more], folder);
}

/** A scenario in which nothing goes wrong. */
function benign(folder: string): string[] {
  writeFileSync(join(folder, 'good.yml'), 'images: {}\n');
  return ['--scenario', 'good.yml'];
}

function items(argv: readonly string[], folder: string): JsonObject[] {
  const ran = overcast([...argv, '--output', 'json'], folder);
  assert.equal(ran.code, 0, ran.stderr);
  return (JSON.parse(ran.stdout) as { items: JsonObject[] }).items;
}

test('what a deploy reported is there for the commands after it', (t) => {
  const folder = scratchFolder(t);
  const { result } = overcastJson(['deploy', WORKER], folder);
  const [stack] = result.stacks;
  assert.equal(stack?.status, 'CREATE_COMPLETE');

  assert.deepEqual(
    items(['list'], folder).map(({ StackName, StackStatus }) => [StackName, StackStatus]),
    [['worker', 'CREATE_COMPLETE']],
  );
  assert.equal(items(['describe', 'worker'], folder)[0]?.['StackId'], stack.stackId);
  assert.deepEqual(
    items(['events', 'worker'], folder).map(({ EventId }) => EventId),
    stack.events.map(({ eventId }) => eventId),
  );
  assert.equal(items(['resources', 'worker'], folder).length, stack.resources.length);
  assert.equal(items(['outputs', 'worker'], folder)[0]?.['OutputValue'], stack.outputs['QueueUrl']);

  const [service] = items(['services', 'worker'], folder);
  assert.equal(service?.['runningCount'], 1);
  const name = String(service?.['serviceName']);
  const byName = items(['tasks', name], folder);
  assert.equal(byName[0]?.['lastStatus'], 'RUNNING');
  assert.deepEqual(items(['tasks', 'Service'], folder), byName, 'also by its logical id');
  assert.deepEqual(items(['logs', name], folder), [], 'the image prints nothing');
});

test('a failed create leaves its stack, its events and its output behind', (t) => {
  const folder = scratchFolder(t);
  assert.equal(crash(folder, '--disable-rollback').result.stacks[0]?.status, 'CREATE_FAILED');
  const logs = items(['logs', 'app'], folder);
  assert.equal(logs[0]?.['text'], 'fatal: DATABASE_URL is not set');
  const tasks = items(['tasks', 'app'], folder);
  assert.deepEqual(
    new Set(tasks.map(({ stopCode }) => stopCode)),
    new Set(['EssentialContainerExited']),
  );
});

test('an unknown stack, service or task is exit code 2, with a near name', (t) => {
  const folder = scratchFolder(t);
  overcastJson(['deploy', WORKER], folder);
  const stack = overcast(['describe', 'workr'], folder);
  assert.equal(stack.code, 2);
  assert.match(stack.stderr, /Stack with id workr does not exist[\s\S]*did you mean "worker"/);
  assert.equal(overcast(['tasks', 'nobody'], folder).code, 2);
  assert.equal(overcast(['logs', 'nobody'], folder).code, 2);
});

test('readers make no files where nothing was ever deployed', (t) => {
  const folder = scratchFolder(t);
  assert.deepEqual(items(['list'], folder), []);
  assert.deepEqual(readdirSync(folder), []);
});

test('T41, L44: delete removes a stack, and an unknown one is nothing to do', (t) => {
  const folder = scratchFolder(t);
  overcastJson(['deploy', WORKER], folder);
  const { result, code } = overcastJson(['delete', 'worker'], folder);
  assert.equal(code, 0);
  assert.equal(result.stacks[0]?.status, 'DELETE_COMPLETE');
  assert.deepEqual(items(['list'], folder), []);
  const again = overcastJson(['delete', 'worker'], folder);
  assert.equal(again.code, 0);
  assert.deepEqual(again.result.stacks, []);
  assert.match(again.stderr, /stack worker does not exist/);
});

test('decision 26: an unchanged template is no update, a changed one is not available yet', (t) => {
  const folder = scratchFolder(t);
  const file = join(folder, 'stack.yml');
  const text = readFileSync(WORKER, 'utf8');
  writeFileSync(file, text);
  overcastJson(['deploy', 'stack.yml'], folder);
  const same = overcastJson(['deploy', 'stack.yml'], folder);
  assert.deepEqual(
    [same.code, same.result.verdict, same.result.stacks[0]?.changes],
    [0, 'stable', 0],
  );
  writeFileSync(file, text.replace('worker:1', 'worker:2'));
  const changed = overcastJson(['deploy', 'stack.yml'], folder);
  assert.deepEqual([changed.code, changed.result.verdict], [2, 'invalid']);
  assert.equal(changed.result.stacks[0]?.failure?.reason, 'update is not available yet');
  const before = items(['describe', 'stack'], folder)[0];
  assert.equal(before?.['StackStatus'], 'CREATE_COMPLETE', 'nothing was changed');
});

test('decision 26: a stack in ROLLBACK_COMPLETE is deleted and created anew', (t) => {
  const folder = scratchFolder(t);
  assert.equal(crash(folder).result.stacks[0]?.status, 'ROLLBACK_COMPLETE');
  const again = overcastJson(['deploy', CRASH, ...benign(folder)], folder);
  assert.equal(again.result.stacks[0]?.status, 'CREATE_COMPLETE');
  assert.match(again.stderr, /is in ROLLBACK_COMPLETE: deleting what is left of it first/);
});

test('decision 24: a stack keeps its scenario and its seed until another is given', (t) => {
  const folder = scratchFolder(t);
  const first = crash(folder, '--seed', '7').result;
  const same = overcastJson(['deploy', CRASH], folder).result;
  assert.deepEqual([same.verdict, same.runtime.seed], ['failed', 7]);
  assert.equal(first.runtime.seed, 7);
  assert.equal(overcastJson(['deploy', CRASH, ...benign(folder)], folder).result.verdict, 'stable');
});

test('L6: a stack that stayed CREATE_FAILED is refused with the way out', (t) => {
  const folder = scratchFolder(t);
  crash(folder, '--on-failure', 'DO_NOTHING');
  const { result, code } = crash(folder);
  assert.equal(code, 2);
  assert.match(result.stacks[0]?.failure?.reason ?? '', /is in CREATE_FAILED state and can not/);
  assert.match(result.diagnosis[0]?.hint ?? '', /overcast-cfn delete crash-loop/);
});

test('L25: --on-failure DELETE leaves no stack, and the command has failed', (t) => {
  const folder = scratchFolder(t);
  const { result, code } = crash(folder, '--on-failure', 'DELETE');
  assert.deepEqual(
    [code, result.verdict, result.stacks[0]?.status],
    [1, 'failed', 'DELETE_COMPLETE'],
  );
  assert.deepEqual(items(['list'], folder), []);
});

test('decision 5: a limit that the command sets fails; one that nobody set hangs', (t) => {
  const stuck = join(ROOT, 'templates/crash-loop-no-breaker.yml');
  const argv = ['deploy', stuck, '--scenario', SCENARIO];
  const timeout = overcastJson([...argv, '--timeout-in-minutes', '10'], scratchFolder(t));
  assert.equal(timeout.code, 1);
  const [stack] = timeout.result.stacks;
  assert.equal(stack?.failure?.logicalId, '<stack>');
  assert.equal(stack.failure.reason, 'Stack creation time exceeded the specified timeout.');
  assert.equal(stack.services[0]?.runningCount, 0, 'the service as it stood when it was given up');

  const limit = overcastJson([...argv, '--stabilize-timeout', '20m'], scratchFolder(t));
  assert.deepEqual([limit.code, limit.result.verdict], [1, 'failed']);
  assert.equal(limit.result.stacks[0]?.duration, 'PT20M14S');
});

test('--rm deletes the stack at the end, whatever the outcome', (t) => {
  const folder = scratchFolder(t);
  assert.equal(crash(folder, '--rm').code, 1);
  assert.deepEqual(items(['list'], folder), []);
});

test('0.2: a request that AWS refuses changes nothing and shows the place', (t) => {
  const folder = scratchFolder(t);
  const template = 'Resources:\n  Queue:\n    Type: AWS::SQS::Queue\n    DependsOn: Quue\n';
  writeFileSync(join(folder, 'stack.yml'), template);
  const { result, code } = overcastJson(['deploy', 'stack.yml'], folder);
  assert.equal(code, 2);
  const [stack] = result.stacks;
  assert.deepEqual(
    [stack?.status, stack?.stackId, stack?.changes, stack?.failure?.logicalId],
    [null, null, 0, '<stack>'],
  );
  assert.match(stack?.failure?.reason ?? '', /Unresolved resource dependencies \[Quue\]/);
  const [finding] = result.diagnosis;
  assert.deepEqual([finding?.where?.file, finding?.where?.line], ['stack.yml', 4]);
  const text = overcast(['deploy', 'stack.yml'], folder).stdout;
  assert.match(text, /stack\.yml:4:/);
  assert.match(text, /DependsOn: Quue\n.*\^/);
  assert.deepEqual(items(['list'], folder), []);
});

/** A stack whose password goes through functions into properties, names and outputs. */
const SECRETIVE = [
  'Parameters:',
  '  Password: { Type: String, NoEcho: true }',
  '  Pin: { Type: Number, NoEcho: true, Default: 271828 }',
  'Mappings: { Of: { known: { Size: small } } }',
  'Conditions: { IsKnown: !Equals [!Ref Password, known] }',
  'Resources:',
  '  Db:',
  '    Type: AWS::SSM::Parameter',
  `    Properties: { Type: String, Value: !Sub "x-\${Password}", Description: !Ref Pin }`,
  'Outputs:',
  `  Password: { Value: !Ref Password, Export: { Name: !Sub "\${Password}-name" } }`,
  `  Encoded: { Value: !Base64 { "Fn::Sub": "u:\${Password}" } }`,
  '  Part: { Value: !Select [1, !Split ["-", !Ref Password]] }',
  '  Pin: { Value: !Ref Pin }',
  '  Name: { Value: !Ref AWS::StackName }',
].join('\n');

/** All that the state folder holds. */
function stateOf(folder: string): string {
  const state = join(folder, '.overcast-cfn');
  const files = readdirSync(state, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')).join('\n');
}

/** The value itself, in Base64 (of `u:zebra-quartz` and alone), in parts; the number. */
const TRACES = /zebra|quartz|dTp6ZWJyYS1x|emVicmEtcXVhcn|271828|noecho/;

test('P17: a NoEcho value reaches neither output nor state, nor does what is made of it', (t) => {
  const folder = scratchFolder(t);
  writeFileSync(join(folder, 'stack.yml'), SECRETIVE);
  const given = ['stack.yml', '--parameter-overrides', 'Password=zebra-quartz'];
  const ran = overcastJson(['deploy', ...given], folder);
  assert.deepEqual(ran.result.stacks[0]?.outputs, {
    ...{ Password: '****', Encoded: 'u:****', Part: '****', Pin: '****', Name: 'stack' },
  });
  const readers = ['list', 'describe stack', 'events', 'resources', 'outputs'].map((command) =>
    overcast([...command.split(' '), '--output', 'json'], folder),
  );
  const live = overcast(
    ['deploy', ...given, '--stack-name', 'b', '--output', 'jsonl', '--progress', 'plain'],
    folder,
  );
  for (const { stdout, stderr } of [ran, live, ...readers]) {
    assert.doesNotMatch(stdout, TRACES);
    assert.doesNotMatch(stderr, TRACES);
  }
  assert.doesNotMatch(stateOf(folder).replaceAll('{{resolve:noecho:', ''), TRACES);
  const same = overcastJson(['deploy', ...given], folder).result.stacks[0];
  assert.deepEqual([same?.verdict, same?.changes], ['stable', 0], 'the same again is no update');
});

test('P17: neither a refusal nor a finding shows a NoEcho value', (t) => {
  const folder = scratchFolder(t);
  const output = '\n  Size: { Value: !FindInMap [Of, !Ref Password, Size] }';
  writeFileSync(join(folder, 'stack.yml'), SECRETIVE + output);
  const given = ['stack.yml', '--parameter-overrides', 'Password=zebra-quartz'];
  for (const command of ['deploy', 'validate']) {
    const { result, stdout, stderr, code } = overcastJson([command, ...given], folder);
    const reason = 'Template error: Unable to get mapping for Of::****::Size';
    assert.deepEqual([code, result.stacks[0]?.failure?.reason], [2, reason]);
    assert.doesNotMatch(stdout + stderr, TRACES);
  }
  const known = ['stack.yml', '--parameter-overrides', 'Password=known'];
  assert.equal(
    overcastJson(['deploy', ...known], folder).result.stacks[0]?.outputs['Size'],
    'small',
  );
});

test('P17: a NoEcho value that is a word of the state corrupts nothing', (t) => {
  for (const word of ['stack', 'us-east-1', 'CREATE_COMPLETE', 'AWS::SSM::Parameter', 'Db', 'a']) {
    const folder = scratchFolder(t);
    writeFileSync(join(folder, 'stack.yml'), SECRETIVE);
    const argv = ['deploy', 'stack.yml', '--parameter-overrides', `Password=${word}`];
    const { result } = overcastJson(argv, folder);
    const outputs = result.stacks[0]?.outputs;
    assert.deepEqual([outputs?.['Name'], outputs?.['Password']], ['stack', '****'], word);
    const [listed] = items(['list'], folder);
    assert.deepEqual(
      [listed?.['StackName'], listed?.['StackStatus']],
      ['stack', 'CREATE_COMPLETE'],
    );
    const [resource] = items(['resources', 'stack'], folder);
    assert.deepEqual(
      [resource?.['LogicalResourceId'], resource?.['ResourceType']],
      ['Db', 'AWS::SSM::Parameter'],
    );
    assert.equal(overcastJson(argv, folder).result.stacks[0]?.changes, 0);
    const deleted = overcastJson(['delete', 'stack'], folder).result.stacks[0];
    assert.equal(deleted?.status, 'DELETE_COMPLETE');
    assert.deepEqual(items(['list'], folder), []);
  }
});

test('P17, P3: a stack keeps its scenario without NoEcho values: they are to be given again', (t) => {
  const folder = scratchFolder(t);
  writeFileSync(join(folder, 'stack.yml'), SECRETIVE);
  writeFileSync(join(folder, 's.yml'), 'parameters: { Password: zebra-quartz, Pin: 271828 }\n');
  const first = overcastJson(['deploy', 'stack.yml', '--scenario', 's.yml'], folder);
  assert.equal(first.result.verdict, 'stable');
  assert.doesNotMatch(stateOf(folder), /zebra-quartz|271828/);
  const again = overcastJson(['deploy', 'stack.yml'], folder).result.stacks[0];
  assert.equal(again?.failure?.reason, 'Parameters: [Password] must have values');
  assert.equal(overcastJson(['delete', 'stack', '--scenario', 's.yml'], folder).code, 0);
  assert.doesNotMatch(stateOf(folder), /zebra-quartz|271828/);
});

test('P17: the default of a NoEcho parameter is not kept with places in a template of one line', (t) => {
  const folder = scratchFolder(t);
  const template = {
    Parameters: { P: { Type: 'String', NoEcho: true, Default: 'zebra-quartz' } },
    Resources: { Db: { Type: 'AWS::SSM::Parameter', Properties: { Type: 1, Value: [] } } },
  };
  writeFileSync(join(folder, 'stack.json'), JSON.stringify(template));
  const ran = overcastJson(['deploy', 'stack.json'], folder);
  assert.equal(ran.result.verdict, 'failed');
  assert.doesNotMatch(ran.stdout + ran.stderr, TRACES);
  assert.doesNotMatch(stateOf(folder), /zebra/);
});

test('decision 23: of two commands at once the second waits, and neither is lost', async (t) => {
  const folder = scratchFolder(t);
  const names = ['one', 'two', 'three', 'four'];
  const codes = await Promise.all(
    names.map((name) => start(['deploy', WORKER, '--stack-name', name], folder, t).ended),
  );
  assert.deepEqual(codes, [0, 0, 0, 0]);
  const stacks = items(['list'], folder).map(({ StackName }) => String(StackName));
  assert.deepEqual(new Set(stacks), new Set(names));
});

test('decision 25: Ctrl-C rolls a create back and ends with 130; the next command goes on', async (t) => {
  const folder = scratchFolder(t);
  writeFileSync(join(folder, 'stack.yml'), endless());
  const run = start(['deploy', 'stack.yml', '--scenario', SCENARIO], folder, t);
  await run.says(/has started/);
  run.child.kill('SIGINT');
  assert.equal(await run.ended, 130);
  const [stack] = items(['list'], folder);
  assert.equal(stack?.['StackStatus'], 'ROLLBACK_COMPLETE');
  assert.equal(
    overcastJson(['deploy', 'stack.yml', ...benign(folder)], folder).result.verdict,
    'stable',
  );
});

test('decision 23: a kill leaves the former world, and its lock is no obstacle', async (t) => {
  const folder = scratchFolder(t);
  overcastJson(['deploy', WORKER], folder);
  writeFileSync(join(folder, 'stack.yml'), endless());
  const run = start(['deploy', 'stack.yml', '--scenario', SCENARIO], folder, t);
  await run.says(/has started/);
  run.child.kill('SIGKILL');
  await run.ended;
  const stacks = items(['list'], folder).map(({ StackName }) => StackName);
  assert.deepEqual(stacks, ['worker']);
  assert.equal(overcastJson(['delete', 'worker'], folder).code, 0);
});

/** The crash loop in many services: it takes long enough to be interrupted. */
function endless(): string {
  const text = readFileSync(join(ROOT, 'templates/crash-loop-no-breaker.yml'), 'utf8');
  const [head = '', service = ''] = text.split('  Service:\n');
  const many = Array.from({ length: 40 }, (_, i) =>
    `  Service${i}:\n${service}`.replace('ServiceName: app', `ServiceName: app${i}`),
  );
  return head + many.join('');
}

function start(argv: readonly string[], cwd: string, t: TestContext) {
  const child = spawn(process.execPath, [join(ROOT, 'bin/overcast-cfn.js'), ...argv], { cwd });
  t.after(() => child.kill('SIGKILL'));
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  child.stdout.resume();
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const says = (pattern: RegExp) =>
    new Promise<void>((resolve) => {
      const look = () => (pattern.test(said) ? resolve() : setTimeout(look, 5));
      look();
    });
  return { child, ended, says };
}

test('decision 21: equal commands give equal results, apart from the time they took', (t) => {
  const [one, two] = [0, 1].map(() => {
    const { wallSeconds: _, ...rest } = crash(scratchFolder(t)).result;
    return JSON.stringify(rest);
  });
  assert.equal(one, two);
  const other = crash(scratchFolder(t), '--seed', '2').result;
  const arn = (result: typeof other) => result.stacks[0]?.services[0]?.tasks[0]?.taskArn;
  assert.notEqual(arn(other), arn(JSON.parse(one ?? '')), 'another seed draws other ids');
});

test('decision 7: a stack that holds what is not simulated is undetermined, by name and place', (t) => {
  const folder = scratchFolder(t);
  const url = 'https://s3.amazonaws.com/templates/inner.yml';
  const template = `Resources:\n  Inner: { Type: AWS::CloudFormation::Stack, Properties: { TemplateURL: '${url}' } }\n`;
  writeFileSync(join(folder, 'stack.yml'), template);
  const { result, code } = overcastJson(['deploy', 'stack.yml'], folder);
  assert.deepEqual([code, result.verdict], [5, 'undetermined']);
  const title =
    'Inner (AWS::CloudFormation::Stack) is not simulated: the resources of a nested stack are not run';
  assert(result.assumptions.includes(title.replace(' is not simulated', '')));
  const [finding] = result.diagnosis;
  assert.deepEqual(
    [finding?.code, finding?.severity, finding?.title, finding?.where?.line],
    ['NOT-SIMULATED', 'warning', title, 2],
  );
  const removal = overcastJson(['delete', 'stack'], folder);
  assert.deepEqual([removal.code, removal.result.verdict], [0, 'stable'], 'nothing is to come up');
  assert.deepEqual(removal.result.diagnosis, []);
});

test('--no-execute changes nothing and says how much would change', (t) => {
  const folder = scratchFolder(t);
  const { result, code, stderr } = overcastJson(['deploy', WORKER, '--no-execute'], folder);
  assert.deepEqual([code, result.stacks[0]?.status, result.stacks[0]?.changes], [0, null, 6]);
  assert.match(stderr, /nothing was changed/);
  assert.deepEqual(items(['list'], folder), []);
});

test('decision 6: what was assumed is listed by every command that assumes it', (t) => {
  const folder = scratchFolder(t);
  const [one, two] = ['one', 'two'].map(
    (name) => overcastJson(['deploy', WORKER, '--stack-name', name], folder).result.assumptions,
  );
  assert.deepEqual(one, two);
  const removal = overcastJson(['delete', 'one', '--stabilize-timeout', '1h'], folder);
  assert(!removal.result.assumptions.some((text) => text.startsWith('image ')), 'nothing starts');
  assert.match(removal.stderr, /--stabilize-timeout has no effect on a delete/);
});

test('decision 6: a container that another waits for to succeed does so', (t) => {
  const folder = scratchFolder(t);
  const text = readFileSync(WORKER, 'utf8').replace(
    '        - Name: worker',
    [
      '        - { Name: init, Image: init:1, Essential: false }',
      '        - Name: worker',
      '          DependsOn: [{ ContainerName: init, Condition: SUCCESS }]',
    ].join('\n'),
  );
  writeFileSync(join(folder, 'stack.yml'), text);
  const { result } = overcastJson(['deploy', 'stack.yml'], folder);
  assert.equal(result.verdict, 'stable');
  assert(
    result.assumptions.some((line) => line.startsWith('container init ends with exit code 0')),
  );
});

test('C12: an export is held by a stack that has resources, and by none that has rolled back', (t) => {
  const folder = scratchFolder(t);
  const importer =
    'Resources: { A: { Type: AWS::SNS::Topic, Properties: { DisplayName: !ImportValue x } } }';
  const exporter =
    'Resources: { A: { Type: AWS::SNS::Topic } }\nOutputs: { O: { Value: v, Export: { Name: x } } }';
  writeFileSync(join(folder, 'importer.yml'), importer);
  writeFileSync(join(folder, 'exporter.yml'), exporter);
  const early = overcastJson(['deploy', 'importer.yml', '--stack-name', 'early'], folder);
  assert.equal(early.result.stacks[0]?.failure?.reason, 'No export named x found');
  assert.equal(
    overcastJson(['validate', 'importer.yml'], folder).code,
    1,
    'validate knows as well',
  );
  overcastJson(['deploy', 'exporter.yml'], folder);
  overcastJson(['deploy', 'importer.yml'], folder);
  const held = overcastJson(['delete', 'exporter'], folder);
  assert.equal(held.code, 2);
  const reason = held.result.stacks[0]?.failure?.reason;
  assert.equal(reason, 'Delete canceled. Cannot delete export x as it is in use by importer.');
  assert.equal(overcastJson(['delete', 'importer', 'exporter'], folder).code, 0);
});

test('decision n: the handler gives its reason at the limit, however long it was told to wait', (t) => {
  const stuck = join(ROOT, 'templates/crash-loop-no-breaker.yml');
  const argv = ['deploy', stuck, '--scenario', SCENARIO, '--stabilize-timeout', '48h'];
  const { result } = overcastJson(argv, scratchFolder(t));
  assert.equal(result.verdict, 'would-hang', 'the limit of 36 h is one that nobody set');
  assert.match(result.stacks[0]?.failure?.reason ?? '', /unable to consistently start tasks/);
});

test('a state folder that cannot be used is exit code 2, whatever is wrong with it', (t) => {
  const folder = scratchFolder(t);
  writeFileSync(join(folder, 'file'), '');
  assert.equal(overcast(['deploy', WORKER, '--state-dir', 'file'], folder).code, 2);
  assert.equal(overcast(['list', '--state-dir', 'file'], folder).code, 2);
  assert.equal(overcast(['list', '--state-dir', ''], folder).code, 2);
  overcastJson(['deploy', WORKER], folder);
  writeFileSync(join(folder, '.overcast-cfn/world.json'), '{"formatVersion":1,"world":{}}');
  assert.equal(overcast(['list'], folder).code, 2);
});

test('K4, K14: a list that an earlier stack of the assembly exports is not judged before it is there', (t) => {
  const folder = scratchFolder(t);
  const stack = (name: string, dependencies: string[]) => ({
    type: 'aws:cloudformation:stack',
    environment: 'aws://unknown-account/unknown-region',
    properties: { templateFile: `${name}.json` },
    dependencies,
  });
  const files = {
    'manifest.json': { version: '48.0.0', artifacts: { B: stack('B', ['A']), A: stack('A', []) } },
    'A.json': {
      Resources: { T: { Type: 'AWS::SNS::Topic' } },
      Outputs: { L: { Value: 'one||two', Export: { Name: 'list' } } },
    },
    'B.json': {
      Resources: {
        T: {
          Type: 'AWS::SNS::Topic',
          Properties: {
            DisplayName: {
              'Fn::Select': [1, { 'Fn::Split': ['||', { 'Fn::ImportValue': 'list' }] }],
            },
          },
        },
      },
      Outputs: { Name: { Value: { 'Fn::GetAtt': ['T', 'DisplayName'] } } },
    },
  };
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), JSON.stringify(content));
  }
  assert.equal(overcastJson(['validate', '.'], folder).code, 0);
  const { result } = overcastJson(['deploy', '.', '--state-dir', 'state'], folder);
  assert.equal(result.verdict, 'stable');
  assert.equal(result.stacks[1]?.outputs['Name'], 'two');
});
