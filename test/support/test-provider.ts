import type { EpochMs, JsonObject, LogicalId } from '../../src/base/index.ts';
import type {
  HandlerErrorCode,
  HandlerRequest,
  ProgressEvent,
  ResourceProvider,
} from '../../src/registry/index.ts';

/** What the handlers of one resource do. What is absent goes well, at once. */
export interface Script {
  /** Seconds from the first call of create to its end; `never`: it goes on for ever. */
  readonly createTakes?: number | 'never';
  readonly deleteTakes?: number | 'never';
  /** Create ends in FAILED: before it has named the resource, or after. */
  readonly createFails?: 'before-id' | 'after-id';
  readonly deleteFails?: true;
  /** Why either fails; otherwise `GeneralServiceException` and `it went wrong`. */
  readonly errorCode?: HandlerErrorCode;
  readonly message?: string;
  /** The first answer says that the configuration is applied (L16). */
  readonly configurationComplete?: true;
  /** Attributes of the resource, beside its `Id`. */
  readonly attributes?: JsonObject;
}

export interface HandlerCall {
  readonly handler: 'create' | 'delete';
  readonly logicalId: LogicalId;
  readonly atMs: EpochMs;
  readonly token: string;
  readonly callbackContext: JsonObject | undefined;
  readonly desired: JsonObject;
}

const LOOK_EVERY_SECONDS = 60;

/** Handlers that do as their scripts say, for every type; what was called is kept in `calls`. */
export function testProvider(scripts: { readonly [logicalId: LogicalId]: Script }) {
  const calls: HandlerCall[] = [];
  let made = 0;
  const note = (handler: HandlerCall['handler'], request: HandlerRequest): Script => {
    const { logicalId, nowMs: atMs, clientRequestToken: token, callbackContext, desired } = request;
    calls.push({ handler, logicalId, atMs, token, callbackContext, desired });
    return scripts[logicalId] ?? {};
  };
  const provider: ResourceProvider = {
    typeName: 'Test',
    create(request) {
      const script = note('create', request);
      made += request.callbackContext === undefined ? 1 : 0;
      const id = request.callbackContext?.['id'] ?? `${request.logicalId.toLowerCase()}-${made}`;
      const model = { ...request.desired, ...script.attributes, Id: id };
      return created(script, request, model);
    },
    read: ({ previous }) => ({ status: 'SUCCESS', model: previous ?? {} }),
    delete(request) {
      const script = note('delete', request);
      const waiting = wait(script.deleteTakes, request);
      if (waiting !== undefined) return { ...waiting, callbackContext: { waits: true } };
      return script.deleteFails === true ? failed(script) : { status: 'SUCCESS' };
    },
    list: () => [],
  };
  return { provider, calls };
}

function created(script: Script, request: HandlerRequest, model: JsonObject): ProgressEvent {
  const named = script.createFails === 'before-id' ? {} : { model };
  const waiting = wait(script.createTakes, request);
  if (waiting !== undefined) {
    const callbackContext = { id: model['Id'] ?? null };
    const early = script.configurationComplete === true;
    return {
      ...waiting,
      ...named,
      callbackContext,
      ...(early && { configurationComplete: early }),
    };
  }
  return script.createFails === undefined
    ? { status: 'SUCCESS', model }
    : { ...failed(script), ...named };
}

/** IN_PROGRESS until the time is over. */
function wait(takes: Script['createTakes'], { startedAtMs, nowMs }: HandlerRequest) {
  const leftSeconds =
    takes === 'never' ? LOOK_EVERY_SECONDS : (takes ?? 0) - (nowMs - startedAtMs) / 1000;
  if (leftSeconds <= 0) return undefined;
  return { status: 'IN_PROGRESS' as const, callbackDelaySeconds: leftSeconds };
}

function failed({ errorCode, message }: Script) {
  return {
    status: 'FAILED' as const,
    errorCode: errorCode ?? 'GeneralServiceException',
    message: message ?? 'it went wrong',
  };
}
