import { type JsonObject, nameIn, type TaskDefinitionArn } from '../../base/index.ts';
import {
  failure,
  includes,
  inSeconds,
  invalid,
  known,
  namesIn,
  pageOf,
  type Reader,
} from './answers.ts';
import type { EcsContext } from './context.ts';
import { EcsException } from './exception.ts';
import type { EcsState, TaskDefinition } from './model.ts';
import { list, text, textList } from './request-values.ts';
import { checkedTags, tagsAnswer, tagsOf } from './tags.ts';
import {
  arnOfRevision,
  deregisterTaskDefinition as deregister,
  newestActive,
  registerTaskDefinition as register,
} from './task-definitions.ts';

const AT_ONCE_MAX = 10;

/** RegisterTaskDefinition. */
export function registerTaskDefinition(context: EcsContext, request: JsonObject): JsonObject {
  const tags = checkedTags(request);
  const taskDefinition = answer(register(context, request));
  return { taskDefinition, tags: tagsAnswer(tags) };
}

/** DescribeTaskDefinition, of one that is INACTIVE too while it is there. */
export function describeTaskDefinition(reader: Reader, request: JsonObject): JsonObject {
  const definition = findTaskDefinition(reader, nameOf(request));
  if (definition === undefined) throw unknownDefinition();
  const tags = includes(request, 'TAGS') ? tagsOf(reader.state, definition.arn) : [];
  return { taskDefinition: answer(definition), tags: tagsAnswer(tags) };
}

/** DeregisterTaskDefinition: INACTIVE, but what runs it goes on. It must be named with its revision. */
export function deregisterTaskDefinition(context: EcsContext, request: JsonObject): JsonObject {
  const name = nameOf(request);
  if (!/:\d+$/.test(name)) throw noRevision();
  const definition = findTaskDefinition(context, name);
  if (definition === undefined) throw unknownDefinition();
  deregister(context, definition.arn);
  return { taskDefinition: answer(definition) };
}

/** DeleteTaskDefinitions: those that are INACTIVE are on their way out. */
export function deleteTaskDefinitions(context: EcsContext, request: JsonObject): JsonObject {
  const taskDefinitions: JsonObject[] = [];
  const failures: JsonObject[] = [];
  for (const name of namesIn(request, 'taskDefinitions', AT_ONCE_MAX)) {
    if (!/:\d+$/.test(name)) throw noRevision();
    const definition = findTaskDefinition(context, name);
    if (definition === undefined) {
      failures.push(failure(name, 'The specified task definition does not exist.'));
    } else if (definition.status === 'ACTIVE') {
      const reason =
        'The specified task definition is still in ACTIVE status. Please deregister the target and try again.';
      failures.push(failure(definition.arn, reason));
    } else {
      definition.status = 'DELETE_IN_PROGRESS';
      taskDefinitions.push(answer(definition));
    }
  }
  return { taskDefinitions, failures };
}

function nameOf(request: JsonObject): string {
  const name = text(request['taskDefinition']) ?? '';
  if (name === '') throw invalid('TaskDefinition can not be blank.');
  return name;
}

function unknownDefinition(): EcsException {
  return new EcsException('ClientException', 'Unable to describe task definition.');
}

function noRevision(): EcsException {
  return invalid('Revision is missing.');
}

/** By ARN, `family:revision`, or family: its newest ACTIVE revision. Assumes none. */
export function findTaskDefinition(
  reader: Pick<Reader, 'state' | 'place'>,
  name: string,
): TaskDefinition | undefined {
  const { taskDefinitions } = reader.state;
  const [, family = '', given] = /^([^:]+)(?::(\d+))?$/.exec(shortName(name)) ?? [];
  const revision = given === undefined ? newestActive(reader, family) : Number(given);
  if (revision === undefined) return undefined;
  const arn = arnOfRevision(reader, family, revision);
  const isOther = name.startsWith('arn:') && name !== arn && /:\d+$/.test(name);
  return isOther ? undefined : taskDefinitions[arn];
}

function shortName(name: string): string {
  return name.startsWith('arn:') ? nameIn(name) : name;
}

/** ListTaskDefinitions: by family and revision; the ACTIVE ones unless the request says otherwise. */
export function listTaskDefinitions({ state }: Reader, request: JsonObject): JsonObject {
  const { familyPrefix, sort } = request;
  const wanted = text(request['status']) ?? 'ACTIVE';
  const arns = registered(state)
    .filter(({ status, family }) => status === wanted && isOf(family, familyPrefix))
    .sort((a, b) => compare(a.family, b.family) || a.revision - b.revision)
    .map(({ arn }): TaskDefinitionArn => arn);
  return pageOf(sort === 'DESC' ? arns.reverse() : arns, request, { field: 'taskDefinitionArns' });
}

/** Here, other than for ListTaskDefinitionFamilies, the whole name is meant. */
function isOf(family: string, familyPrefix: JsonObject[string] | undefined): boolean {
  return familyPrefix === undefined || family === familyPrefix;
}

/** ListTaskDefinitionFamilies: one is ACTIVE with an ACTIVE revision, and INACTIVE without. */
export function listTaskDefinitionFamilies({ state }: Reader, request: JsonObject): JsonObject {
  const prefix = text(request['familyPrefix']) ?? '';
  const wanted = text(request['status']) ?? 'ALL';
  const active = new Set(
    registered(state)
      .filter(({ status }) => status === 'ACTIVE')
      .map(({ family }) => family),
  );
  const families = Object.keys(state.families)
    .filter((family) => family.startsWith(prefix))
    .filter((family) => wanted === 'ALL' || active.has(family) === (wanted === 'ACTIVE'))
    .sort(compare);
  return pageOf(families, request, { field: 'families' });
}

function registered({ taskDefinitions }: EcsState): TaskDefinition[] {
  return Object.values(taskDefinitions).filter(({ assumed }) => !assumed);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function answer(definition: TaskDefinition): JsonObject {
  const { arn, family, revision, status, networkMode, request } = definition;
  const { tags: _, clientToken: __, networkMode: given, ...registered } = request;
  return known({
    ...{ taskDefinitionArn: arn, family, revision, status },
    ...registered,
    family,
    networkMode: given ?? (networkMode === 'awsvpc' ? networkMode : undefined),
    containerDefinitions: list(request['containerDefinitions']).map(containerAnswer),
    volumes: [...list(request['volumes'])],
    placementConstraints: [...list(request['placementConstraints'])],
    compatibilities: compatibilitiesOf(definition),
    registeredAt: inSeconds(definition.registeredAtMs),
    deregisteredAt:
      definition.deregisteredAtMs === null ? null : inSeconds(definition.deregisteredAtMs),
  });
}

/** With what counts where the request says nothing. */
function containerAnswer(container: JsonObject): JsonObject {
  return {
    ...{ cpu: 0, essential: true, environment: [], mountPoints: [], volumesFrom: [] },
    ...container,
    portMappings: list(container['portMappings']).map((mapping) => ({
      protocol: 'tcp',
      ...mapping,
    })),
  };
}

/** Where it could run: on Fargate with an interface of its own and a size. */
function compatibilitiesOf({ networkMode, cpu, memory, request }: TaskDefinition): string[] {
  if (networkMode !== 'awsvpc') return ['EXTERNAL', 'EC2'];
  const asked = textList(request['requiresCompatibilities']).includes('FARGATE');
  const isSized = cpu !== undefined && memory !== undefined;
  return asked || isSized ? ['EC2', 'FARGATE'] : ['EC2'];
}
