import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  engineUnavailable,
  faultOf,
  hasFailed,
  isLost,
  isUnusable,
} from '../../../../src/runtime/docker/faults.ts';

/** As the client rejects: `json` is the answer where it is JSON, null of a pull or a build. */
function rejection(message: string, more: object = {}): Error {
  return Object.assign(new Error(message), more);
}

const faults: readonly { when: string; error: unknown; is: object }[] = [
  {
    when: 'the answer is JSON',
    error: rejection('(HTTP code 404) no such image - No such image: nope:1 ', {
      statusCode: 404,
      reason: 'no such image',
      json: { message: 'No such image: nope:1\n' },
    }),
    is: { status: 404, message: 'No such image: nope:1' },
  },
  {
    when: 'the answer was a stream',
    error: rejection('(HTTP code 500) server error - Get "http://r.test/v2/": dial - no ', {
      statusCode: 500,
      json: null,
    }),
    is: { status: 500, message: 'Get "http://r.test/v2/": dial - no' },
  },
  {
    when: 'the answer is plain text',
    error: rejection('(HTTP code 503) unexpected - try later ', {
      statusCode: 503,
      json: Buffer.from('try later'),
    }),
    is: { status: 503, message: 'try later' },
  },
  {
    when: 'the word of the endpoint cannot be told from the answer',
    error: rejection('(HTTP code 409) name-in-use - Conflict. ', {
      statusCode: 409,
      json: { message: 'Conflict.' },
    }),
    is: { status: 409, message: 'Conflict.' },
  },
  {
    when: 'the word of the endpoint has a comma',
    error: rejection('(HTTP code 403) client error, permission denied - no ', { statusCode: 403 }),
    is: { status: 403, message: 'no' },
  },
  {
    when: 'it ended half-way',
    error: new Error('toomanyrequests: slow down'),
    is: { status: undefined, message: 'toomanyrequests: slow down' },
  },
  { when: 'it is no error', error: 'gone', is: { status: undefined, message: 'gone' } },
];

for (const { when, error, is } of faults) {
  test(`a fault is read when ${when}`, () => assert.deepEqual(faultOf(error), is));
}

const losses: readonly { error: unknown; lost?: true; failed?: true }[] = [
  { error: rejection('connect ENOENT /run/docker.sock', { code: 'ENOENT' }), lost: true },
  { error: rejection('connect ECONNREFUSED 127.0.0.1:1', { code: 'ECONNREFUSED' }), lost: true },
  { error: rejection('connect EACCES /run/docker.sock', { code: 'EACCES' }), lost: true },
  { error: rejection('socket hang up', { code: 'ECONNRESET' }), lost: true },
  { error: rejection('aborted', { code: 'ECONNRESET' }), lost: true },
  { error: rejection('', { code: 'ECONNREFUSED' }), lost: true }, // of both addresses of localhost
  { error: new Error('socket hang up'), lost: true },
  { error: rejection('write EPIPE'), lost: true },
  { error: rejection('(HTTP code 500) server error - ENOENT ', { statusCode: 500 }), failed: true },
  { error: rejection('(HTTP code 503) unexpected - busy ', { statusCode: 503 }), failed: true },
  { error: rejection('(HTTP code 409) unexpected - no ', { statusCode: 409 }) },
  { error: rejection('dial tcp 10.0.0.9:5000: connect: connection refused') },
  { error: fileError("ENOENT: no such file or directory, open '/s/journal'", 'open') },
  { error: fileError("EACCES: permission denied, open '/s/journal'", 'open') },
  { error: fileError('EPIPE: broken pipe, write', 'write') },
  { error: new TypeError('undefined is not a function') },
  { error: 'ENOENT' },
];

/** As the journal of a state folder rejects that was removed, or that is another user's. */
function fileError(message: string, syscall: string): Error {
  return rejection(message, { code: message.slice(0, message.indexOf(':')), syscall });
}

for (const { error, lost = false, failed = false } of losses) {
  const then = lost ? 'it is gone' : failed ? 'it failed' : 'it is there';
  test(`what an error says of the engine, ${String(error)}: ${then}`, () => {
    assert.deepEqual([isLost(error), hasFailed(error)], [lost, failed]);
    assert.equal(isUnusable(error), lost || failed);
  });
}

const unavailable: readonly { code: string; says: string; hint: RegExp }[] = [
  { code: 'EACCES', says: 'the Docker engine at A may not be used by this user', hint: /group/ },
  { code: 'ENOENT', says: 'there is no Docker engine at A', hint: /start it/ },
  { code: 'ECONNREFUSED', says: 'the Docker engine at A does not answer: sorry', hint: /start it/ },
];

for (const { code, says, hint } of unavailable) {
  test(`an engine that cannot be used, ${code}: ${says}`, () => {
    const cause = rejection('sorry', { code });
    const error = engineUnavailable('A', cause);
    assert.deepEqual([error.code, error.message, error.cause], ['EngineUnavailable', says, cause]);
    assert.match(error.hint, hint);
  });
}
