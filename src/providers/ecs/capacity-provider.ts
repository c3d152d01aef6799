import type { Ecs } from '../../aws/ecs/index.ts';
import { isObject, type JsonObject } from '../../base/index.ts';
import type { HandlerRequest, ProgressEvent, ResourceProvider } from '../../registry/index.ts';
import { orRefused } from './refusals.ts';
import { toApi } from './spelling.ts';
import { retag } from './tags.ts';

/**
 * AWS::ECS::CapacityProvider: a resource like any other, which ECS knows besides.
 *
 * @param kept - the generic handlers, which name it and keep its properties
 */
export function capacityProviderProvider(kept: ResourceProvider, ecs: Ecs): ResourceProvider {
  return {
    ...kept,
    create: (request) =>
      andThen(kept.create(request), (model) => {
        const made = orRefused('Create CapacityProvider', () => {
          ecs.api.createCapacityProvider({ ...toApi(model), name: nameOf(model) });
          return { status: 'SUCCESS', model };
        });
        if (made.status === 'FAILED') kept.delete({ ...request, previous: model });
        return made;
      }),
    update: (request) =>
      andThen(updated(kept, request), (model) =>
        orRefused('Update CapacityProvider', () => {
          ecs.api.updateCapacityProvider({ ...toApi(model), name: nameOf(model) });
          retag(ecs, arnOf(ecs, nameOf(model)), model);
          return { status: 'SUCCESS', model };
        }),
      ),
    delete: (request) =>
      andThen(kept.read(request), (model) =>
        orRefused('Delete CapacityProvider', () => {
          ecs.api.deleteCapacityProvider({ capacityProvider: nameOf(model) });
          return kept.delete(request);
        }),
      ),
  };
}

/** Both types of this page have an update in the generic handlers. */
export function updated(kept: ResourceProvider, request: HandlerRequest): ProgressEvent {
  return kept.update?.(request) ?? kept.read(request);
}

/** Goes on with the model of what has succeeded. */
export function andThen(
  event: ProgressEvent,
  go: (model: JsonObject) => ProgressEvent,
): ProgressEvent {
  return event.status === 'SUCCESS' && event.model !== undefined ? go(event.model) : event;
}

function nameOf(model: JsonObject): string {
  return String(model['Name']);
}

function arnOf(ecs: Ecs, name: string): string {
  const { capacityProviders } = ecs.api.describeCapacityProviders({ capacityProviders: [name] });
  const [found] = Array.isArray(capacityProviders) ? capacityProviders.filter(isObject) : [];
  return String(found?.['capacityProviderArn']);
}
