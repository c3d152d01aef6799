import type { Ecs } from '../../aws/ecs/index.ts';
import { isObject, type JsonObject } from '../../base/index.ts';
import type { ProgressEvent, ResourceProvider } from '../../registry/index.ts';
import { changesAny, notFound, notUpdatable } from './answers.ts';
import { orRefused } from './refusals.ts';

const TYPE = 'AWS::ECS::PrimaryTaskSet';

/** Which task set of a service is PRIMARY: nothing of its own, so that its delete leaves all as it is. */
export function primaryTaskSetProvider(ecs: Ecs): ResourceProvider {
  return {
    typeName: TYPE,
    create: ({ desired }) => choose(ecs, 'Create PrimaryTaskSet', desired),
    read(request) {
      const { Cluster = '', Service = '', ...model } = request.previous ?? {};
      const TaskSetId = primaryOf(ecs, { cluster: Cluster, service: Service });
      const name = `${Cluster}|${Service}`;
      if (TaskSetId === undefined) return notFound(TYPE, name);
      return { status: 'SUCCESS', model: { ...model, Cluster, Service, TaskSetId } };
    },
    update({ desired, previous = {} }) {
      const name = `${previous['Cluster']}|${previous['Service']}`;
      if (changesAny(['Cluster', 'Service'], desired, previous)) return notUpdatable(TYPE, name);
      return choose(ecs, 'Update PrimaryTaskSet', desired);
    },
    delete: () => ({ status: 'SUCCESS' }),
    list: () =>
      ecs
        .listServices()
        .filter((service) => primaryOf(ecs, { service }) !== undefined)
        .map((arn) => `${arn.split('/').at(-2)}|${arn.split('/').at(-1)}`),
  };
}

function choose(ecs: Ecs, what: string, desired: JsonObject): ProgressEvent {
  return orRefused(what, () => {
    const { Cluster: cluster = '', Service: service = '', TaskSetId = '' } = desired;
    ecs.api.updateServicePrimaryTaskSet({ cluster, service, primaryTaskSet: TaskSetId });
    return { status: 'SUCCESS', model: desired };
  });
}

function primaryOf(ecs: Ecs, request: JsonObject): string | undefined {
  const { taskSets } = ecs.api.describeTaskSets(request);
  const sets = Array.isArray(taskSets) ? taskSets.filter(isObject) : [];
  const primary = sets.find(({ status }) => status === 'PRIMARY');
  return primary === undefined ? undefined : String(primary['id']);
}
