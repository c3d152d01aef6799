import type { Ecs } from '../../aws/ecs/index.ts';
import { isObject, type JsonObject, type Path, type RandomState } from '../../base/index.ts';
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
        const { desired, leftOut = [], clientRequestToken: clientToken } = request;
        const made = ecs.describeTaskDefinition(ecs.madeWith(clientToken) ?? '');
        const given = desired['Family'];
        const name = () =>
          typeof given === 'string' ? given : generatedName(request, random, 255);
        const { family, arn } =
          made ??
          ecs.registerTaskDefinition({
            ...toApi(withUnknownMemory(desired, leftOut)),
            ...{ family: name(), clientToken },
          });
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

/**
 * A memory limit whose value nobody knows is asked for all the same: as the text that stands for what
 * is not resolved, which no rule judges.
 */
function withUnknownMemory(desired: JsonObject, leftOut: readonly Path[]): JsonObject {
  const containers = desired['ContainerDefinitions'];
  if (leftOut.length === 0 || !Array.isArray(containers)) return desired;
  const unknownOf = (index: number) =>
    leftOut
      .filter(([list, at]) => list === 'ContainerDefinitions' && at === index)
      .map((path) => String(path.at(-1)))
      .filter((member) => member === 'Memory' || member === 'MemoryReservation')
      .map((member) => [member, '{{resolve:unknown}}']);
  const ContainerDefinitions = containers.map((container, index) =>
    isObject(container) ? { ...container, ...Object.fromEntries(unknownOf(index)) } : container,
  );
  return { ...desired, ContainerDefinitions };
}

function modelOf(properties: JsonObject, family: string, arn: string): JsonObject {
  return { ...properties, Family: family, TaskDefinitionArn: arn };
}

function arnOf({ previous }: HandlerRequest): string {
  return String(previous?.['TaskDefinitionArn'] ?? '');
}
