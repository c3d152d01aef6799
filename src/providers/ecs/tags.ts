import type { Ecs } from '../../aws/ecs/index.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/index.ts';
import { toApi } from './spelling.ts';

/** The resource carries the tags of the template and no others (R7). */
export function retag(ecs: Ecs, resourceArn: string, desired: JsonObject): void {
  const { tags = [] } = toApi(desired);
  const before = keysOf(ecs.api.listTagsForResource({ resourceArn })['tags']);
  const kept = new Set(keysOf(tags));
  const tagKeys = before.filter((key) => !kept.has(key) && !key.startsWith('aws:'));
  if (tagKeys.length > 0) ecs.api.untagResource({ resourceArn, tagKeys });
  if (kept.size > 0) ecs.api.tagResource({ resourceArn, tags });
}

function keysOf(tags: JsonValue | undefined): string[] {
  const list = Array.isArray(tags) ? tags.filter(isObject) : [];
  return list.map(({ key }) => String(key));
}
