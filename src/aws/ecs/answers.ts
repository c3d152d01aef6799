import { arnOf, type EpochMs, type JsonObject, type JsonValue, nameIn } from '../../base/index.ts';
import type { EcsContext } from './context.ts';
import { EcsException } from './exception.ts';
import { number, text, textList } from './request-values.ts';

/** What the operations that only answer read: the account as it stands. */
export type Reader = Pick<EcsContext, 'state' | 'place' | 'nowMs'>;

/** How an answer writes an instant: the API in seconds since 1970, the commands as a date. */
export type TimeSpelling = (at: EpochMs) => JsonValue;

export const inSeconds: TimeSpelling = (at) => at / 1000;

/** The fields of an answer that there is something to say of. */
export function known(fields: {
  readonly [field: string]: JsonValue | readonly JsonValue[] | undefined;
}): JsonObject {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.filter(([, value]) => value !== null)) as JsonObject;
}

/** One of `failures`: what could not be answered, and why (1.8, 6.63). */
export function failure(arn: string, reason: string, detail?: string): JsonObject {
  return known({ arn, reason, detail });
}

export function clusterArn({ place }: Pick<Reader, 'place'>, name: string): string {
  return arnOf('ecs', place, `cluster/${name}`);
}

/** Whether `include` of the request names this part. */
export function includes(request: JsonObject, part: string): boolean {
  return textList(request['include']).includes(part);
}

/** One page of a List operation; `nextToken` says where the next one begins. */
export function pageOf(
  items: readonly string[],
  request: JsonObject,
  { field, size = 100 }: { readonly field: string; readonly size?: number },
): JsonObject {
  const from = tokenOf(request);
  const until = from + (number(request['maxResults']) ?? size);
  const next = until < items.length ? { nextToken: String(until) } : {};
  return { [field]: items.slice(from, until), ...next };
}

function tokenOf({ nextToken }: JsonObject): number {
  if (nextToken === undefined || nextToken === null) return 0;
  const given = text(nextToken) ?? '';
  if (/^\d+$/.test(given)) return Number(given);
  throw invalid('Invalid token');
}

/** The names in a list that a request must hold, as `Clusters can not be blank.` and the like say. */
export function namesIn(request: JsonObject, field: string, most: number): readonly string[] {
  const names = textList(request[field]);
  if (names.length === 0) throw invalid(`${capitalised(field)} can not be blank.`);
  if (names.length > most) throw invalid(`${capitalised(field)} can have at most ${most} items.`);
  return names;
}

function capitalised(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

export function invalid(message: string): EcsException {
  return new EcsException('InvalidParameterException', message);
}

/** `web` of `…:service/main/web`, which may only be asked for in `main`; short ARNs name no cluster. */
export function nameWithin(cluster: string, nameOrArn: string): string {
  const [, of] = /^arn:[^/]*\/([^/]+)\/[^/]+$/.exec(nameOrArn) ?? [];
  if (of !== undefined && of !== cluster) {
    throw invalid(
      `Invalid identifier: Identifier is for cluster ${of}. Your cluster is ${cluster}`,
    );
  }
  return nameIn(nameOrArn);
}
