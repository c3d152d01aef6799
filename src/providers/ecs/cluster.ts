import type { Ecs } from '../../aws/ecs/index.ts';
import type { JsonObject, RandomState } from '../../base/index.ts';
import type { HandlerRequest, ProgressEvent, ResourceProvider } from '../../registry/index.ts';
import { generatedName } from '../names.ts';
import { orRefused } from './refusals.ts';
import { toApi } from './spelling.ts';

const TYPE = 'AWS::ECS::Cluster';

export function clusterProvider(ecs: Ecs, random: RandomState): ResourceProvider {
  return {
    typeName: TYPE,
    create(request) {
      const { desired } = request;
      const given = desired['ClusterName'];
      const name = typeof given === 'string' ? given : generatedName(request, random, 255);
      const existing = ecs.describeCluster(name);
      if (existing !== undefined && !existing.assumed) {
        const message = `Resource of type '${TYPE}' with identifier '${name}' already exists.`;
        return { status: 'FAILED', errorCode: 'AlreadyExists', message };
      }
      const cluster = ecs.createCluster({ ...toApi(desired), clusterName: name });
      return { status: 'SUCCESS', model: modelOf(desired, name, cluster.arn) };
    },
    read: (request) => read(ecs, request),
    // Everything but the name changes in place, and nothing of it changes what runs here.
    update(request) {
      const answer = read(ecs, request);
      if (answer.status !== 'SUCCESS') return answer;
      return { status: 'SUCCESS', model: { ...answer.model, ...request.desired } };
    },
    delete(request) {
      return orRefused('Delete Cluster', () => {
        ecs.deleteCluster(nameOf(request));
        return { status: 'SUCCESS' };
      });
    },
    list: () => ecs.listClusters().map(({ name }) => name),
  };
}

function read(ecs: Ecs, request: HandlerRequest): ProgressEvent {
  const name = nameOf(request);
  const cluster = ecs.describeCluster(name);
  if (cluster === undefined) {
    const message = `Resource of type '${TYPE}' with identifier '${name}' was not found.`;
    return { status: 'FAILED', errorCode: 'NotFound', message };
  }
  return { status: 'SUCCESS', model: modelOf(request.previous ?? {}, name, cluster.arn) };
}

function modelOf(properties: JsonObject, name: string, arn: string): JsonObject {
  return { ...properties, ClusterName: name, Arn: arn };
}

function nameOf({ previous }: HandlerRequest): string {
  return String(previous?.['ClusterName'] ?? '');
}
