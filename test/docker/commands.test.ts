import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../src/base/index.ts';
import { present } from '../../src/base/index.ts';
import {
  type Bench,
  cuttableEngine,
  image,
  openBench,
  STAYS,
  stackOf,
} from './commands-in-containers.ts';
import { buildImage, engineRequest, pushImage, removeImage } from './images.ts';

const SERVES =
  'mkdir -p /tmp/www && echo hello > /tmp/www/index.html && exec httpd -f -p 8080 -h /tmp/www';
const BREAKER =
  'DeploymentConfiguration: { DeploymentCircuitBreaker: { Enable: true, Rollback: true } }';

/** The body that a page on this machine answers with. */
function page(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path: '/' }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8');
      });
      answer.on('end', () => resolve(text));
    });
    asked.on('error', reject).end();
  });
}

async function portOf(bench: Bench): Promise<number> {
  const [task] = await bench.items('tasks web');
  const [container] = present(task, 'there is a task')['containers'] as JsonObject[];
  const [binding] = present(container, 'of a container')['networkBindings'] as JsonObject[];
  return Number(binding?.['hostPort']);
}

/** A port that nobody listens on now. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}

describe('the command with an engine', { concurrency: 4 }, () => {
  test('a web service answers HTTP at the port that `tasks` shows, and outlives the command', async (t) => {
    const bench = openBench(t);
    const ports = 'PortMappings: [{ ContainerPort: 8080 }]';
    bench.write('web.yml', stackOf(await image(t, SERVES), { container: ports }));
    const { code, result, stderr } = await bench.json('deploy web.yml');
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^runtime: docker \(its image is here\)\n/);
    assert.deepEqual([result.runtime.kind, result.runtime.deterministic], ['docker', false]);
    assert.equal(await page(await portOf(bench)), 'hello\n');
    const labels = (await bench.containers()).map(({ Labels }) => Labels);
    assert.equal(labels.length, 2, 'the container and the one that holds its network');
    for (const label of labels) {
      const of = ['stack', 'service', 'task', 'deployment'].map(
        (name) => label[`overcast-cfn.${name}`],
      );
      assert.deepEqual([of[0], of[1]], ['web', 'web']);
      assert.match(of[2] ?? '', /^[0-9a-f]{32}$/);
      assert.match(of[3] ?? '', /^ecs-svc\/\d{19}$/);
    }
    assert.equal((await bench.json('delete web')).result.stacks[0]?.status, 'DELETE_COMPLETE');
    assert.deepEqual(await bench.containers(), []);
  });

  test('a container that exits 1 trips the breaker at three failures; the stack rolls back for it', async (t) => {
    const bench = openBench(t);
    const crash = await image(t, 'echo fatal: DATABASE_URL is not set >&2; exit 1');
    bench.write('web.yml', stackOf(crash, { more: BREAKER }));
    const { code, result } = await bench.json('deploy web.yml');
    const [stack] = result.stacks;
    assert.deepEqual([code, result.verdict, stack?.status], [1, 'failed', 'ROLLBACK_COMPLETE']);
    assert.match(stack?.failure?.reason ?? '', /deployment failed: tasks failed to start\.$/);
    assert.equal(stack?.services[0]?.deployments[0]?.failedTasks, 3);
    const [task] = stack.services[0].tasks;
    assert.equal(task?.containers[0]?.exitCode, 1);
    assert.deepEqual(task?.containers[0]?.logTail, ['fatal: DATABASE_URL is not set']);
    assert.deepEqual(await bench.containers(), []);
  });

  test('decision 5: three like failures without a breaker are a very likely hang, at once', async (t) => {
    const bench = openBench(t);
    bench.write('web.yml', stackOf(await image(t, 'exit 3')));
    const { code, result } = await bench.json('deploy web.yml');
    assert.deepEqual([code, result.verdict], [3, 'would-hang']);
    assert.match(result.diagnosis[0]?.title ?? '', /it very likely hangs$/);
    assert.deepEqual(await bench.containers(), []);
  });

  test('decision 5: a limit without a proof is undetermined; one that the command sets fails', async (t) => {
    const bench = openBench(t);
    bench.write('web.yml', stackOf(await image(t, 'exit 3')));
    const set = await bench.json('deploy web.yml --no-fail-fast --stabilize-timeout 4s');
    assert.deepEqual([set.code, set.result.verdict], [1, 'failed']);
  });

  test('a fixed host port: taken by a program of this machine, the verdict is undetermined', async (t) => {
    const bench = openBench(t);
    const port = await freePort();
    const server = createServer().listen(port, '127.0.0.1');
    t.after(() => server.close());
    const name = await image(t, STAYS);
    bench.write('web.yml', bridged(name, port));
    const { code, result } = await bench.json('deploy web.yml');
    assert.deepEqual([code, result.verdict], [5, 'undetermined']);
    assert.equal(result.diagnosis[0]?.code, 'ONLY-HERE');
    assert.match(
      result.diagnosis[0]?.title ?? '',
      new RegExp(`port ${port} of this machine is taken`),
    );
    server.close();
    const again = await bench.json('deploy web.yml');
    assert.equal(again.code, 0, again.stderr);
    assert.equal(await portOf(bench), port);
  });

  test('a fixed host port that two tasks of ours ask for is no matter of this machine', async (t) => {
    const bench = openBench(t);
    const text = bridged(await image(t, STAYS), await freePort());
    bench.write('web.yml', text.replace('DesiredCount: 1', 'DesiredCount: 2'));
    const { code, result } = await bench.json('deploy web.yml --stabilize-timeout 60s');
    assert.deepEqual([code, result.verdict], [3, 'would-hang']);
    const codes = result.diagnosis.map((finding) => finding.code);
    assert(!codes.includes('ONLY-HERE'), codes.join());
  });

  test('a NoEcho value is not told where the engine quotes it', async (t) => {
    const bench = openBench(t);
    const parameters = 'Parameters:\n  Pw: { Type: String, NoEcho: true }';
    const container = `Command: [!Sub "node app --pw \${Pw}"]`;
    const name = await image(t, STAYS);
    bench.write('web.yml', stackOf(name, { container, resources: parameters, more: BREAKER }));
    const ran = await bench.json('deploy web.yml --parameter-overrides Pw=hunter2secret --verbose');
    assert.deepEqual([ran.code, ran.result.verdict], [1, 'failed'], ran.stderr);
    assert.match(ran.stdout, /node app --pw \*\*\*\*/);
    for (const text of [ran.stdout, ran.stderr, stateOf(bench)]) {
      assert.doesNotMatch(text, /hunter2secret/);
    }
  });

  test('a task that died meanwhile is seen by the next command, and an unchanged deploy repairs it', async (t) => {
    const bench = openBench(t);
    bench.write('web.yml', stackOf(await image(t, `echo up; ${STAYS}`)));
    assert.equal((await bench.json('deploy web.yml')).code, 0);
    assert.deepEqual(
      (await bench.items('logs web')).map(({ text }) => text),
      ['up'],
    );
    const app = (await bench.containers()).find(({ Names }) => Names[0]?.endsWith('-app'));
    await engineRequest('POST', `/containers/${app?.Id}/kill`);
    const [dead] = await bench.items('tasks web');
    assert.deepEqual(
      [dead?.['lastStatus'], dead?.['stopCode']],
      ['STOPPED', 'EssentialContainerExited'],
    );
    assert.equal((await bench.items('services'))[0]?.['runningCount'], 0);
    const repaired = await bench.json('deploy web.yml');
    assert.deepEqual([repaired.code, repaired.result.stacks[0]?.changes], [0, 0]);
    assert.equal((await bench.items('services'))[0]?.['runningCount'], 1);
    const tasks = await bench.items('tasks web');
    assert.deepEqual(
      tasks.map(({ lastStatus }) => lastStatus),
      ['RUNNING', 'STOPPED'],
    );
  });

  test('a container that holds the network of a task and is removed ends the task; another follows', async (t) => {
    const bench = openBench(t);
    bench.write('web.yml', stackOf(await image(t, STAYS)));
    const followed = bench.begin('deploy web.yml --follow');
    await followed.says(/following: services go on/);
    const holder = (await bench.containers()).find(({ Names }) => Names[0]?.endsWith('.pause'));
    await engineRequest('DELETE', `/containers/${holder?.Id}?force=1`);
    await followed.says(/the network of the task is gone[\s\S]*has started 1 tasks/);
    followed.child.kill('SIGINT');
    assert.equal((await followed.ended).code, 0);
  });

  test('an unchanged deploy of a service that does not come back is not stable', async (t) => {
    const bench = openBench(t);
    const name = await image(t, STAYS);
    bench.write('web.yml', stackOf(name));
    assert.equal((await bench.json('deploy web.yml')).code, 0);
    const apps = await bench.containers();
    await Promise.all(apps.map(({ Id }) => engineRequest('DELETE', `/containers/${Id}?force=1`)));
    await engineRequest('DELETE', `/images/${name}?force=1`);
    const { code, result } = await bench.json('deploy web.yml');
    assert.deepEqual([code, result.verdict], [5, 'undetermined'], 'it cannot be pulled from here');
    assert.equal(result.stacks[0]?.services[0]?.runningCount, 0);
    assert.deepEqual(
      result.diagnosis.map((finding) => finding.code),
      ['ONLY-HERE', 'SERVICE-NOT-STABLE'],
    );
    await buildImage(name, {}, { cmd: ['/bin/sh', '-c', 'exit 4'] });
    const hangs = await bench.json('deploy web.yml');
    assert.deepEqual([hangs.code, hangs.result.verdict], [3, 'would-hang']);
  });

  test('--rm leaves nothing, whatever the outcome', async (t) => {
    const bench = openBench(t);
    bench.write('web.yml', stackOf(await image(t, STAYS)));
    assert.equal((await bench.json('deploy web.yml --rm')).code, 0);
    assert.deepEqual(await bench.containers(), []);
    assert.deepEqual(await bench.items('list'), []);
  });

  test('--follow goes on scheduling and streams what containers print, until Ctrl-C', async (t) => {
    const bench = openBench(t);
    bench.write('web.yml', stackOf(await image(t, `echo hello from here; ${STAYS}`)));
    const followed = bench.begin('deploy web.yml --follow');
    await followed.says(/following: services go on/);
    await followed.says(/[0-9a-f]{8} app \| hello from here/);
    const app = (await bench.containers()).find(({ Names }) => Names[0]?.endsWith('-app'));
    await engineRequest('POST', `/containers/${app?.Id}/kill`);
    await followed.says(/stopped \(EssentialContainerExited\)[\s\S]*has started 1 tasks/);
    await followed.says(/hello from here[\s\S]*hello from here/); // of the one that followed
    followed.child.kill('SIGINT');
    const { code, stderr } = await followed.ended;
    assert.equal(code, 0, stderr);
    assert.ok((await bench.containers()).length > 0, 'containers go on');
  });

  test('decision 25: Ctrl-C rolls a create back, and a kill at once is gone on with', async (t) => {
    const bench = openBench(t);
    bench.write('web.yml', stackOf(await image(t, STAYS)));
    const first = bench.begin('deploy web.yml');
    await first.says(/has started 1 tasks/);
    first.child.kill('SIGINT');
    assert.equal((await first.ended).code, 130);
    assert.equal((await bench.items('list'))[0]?.['StackStatus'], 'ROLLBACK_COMPLETE');
    assert.deepEqual(await bench.containers(), []);

    const second = bench.begin('deploy web.yml');
    await second.says(/has started 1 tasks/);
    second.child.kill('SIGKILL');
    await second.ended;
    assert.equal((await bench.items('list'))[0]?.['StackStatus'], 'CREATE_IN_PROGRESS');
    const { code, result, stderr } = await bench.json('deploy web.yml');
    assert.equal(code, 0, stderr);
    assert.match(stderr, /stack web is in CREATE_IN_PROGRESS: going on with it first/);
    assert.equal(result.stacks[0]?.status, 'CREATE_COMPLETE');
    assert.equal((await bench.containers()).length, 2);
  });

  test('an engine that stops in the middle is told, and the next command goes on', async (t) => {
    const bench = openBench(t);
    const engine = await cuttableEngine(t);
    bench.write('web.yml', stackOf(await image(t, STAYS)));
    const begun = bench.begin('deploy web.yml --output json', { DOCKER_HOST: engine.host });
    await begun.says(/has started 1 tasks/);
    engine.cut();
    const { code, stdout } = await begun.ended;
    assert.equal(code, 5);
    const result = JSON.parse(stdout) as {
      diagnosis: { code: string }[];
      stacks: { status: string }[];
    };
    assert.equal(result.diagnosis[0]?.code, 'ENGINE-LOST');
    assert.equal(result.stacks[0]?.status, 'CREATE_IN_PROGRESS');
    const again = await bench.json('deploy web.yml');
    assert.equal(again.code, 0, again.stderr);
    assert.equal(again.result.stacks[0]?.status, 'CREATE_COMPLETE');
  });

  test('without an engine nothing changes: asked for, or needed by a stack that is there', async (t) => {
    const bench = openBench(t);
    bench.write('web.yml', stackOf(await image(t, STAYS)));
    const none = { DOCKER_HOST: 'unix:///nowhere/docker.sock' };
    const asked = await bench.run('deploy web.yml --runtime docker', none);
    assert.equal(asked.code, 2);
    assert.match(asked.stdout, /there is no Docker engine at unix:\/\/\/nowhere\/docker\.sock/);
    const remote = await bench.run('deploy web.yml --runtime docker', {
      DOCKER_HOST: 'tcp://192.0.2.1:2375',
    });
    assert.match(remote.stdout, /names an engine on another machine/);
    const auto = await bench.json('deploy web.yml --stack-name other', none);
    assert.deepEqual([auto.code, auto.result.runtime.kind], [0, 'simulation']);

    assert.equal((await bench.json('deploy web.yml')).code, 0);
    const gone = await bench.run('delete web', none);
    assert.equal(gone.code, 2);
    const tasks = await bench.run('tasks web', none);
    assert.equal(tasks.code, 0);
    assert.match(tasks.stderr, /tasks are shown as the last command left them/);
    const other = await bench.run('deploy web.yml --runtime simulation');
    assert.equal(other.code, 2);
    assert.match(other.stdout, /stack web was made with runtime docker/);
    assert.equal((await bench.json('delete web other')).code, 0);
    assert.deepEqual(await bench.containers(), []);
  });

  test('images: pulled with progress, run in place of others, or not there for a reason of this machine', async (t) => {
    const bench = openBench(t);
    const registry = present(process.env['OVERCAST_TEST_REGISTRY'], 'a registry');
    const local = await image(t, STAYS);
    const remote = `${registry}/${local}`;
    const [repo = ''] = remote.split(/:(?=[^/]*$)/);
    await engineRequest('POST', `/images/${local}/tag?repo=${encodeURIComponent(repo)}&tag=1`);
    await pushImage(remote);
    await removeImage(remote);
    bench.write('web.yml', stackOf(remote));
    const pulled = await bench.json('deploy web.yml --rm');
    assert.equal(pulled.code, 0, pulled.stderr);
    assert.match(pulled.stderr, /can be pulled\)\n[\s\S]*pulling .*\n[\s\S]*pulled /);
    await removeImage(remote);

    bench.write('other.yml', stackOf('shop/app:1'));
    const replaced = await bench.json(`deploy other.yml --rm --image shop/app:1=${local}`);
    assert.equal(replaced.code, 0, replaced.stderr);
    assert.ok(
      replaced.result.assumptions.includes(`image shop/app:1 is run as ${local} (--image)`),
    );

    const auto = await bench.json('deploy other.yml --rm');
    assert.equal(auto.result.runtime.kind, 'simulation');
    assert.match(
      auto.stderr,
      /^runtime: simulation \(image shop\/app:1 is not here and cannot be pulled/,
    );
    const forced = await bench.json('deploy other.yml --rm --runtime docker');
    assert.deepEqual([forced.code, forced.result.diagnosis[0]?.code], [5, 'ONLY-HERE']);

    bench.write('missing.yml', stackOf(`${registry}/nobody/knows:7`, { more: BREAKER }));
    const missing = await bench.json('deploy missing.yml --rm --runtime docker');
    assert.deepEqual([missing.code, missing.result.verdict], [1, 'failed']);
    assert.match(
      missing.result.stacks[0]?.failure?.reason ?? '',
      /CannotPullContainerError: .*manifest unknown/,
    );
  });

  test('secrets reach the container from the file and from the template, and nothing else', async (t) => {
    const bench = openBench(t);
    const arn = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:db-AbCdEf';
    const shows = await image(
      t,
      `test "$DB" = hunter2 && test "$OWN" = swordfish && test "$PIN" = 271828 || exit 9; ${STAYS}`,
    );
    const container = `Secrets: [{ Name: DB, ValueFrom: '${arn}:password::' }, { Name: OWN, ValueFrom: !Ref Own }], Environment: [{ Name: PIN, Value: !Ref Pin }]`;
    const resources = `
  Own: { Type: AWS::SecretsManager::Secret, Properties: { SecretString: swordfish } }
Parameters:
  Pin: { Type: String, NoEcho: true }`;
    bench.write('web.yml', stackOf(shows, { container, resources }));
    bench.write('secrets.json', JSON.stringify({ db: { password: 'hunter2' } }));
    const words = 'deploy web.yml --parameter-overrides Pin=271828';
    const without = await bench.json(`${words} --rm`);
    assert.deepEqual([without.code, without.result.diagnosis[0]?.code], [5, 'ONLY-HERE']);
    const given = await bench.run(`${words} --secrets-file secrets.json --output json --verbose`);
    assert.equal(given.code, 0, given.stderr + given.stdout);
    const state = stateOf(bench);
    for (const text of [given.stdout, given.stderr, state])
      assert.doesNotMatch(text, /hunter2|271828/);
  });

  test('doctor finds leftovers of ours, and only ours, and --clean removes them', async (t) => {
    const bench = openBench(t);
    const name = await image(t, STAYS);
    bench.write('web.yml', stackOf(name));
    assert.equal((await bench.json('deploy web.yml')).code, 0);
    const running = await bench.containers();
    const { Labels } = present(running[0], 'it runs');
    const strangers = [
      { ...Labels, 'overcast-cfn.task': 'f'.repeat(32) },
      {
        ...Labels,
        'overcast-cfn.state-id': 'gone',
        'overcast-cfn.state-folder': '/nowhere/at/all',
      },
      {
        ...Labels,
        'overcast-cfn.state-id': 'elsewhere',
        'overcast-cfn.state-folder': '/nowhere/at/all',
        'overcast-cfn.host': 'another-machine',
      },
      { 'com.example.owner': 'somebody else' },
    ];
    const made = await Promise.all(
      strangers.map(async (labels) => {
        const { json } = await engineRequest('POST', '/containers/create', {
          Image: name,
          Labels: labels,
        });
        return String((json as { Id: string }).Id);
      }),
    );
    t.after(() =>
      Promise.all(made.map((id) => engineRequest('DELETE', `/containers/${id}?force=1`))),
    );
    const sick = await bench.run('doctor');
    assert.equal(sick.code, 1);
    assert.match(sick.stdout, /leftovers/);
    const clean = await bench.run('doctor --clean');
    assert.equal(clean.code, 0, clean.stdout);
    const left = await Promise.all(
      made.map((id) => engineRequest('GET', `/containers/${id}/json`)),
    );
    assert.deepEqual(
      left.map(({ status }) => status),
      [404, 404, 200, 200],
    );
    assert.equal((await bench.containers()).length, running.length, 'what runs is left alone');
  });
});

/** All that the state folder holds. */
function stateOf({ folder }: Bench): string {
  const state = join(folder, '.overcast-cfn');
  const files = readdirSync(state, { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.json'))
    .map((name) => readFileSync(join(state, name), 'utf8'))
    .join('');
}

/** A service on a fixed port of the host, as EC2 with bridge networking has it. */
function bridged(name: string, port: number): string {
  return `
Resources:
  Cluster: { Type: AWS::ECS::Cluster }
  Task:
    Type: AWS::ECS::TaskDefinition
    Properties:
      Family: web
      NetworkMode: bridge
      ContainerDefinitions: [{ Name: app, Image: '${name}', Memory: 64, PortMappings: [{ ContainerPort: 8080, HostPort: ${port} }] }]
  Web:
    Type: AWS::ECS::Service
    Properties: { Cluster: !Ref Cluster, TaskDefinition: !Ref Task, ServiceName: web, DesiredCount: 1 }
`;
}
