import type { Ecs } from '../../aws/ecs/index.ts';
import type { JsonObject, RandomState } from '../../base/index.ts';
import type { HandlerRequest, ProgressEvent, ResourceProvider } from '../../registry/index.ts';
import { generatedName } from '../names.ts';
import { orRefused } from './refusals.ts';
import { toApi } from './spelling.ts';

const TYPE = 'AWS::ECS::TaskDefinition';

/** No `update`: every change but tags registers a new revision, which is a replacement (I5). */
export function taskDefinitionProvider(ecs: Ecs, random: RandomState): ResourceProvider {
  return {
    typeName: TYPE,
    create: (request) =>
      orRefused('Create TaskDefinition', () => {
        const given = request.desired['Family'];
        const family = typeof given === 'string' ? given : generatedName(request, random, 255);
        const definition = ecs.registerTaskDefinition({ ...toApi(request.desired), family });
        return { status: 'SUCCESS', model: modelOf(request.desired, family, definition.arn) };
      }),
    read(request) {
      const arn = arnOf(request);
      const definition = ecs.describeTaskDefinition(arn);
      if (definition?.status !== 'ACTIVE') return notFound(arn);
      return { status: 'SUCCESS', model: modelOf(request.previous ?? {}, definition.family, arn) };
    },
    delete(request) {
      const arn = arnOf(request);
      if (ecs.describeTaskDefinition(arn)?.status !== 'ACTIVE') return notFound(arn);
      ecs.deregisterTaskDefinition(arn);
      return { status: 'SUCCESS' };
    },
    list: () => ecs.listTaskDefinitions().map(({ arn }) => arn),
  };
}

function notFound(arn: string): ProgressEvent {
  const message = `Resource of type '${TYPE}' with identifier '${arn}' was not found.`;
  return { status: 'FAILED', errorCode: 'NotFound', message };
}

function modelOf(properties: JsonObject, family: string, arn: string): JsonObject {
  return { ...properties, Family: family, TaskDefinitionArn: arn };
}

function arnOf({ previous }: HandlerRequest): string {
  return String(previous?.['TaskDefinitionArn'] ?? '');
}
