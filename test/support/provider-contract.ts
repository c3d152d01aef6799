import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  addMs,
  type EpochMs,
  type JsonObject,
  present,
  SIMULATION_START_MS,
  type StackId,
} from '../../src/base/index.ts';
import type {
  HandlerRequest,
  ProgressEvent,
  ResourceProvider,
  TypeFacts,
} from '../../src/registry/index.ts';
import { physicalIdOf, primaryIdentifierOf } from '../../src/registry/index.ts';

/** The handlers of a type over an account of their own. */
export interface Subject {
  readonly facts: TypeFacts;
  readonly provider: ResourceProvider;
  /** Lets the account go on for so long; absent: nothing in it takes time. */
  pass?(ms: number): void;
}

type Handler = 'create' | 'update' | 'delete';

/** A subject whose handlers are called as the engine calls them. */
export interface Driven extends Subject {
  request(given?: Partial<HandlerRequest>): HandlerRequest;
  /** Calls a handler until it is done; answers everything it said, its last word last. */
  all(handler: Handler, given?: Partial<HandlerRequest>): readonly ProgressEvent[];
  last(handler: Handler, given?: Partial<HandlerRequest>): ProgressEvent;
}

const CALLS_MAX = 1_000;

export function driven(subject: Subject, desired: JsonObject): Driven {
  let nowMs: EpochMs = SIMULATION_START_MS;
  const { provider } = subject;
  const request = (given: Partial<HandlerRequest> = {}): HandlerRequest => ({
    logicalId: 'Thing',
    stackId: 'arn:aws:cloudformation:us-east-1:123456789012:stack/demo/0' as StackId,
    stackName: 'demo',
    clientRequestToken: 'first',
    desired,
    startedAtMs: nowMs,
    nowMs,
    ...given,
  });
  const call = (handler: Handler, given: HandlerRequest): ProgressEvent =>
    present(provider[handler]?.(given), `${provider.typeName} has the handler ${handler}`);
  const all = (handler: Handler, given: Partial<HandlerRequest> = {}): readonly ProgressEvent[] => {
    let next = request(given);
    const said: ProgressEvent[] = [];
    for (let calls = 0; calls < CALLS_MAX; calls += 1) {
      const event = call(handler, next);
      said.push(event);
      if (event.status !== 'IN_PROGRESS') return said;
      const delayMs = event.callbackDelaySeconds * 1_000;
      subject.pass?.(delayMs);
      nowMs = addMs(nowMs, delayMs);
      // A model or a context that does not survive being saved would be lost by the engine.
      const saved = JSON.parse(JSON.stringify(event)) as typeof event;
      const { callbackContext, model } = saved;
      next = {
        ...next,
        nowMs,
        callbackContext,
        ...(model === undefined ? {} : { previous: model }),
      };
    }
    throw new Error(`${handler} of ${provider.typeName} does not come to an end`);
  };
  const last = (handler: Handler, given?: Partial<HandlerRequest>) =>
    present(all(handler, given).at(-1), 'a handler answers');
  return { ...subject, request, all, last };
}

export function succeeded(event: ProgressEvent | undefined): JsonObject {
  assert.equal(event?.status, 'SUCCESS', JSON.stringify(event));
  return present(event?.status === 'SUCCESS' ? event.model : undefined, 'it answers a model');
}

export function errorCode(event: ProgressEvent | undefined): string | undefined {
  return event?.status === 'FAILED' ? event.errorCode : event?.status;
}

/** What every provider keeps to (R6 to R9), of a resource with these properties. */
export function keepsTheContract(type: string, desired: JsonObject, setUp: () => Subject): void {
  const start = () => driven(setUp(), desired);

  describe(type, () => {
    test('R6: create answers the identifiers, and what was given', () => {
      const { facts, provider, all } = start();
      const said = all('create');
      const model = succeeded(said.at(-1));
      assert.notEqual(physicalIdOf(facts, model), '');
      assert.deepEqual({ ...model, ...desired }, model);
      const identifier = primaryIdentifierOf(facts, model);
      assert.deepEqual(provider.list(), [identifier]);
      const firstModel = said.find((event) => 'model' in event)?.model ?? {};
      assert.equal(primaryIdentifierOf(facts, firstModel), identifier);
    });

    test('R6: create is idempotent per token', () => {
      const { provider, last } = start();
      const model = succeeded(last('create'));
      assert.deepEqual(succeeded(last('create')), model);
      assert.equal(provider.list().length, 1);
    });

    test('R7: update keeps the identifier, replaces the rest, and needs the resource', () => {
      const { facts, provider, request, last } = start();
      const before = succeeded(last('create'));
      if (provider.update === undefined) return; // R2: every change replaces
      const after = succeeded(last('update', { previous: before }));
      assert.equal(primaryIdentifierOf(facts, after), primaryIdentifierOf(facts, before));
      succeeded(provider.read(request({ previous: after })));
      assert.equal(last('delete', { previous: after }).status, 'SUCCESS');
      assert.equal(errorCode(last('update', { previous: after })), 'NotFound');
    });

    test('R8: delete answers no model, and afterwards there is nothing', () => {
      const { provider, request, last } = start();
      const previous = succeeded(last('create'));
      assert.deepEqual(last('delete', { previous }), { status: 'SUCCESS' });
      assert.equal(errorCode(last('delete', { previous })), 'NotFound');
      assert.equal(errorCode(provider.read(request({ previous }))), 'NotFound');
      assert.deepEqual(provider.list(), []);
      succeeded(last('create', { clientRequestToken: 'second' }));
    });

    test('R9: read answers the model as it stands, without nulls', () => {
      const { provider, request, last } = start();
      const previous = succeeded(last('create'));
      const read = succeeded(provider.read(request({ previous })));
      assert.deepEqual(read, previous);
      assert(!JSON.stringify(read).includes(':null'));
    });
  });
}
