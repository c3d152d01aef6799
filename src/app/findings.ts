import { type LogicalId, placeKey } from '../base/index.ts';
import { diagnose, onlyHere } from '../diagnosis/index.ts';
import type { Stack } from '../engine/index.ts';
import type { ServiceView } from '../events/index.ts';
import type { ResourceModel } from '../language/index.ts';
import { NOT_SIMULATED, serviceArnOf } from '../providers/index.ts';
import { type Finding, findingResult } from '../result/index.ts';
import type { World } from '../world/index.ts';
import { serviceView } from './watch.ts';

/** Resources that run something which is not simulated, and what is not run of each. */
export function unsimulatedIn({
  model,
}: Stack): readonly (ResourceModel & { readonly what: string })[] {
  return Object.values(model.resources).flatMap((resource) => {
    const what = NOT_SIMULATED[resource.type];
    return what === undefined ? [] : [{ ...resource, what }];
  });
}

export function assumptionsOf({ record }: World): readonly string[] {
  return record.entries.flatMap((event) => (event.type === 'assumption' ? [event.text] : []));
}

/** What stood in the way on this machine alone, at the services it stood in the way of. */
export function localFindings({ record }: World, stack: Stack): readonly Finding[] {
  return record.entries.flatMap((event) => {
    if (event.type !== 'only-here') return [];
    const resource = Object.values(stack.resources).find(
      ({ physicalId }) => physicalId === event.service,
    );
    if (resource === undefined) return [];
    const source = stack.model.resources[resource.logicalId]?.source;
    return [findingResult(onlyHere(event, resource.logicalId, source), stack.stackName)];
  });
}

export function findingsOf(
  stack: Stack,
  world: World,
  now: readonly ServiceView[],
): readonly Finding[] {
  const { record } = world;
  const facts = {
    record,
    sourceOf: (logicalId: LogicalId) => stack.model.resources[logicalId]?.source,
    serviceOf(logicalId: LogicalId) {
      const arn = serviceOf(stack, logicalId);
      const ended = record.entries.find(
        (event) => event.type === 'ecs-service-ended' && event.service === arn,
      );
      if (ended?.type === 'ecs-service-ended') return ended.view;
      return now.find(({ serviceArn }) => serviceArn === arn);
    },
  };
  return diagnose(facts).map((finding) => findingResult(finding, stack.stackName));
}

/** The service that a resource is, or that its tasks belong to. */
function serviceOf({ resources, place }: Stack, logicalId: LogicalId): string | null | undefined {
  const resource = resources[logicalId];
  if (resource?.type !== 'AWS::ECS::TaskSet') return resource?.physicalId;
  return serviceArnOf(resource.model, place);
}

export function servicesNow(world: World, stack: Stack): readonly ServiceView[] {
  return Object.values(stack.resources).flatMap(({ type, physicalId }) => {
    if (type !== 'AWS::ECS::Service') return [];
    const view = serviceView(world, placeKey(stack.place), physicalId);
    return view === undefined ? [] : [view];
  });
}
