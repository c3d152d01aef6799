import { type JsonObject, sameJson } from '../../base/index.ts';
import type { HandlerErrorCode, ProgressEvent } from '../../registry/index.ts';

type Failed = Extract<ProgressEvent, { status: 'FAILED' }>;

/** R17: the words that handlers of every type have for these refusals. */
export function notFound(type: string, identifier: string): Failed {
  return refused('NotFound', type, identifier, 'was not found.');
}

export function alreadyExists(type: string, identifier: string): Failed {
  return refused('AlreadyExists', type, identifier, 'already exists.');
}

/** R7: a change that only a replacement could make has reached the update. */
export function notUpdatable(type: string, identifier: string): Failed {
  return refused('NotUpdatable', type, identifier, 'is not updatable with parameters provided.');
}

/** Whether `desired` asks for something else in one of these properties than there is. */
export function changesAny(
  properties: readonly string[],
  desired: JsonObject,
  model: JsonObject,
): boolean {
  return properties.some(
    (name) => desired[name] !== undefined && !sameJson(desired[name], model[name]),
  );
}

function refused(errorCode: HandlerErrorCode, type: string, identifier: string, what: string) {
  const message = `Resource of type '${type}' with identifier '${identifier}' ${what}`;
  return { status: 'FAILED' as const, errorCode, message };
}
