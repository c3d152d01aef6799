import type { JsonObject, ServiceArn, TaskId } from '../../base/index.ts';
import { invalid, known } from './answers.ts';
import type { EcsContext } from './context.ts';
import { EcsException } from './exception.ts';
import type { EcsState, ServiceState, Tag, TaskDefinition, TaskState } from './model.ts';
import { list, text, textList } from './request-values.ts';

const TAGS_MAX = 50; // 9.5, as the next two
const KEY_LENGTH_MAX = 128;
const VALUE_LENGTH_MAX = 256;

/** TagResource: what has the key already takes the new value. */
export function tagResource(context: EcsContext, request: JsonObject): JsonObject {
  const resource = taggable(context, request);
  const given = checkedTags(request);
  const others = resource.tags.filter(({ key }) => given.every((tag) => tag.key !== key));
  const tags = [...others, ...given];
  if (own(tags).length > TAGS_MAX) throw tooMany();
  resource.put(tags);
  return {};
}

/** UntagResource: a key that nothing has is no error. */
export function untagResource(context: EcsContext, request: JsonObject): JsonObject {
  const resource = taggable(context, request);
  const keys = textList(request['tagKeys']);
  resource.put(resource.tags.filter(({ key }) => !keys.includes(key)));
  return {};
}

/** ListTagsForResource. */
export function listTagsForResource(context: EcsContext, request: JsonObject): JsonObject {
  return { tags: tagsAnswer(taggable(context, request).tags) };
}

/** The tags of a request, once they keep to the limits (9.5). How AWS words these was not seen. */
export function checkedTags(request: JsonObject): readonly Tag[] {
  const tags = tagsIn(request);
  if (tags.length > TAGS_MAX) throw tooMany();
  for (const { key, value } of tags) {
    if (key.length === 0 || key.length > KEY_LENGTH_MAX) {
      throw invalid(`Tag keys must have 1 to ${KEY_LENGTH_MAX} characters.`);
    }
    if (value.length > VALUE_LENGTH_MAX) {
      throw invalid(`Tag values must have at most ${VALUE_LENGTH_MAX} characters.`);
    }
    if (isReserved(key)) throw invalid('Tag keys must not begin with aws:, which is reserved.');
  }
  return tags;
}

function tooMany(): EcsException {
  return invalid(`A resource can have at most ${TAGS_MAX} tags.`);
}

function isReserved(key: string): boolean {
  return key.toLowerCase().startsWith('aws:');
}

/** Those that count toward the limit: what AWS sets itself does not. */
function own(tags: readonly Tag[]): readonly Tag[] {
  return tags.filter(({ key }) => !isReserved(key));
}

export function tagsIn(request: JsonObject): readonly Tag[] {
  return list(request['tags']).map(({ key, value }) => ({
    key: text(key) ?? '',
    value: text(value) ?? '',
  }));
}

export function tagsAnswer(tags: readonly Tag[]): JsonObject[] {
  return tags.map(({ key, value }) => known({ key, value }));
}

/** What is made with no tags forgets those of an earlier one of its name. */
export function setTags({ tags }: EcsState, arn: string, given: readonly Tag[]): void {
  if (given.length > 0) tags[arn] = given;
  else delete tags[arn];
}

export function tagsOf({ tags }: EcsState, arn: string): readonly Tag[] {
  return tags[arn] ?? [];
}

/** The tags of a new task of a service: those that propagate, and AWS's own. */
export function taskTags(
  state: EcsState,
  { arn, name, cluster, request }: ServiceState,
  definition: TaskDefinition,
): Pick<TaskState, 'tags'> {
  const tags = [
    ...propagated(state, request, { SERVICE: arn, TASK_DEFINITION: definition.arn }),
    ...(request['enableECSManagedTags'] === true
      ? [...managedTags(cluster), { key: 'aws:ecs:serviceName', value: name }]
      : []),
  ];
  return tags.length === 0 ? {} : { tags };
}

/** Tags of what `propagateTags` names. */
export function propagated(
  state: EcsState,
  request: JsonObject,
  sources: { readonly [from: string]: string },
): readonly Tag[] {
  const source = sources[text(request['propagateTags']) ?? 'NONE'];
  return source === undefined ? [] : tagsOf(state, source);
}

export function managedTags(cluster: string): readonly Tag[] {
  return [{ key: 'aws:ecs:clusterName', value: cluster }];
}

/** Tags of what is not there any more go; a name may come again. */
export function forgetTags(state: EcsState): void {
  const { clusters, capacityProviders, services, taskDefinitions, tags } = state;
  const known = new Set(
    [clusters, capacityProviders, services, taskDefinitions].flatMap((of) =>
      Object.values<{ readonly arn: string }>(of).map(({ arn }) => arn),
    ),
  );
  for (const arn of Object.keys(tags)) if (!known.has(arn)) delete tags[arn];
}

/** Something that carries tags, by the ARN in the request. */
interface Taggable {
  readonly tags: readonly Tag[];
  put(tags: readonly Tag[]): void;
}

function taggable({ state }: EcsContext, { resourceArn }: JsonObject): Taggable {
  const arn = text(resourceArn) ?? '';
  const [, kind = '', name = ''] = /^arn:[^:]*:ecs:[^:]*:[^:]*:([^/]+)\/(.+)$/.exec(arn) ?? [];
  if (kind === 'task') {
    const id = name.split('/').at(-1) as TaskId;
    const task = state.tasks[id] ?? state.stoppedTasks[id];
    if (task === undefined) throw notFound(kind);
    return {
      tags: task.tags ?? [],
      put(tags) {
        task.tags = tags;
      },
    };
  }
  if (!isThere(state, kind, arn, name)) throw notFound(kind);
  return { tags: tagsOf(state, arn), put: (tags) => setTags(state, arn, tags) };
}

function isThere(state: EcsState, kind: string, arn: string, name: string): boolean {
  switch (kind) {
    case 'cluster':
      return state.clusters[name]?.status === 'ACTIVE';
    case 'service':
      return (state.services[arn as ServiceArn]?.status ?? 'INACTIVE') !== 'INACTIVE';
    case 'task-definition':
      return state.taskDefinitions[arn] !== undefined;
    case 'capacity-provider':
      return state.capacityProviders[name]?.status === 'ACTIVE';
    default:
      return false;
  }
}

function notFound(kind: string): EcsException {
  switch (kind) {
    case 'cluster':
      return new EcsException('ClusterNotFoundException', 'Cluster not found.');
    case 'service':
      return new EcsException('ServiceNotFoundException', 'Service not found.');
    case 'task-definition':
    case 'capacity-provider':
    case 'task':
      return new EcsException('ResourceNotFoundException', 'The specified resource was not found.');
    default:
      return invalid('The resourceArn is not the ARN of something that carries tags.');
  }
}
