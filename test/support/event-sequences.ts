import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ResourceEvent, StackEvent } from '../../src/events/index.ts';
import { ROOT } from './root.ts';

/** One entry of data/cloudformation-events.json; what its fields mean is said there. */
export interface Sequence {
  readonly id: string;
  readonly evidence: 'recorded' | 'partly-recorded' | 'composed' | 'unverified';
  readonly request: { readonly onFailure?: string; readonly timeoutInMinutes?: number };
  readonly resources: { readonly [logicalId: string]: SequenceResource };
  readonly events: readonly ExpectedEvent[];
  readonly mustPrecede: readonly (readonly [string, string])[];
  readonly finalStackStatus: string;
}

export interface SequenceResource {
  readonly type: string;
  readonly dependsOn?: readonly string[];
  readonly fails?: string;
  readonly afterIdentifier?: boolean;
  readonly inFlight?: boolean;
  readonly deletionPolicy?: string;
}

export interface ExpectedEvent {
  readonly logicalId: string;
  readonly type: string;
  readonly status: string;
  readonly reason: string | null;
  readonly detailedStatus: string | null;
  readonly physicalId: string;
}

export function readSequences(): readonly Sequence[] {
  const text = readFileSync(join(ROOT, 'data/cloudformation-events.json'), 'utf8');
  return (JSON.parse(text) as { readonly scenarios: readonly Sequence[] }).scenarios;
}

type Told = StackEvent | ResourceEvent;
const STACK = '$STACK';

/**
 * Compares what was told with what a sequence expects, as its conventions say: strict within a
 * logical id, between them only `mustPrecede`, `dependsOn` and the stack's own events; events of
 * CONFIGURATION_COMPLETE are taken out of both. REVIEW_IN_PROGRESS is left out as well: CreateStack
 * gives the same list without it.
 *
 * @returns every difference in words; none: the lists agree
 */
export function differences(told: readonly Told[], sequence: Sequence): readonly string[] {
  const actual = told.map(shapeOf).filter(isBinding);
  const expected = sequence.events.filter(isBinding);
  return [
    ...differencesWithin(actual, expected),
    ...differencesAroundTheStack(actual, expected),
    ...brokenPrecedence(actual, sequence.mustPrecede),
    ...brokenDependencies(told.map(shapeOf), sequence.resources),
  ];
}

function shapeOf(event: Told): ExpectedEvent {
  const isStack = event.type === 'stack';
  return {
    logicalId: isStack ? STACK : event.logicalId,
    type: isStack ? 'AWS::CloudFormation::Stack' : event.resourceType,
    status: event.status,
    reason: event.statusReason ?? null,
    detailedStatus: event.detailedStatus ?? null,
    physicalId: isStack ? event.stackId : event.physicalId,
  };
}

function isBinding({ detailedStatus, status }: ExpectedEvent): boolean {
  return detailedStatus !== 'CONFIGURATION_COMPLETE' && status !== 'REVIEW_IN_PROGRESS';
}

type Events = readonly ExpectedEvent[];

function differencesWithin(actual: Events, expected: Events): readonly string[] {
  const bound = new Map<string, string>();
  const ids = new Set([...expected, ...actual].map(({ logicalId }) => logicalId));
  return [...ids].flatMap((id) => {
    const ofId = ({ logicalId }: ExpectedEvent) => logicalId === id;
    const [is, should] = [actual.filter(ofId), expected.filter(ofId)];
    const length = Math.max(is.length, should.length);
    return Array.from({ length }, (_, at) => difference(is[at], should[at], bound)).filter(
      (found) => found !== undefined,
    );
  });
}

function difference(
  is: ExpectedEvent | undefined,
  should: ExpectedEvent | undefined,
  bound: Map<string, string>,
): string | undefined {
  const same =
    is !== undefined &&
    should !== undefined &&
    is.type === should.type &&
    is.status === should.status &&
    is.detailedStatus === should.detailedStatus &&
    sameReason(is.reason, should.reason) &&
    samePhysicalId(is.physicalId, should.physicalId, bound);
  return same ? undefined : `is ${JSON.stringify(is)}, should be ${JSON.stringify(should)}`;
}

