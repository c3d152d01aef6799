import type { Ecs } from '../../aws/ecs/index.ts';
import type { JsonObject, RandomState } from '../../base/index.ts';
import type { HandlerRequest, ResourceProvider } from '../../registry/index.ts';
import { generatedName } from '../names.ts';
import { notFound } from './answers.ts';
import { orRefused } from './refusals.ts';
import { toApi } from './spelling.ts';

const TYPE = 'AWS::ECS::TaskDefinition';

/** No `update`: every change but tags registers a new revision, which is a replacement (I5). */
export function taskDefinitionProvider(ecs: Ecs, random: RandomState): ResourceProvider {
  return {
    typeName: TYPE,
    create: (request) =>
      orRefused('Create TaskDefinition', () => {
        const { desired, clientRequestToken: clientToken } = request;
        const made = ecs.describeTaskDefinition(ecs.madeWith(clientToken) ?? '');
        const given = desired['Family'];
        const name = () =>
          typeof given === 'string' ? given : generatedName(request, random, 255);
        const { family, arn } =
          made ?? ecs.registerTaskDefinition({ ...toApi(desired), family: name(), clientToken });
        return { status: 'SUCCESS', model: modelOf(desired, family, arn) };
      }),
    read(request) {
      const arn = arnOf(request);
      const definition = ecs.describeTaskDefinition(arn);
      if (definition?.status !== 'ACTIVE') return notFound(TYPE, arn);
      return { status: 'SUCCESS', model: modelOf(request.previous ?? {}, definition.family, arn) };
    },
    delete(request) {
      const arn = arnOf(request);
      if (ecs.describeTaskDefinition(arn)?.status !== 'ACTIVE') return notFound(TYPE, arn);
      ecs.deregisterTaskDefinition(arn);
      return { status: 'SUCCESS' };
    },
    list: () => ecs.listTaskDefinitions().map(({ arn }) => arn),
  };
}

function modelOf(properties: JsonObject, family: string, arn: string): JsonObject {
  return { ...properties, Family: family, TaskDefinitionArn: arn };
}

function arnOf({ previous }: HandlerRequest): string {
  return String(previous?.['TaskDefinitionArn'] ?? '');
}
