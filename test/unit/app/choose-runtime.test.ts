import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Choice, chooseRuntime, imagesOf } from '../../../src/app/choose-runtime.ts';
import { DEFAULTS, type DeployRequest } from '../../../src/app/use-cases.ts';
import type { JsonObject, JsonValue } from '../../../src/base/index.ts';
import { compiled } from '../language/compiled.ts';
import {
  type EngineAnswers,
  fakeEngine,
  folderWith,
  inEnvironment,
} from '../runtime/docker/fake-engine.ts';

/** Services by name, each with a task definition of its own that has these images. */
function stackOf(services: { readonly [name: string]: readonly JsonValue[] }): JsonObject {
  const resources = Object.entries(services).flatMap(([name, images]) => [
    [`${name}Task`, taskDefinition(images)] as const,
    [name, service({ Ref: `${name}Task` })] as const,
  ]);
  return Object.fromEntries(resources);
}

function taskDefinition(images: readonly JsonValue[]): JsonObject {
  const containers = images.map((Image, index) => ({ Name: `c${index}`, Image, Memory: 64 }));
  return { Type: 'AWS::ECS::TaskDefinition', Properties: { ContainerDefinitions: containers } };
}

function service(named: JsonValue): JsonObject {
  return { Type: 'AWS::ECS::Service', Properties: { TaskDefinition: named } };
}

const TOPIC = { Topic: { Type: 'AWS::SNS::Topic' } };
const PARAMETERS = { Image: { Type: 'String', NoEcho: true } };

function modelOf(resources: JsonObject) {
  const body = { Parameters: PARAMETERS, Resources: resources };
  return compiled(body, { inputs: { parameters: { Image: 'web:1' } } }).model;
}

const OWN = '000000000000.dkr.ecr.us-east-1.amazonaws.com/web:1';
const simulation = (why: string): Choice => ({ kind: 'simulation', why });
const docker = (why: string): Choice => ({ kind: 'docker', why });

const rows: readonly {
  when: string;
  request?: Partial<DeployRequest>;
  stacks: readonly JsonObject[];
  engine?: EngineAnswers;
  is: Choice;
  /** Whether it takes an engine to know. */
  asksNobody?: true;
}[] = [
  {
    when: 'a scenario is given',
    request: { scenario: 's.yml' },
    stacks: [stackOf({ Web: ['web:1'] })],
    engine: { here: ['web:1'] },
    is: simulation('a scenario is given'),
    asksNobody: true,
  },
  {
    when: 'simulation is asked for',
    request: { runtime: 'simulation' },
    stacks: [stackOf({ Web: ['web:1'] })],
    engine: { here: ['web:1'] },
    is: simulation('asked for'),
    asksNobody: true,
  },
  {
    when: 'Docker is asked for: images are looked for when they are run',
    request: { runtime: 'docker' },
    stacks: [stackOf({ Web: ['nope:1'] })],
    is: docker('asked for'),
  },
  {
    when: 'the template has no service',
    stacks: [TOPIC],
    is: simulation('no service runs an image'),
    asksNobody: true,
  },
  {
    when: 'a task definition is used by no service',
    stacks: [{ Task: taskDefinition(['web:1']) }],
    is: simulation('no service runs an image'),
    asksNobody: true,
  },
  {
    when: 'the task definition is named by its ARN',
    stacks: [{ Web: service('arn:aws:ecs:us-east-1:000000000000:task-definition/web:1') }],
    is: simulation('the task definition of Web lies outside the template'),
    asksNobody: true,
  },
  {
    when: 'what a service names is no task definition',
    stacks: [{ ...TOPIC, Web: service({ Ref: 'Topic' }) }],
    is: simulation('the task definition of Web lies outside the template'),
    asksNobody: true,
  },
  {
    when: 'the image is an attribute of a resource',
    stacks: [{ ...TOPIC, ...stackOf({ Web: [{ 'Fn::Sub': `\${Topic}:1` }] }) }],
    is: simulation('an image of WebTask is known only once it runs'),
    asksNobody: true,
  },
  {
    when: 'the image is a dynamic reference',
    stacks: [stackOf({ Web: ['web:1'], Db: ['{{resolve:ssm:image}}'] })],
    engine: { here: ['web:1'] },
    is: simulation('an image of DbTask is known only once it runs'),
    asksNobody: true,
  },
  {
    when: 'the image is a NoEcho parameter',
    stacks: [stackOf({ Web: [{ Ref: 'Image' }] })],
    engine: { here: ['web:1'] },
    is: simulation('an image of WebTask is known only once it runs'),
    asksNobody: true,
  },
  {
    when: 'its image is here',
    stacks: [stackOf({ Web: ['web:1'] })],
    engine: { here: ['web:1'] },
    is: docker('its image is here'),
  },
  {
    when: 'the task definition is named by its attribute',
    stacks: [
      {
        Task: taskDefinition(['web:1']),
        Web: service({ 'Fn::GetAtt': ['Task', 'TaskDefinitionArn'] }),
      },
    ],
    engine: { here: ['web:1'] },
    is: docker('its image is here'),
  },
  {
    when: 'two services run one image',
    stacks: [stackOf({ Web: ['web:1'], Worker: ['web:1'] })],
    engine: { here: ['web:1'] },
    is: docker('its image is here'),
  },
  {
    when: 'every image of several stacks is here',
    stacks: [stackOf({ Web: ['web:1', 'log:1'] }), TOPIC, stackOf({ Db: ['db:1'] })],
    engine: { here: ['web:1', 'log:1', 'db:1'] },
    is: docker('every image is here'),
  },
  {
    when: 'its image can be pulled',
    stacks: [stackOf({ Web: ['web:1'] })],
    engine: { registries: { 'web:1': 'there' } },
    is: docker('web:1 can be pulled'),
  },
  {
    when: 'one image is here and one can be pulled',
    stacks: [stackOf({ Web: ['web:1', 'log:1'] })],
    engine: { here: ['log:1'], registries: { 'web:1': 'there' } },
    is: docker('1 image is here, web:1 can be pulled'),
  },
  {
    when: 'two images are here and two can be pulled',
    stacks: [stackOf({ Web: ['a:1', 'b:1', 'c:1', 'd:1'] })],
    engine: { here: ['a:1', 'c:1'], registries: { 'b:1': 'there', 'd:1': 'there' } },
    is: docker('2 images are here, b:1, d:1 can be pulled'),
  },
  {
    when: 'an image is nowhere',
    stacks: [stackOf({ Web: ['web:1', 'nope:1'] })],
    engine: { here: ['web:1'] },
    is: simulation('image nope:1 is not here and cannot be pulled: manifest for nope:1 not found'),
  },
  {
    when: 'an image is in a registry of the account',
    stacks: [stackOf({ Web: [OWN] })],
    is: simulation(`image ${OWN} is in a private registry of AWS, which is not asked from here`),
  },
  {
    when: 'another image is run in its place',
    request: { images: { [OWN]: 'web:dev' } },
    stacks: [stackOf({ Web: [OWN] })],
    engine: { here: ['web:dev'] },
    is: docker('its image is here'),
  },
];