/** `$REASON` and `$UNVERIFIED` stand for any text, `$UUID` for one within; null: no reason at all. */
function sameReason(is: string | null, should: string | null): boolean {
  if (is === null || should === null) return is === should;
  const parts = sorted(should).split(/\$(?:REASON|UNVERIFIED|UUID)/);
  const pattern = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+');
  return new RegExp(`^${pattern}$`, 's').test(sorted(is));
}

/** The order inside a list of logical ids is not specified. */
function sorted(reason: string): string {
  return reason.replace(
    /(resource\(s\) failed to \w+: )\[([^\]]*)\]/g,
    (_, before: string, ids: string) => `${before}[${ids.split(', ').sort().join(', ')}]`,
  );
}

/** `$X.1` is the same id throughout, and another one than `$X.2`. */
function samePhysicalId(is: string, should: string, bound: Map<string, string>): boolean {
  if (!should.startsWith('$')) return is === should;
  const before = bound.get(should);
  if (before !== undefined) return before === is;
  const sameResource = (name: string) => name.split('.')[0] === should.split('.')[0];
  const taken = [...bound].some(([name, id]) => sameResource(name) && id === is);
  if (is === '' || taken) return false;
  bound.set(should, is);
  return true;
}

/** Of each resource as many events stand before each event of the stack. */
function differencesAroundTheStack(actual: Events, expected: Events): readonly string[] {
  const [is, should] = [countsAtStackEvents(actual), countsAtStackEvents(expected)];
  return should.flatMap((counts, at) =>
    is[at] === counts ? [] : [`before stack event ${at + 1} is ${is[at]}, should be ${counts}`],
  );
}

function countsAtStackEvents(events: Events): readonly string[] {
  const counts = new Map<string, number>();
  const found: string[] = [];
  for (const { logicalId } of events) {
    counts.set(logicalId, (counts.get(logicalId) ?? 0) + 1);
    const text = [...counts].map(([id, count]) => `${id}:${count}`);
    text.sort((a, b) => a.localeCompare(b));
    if (logicalId === STACK) found.push(text.join(' '));
  }
  return found;
}

function brokenPrecedence(actual: Events, pairs: Sequence['mustPrecede']): readonly string[] {
  const first = (text: string) =>
    actual.findIndex(({ logicalId, status }) => `${logicalId}:${status}` === text);
  return pairs.flatMap(([before, after]) => {
    const [one, other] = [first(before), first(after)];
    return one !== -1 && one < other ? [] : [`${before} must stand before ${after}`];
  });
}

/** A dependent begins once its dependency is there (L16), and is gone before that is deleted. */
function brokenDependencies(told: Events, resources: Sequence['resources']): readonly string[] {
  const first = (id: string, is: (event: ExpectedEvent) => boolean) => {
    const at = told.findIndex((event) => event.logicalId === id && is(event));
    return at === -1 ? Number.POSITIVE_INFINITY : at;
  };
  const broken: string[] = [];
  for (const [id, { dependsOn = [] }] of Object.entries(resources)) {
    const begins = first(id, () => true);
    const gone = first(id, ({ status }) => /^DELETE_(COMPLETE|SKIPPED)$/.test(status));
    for (const dependency of dependsOn) {
      const there = first(
        dependency,
        ({ status, detailedStatus }) => status === 'CREATE_COMPLETE' || detailedStatus !== null,
      );
      const isCreate = told[begins]?.status === 'CREATE_IN_PROGRESS';
      if (isCreate && there > begins) broken.push(`${id} begins too early`);
      const deleted = first(dependency, ({ status }) => status === 'DELETE_IN_PROGRESS');
      if (begins < deleted && gone > deleted) broken.push(`${dependency} goes too early`);
    }
  }
  return broken;
}
