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

test('P17: a NoEcho value reaches neither output nor state', (t) => {
  const folder = scratchFolder(t);
  const template = [
    'Parameters: { Password: { Type: String, NoEcho: true } }',
    'Resources:',
    '  Db: { Type: AWS::SSM::Parameter, Properties: { Type: String, Value: !Sub "x-${Password}" } }',
    'Outputs: { Password: { Value: !Ref Password } }',
  ];
  writeFileSync(join(folder, 'stack.yml'), template.join('\n'));
  const argv = ['deploy', 'stack.yml', '--parameter-overrides', 'Password=correct-horse'];
  const ran = overcastJson(argv, folder);
  assert.equal(ran.result.stacks[0]?.outputs['Password'], '****');
  const state = join(folder, '.overcast-cfn');
  const files = readdirSync(state, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const kept = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  for (const text of [ran.stdout, ran.stderr, ...kept]) assert.doesNotMatch(text, /correct-horse/);
  assert.equal(
    overcastJson(argv, folder).result.verdict,
    'stable',
    'and the same again is no update',
  );
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

test('decision 7: a stack that holds what is not simulated is undetermined, by name', (t) => {
  const folder = scratchFolder(t);
  const url = 'https://s3.amazonaws.com/templates/inner.yml';
  const template = `Resources: { Inner: { Type: AWS::CloudFormation::Stack, Properties: { TemplateURL: '${url}' } } }`;
  writeFileSync(join(folder, 'stack.yml'), template);
  const { result, code } = overcastJson(['deploy', 'stack.yml'], folder);
  assert.deepEqual([code, result.verdict], [5, 'undetermined']);
  assert(
    result.assumptions.some((text) => text.startsWith('Inner (AWS::CloudFormation::Stack): ')),
    result.assumptions.join('\n'),
  );
});