for (const { when, request, stacks, engine, is, asksNobody = false } of rows) {
  test(`when ${when}: ${is.kind} (${is.why})`, async (t) => {
    const { env, asked } = await fakeEngine(t, engine);
    assert.deepEqual(await choose(t, env, stacks, request), is);
    assert.equal(asked.length === 0, asksNobody);
  });
}

const SILENT = { DOCKER_HOST: 'unix:///nowhere/docker.sock' };
const AWAY = { DOCKER_HOST: 'ssh://me@build' };
const engines: readonly { env: { readonly DOCKER_HOST: string }; why: string }[] = [
  { env: SILENT, why: 'there is no Docker engine at unix:///nowhere/docker.sock' },
  { env: AWAY, why: 'DOCKER_HOST names an engine on another machine (ssh://me@build)' },
];

for (const { env, why } of engines) {
  test(`when no engine can be used: simulation (${why})`, async (t) => {
    const choice = await choose(t, env, [stackOf({ Web: ['web:1'] })]);
    assert.deepEqual(choice, simulation(why));
  });

  test(`when no engine can be used and Docker is asked for, nothing is done: ${why}`, async (t) => {
    const choosing = choose(t, env, [TOPIC], { runtime: 'docker' });
    await assert.rejects(choosing, { name: 'UserError', code: 'EngineUnavailable', message: why });
  });
}

async function choose(
  t: TestContext,
  env: { readonly DOCKER_HOST: string; readonly DOCKER_CONFIG?: string },
  stacks: readonly JsonObject[],
  request: Partial<DeployRequest> = {},
): Promise<Choice> {
  const wanted = stacks.map((body, at) => ({ stackName: `stack-${at}`, model: modelOf(body) }));
  return inEnvironment({ DOCKER_CONFIG: folderWith(t), ...env }, () =>
    chooseRuntime({ ...DEFAULTS.deploy, target: 't.yml', ...request }, wanted),
  );
}

test('the images of a stack are those of the task definitions that its services run', () => {
  const model = modelOf({
    ...stackOf({ Web: ['web:1', 'log:1'] }),
    Other: taskDefinition(['x:1']),
  });
  assert.deepEqual(imagesOf(model), [{ reference: 'web:1' }, { reference: 'log:1' }]);
});
